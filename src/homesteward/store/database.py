"""One database, SQLite or PostgreSQL: a single writer thread, a few readers, and an async door to both."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Self

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from homesteward.store import postgres, sqlite
from homesteward.store.failures import is_collision, is_lost, told
from homesteward.store.ledger import HOMESTEWARD, Ledger
from homesteward.store.schema import make_current

READERS = 2
ATTEMPTS = 3  # of a transaction that PostgreSQL undid for another's sake, or whose connection had ended before it
AFTER = "homesteward.after_commit"


class Database:
    """An open database. Work is handed in as a function of a connection and runs in one transaction on a thread.

    On PostgreSQL a work may be run again from its start, after all that it did was undone: what it changes beside the database it must
    change through `after_commit`. Every error of the database itself is one of `store.failures`; the next work begins afresh.
    """

    def __init__(self, what: str, path: Path | None, writing: Engine, reading: Engine) -> None:
        """Use `Database.open`."""
        self.path = path
        """The file, None for a PostgreSQL."""
        self.engine_name = writing.dialect.name
        """`sqlite` or `postgresql`."""
        self._what, self._writing, self._reading = what, writing, reading
        self._writer = ThreadPoolExecutor(1, "store-writer")
        self._readers = ThreadPoolExecutor(READERS, "store-reader")

    @classmethod
    async def open(cls, where: Path | str, ledger: Ledger = HOMESTEWARD) -> Self:
        """Open a ledger, made and migrated where needed: in the SQLite file of a Path, or in the PostgreSQL of an address.

        Raises NewerDataError if a newer version made it, and the errors of `store.failures`.
        """
        if isinstance(where, Path):
            database = cls(f"The database {where}", where, *sqlite.engines(where, ledger.durability, READERS))
        else:
            database = cls("The PostgreSQL server", None, *postgres.engines(where, ledger, READERS))
        try:
            await database.write(partial(make_current, ledger=ledger))
        except BaseException:
            await database.close()
            raise
        return database

    async def write[T](self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction on the writer thread; an error rolls all of it back."""
        run = partial(_transact, self._what, self._writing, work)
        return await asyncio.get_running_loop().run_in_executor(self._writer, run)

    async def write_slices(self, work: Callable[[Connection], int], *, most: int) -> tuple[int, bool]:
        """Run a long work in slices, each a transaction of its own, so that other writes come in between.

        `work` returns how many rows its slice took, 0 when nothing is left. Returns their sum, and whether it came to an end within
        `most` slices.
        """
        total = 0
        for _ in range(most):
            if not (taken := await self.write(work)):
                return total, True
            total += taken
        return total, False

    async def read[T](self, work: Callable[[Connection], T]) -> T:
        """Run `work` on a reader thread, on one consistent picture of the database."""
        run = partial(_transact, self._what, self._reading, work, reading=True)
        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def close(self) -> None:
        """Finish what was handed in and close every connection."""
        await asyncio.get_running_loop().run_in_executor(None, self._close)

    def _close(self) -> None:
        self._writer.shutdown()
        self._readers.shutdown()
        self._reading.dispose()
        self._writing.dispose()


def after_commit(connection: Connection, then: Callable[[], None]) -> None:
    """Have `then` called on the same thread once the transaction of `connection` is kept; never if it is not.

    What was written is kept by then, so `then` has to settle its own errors.
    """
    connection.info.setdefault(AFTER, []).append(then)


def _transact[T](what: str, engine: Engine, work: Callable[[Connection], T], *, reading: bool = False) -> T:
    """Run `work` in a transaction, again where it was undone through no fault of its own."""
    attempt = 1
    while True:
        try:
            return _once(what, engine, work, reading=reading)
        except _UndoneError as undone:
            if attempt == ATTEMPTS or (undone.lost and attempt > 1):
                raise undone.told from None
            attempt += 1


class _UndoneError(Exception):
    """Nothing of a transaction was kept, and doing it again may help."""

    def __init__(self, told: Exception, *, lost: bool) -> None:
        super().__init__()
        self.told, self.lost = told, lost


def _once[T](what: str, engine: Engine, work: Callable[[Connection], T], *, reading: bool) -> T:
    connected = committing = False
    try:
        with engine.connect() as connection:
            connected = True
            connection.info.pop(AFTER, None)
            with connection.begin():
                result = work(connection)
                committing = True
            for then in connection.info.pop(AFTER, ()):
                then()
            return result
    except DBAPIError as error:
        failure = told(what, error, committing=committing, reading=reading)
        if failure is None:
            raise
        if is_collision(error) or (is_lost(error) and connected and not committing):
            raise _UndoneError(failure, lost=is_lost(error)) from None
        raise failure from None
