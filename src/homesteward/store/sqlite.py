"""A ledger in a SQLite file: how it is made, opened and kept private."""

import os
from pathlib import Path
from sqlite3 import Connection as SqliteConnection

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL

from homesteward.store.failures import DatabaseUnreadableError
from homesteward.store.ledger import Durability

BUSY_MS = 10_000  # how long a statement waits for another process, such as a backup, before it fails

# auto_vacuum stands first: it can be chosen only while the file has not one page, and the journal mode writes one. No mmap: with it,
# a failing disk or a file cut short ends the whole process by a signal in place of an error.
ALWAYS = ("journal_mode=WAL", "foreign_keys=ON", f"busy_timeout={BUSY_MS}")
OF_DURABILITY = {
    Durability.FULL: ("auto_vacuum=NONE", *ALWAYS, "synchronous=FULL"),
    Durability.NORMAL: (
        "auto_vacuum=INCREMENTAL",  # what retention frees is given back in small steps, never by one long standstill
        *ALWAYS,
        "synchronous=NORMAL",
        f"journal_size_limit={64 << 20}",
        "cache_size=-8192",  # KiB, and three connections: what idles must stay small on a Raspberry Pi
    ),
}


def engines(path: Path, durability: Durability, readers: int) -> tuple[Engine, Engine]:
    """Return the engine that writes and the one that reads; the file is made, or taken, for its owner's account alone."""
    _make_private(path)
    pragmas = OF_DURABILITY[durability]
    return (
        _engine(path, "BEGIN IMMEDIATE", pragmas, 1),
        _engine(path, "BEGIN", (*pragmas, "query_only=ON"), readers),
    )


def _engine(path: Path, begin: str, pragmas: tuple[str, ...], size: int) -> Engine:
    """Return an engine that begins its transactions itself: sqlite3's own way leaves DDL and reads outside them."""
    address = URL.create("sqlite", database=str(path))
    engine = create_engine(address, pool_size=size, max_overflow=0, hide_parameters=True)

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
