"""One stretch of time read from Home Assistant's recorder: states, runs and calls, filtered, and only what is not stored yet."""

from asyncio import sleep
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched

from homesteward.chronicle.events import EventFormError, HeardCall, made_call, made_run
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.intake import kept_call, kept_run
from homesteward.chronicle.memory import Memory
from homesteward.chronicle.merging import missing_happenings, missing_states
from homesteward.chronicle.record import Act, Call, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.stored import Happening, Stored
from homesteward.chronicle.writer import Writer
from homesteward.home.errors import HaError, NeedsAdminError, NotRecordingError
from homesteward.home.live import HeardHome
from homesteward.home.model import State
from homesteward.home.recorder import ActionCall, Line, LogEntry, Window
from homesteward.home.recorder.history import read_history
from homesteward.home.recorder.logbook import read_action_calls, read_logbook

BACKLOG_S = 60  # how long a recorder is waited for that is behind
STEP = timedelta(hours=6)
SHORTEST = timedelta(minutes=1)
EDGE = timedelta(milliseconds=1)  # a window of the logbook leaves out both its ends
ENTITIES = 100  # asked for at once
MAX_ROWS = 20_000  # taken at once
PORTION = 1_000  # put before it is waited for that they are stored: what is heard meanwhile has the queue to itself


@dataclass(slots=True)
class Filled:
    """What was read so far of a stretch: how many records were missing, and since when anything at all is known of it."""

    rows: int = 0
    known_from: datetime | None = None

    def saw(self, known_from: datetime | None, since: datetime) -> None:
        """Take that something is known from a moment on, in a window that begins at `since`."""
        if known_from is not None:
            known_from = max(known_from, since)
            self.known_from = min(self.known_from or known_from, known_from)


class Refill:
    """Reads over `line`, judges by the rules of `filter`, and hands to `writer` what is not in `stored`."""

    def __init__(
        self,
        home: HeardHome,
        line: Line,
        writer: Writer,
        stored: Stored,
        filter: Filter,  # noqa: A002 - the chronicle's own word for it
        redaction: Redaction,
    ) -> None:
        """Read the past of `home`, without its secrets."""
        self._home, self._line, self._writer, self._stored = home, line, writer, stored
        self._filter, self._redaction = filter, redaction

    async def fill(self, since: datetime, until: datetime, filled: Filled) -> None:
        """Read a stretch, and return once what was missing is stored; `filled` says how far that came, also where it fails.

        Raises NotRecordingError where Home Assistant has no history, and what `line` and the tables raise; what was read by then stays.
        """
        entity_ids = self._entities()
        await self._writer.flush()
        judge = self._filter.branch(Memory(await self._stored.before(entity_ids, since)))
        for start, end in _steps(since, until):
            for some in batched(entity_ids, ENTITIES, strict=False):
                await self._states(filled, judge, some, Window(start, end))
            await self._happenings(filled, Window(start - EDGE, end))
        await self._writer.flush()

    async def caught_up(self) -> bool:
        """Wait, within bounds, until Home Assistant's recorder has taken in all that happened so far; return whether it had not."""
        for waited in range(BACKLOG_S):
            try:
                info = await self._line.send("recorder/info")
            except HaError:
                return waited > 0  # it has none, or does not say
            if not (isinstance(info, dict) and info.get("backlog")):
                return waited > 0
            await sleep(1)
        return True

    def _entities(self) -> list[str]:
        """Return the entities of which anything may be worth a row, also those that are gone meanwhile."""
        states, memory = self._home.states, self._filter.memory
        known = [*states.values()]
        known += [State(name, "", memory[name].kept) for name in memory if name not in states]
        return [state.entity_id for state in known if self._filter.wanted(state)]

    async def _states(self, filled: Filled, judge: Filter, entity_ids: Sequence[str], window: Window) -> None:
        """Read one window of some entities; one with too much in it in two halves, the earlier first."""
        since, until = window.since, window.until
        past = await read_history(self._line, entity_ids, window, limit=MAX_ROWS)
        if any(of_entity.truncated for of_entity in past.values()) and until - since > SHORTEST:
            middle = since + (until - since) / 2
            await self._states(filled, judge, entity_ids, Window(since, middle))
            await self._states(filled, judge, entity_ids, Window(middle, until))
            return
        await self._writer.flush()
        stored = await self._stored.states(entity_ids, since, until)
        happened = await self._stored.happened(since, until)  # scenes are runs
        for entity_id, of_entity in past.items():
            filled.saw(of_entity.known_from, since)
            history = of_entity.states[1:] if of_entity.held else of_entity.states
            found = missing_states(history, stored[entity_id], judge, self._redaction)
            await self._put(filled, missing_happenings(_keyed(found), happened))

    async def _happenings(self, filled: Filled, window: Window) -> None:
        """Read the runs and calls of a window; states are worth it also where there is no logbook."""
        try:
            log = await read_logbook(self._line, window)
        except NotRecordingError:
            return
        ran = (run for entry in log if (run := _run(entry)) and self._filter.wanted(State(run.entity_id, "")))
        runs = [kept_run(run, self._redaction) for run in ran]
        calls = await self._calls(window)
        await self._writer.flush()
        stored = await self._stored.happened(window.since, window.until)
        await self._put(filled, missing_happenings(_keyed([*runs, *calls]), stored))

    async def _calls(self, window: Window) -> list[Record]:
        try:
            found = await read_action_calls(self._line, window)
        except NeedsAdminError:
            return []
        heard = (_call(call) for call in found)
        return [kept_call(self._home, call, self._redaction, Source.BACKFILL) for call in heard if call]

    async def _put(self, filled: Filled, records: Iterable[Record]) -> None:
        """Hand on what is missing. What finds no room becomes an outage of its own, and is read then."""
        for record in records:
            filled.rows += self._writer.put(record)
            if filled.rows % PORTION == 0:
                await self._writer.flush()


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
