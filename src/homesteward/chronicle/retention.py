"""How long things are remembered: what is older goes, in slices so short that nothing new has to wait for them."""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from time import perf_counter
from typing import cast

from sqlalchemy import Connection

from homesteward.chronicle.interning import Interning
from homesteward.chronicle.months import drop_month, old_months, rows_alone
from homesteward.chronicle.partitions import Partitions
from homesteward.chronicle.purging import (
    GROWING,
    Look,
    free_pages,
    purge_attributes,
    purge_contexts,
    purge_outages,
    purge_rows,
)
from homesteward.chronicle.stamps import micros, month_of
from homesteward.chronicle.writer import Writer
from homesteward.core import Clock, HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.live import Undo
from homesteward.store import Database
from homesteward.store.failures import DatabaseBusyError

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RetentionLimits:
    """How a purge shares the database with those who write."""

    first: timedelta = timedelta(minutes=5)
    """After a start, when there is enough else to do."""
    every: timedelta = timedelta(hours=6)
    slice_s: float = 0.01
    """How long a slice may take: what is put meanwhile waits that long."""
    smallest: int = 50
    largest: int = 5_000
    """Rows looked at in one slice."""
    pages: int = 5_000
    """Pages given back to the disk in one purge, at most: 20 MB."""
    pages_at_once: int = 100
    reserve: float = 0.05
    """How much of the file stays free for what comes next: growing it again costs more."""


@dataclass(slots=True)
class Purged:
    """What a purge took away."""

    before: datetime
    rows: dict[str, int] = field(default_factory=dict)
    """How many, by the name of the table."""
    partitions: int = 0
    pages: int = 0
    longest_s: float = 0.0
    """The longest of its transactions: what was put had to wait no longer."""

    def as_json(self) -> JsonObject:
        """Return the counts as a face shows them."""
        return {
            "before": self.before.isoformat(),
            "rows": dict(self.rows),
            "partitions": self.partitions,
            "pages": self.pages,
            "longest_ms": round(self.longest_s * 1000, 1),
        }


class Retention:
    """Purges what is older than `keep`, again and again while started, and on request."""

    def __init__(
        self, database: Database, writer: Writer, clock: Clock, keep: timedelta, limits: RetentionLimits | None = None
    ) -> None:
        """Purge through `writer`, whose thread and memory the rows belong to; `database` is the one it writes to."""
        self.latest: Purged | None = None
        self._database, self._writer = database, writer
        self._clock, self._keep, self._limits = clock, keep, limits or RetentionLimits()
        self._one_at_a_time = asyncio.Lock()

    def start(self) -> Undo:
        """Purge from time to time until the returned undo is called."""
        task = asyncio.create_task(self._go_on(), name="chronicle-retention")

        def undo() -> None:
            task.cancel()

        return undo

    async def purge(self, before: datetime | None = None) -> Purged:
        """Take away what happened before then, or before what is kept; return what went. Raises what the database raises."""
        async with self._one_at_a_time:
            purged = Purged(before or self._clock.now() - self._keep)
            await self._drop_months(purged)
            for table in GROWING:
                await self._in_slices(purged, table.name, partial(purge_rows, table=table))
            await self._in_slices(purged, "contexts", purge_contexts)
            await self._in_slices(purged, "attributes", purge_attributes)
            purged.rows["outages"] = await self._once(purged, partial(purge_outages, before=purged.before))
            await self._free_pages(purged)
            self.latest = purged
            return purged

    async def _go_on(self) -> None:
        await asyncio.sleep(self._limits.first.total_seconds())
        while True:
            try:
                await self._make_ahead()
                await self.purge()
            except HomestewardError as error:
                _LOG.warning("Nothing could be purged from the chronicle: %s", error)
            await asyncio.sleep(self._limits.every.total_seconds())

    async def _make_ahead(self) -> None:
        """Make the partitions of this month and the next, so that no record has to wait for its own."""
        now = self._clock.now()
        months = {month_of(micros(at)) for at in (now, now + timedelta(days=27))}
        await self._writer.write(lambda connection, _interning: Partitions().make_months(connection, months))

    async def _drop_months(self, purged: Purged) -> None:
        home = await self._writer.write(lambda _connection, interning: interning.home)
        for table, month in await self._database.read(partial(old_months, before=purged.before)):
            rows = await self._database.read(partial(rows_alone, home=home, table=table, month=month))
            if rows is None:
                continue
            try:
                kept = await self._once(purged, partial(drop_month, table=table, month=month, before=purged.before))
            except DatabaseBusyError:
                continue  # somebody holds the table for long: the rows go one by one, as those of other homes do
            purged.partitions += 1
            purged.rows[table.name] = purged.rows.get(table.name, 0) + rows - kept

    async def _in_slices[P](self, purged: Purged, name: str, look: Look[P]) -> None:
        """Let `look` go through all of its rows, as many at a time as it can in a slice's time."""
        size, after = self._limits.smallest, cast("P | None", None)
        while True:
            began = perf_counter()
            found = await self._once(purged, partial(look, before=purged.before, size=size, after=after))
            purged.rows[name] = purged.rows.get(name, 0) + found.gone
            after = found.next
            if after is None:
                return
            took = perf_counter() - began
            size = max(
                self._limits.smallest, min(int(size * min(2, self._limits.slice_s / took)), self._limits.largest)
            )
            await asyncio.sleep(took)  # as long again for everybody else

    async def _free_pages(self, purged: Purged) -> None:
        limits = self._limits
        free = partial(free_pages, most=limits.pages_at_once, reserve=limits.reserve)
        while purged.pages < limits.pages:
            freed = await self._once(purged, free)
            if not freed:
                return
            purged.pages += freed
            await asyncio.sleep(0)

    async def _once[T](self, purged: Purged, work: Callable[[Connection, Interning], T]) -> T:
        """Run one slice, and measure how long others had to wait for it."""
        began: float = 0.0

        def timed(connection: Connection, interning: Interning) -> T:
            nonlocal began
            began = perf_counter()
            return work(connection, interning)

        result = await self._writer.write(timed)
        purged.longest_s = max(purged.longest_s, perf_counter() - began)
        return result
