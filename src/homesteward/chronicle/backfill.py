"""After every time in which nobody listened: what Home Assistant's own recorder has of it is read, filtered and stored, once.

Reading is slow and may be cut off; it never stands in the way of what is heard meanwhile, and goes on when the home is there again.
What was read before is found in the tables and not stored twice, so that an outage may be read as often as it takes.
"""

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import batched

from homesteward.chronicle.events import EventFormError, HeardCall, made_call, made_run
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.intake import kept_call
from homesteward.chronicle.memory import Memory
from homesteward.chronicle.merging import missing_happenings, missing_states
from homesteward.chronicle.record import Act, Call, Context, Kind, Outage, Record, Run, Source, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.stored import Happening, Stored
from homesteward.chronicle.writer import Writer
from homesteward.core import Clock, HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.errors import NeedsAdminError, NotConnectedError, NotRecordingError
from homesteward.home.health import Gap
from homesteward.home.live import HeardHome, Undo
from homesteward.home.model import State
from homesteward.home.outage import NOT_RUNNING
from homesteward.home.recorder import ActionCall, Line, LogEntry, Window
from homesteward.home.recorder.history import read_history
from homesteward.home.recorder.logbook import read_action_calls, read_logbook

_LOG = logging.getLogger(__name__)

SETTLE_S = 10.0  # Home Assistant's recorder commits every 5 s
BACKLOG_S = 60.0  # how long it is waited for one that is behind
MARGIN = timedelta(seconds=5)  # two clocks are never the same
STEP = timedelta(hours=6)
SHORTEST = timedelta(minutes=1)
EDGE = timedelta(milliseconds=1)  # a window of the logbook leaves out both its ends
LONGEST = timedelta(days=31)
ENTITIES = 100  # asked for at once
MAX_ROWS = 20_000  # taken at once
PORTION = 1_000  # put before it is waited for that they are stored: what is heard meanwhile has the queue to itself
RETRY_S = 60.0
ATTEMPTS = 5  # of an outage, until the next start

BEYOND = "Home Assistant's own history no longer has it"
RECORDS_NOTHING = "Home Assistant records nothing"


@dataclass(frozen=True, slots=True)
class Due:
    """An outage to be read. `since` is where reading begins: before the outage, where something heard may not have been stored."""

    outage: Outage
    since: datetime
    attempts: int = 0


