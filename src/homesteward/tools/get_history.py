"""The tool `get_history`: how one entity changed, how a number went, how long a state held, what a meter counted."""

from collections.abc import Awaitable, Callable, Mapping
from enum import StrEnum
from itertools import pairwise

from pydantic import Field

from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import NotCountedError, NothingRecordedError
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.recorder import COUNTING, Bucket, Recorder, Series, Total, in_steps, steps, time_in_states
from homesteward.tools.beheld import Beheld, Span
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST_STEPS = 48
DECIMALS = 3
MOST_METERS = 6
WHOLE = 0.99  # a step of which so much is known is not said to have a hole


class Mode(StrEnum):
    """What is asked of the past."""

    CHANGES = "changes"
    SERIES = "series"
    TOTAL = "total"


class GetHistoryArguments(Arguments):
    """Whose past, which and when."""

    entity: str = Field(min_length=1, max_length=200, description="Entity id or name.")
    mode: Mode = Field(
        default=Mode.CHANGES,
        description="changes: each change. series: a number over time, or how long each state held. "
        "total: what a meter counted (energy, gas, water).",
    )
    since: str = Field(
        default="NOW-24h",
        max_length=80,
        description="NOW-2h, yesterday 18:00, 2026-11-03 18:02. The home's time unless it has an offset.",
    )
    until: str = Field(default="NOW", max_length=80, description="As since.")
    limit: int = Field(default=50, ge=1, le=100, description="The most changes, the newest.")


class NotKeptError(HomestewardError):
    """This Homesteward was built without what would know it."""

    code = "not_enabled"


def get_history_tool(
    home: LiveHome, clock: Clock, chronicle: History | None, recorder: Recorder | None
) -> Tool[GetHistoryArguments]:
    """Return the tool over the chronicle and Home Assistant's recorder, whichever is given.

    It answers `{entity_id, name, unit, mode, since, until, ...}` with `changes`, `steps`, `minutes` or `total`.
    """
    past = _Past(chronicle, recorder)
    modes: Mapping[Mode, _Answerer] = {Mode.CHANGES: past.changes, Mode.SERIES: past.series, Mode.TOTAL: past.total}

    async def run(arguments: GetHistoryArguments, context: ToolContext) -> ToolResult:
        beheld = Beheld.of(home, context, clock.now())
        entity_id = beheld.one(arguments.entity)
        span = beheld.span(arguments.since, arguments.until)
        found = await modes[arguments.mode](beheld, entity_id, span, arguments.limit)
        notes = [*span.notes, *_notes(found)]
        head: dict[str, JsonValue] = {
            "entity_id": entity_id,
            "name": beheld.name(entity_id),
            "mode": arguments.mode.value,
            "since": beheld.local(span.since),
            "until": beheld.local(span.until),
        }
        unit = beheld.unit(entity_id)
        return ToolResult(
            ok=True,
            data=head | ({"unit": unit} if unit else {}) | dict(found) | ({"notes": notes} if notes else {}),
        )

    return Tool(
        "get_history",
        "What one entity did in the past: its changes, a number over time, how long each state held, or what a meter counted. "
        "What is not recorded is said; never fill it in.",
        GetHistoryArguments,
        run,
        needs_home=False,
        past=True,
    )


type _Answerer = Callable[[Beheld, str, Span, int], Awaitable[JsonObject]]


