"""How a thing was over some time, from the chronicle: numbers for a curve, anything else as stretches of a band, and its latest changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from math import isfinite

from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core.errors import HomestewardError
from homesteward.core.json import dumps
from homesteward.faces.web.pages.chronicle import Told, told_rows
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import state_told
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.remembering import visible_to
from homesteward.home.model import UNAVAILABLE, State

MOST_ROWS = 2000
MOST_TOLD = 12
WIDTH = 1000  # of the band, in its own units
SHADES = 6  # of states that are told apart in a band


class Span(StrEnum):
    """How far back it is shown."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


SPANS: Mapping[Span, tuple[str, timedelta]] = {
    Span.DAY: (N_("Day"), timedelta(days=1)),
    Span.WEEK: (N_("Week"), timedelta(days=7)),
    Span.MONTH: (N_("Month"), timedelta(days=30)),
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time in which a state held: where it lies in the band, and how it looks there."""

    x: int
    width: int
    shade: str
    title: str


@dataclass(frozen=True, slots=True)
class Course:
    """The time shown. `points` are `[[seconds], [numbers]]` for a curve, empty where the states are no numbers."""

    span: str
    spans: tuple[tuple[str, str], ...]
    points: str
    unit: str
    low: str
    high: str
    band: tuple[Stretch, ...]
    legend: tuple[tuple[str, str], ...]
    since_s: int
    until_s: int
    begins: str
    ends: str
    changes: tuple[Told, ...]
    cut: bool


async def course(stage: Stage, visit: Visit, state: State, span: Span) -> Course | None:
    """Return how `state` was over `span`; None where nothing is remembered or can be read."""
    if (kept := stage.rooms.chronicle) is None:
        return None
    since, visible = visit.now - SPANS[span][1], visible_to(visit.caller, stage.rooms.home)
    kinds = frozenset({Kind.STATE})
    within = Query((state.entity_id,), kinds=kinds, since=since, limit=MOST_ROWS)
    before = Query((state.entity_id,), kinds=kinds, until=since, limit=1)
    try:
        page, earlier = await kept.history.rows(within, visible), await kept.history.rows(before, visible)
    except HomestewardError:
        return None
    changes = [*_changes(reversed(earlier.rows)), *_changes(reversed(page.rows))]
    held = [(max(change.at, since), change.new or "") for change in changes]
    points = _points(held, visit.now) if state.attributes.get("unit_of_measurement") else ""
    numbers = [number for _, word in held if (number := _number(word)) is not None]
    band, legend = _band(held, since, state, visit) if held and not points else ((), ())
    unit = str(state.attributes.get("unit_of_measurement") or "")
    return Course(
        span=span.value,
        spans=tuple((each.value, visit.say(label)) for each, (label, _) in SPANS.items()),
        points=points,
        unit=unit,
        low=visit.local.quantity(str(min(numbers)), unit) if points and numbers else "",
        high=visit.local.quantity(str(max(numbers)), unit) if points and numbers else "",
        band=band,
        legend=legend,
        since_s=round(since.timestamp()),
        until_s=round(visit.now.timestamp()),
        begins=visit.when(since).short,
        ends=visit.when(visit.now).short,
        changes=told_rows(stage, visit, page.rows[:MOST_TOLD]),
        cut=page.truncated,
    )


def _changes(rows: Sequence[Row] | Iterator[Row]) -> Iterator[StateChange]:
    yield from (row.record for row in rows if isinstance(row.record, StateChange))


def _number(word: str) -> float | None:
    try:
        found = float(word)
    except ValueError:
        return None
    return found if isfinite(found) else None


def _points(held: Sequence[tuple[datetime, str]], now: datetime) -> str:
    """Return the numbers with their times; the last holds until now, and what is no number leaves a gap."""
    if not any(_number(word) is not None for _, word in held):
        return ""
    whole = [*held, (now, held[-1][1])]
    return dumps([[round(at.timestamp(), 1) for at, _ in whole], [_number(word) for _, word in whole]])


def _band(
    held: Sequence[tuple[datetime, str]], since: datetime, state: State, visit: Visit
) -> tuple[tuple[Stretch, ...], tuple[tuple[str, str], ...]]:
    """Return the stretches of a band and what their shades mean, the states seen first having shades of their own."""
    shades = {word: f"s{n}" for n, word in enumerate(list(dict.fromkeys(_seen(held)))[:SHADES])}
    whole = (visit.now - since).total_seconds()
    ends = [at for at, _ in held[1:]] + [visit.now]
    stretches = []
    for (at, word), end in zip(held, ends, strict=True):
        x, to = (round(WIDTH * (each - since).total_seconds() / whole) for each in (at, end))
        told = state_told(State(state.entity_id, word, state.attributes), visit)
        title = f"{visit.when(at).short}: {told}"
        stretches.append(Stretch(x, max(1, to - x), shades.get(word, "none"), title))
    legend = tuple((shade, state_told(State(state.entity_id, word), visit)) for word, shade in shades.items())
    return tuple(stretches), legend


RESTING = ("off", "closed", "locked", "idle", "not_home", "standby", "docked", "disarmed")


def _seen(held: Sequence[tuple[datetime, str]]) -> list[str]:
    """Return the states, those of rest first, so that rest nearly always has the quietest shade."""
    words = [word for _, word in held if word and word not in UNAVAILABLE]
    return sorted(words, key=lambda word: word not in RESTING)