class Backfill:
    """Reads every outage afterwards, one after the other, the oldest first."""

    def __init__(
        self,
        home: HeardHome,
        line: Line,
        writer: Writer,
        stored: Stored,
        filter: Filter,  # noqa: A002 - the chronicle's own word for it
        clock: Clock,
        *,
        redaction: Redaction | None = None,
        settle_s: float = SETTLE_S,
    ) -> None:
        """Read over `line` what `home` was like, judge it by the rules of `filter`, and hand it to `writer`."""
        self.rows = 0
        """How many records were read afterwards since the start."""
        self.trouble: str | None = None
        """Why an outage could not be read, as far as that is so now."""
        self._home, self._line, self._writer, self._stored = home, line, writer, stored
        self._filter, self._clock = filter, clock
        self._redaction = redaction or Redaction()
        self._settle_s = settle_s
        self._due: dict[datetime, Due] = {}
        self._first = True
        self._there, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()

    async def start(self) -> Undo:
        """Begin: with what was left unread before, and with the time in which this service did not run. Raises what the tables raise."""
        for outage in await self._writer.outages(unfilled=True):
            if outage.end is not None and not outage.reason.endswith((BEYOND, RECORDS_NOTHING)):
                self.add(outage)
        undos = [self._home.on_known(self._known), self._writer.watch_overflow(self.add)]
        if self._home.connected:
            self._known(None)
        task = asyncio.create_task(self._go_on(), name="chronicle backfill")

        def undo() -> None:
            for each in undos:
                each()
            task.cancel()

        return undo

    def add(self, outage: Outage, since: datetime | None = None) -> None:
        """Have an outage that is over read, beginning at `since` where that is before it."""
        self._due[outage.start] = Due(outage, min(since or outage.start, outage.start))
        self._idle.clear()
        self._there.set()

    async def idle(self) -> None:
        """Return once nothing is left to be read, or what is left could not be."""
        await self._idle.wait()

    def health(self) -> JsonObject:
        """Return how it is doing, as the status shows it."""
        return {"waiting": len(self._due), "rows": self.rows, "trouble": self.trouble}

    def _known(self, gap: Gap | None) -> None:
        """Take that the home is there (again)."""
        first, self._first = self._first, False
        heard = self._writer.heard_before if first else None
        if gap is not None:
            start = max(gap.start, heard) if heard else gap.start
            self._over(Outage(start, max(start, gap.end), gap.reason), heard)
        elif heard is not None:
            self._over(Outage(heard, max(heard, self._clock.now()), NOT_RUNNING), heard)
        self._there.set()

    def _over(self, outage: Outage, since: datetime | None) -> None:
        self._writer.keep_outage(outage)
        self.add(outage, since)

    async def _go_on(self) -> None:
        while True:
            await self._there.wait()
            self._there.clear()
            while self._due and self._home.connected:
                due = self._due[min(self._due)]
                if not await self._read(due):
                    break
                if self._due.get(due.outage.start) is due:
                    del self._due[due.outage.start]
            if not self._due:
                self._idle.set()

    async def _read(self, due: Due) -> bool:
        """Read one outage; return False where it is to be gone on with once the home is there again."""
        try:
            await self._fill(due)
            self.trouble = None
        except NotConnectedError:
            return False
        except NotRecordingError as error:
            self._give_up(due.outage, RECORDS_NOTHING, error.message)
        except HomestewardError as error:
            return await self._failed(due, error.message)
        except Exception as error:  # noqa: BLE001 - the root of this task: one outage must not cost all others
            _LOG.exception("An outage could not be read afterwards")
            return await self._failed(due, type(error).__name__)
        return True

    async def _failed(self, due: Due, why: str) -> bool:
        self.trouble = why
        attempts = due.attempts + 1
        if attempts >= ATTEMPTS:
            _LOG.warning("What happened from %s on could not be read afterwards: %s", due.outage.start, why)
            return True
        self._due[due.outage.start] = replace(due, attempts=attempts)
        await asyncio.sleep(RETRY_S)
        self._there.set()
        return False

    def _give_up(self, outage: Outage, why: str, told: str) -> None:
        _LOG.warning("What happened from %s on cannot be read afterwards: %s", outage.start, told)
        self._writer.keep_outage(replace(outage, reason=f"{outage.reason}; {why}"))

    async def _fill(self, due: Due) -> None:
        outage = due.outage
        end = outage.end or self._clock.now()
        await self._settled(end)
        began = max(due.since - MARGIN, end - LONGEST)
        entity_ids = self._entities()
        await self._writer.flush()
        judge = self._filter.branch(Memory(await self._stored.before(entity_ids, began)))
        reading = _Reading(entity_ids, judge)
        for since, until in _steps(began, end + MARGIN):
            for entity_ids in batched(reading.entity_ids, ENTITIES, strict=False):
                await self._states(reading, entity_ids, since, until)
            await self._happenings(reading, since, until)
        await self._writer.flush()
        self._close(outage, end, reading)

    def _close(self, outage: Outage, end: datetime, reading: _Reading) -> None:
        """Keep how far the outage is known now; what nobody has any more is said, and never asked for again."""
        if reading.known_from is None:
            self._give_up(outage, BEYOND, "its history of that time is empty")
            return
        start = outage.start
        if reading.known_from > start + MARGIN:
            self._give_up(replace(outage, end=reading.known_from), BEYOND, f"it begins at {reading.known_from}")
            start = reading.known_from
        self._writer.keep_outage(Outage(start, end, outage.reason, self._clock.now(), reading.rows))
        _LOG.info("Read %d records of the time from %s to %s afterwards", reading.rows, start, end)

    async def _settled(self, end: datetime) -> None:
        """Wait until Home Assistant's recorder has written what happened up to `end`."""
        left = (end - self._clock.now()).total_seconds() + self._settle_s
        if left > 0:
            await asyncio.sleep(min(left, self._settle_s))
        for _ in range(int(BACKLOG_S)):
            info = await self._line.send("recorder/info")
            if not (isinstance(info, dict) and info.get("backlog")):
                return
            await asyncio.sleep(1)

    def _entities(self) -> list[str]:
        """Return the entities of which anything may be worth a row, also those that are gone meanwhile."""
        states, memory = self._home.states, self._filter.memory
        known = [*states.values()]
        known += [State(name, "", memory[name].kept) for name in memory if name not in states]
        return [state.entity_id for state in known if self._filter.wanted(state)]

    async def _states(self, reading: _Reading, entity_ids: Sequence[str], since: datetime, until: datetime) -> None:
        """Read one window of some entities; one with too much in it in two halves, the earlier first."""
        past = await read_history(self._line, entity_ids, Window(since, until), limit=MAX_ROWS)
        if any(of_entity.truncated for of_entity in past.values()) and until - since > SHORTEST:
            middle = since + (until - since) / 2
            await self._states(reading, entity_ids, since, middle)
            await self._states(reading, entity_ids, middle, until)
            return
        await self._writer.flush()
        stored = await self._stored.states(entity_ids, since, until)
        scenes = await self._stored.happened(since, until)
        for entity_id, of_entity in past.items():
            reading.saw(of_entity.known_from, since)
            history = of_entity.states[1:] if of_entity.held else of_entity.states
            found = missing_states(history, stored[entity_id], reading.judge, self._redaction)
            await self._put(reading, missing_happenings(_keyed(found), scenes))

    async def _happenings(self, reading: _Reading, since: datetime, until: datetime) -> None:
        window = Window(since - EDGE, until)
        log = await read_logbook(self._line, window)
        runs = [run for entry in log if (run := _run(entry)) and self._filter.wanted(State(run.entity_id, ""))]
        calls = await self._calls(window)
        await self._writer.flush()
        stored = await self._stored.happened(window.since, window.until)
        await self._put(reading, missing_happenings(_keyed([*runs, *calls]), stored))

    async def _calls(self, window: Window) -> list[Record]:
        try:
            found = await read_action_calls(self._line, window)
        except NeedsAdminError:
            return []  # runs and states are still worth it
        heard = (_call(call) for call in found)
        return [kept_call(self._home, call, self._redaction, Source.BACKFILL) for call in heard if call]

    async def _put(self, reading: _Reading, records: Iterable[Record]) -> None:
        for record in records:
            self._writer.put(record)
            reading.rows += 1
            self.rows += 1
            if reading.rows % PORTION == 0:
                await self._writer.flush()