class _Past:
    """The two memories, and which is asked for what."""

    def __init__(self, chronicle: History | None, recorder: Recorder | None) -> None:
        self._chronicle = chronicle
        self._recorder = recorder

    async def changes(self, beheld: Beheld, entity_id: str, span: Span, limit: int) -> JsonObject:
        """Return each change, the oldest first: from the chronicle, else from Home Assistant's recorder."""
        found = await self._chronicled(beheld, entity_id, span, limit) if self._chronicle else None
        if found is None and self._recorder:
            found = await self._recorded(self._recorder, beheld, entity_id, span, limit)
        return found or {"changes": [], "truncated": False, "notes": ["Nothing is known of it in this time."]}

    async def series(self, beheld: Beheld, entity_id: str, span: Span, _limit: int) -> JsonObject:
        """Return a number in steps, or for how long each state held."""
        try:
            series = await self._asked().series(entity_id, span.since, span.until)
        except NothingRecordedError as error:
            raise _locally(error, beheld, entity_id, span) from error
        if not series.numeric:
            spent = time_in_states(series, beheld.now)
            minutes: dict[str, JsonValue] = {
                state: round(held.total_seconds() / 60, 1) for state, held in spent.items()
            }
            return {"minutes": minutes, **_known(series, beheld)}
        edges = steps(series.window, beheld.zone, MOST_STEPS)
        told: list[JsonValue] = [_step(bucket, beheld) for bucket in in_steps(series, edges)]
        return {"unit": series.unit, "steps": told, **_known(series, beheld)}

    async def total(self, beheld: Beheld, entity_id: str, span: Span, _limit: int) -> JsonObject:
        """Return what a meter counted, and what of the window is not in it."""
        try:
            total = await self._asked().total(entity_id, span.since, span.until)
        except NothingRecordedError as error:
            raise _locally(error, beheld, entity_id, span) from error
        except NotCountedError as error:
            raise NotCountedError(error.message, next=_meters(beheld, entity_id) or error.next) from error
        return {"total": _number(total.value), "unit": total.unit, "exact": total.exact, **_gaps(total, beheld)}

    async def _chronicled(self, beheld: Beheld, entity_id: str, span: Span, limit: int) -> JsonObject | None:
        """Return the changes that the chronicle has, None where it knows nothing of the entity up to the window's end."""
        assert self._chronicle is not None  # noqa: S101 - asked only where there is one
        states = frozenset({Kind.STATE})
        page = await self._chronicle.rows(
            Query((entity_id,), kinds=states, since=span.since, until=span.until, limit=limit), beheld.sees
        )
        before = await self._chronicle.rows(Query((entity_id,), kinds=states, until=span.since, limit=1), beheld.sees)
        if not page.rows and not before.rows:
            return None
        held = before.rows[0] if before.rows else None
        rows = [*([held] if held else []), *reversed(page.rows)]
        told = [_change(row, beheld, earlier) for earlier, row in pairwise([None, *rows]) if row]
        changes: list[JsonValue] = told[1:] if held else told
        return {"changes": changes, "truncated": page.truncated, "before": told[0] if held else None}

    async def _recorded(
        self, recorder: Recorder, beheld: Beheld, entity_id: str, span: Span, limit: int
    ) -> JsonObject | None:
        past = (await recorder.history([entity_id], span.since, span.until, attributes=False))[entity_id]
        if past.known_from is None:
            return None
        inside = past.states[1:] if past.held else past.states
        changes: list[JsonValue] = [
            {"at": beheld.local(state.last_updated), "state": state.state} for state in inside if state.last_updated
        ]
        return {
            "changes": changes[-limit:],
            "truncated": past.truncated or len(changes) > limit,
            "before": {"state": past.states[0].state} if past.held else None,
        }

    def _asked(self) -> Recorder:
        if self._recorder is None:
            raise NotKeptError(
                "Home Assistant's recorder is not read here, so there are no series and totals.",
                next="Ask for the changes instead.",
            )
        return self._recorder


def _change(row: Row, beheld: Beheld, earlier: Row | None) -> JsonValue:
    """Return one change; attributes that are as in the `earlier` one are not told again."""
    told: dict[str, JsonValue] = {"at": beheld.local(row.at), "state": _state(row).new}
    if _state(row).attributes and (earlier is None or _state(earlier).attributes != _state(row).attributes):
        told["attributes"] = _state(row).attributes
    if row.user:
        told["by"] = row.user
    return told


def _state(row: Row) -> StateChange:
    assert isinstance(row.record, StateChange)  # noqa: S101 - only those were asked for
    return row.record


def _step(bucket: Bucket, beheld: Beheld) -> JsonValue:
    numbers = {"mean": bucket.mean, "min": bucket.min, "max": bucket.max, "counted": bucket.change}
    told: dict[str, JsonValue] = {name: _number(value) for name, value in numbers.items() if value is not None}
    if bucket.known < WHOLE:
        told["known"] = round(bucket.known, 2)
    return {"from": beheld.local(bucket.start), **told}


def _known(series: Series, beheld: Beheld) -> JsonObject:
    """Say from when on it is known, and where hours of statistics stand in for states."""
    known: dict[str, JsonValue] = {}
    if series.known_from and series.known_from > series.window.since:
        known["known_from"] = beheld.local(series.known_from)
    if series.rows and series.states_from:
        known["hourly_until"] = beheld.local(series.states_from)
    if series.truncated:
        known["truncated"] = True
    return known


def _gaps(total: Total, beheld: Beheld) -> JsonObject:
    gaps: list[JsonValue] = [
        {"from": beheld.local(gap.since), "to": beheld.local(gap.until), "why": gap.why}
        | ({"up_to": _number(gap.up_to)} if gap.up_to is not None else {})
        for gap in total.gaps
    ]
    return {"gaps": gaps} if gaps else {}


def _notes(found: JsonObject) -> list[str]:
    """Say in words what a reader of the numbers must not miss."""
    notes = found.get("notes")
    told = [str(note) for note in notes] if isinstance(notes, list) else []
    if found.get("changes") == [] and found.get("before"):
        told.append("No change in this time; `before` is what held all along.")
    if found.get("truncated"):
        told.append("Older ones are left out: ask for a shorter time.")
    return told


def _locally(error: NothingRecordedError, beheld: Beheld, entity_id: str, span: Span) -> NothingRecordedError:
    return NothingRecordedError(entity_id, beheld.local(span.since), beheld.local(span.until), error.more)


def _meters(beheld: Beheld, entity_id: str) -> str:
    """Return which meters there are, those of the same device first; empty where there is none."""
    home = beheld.home
    device = _device(beheld, entity_id)
    counting = [each for each in sorted(home.exposed) if _counts(home.states.get(each))]
    near = sorted(counting, key=lambda each: device is None or _device(beheld, each) != device)
    return f"Meters here are {', '.join(near[:MOST_METERS])}." if near else ""


def _device(beheld: Beheld, entity_id: str) -> str | None:
    entity = beheld.home.entities.get(entity_id)
    return entity.device_id if entity else None


def _counts(state: State | None) -> bool:
    return state is not None and state.attributes.get("state_class") in COUNTING


def _number(value: float) -> float:
    return round(value, DECIMALS)
