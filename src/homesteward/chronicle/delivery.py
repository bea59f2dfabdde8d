"""A batch on its way into the database: again and again while that fails, and without the one record that no database can take."""

import asyncio
import contextlib
import logging
from functools import partial

from sqlalchemy import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

from homesteward.chronicle.storable import storable, storable_outage, storable_text
from homesteward.chronicle.storing import Batch, Storing
from homesteward.core import HomestewardError
from homesteward.store import Database
from homesteward.store.failures import CommitUnknownError

_LOG = logging.getLogger(__name__)


class ChronicleStuckError(HomestewardError):
    """The database answers, and takes no row at all."""

    code = "chronicle_stuck"


class Delivery:
    """Delivers one batch at a time. `ending`, once set, leaves a batch that cannot be stored no further attempt."""

    def __init__(
        self, database: Database, storing: Storing, ending: asyncio.Event, patience: tuple[float, float]
    ) -> None:
        """Wait between attempts as `patience` says: the first time, and the longest; in seconds."""
        self.stored = 0
        self.rejected = 0
        self.failure: HomestewardError | None = None
        """Why nothing can be stored at present; None while all is well."""
        self._database, self._storing, self._ending, self._patience = database, storing, ending, patience

    async def deliver(self, batch: Batch) -> bool:
        """Return once the batch is stored, but for records that cannot be; False where the end came first."""
        delay, longest = self._patience
        while not await self._attempt(batch):
            if await self._ends_within(delay):
                return False
            delay = min(2 * delay, longest)
        return True

    async def _attempt(self, batch: Batch, *, again: bool = False) -> bool:
        try:
            await self._database.write(partial(self._store, batch=batch))
        except (HomestewardError, OSError) as error:
            if not isinstance(error, CommitUnknownError):
                batch.last_id = 0
            return self._failed(error)
        except DBAPIError as error:
            batch.last_id = 0
            if not isinstance(error, IntegrityError | DataError):
                return self._failed(error)
            if again or isinstance(error, DataError):
                return await self._deliver_apart(batch, error)
            return await self._attempt(
                batch, again=True
            )  # what was remembered of the tables was not true, and is forgotten
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one record must not cost any other
            return await self._deliver_apart(batch, error)
        self.stored += len(batch.records)
        self._recovered()
        return True

    def _store(self, connection: Connection, batch: Batch) -> None:
        """Write the batch, on the database's thread, with such texts only as any database takes."""
        batch.records = [storable(record) for record in batch.records]
        batch.names = {storable_text(user_id): storable_text(name) for user_id, name in batch.names.items()}
        batch.outages = [storable_outage(outage) for outage in batch.outages]
        self._storing.store(connection, batch)

    async def _deliver_apart(self, batch: Batch, error: Exception) -> bool:
        """Deliver the parts of a batch that was refused; at the end it is one record, or one note, that is left out."""
        parts = parts_of(batch)
        if not parts:
            self.rejected += 1
            what = type(batch.records[0]).__name__ if batch.records else "note"
            _LOG.warning("A %s of the chronicle cannot be stored and is left out: %s", what, type(error).__name__)
        for part in parts:
            if not await self.deliver(part):
                return False
        return True

    def _failed(self, error: Exception) -> bool:
        told = error if isinstance(error, HomestewardError) else stuck(type(error).__name__)
        if self.failure is None:
            _LOG.error("The chronicle cannot be written, what happens meanwhile waits: %s", told)
        self.failure = told
        return False

    def _recovered(self) -> None:
        if self.failure is not None:
            self.failure = None
            _LOG.warning("The chronicle can be written again")

    async def _ends_within(self, seconds: float) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ending.wait()
        return self._ending.is_set()


def parts_of(batch: Batch) -> list[Batch]:
    """Return the batch in smaller ones, in the same order; none where it cannot be made smaller."""
    if len(batch.records) + len(batch.names) + len(batch.outages) <= 1:
        return []
    if batch.names or batch.outages:
        records = [Batch(batch.records, heard=batch.heard)] if batch.records else []
        names = [Batch((), names={user_id: name}) for user_id, name in batch.names.items()]
        return [*records, *names, *(Batch((), outages=[outage]) for outage in batch.outages)]
    middle = len(batch.records) // 2
    return [Batch(batch.records[:middle]), Batch(batch.records[middle:], heard=batch.heard)]


def stuck(why: str) -> ChronicleStuckError:
    """Return the error of a database that answers and takes nothing."""
    return ChronicleStuckError(
        f"The chronicle's database takes no rows ({why}).",
        retry=True,
        next="Look at the service's log; what happens meanwhile waits, and is stored once this is put right.",
    )