@dataclass(slots=True)
class _Reading:
    """One outage while it is read."""

    entity_ids: list[str]
    judge: Filter
    rows: int = 0
    known_from: datetime | None = None
    """Since when anything at all is known of that time."""

    def saw(self, known_from: datetime | None, since: datetime) -> None:
        if known_from is not None:
            known_from = max(known_from, since)
            self.known_from = min(self.known_from or known_from, known_from)


def _steps(since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime]]:
    while since < until:
        end = min(since + STEP, until)
        yield since, end
        since = end


def _keyed(records: Iterable[Record]) -> Iterator[tuple[Happening, Record]]:
    """Yield each record with what it is recognised by; the states among them have been looked for already."""
    for record in records:
        match record:
            case Run():
                yield (record.kind.value, record.at, record.entity_id), record
            case Call() | Act():
                yield (Kind.CALL.value, record.at, f"{record.domain}.{record.service}"), record
            case StateChange():
                yield (Kind.STATE.value, record.at, record.entity_id), record


def _run(entry: LogEntry) -> Run | None:
    """Return the run that a line of the logbook tells of, None where it tells of something else."""
    if entry.state is not None or entry.domain not in {Kind.AUTOMATION.value, Kind.SCRIPT.value} or not entry.entity_id:
        return None
    data = {
        "entity_id": entry.entity_id,
        "name": entry.name,
        "source": entry.source,
        "item_id": entry.item_id,
        "run_id": entry.run_id,
    }
    return made_run(Kind(entry.domain), entry.at, data, _context(entry), Source.BACKFILL)


def _call(call: ActionCall) -> HeardCall | None:
    data = {"domain": call.domain, "service": call.service, "service_data": dict(call.data)}
    try:
        return made_call(call.at, data, _context(call))
    except EventFormError:
        return None


def _context(told: LogEntry | ActionCall) -> Context | None:
    """Return the context, which the logbook has for runs and calls; it does not say what caused it."""
    return Context(told.context_id, None, told.origin.user_id) if told.context_id else None
