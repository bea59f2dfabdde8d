"""The one who writes: takes records on the event loop without ever waiting, and stores them in batches on the database's thread."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Self

from sqlalchemy import Connection, select

from homesteward.chronicle.delivery import Delivery, stuck
from homesteward.chronicle.interning import Interning
from homesteward.chronicle.outages import stored_outages
from homesteward.chronicle.overflow import OVERFLOW, Overflow
from homesteward.chronicle.record import Act, Outage, Record
from homesteward.chronicle.storing import Batch, Storing
from homesteward.chronicle.tables import homes
from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.health import Lag
from homesteward.home.live import Undo
from homesteward.store import Database

_LOG = logging.getLogger(__name__)

SILENCE_S = 0.2

type Heard = Callable[[], datetime | None]


@dataclass(frozen=True, slots=True)
class WriterLimits:
    """How much waits, how long, and how much is written at once."""

    queue: int = 131_072
    """Records that wait, at most: the largest burst that loses nothing while not one row can be written."""
    own: int = 1_000
    """Acts of ours that still find a place when it is full: nobody else could tell of them afterwards."""
    batch: int = 5_000
    linger_s: float = 0.015
    """How long the first record after a silence waits for company; with the commit it is stored within some 20 ms."""
    trickle_s: float = 0.03
    """How long it waits where one came just before: every commit costs the same, for one row and for many."""
    slack_s: float = 0.1
    """How long it waits where the batch before was a small one: a quiet house costs a tenth of the commits."""
    small: int = 15
    """Records of a batch that is a small one."""
    retry_s: float = 0.25
    longest_retry_s: float = 15.0
    closing_s: float = 10.0
    """How long the last batches have at the end."""


class NotStoredError(HomestewardError):
    """The end came before everything was stored."""

    code = "not_stored"


class Writer:
    """Stores the records of one home, in the order they are put. What `put` took is lost only if the process dies first."""

    def __init__(self, database: Database, home_id: str, heard: Heard, limits: WriterLimits | None = None) -> None:
        """Use `Writer.start`."""
        self.home_id = home_id
        self.heard_before: datetime | None = None
        """Until when everything was stored when this writer started: what came after was heard by nobody. None for a new home."""
        self._database, self._heard, self._limits = database, heard, limits or WriterLimits()
        self._room = self._limits.queue
        self._loop = asyncio.get_running_loop()
        self._wake, self._ending = asyncio.Event(), asyncio.Event()
        self._storing = Storing(home_id)
        patience = (self._limits.retry_s, self._limits.longest_retry_s)
        self._delivery = Delivery(database, self._storing, self._ending, patience)
        self._queue: list[Record] = []
        self._notes = _Notes()
        self._taken = _Progress()
        self._settled = _Progress()
        self._flushes: list[tuple[_Progress, asyncio.Future[None]]] = []
        self._overflow = Overflow()
        self._overflow_watchers: list[Callable[[Outage], None]] = []
        self._timer: asyncio.TimerHandle | None = None
        self._first_put: float | None = None
        self._last_stored, self._last_size = 0.0, 0
        self._lag = Lag()
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def start(
        cls, database: Database, home_id: str, heard: Heard = lambda: None, limits: WriterLimits | None = None
    ) -> Self:
        """Begin to store what is put; `close` ends it. Raises what the database raises.

        `heard` tells until when the home is listened to: now while it is connected, else the last word of it.
        """
        writer = cls(database, home_id, heard, limits)
        before = select(homes.c.heard).where(homes.c.home_id == home_id)
        writer.heard_before = await database.read(lambda connection: connection.scalar(before))
        await writer.write(lambda _connection, _interning: None)  # the home has its row from here on
        writer._task = asyncio.create_task(writer._run(), name="chronicle-writer")
        return writer

    def put(self, record: Record) -> bool:
        """Take a record to be stored. False: there is no room, it is lost, and its moment becomes part of an outage."""
        queue = self._queue
        waiting = len(queue)
        if waiting >= self._room and not self._squeezed_in(record):
            self._overflow.drop(record)
            return False
        queue.append(record)
        if self._timer is None:
            self._arm()
        elif waiting == self._limits.batch:
            self._wake.set()
        return True

    def name_user(self, user_id: str, name: str) -> None:
        """Keep what a user is called."""
        self._notes.names[user_id] = name
        self._noted()

    def open_outage(self, start: datetime, reason: str) -> None:
        """Keep that nobody listens since `start`."""
        self.keep_outage(Outage(start, None, reason))

    def close_outage(self, start: datetime, end: datetime, reason: str) -> None:
        """Keep that the outage which began at `start` is over; what happened in it is still to be read."""
        self.keep_outage(Outage(start, end, reason))

    def keep_outage(self, outage: Outage) -> None:
        """Keep the outage as it is known now, in place of what was known of the one with the same start."""
        self._notes.outages[outage.start] = outage
        self._noted()

    async def outages(self, *, unfilled: bool = False) -> Sequence[Outage]:
        """Return the outages that are kept, oldest first; with `unfilled` only those that were not read afterwards."""
        await self.flush()
        return await self._database.read(partial(stored_outages, home_id=self.home_id, unfilled=unfilled))

    def watch_overflow(self, callback: Callable[[Outage], None]) -> Undo:
        """Call `callback` with each outage that an overflow became, once it is stored, until the returned undo is called."""
        self._overflow_watchers.append(callback)

        def undo() -> None:
            with contextlib.suppress(ValueError):
                self._overflow_watchers.remove(callback)

        return undo

    async def flush(self) -> None:
        """Return once everything put so far is committed; raise NotStoredError if the end comes first.

        While nothing can be written it waits: the caller sets the limit.
        """
        self._note_overflow()
        target = _Progress(self._taken.records + len(self._queue), self._taken.notes + self._notes.count)
        if self._settled.reached(target):
            return
        if self._task is None:
            raise _not_stored()
        waiting = (target, self._loop.create_future())
        self._flushes.append(waiting)
        self._wake.set()
        try:
            await waiting[1]
        finally:
            self._flushes.remove(waiting)

    async def flush_within(self, seconds: float) -> None:
        """Flush, for somebody who waits; raise why nothing can be written where that is so, or ChronicleStuckError after `seconds`."""
        if self.failure:
            raise self.failure
        try:
            async with asyncio.timeout(seconds):
                await self.flush()
        except TimeoutError:
            raise self.failure or stuck("it takes too long") from None

    async def write[T](self, work: Callable[[Connection, Interning], T]) -> T:
        """Run `work` in a transaction of its own between two batches; what it removes it must also have `Interning` forget."""

        def run(connection: Connection) -> T:
            self._storing.begin(connection)
            return work(connection, self._storing.interning)

        return await self._database.write(run)

    @property
    def failure(self) -> HomestewardError | None:
        """Return why nothing can be written at present; None while all is well."""
        return self._delivery.failure

    def health(self) -> JsonObject:
        """Return how it is doing, as the status shows it."""
        failure = self.failure
        return {
            "ok": failure is None and not self._overflow,
            "queue": len(self._queue),
            "stored": self._delivery.stored,
            "dropped": self._overflow.dropped,
            "rejected": self._delivery.rejected,
            "lag_ms": self._lag.as_json(),
            "failure": failure.message if failure else None,
            "next": failure.next if failure else None,
        }

    async def close(self) -> None:
        """Take no more, store what waits as far as that is possible within some seconds, and stop."""
        if self._task is None:
            return
        self._note_overflow()
        task, self._task, self._room = self._task, None, 0
        self._ending.set()
        self._wake.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._limits.closing_s):
                await task
        self._disarm()
        if lost := self._taken.records + len(self._queue) - self._settled.records:
            _LOG.warning("%d records of the chronicle could not be stored before the end", lost)
        for _, future in self._flushes:
            if not future.done():
                future.set_exception(_not_stored())

    async def _run(self) -> None:
        """Store batch after batch until the end."""
        while not self._ending.is_set():
            await self._wake.wait()
            self._wake.clear()
            if not await self._store_next():
                return
            while len(self._queue) >= self._limits.batch or (self._flushes and (self._queue or self._notes)):
                if not await self._store_next():
                    return
        while self._queue or self._notes:
            if not await self._store_next():
                return
        await self._delivery.deliver(Batch((), heard=self._heard()))

    async def _store_next(self) -> bool:
        """Store the next batch; return False where the end came first."""
        first = self._first_put
        batch, taken = self._take()
        if batch.records or batch.names or batch.outages:
            if not await self._delivery.deliver(batch):
                return False
            self._last_stored, self._last_size = self._loop.time(), len(batch.records)
            if first is not None:
                self._lag.add((self._last_stored - first) * 1000)
        self._settle(taken)
        if self._overflow and len(self._queue) < self._limits.queue // 2:
            self._note_overflow()
        self._tell_overflows(batch.outages)
        return True

    def _take(self) -> tuple[Batch, _Progress]:
        """Return what is stored next, and how far that is."""
        records, notes = self._queue[: self._limits.batch], self._notes
        del self._queue[: self._limits.batch]
        self._notes = _Notes()
        self._taken = _Progress(self._taken.records + len(records), self._taken.notes + notes.count)
        self._disarm()
        if self._queue:
            self._arm()
        heard = None if self._queue else self._heard()
        return Batch(records, notes.names, list(notes.outages.values()), heard), self._taken

    def _settle(self, taken: _Progress) -> None:
        self._settled = taken
        for target, future in self._flushes:
            if not future.done() and taken.reached(target):
                future.set_result(None)

    def _squeezed_in(self, record: Record) -> bool:
        """Return whether there is room beyond the queue's end: for what only we know, and Home Assistant cannot tell again."""
        return isinstance(record, Act) and self._room > 0 and len(self._queue) < self._room + self._limits.own

    def _noted(self) -> None:
        self._notes.count += 1
        self._arm()

    def _arm(self) -> None:
        """See to it that what waits is stored soon."""
        if self._timer is None:
            now = self._first_put = self._loop.time()
            quiet = now - self._last_stored > SILENCE_S
            wait = self._limits.linger_s if quiet else max(self._limits.linger_s, self._pause_s())
            self._timer = self._loop.call_at(now + wait, self._wake.set)

    def _pause_s(self) -> float:
        return self._limits.slack_s if self._last_size <= self._limits.small else self._limits.trickle_s

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = self._first_put = None

    def _note_overflow(self) -> None:
        """Make an outage of what found no room."""
        if outage := self._overflow.close():
            _LOG.warning("The chronicle could not keep up: %d records were dropped so far", self._overflow.dropped)
            self.keep_outage(outage)

    def _tell_overflows(self, outages: Sequence[Outage]) -> None:
        for outage in outages:
            if outage.reason == OVERFLOW and outage.filled is None:
                for callback in tuple(self._overflow_watchers):
                    try:
                        callback(outage)
                    except Exception:  # noqa: BLE001 - a foreign callback must never stop the one who writes
                        _LOG.exception("What was told of an overflow failed")


@dataclass(slots=True)
class _Notes:
    """What is to be kept beside records."""

    names: dict[str, str] = field(default_factory=dict)
    outages: dict[datetime, Outage] = field(default_factory=dict)
    count: int = 0

    def __bool__(self) -> bool:
        return self.count > 0


@dataclass(frozen=True, slots=True)
class _Progress:
    """How many records and notes came to a point."""

    records: int = 0
    notes: int = 0

    def reached(self, target: _Progress) -> bool:
        return self.records >= target.records and self.notes >= target.notes


def _not_stored() -> NotStoredError:
    return NotStoredError("The chronicle was closed before everything was stored.", next="Look at the service's log.")
