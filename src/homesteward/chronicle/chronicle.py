"""The chronicle as one thing: opened over a home, it listens, writes, reads up what was missed, forgets in time, and can be asked."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Self

from homesteward.chronicle.backfill import Backfill
from homesteward.chronicle.export import Exported, ExportFormat, csv_chunks, export_to
from homesteward.chronicle.filter import Filter, Verdict
from homesteward.chronicle.filter_rules import OwnerRules
from homesteward.chronicle.history import History, Traces
from homesteward.chronicle.intake import Intake
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.measuring import measured
from homesteward.chronicle.memory import Memory
from homesteward.chronicle.outages import stored_outages
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Act, Outage
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.retention import Purged, Retention
from homesteward.chronicle.sight import Visible
from homesteward.chronicle.stored import Stored
from homesteward.chronicle.times import passed
from homesteward.chronicle.users import UserNames
from homesteward.chronicle.writer import Writer
from homesteward.core import Clock, HomestewardError, SystemClock
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.core.text import neighbours
from homesteward.home.errors import UnknownEntityError
from homesteward.home.live import HeardHome
from homesteward.home.model import State
from homesteward.home.recorder import Line
from homesteward.settings.settings import ChronicleSettings
from homesteward.store import Database

CHRONICLE_FILE = "chronicle.db"
SHOWN_OUTAGES = 20
FLUSH_S = 10.0  # how long somebody waits for what was heard just now to be stored


class Chronicle:
    """What one home did, and why. `history` answers every question about it."""

    def __init__(self, parts: _Parts, undo: AsyncExitStack) -> None:
        """Use `Chronicle.open`."""
        self.history = parts.history
        self.backfill = parts.backfill
        """Reads up what was missed; None where there is no Home Assistant to read it from."""
        self._parts, self._undo = parts, undo

    @classmethod
    async def open(
        cls,
        where: Path | str,
        home: HeardHome,
        settings: ChronicleSettings | None = None,
        clock: Clock | None = None,
        *,
        line: Line | None = None,
        traces: Traces | None = None,
        redactor: Redactor | None = None,
    ) -> Self:
        """Open the chronicle of `home` in a data folder, or in the PostgreSQL of an address, and begin to listen.

        `line` is how Home Assistant is asked for what was missed and for the names of its users, `traces` for what ran lately;
        `redactor` knows secrets that must not be kept. Raises what opening a Database raises.
        """
        clock = clock or SystemClock()
        async with AsyncExitStack() as undo:
            database = await Database.open(where / CHRONICLE_FILE if isinstance(where, Path) else where, CHRONICLE)
            undo.push_async_callback(database.close)
            writer = await Writer.start(database, home.home_id, lambda: home.as_of)
            undo.push_async_callback(writer.close)
            parts = await _build(database, writer, home, settings or ChronicleSettings(), clock, line, traces, redactor)
            await parts.start(undo)
            return cls(parts, undo.pop_all())

    def record(self, act: Act) -> None:
        """Keep a step of a plan of ours, without secrets."""
        redaction = self._parts.redaction
        data, request = redaction.clean(act.data), redaction.text(act.request)
        self._parts.writer.put(replace(act, data=data, request=request))

    def lost(self) -> None:
        """Take that Home Assistant went away, at the moment it did; that it is back is heard of the home itself."""
        if self.backfill:
            self.backfill.lost()

    async def flush(self) -> None:
        """Return once everything that was heard so far is stored."""
        await self._parts.writer.flush()

    async def purge(self, before: datetime | None = None) -> Purged:
        """Take away what happened before then, or before what is kept; return what went.

        Raises InTheFutureError for a moment that is still to come, and, while the database takes no writes, why it takes none.
        """
        if before is not None:
            before = passed(before, self._parts.clock.now(), self.history.zone)
        await self._parts.writer.flush_within(FLUSH_S)
        return await self._parts.retention.purge(before)

    async def export(
        self,
        path: Path,
        format: ExportFormat,  # noqa: A002 - the contract's word
        query: Query,
        visible: Visible | None = None,
    ) -> Exported:
        """Write what `query` asks for, up to now, to a file; raises as `export.export_to` does.

        While the database takes no writes it is what was stored before: that is the time to take it elsewhere.
        """
        await self._flush_if_possible()
        return await export_to(path, format, self.history, query, self._parts.clock.now(), visible)

    async def csv(self, query: Query, visible: Visible | None = None) -> AsyncIterator[bytes]:
        """Yield what `query` asks for, up to now, as CSV; as `export` does."""
        await self._flush_if_possible()
        async for chunk in csv_chunks(self.history, query, self._parts.clock.now(), visible):
            yield chunk

    def explain(self, entity_id: str) -> Verdict:
        """Return whether changes of the entity are kept, and why; raise UnknownEntityError where there never was one."""
        states, memory = self._parts.home.states, self._parts.filter.memory
        known = states.get(entity_id) or (State(entity_id, "") if entity_id in memory else None)
        if known is None:
            near = neighbours(entity_id, {*states, *memory})
            raise UnknownEntityError(
                f"There is no {entity_id}, and none is remembered.",
                next=f"Did you mean {', '.join(near)}?" if near else "Look it up by its name.",
            )
        return self._parts.filter.explain(known)

    async def stats(self) -> JsonObject:
        """Return how much is kept, how much was kept and dropped by which rule, and the times in which nobody listened."""
        parts = self._parts
        size = await measured(parts.database, parts.home.home_id)
        missed = await parts.database.read(partial(stored_outages, home_id=parts.home.home_id))
        latest = parts.retention.latest
        return {
            **size.as_json(),
            "keep_days": parts.keep_days,
            "filter": parts.filter.counts(),
            "writer": parts.writer.health(),
            "outages": [_outage_json(outage) for outage in missed[-SHOWN_OUTAGES:]],
            "outages_total": len(missed),
            "outages_unfilled": sum(outage.filled is None for outage in missed),
            "purged": latest.as_json() if latest else None,
        }

    def health(self) -> JsonObject:
        """Return how it is doing, at no cost."""
        parts = self._parts
        return {
            **parts.writer.health(),
            "unread_events": parts.intake.unread,
            "backfill": parts.backfill.health() if parts.backfill else None,
        }

    async def _flush_if_possible(self) -> None:
        with suppress(HomestewardError):
            await self._parts.writer.flush_within(FLUSH_S)

    async def close(self) -> None:
        """Stop listening, store what waits, and close the database."""
        await self._undo.aclose()


@dataclass(frozen=True, slots=True)
class _Parts:
    """What a chronicle is made of."""

    database: Database
    writer: Writer
    home: HeardHome
    clock: Clock
    filter: Filter
    intake: Intake
    redaction: Redaction
    users: UserNames | None
    backfill: Backfill | None
    history: History
    retention: Retention
    keep_days: int

    async def start(self, undo: AsyncExitStack) -> None:
        """Begin with everything, in an order in which nothing is missed, and what is found is put before anything is read up."""
        if self.users:
            undo.callback(self.users.start())
        undo.callback(self.retention.start())
        undo.callback(await self.intake.start())
        if self.backfill:
            undo.callback(await self.backfill.start())


async def _build(
    database: Database,
    writer: Writer,
    home: HeardHome,
    settings: ChronicleSettings,
    clock: Clock,
    line: Line | None,
    traces: Traces | None,
    redactor: Redactor | None,
) -> _Parts:
    stored = Stored(database, home.home_id)
    kept = Filter(OwnerRules.of(settings), Memory(await stored.last()))
    redaction = Redaction(settings.redact, redactor)
    users = UserNames(home, line, writer.name_user) if line else None
    return _Parts(
        database=database,
        writer=writer,
        home=home,
        clock=clock,
        filter=kept,
        redaction=redaction,
        intake=Intake(home, writer.put, kept, clock, redaction=redaction, users=users),
        users=users,
        backfill=Backfill(home, line, writer, stored, kept, clock, redaction=redaction) if line else None,
        history=History(database, home, clock, traces),
        retention=Retention(database, writer, clock, timedelta(days=settings.keep_days)),
        keep_days=settings.keep_days,
    )


def _outage_json(outage: Outage) -> JsonObject:
    return {
        "from": outage.start.isoformat(),
        "to": outage.end.isoformat() if outage.end else None,
        "reason": outage.reason,
        "filled": outage.filled.isoformat() if outage.filled else None,
        "rows": outage.rows,
    }
