"""One SQLite database: a single writer thread, a few readers, and an async door to both."""

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from sqlite3 import Connection as SqliteConnection
from typing import Self

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from homesteward.core import HomestewardError
from homesteward.store.schema import make_current

READERS = 2
BUSY_MS = 10_000  # how long a statement waits for another process, such as a backup, before it fails

# Plans and audit must survive a power cut (FULL); foreign keys are off in SQLite unless asked for.
PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}")


class DatabaseUnreadableError(HomestewardError):
    """The database file is damaged, or is none; nothing was changed in it."""

    code = "database_unreadable"


class Database:
    """An open database. Work is handed in as a function of a connection and runs in one transaction on a thread."""

    def __init__(self, path: Path) -> None:
        """Use `Database.open`."""
        self.path = path
        self._writing = _engine(path, "BEGIN IMMEDIATE", PRAGMAS)
        self._reading = _engine(path, "BEGIN", (*PRAGMAS, "query_only=ON"))
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(READERS, "store-reader")

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open the database file, made and migrated where needed; raise NewerDataError if a newer version made it."""
        _make_private(path)
        database = cls(path)
        try:
            await database.write(make_current)
        except DatabaseError as error:
            await database.close()
            raise DatabaseUnreadableError(
                f"The database {path} cannot be read: {error.orig}.",
                next="Put a backup in its place, or move it away to begin anew; the old plans stay in the file you moved.",
            ) from error
        except BaseException:
            await database.close()
            raise
        return database

    async def write[T](self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction on the writer thread; an error rolls all of it back."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, partial(_transact, self._writing, work))

    async def read[T](self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reader thread, on one consistent picture of the database."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, partial(_transact, self._reading, work))

    async def close(self) -> None:
        """Finish what was handed in and close every connection."""
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()


def _transact[T](engine: Engine, work: Callable[[Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)


def _engine(path: Path, begin: str, pragmas: tuple[str, ...]) -> Engine:
    """Return an engine that begins its transactions itself: sqlite3's own way leaves DDL and reads outside them."""
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=READERS, max_overflow=0)

    @event.listens_for(engine, "connect")
    def prepare(connection: SqliteConnection, _record: object) -> None:
        connection.isolation_level = None
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def _make_private(path: Path) -> None:
    """Make the file, or take it, so that only its owner can read it; SQLite gives its side files the same mode."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        path.chmod(0o600)
    except OSError as error:
        raise DatabaseUnreadableError(
            f"The database {path} cannot be opened: {error.strerror}.",
            next="Make the data folder writable for this account.",
        ) from error
