"""A timeline drawn in lanes: one lane per kind of thing or area, one place per row in the order of time, arrows from causes to effects.

The places are even: what happens in one second would otherwise lie on one spot. The clock stands below where it is another.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from homesteward.chronicle.graph import Certainty, Link
from homesteward.chronicle.record import Kind
from homesteward.chronicle.rows import Row
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.view import area_of

MOST_LANES = 8
STEP, LANE, CLOCK = 18, 34, 26  # px: a place, a lane (as in chronicle.css), the clock below
CLOCK_APART = 3  # places between two clocks

KIND_LANES: Mapping[Kind, tuple[str, str]] = {
    Kind.ACT: ("asked", N_("Asked for")),
    Kind.CALL: ("calls", N_("Commands")),
    Kind.AUTOMATION: ("runs", N_("Automations")),
    Kind.SCRIPT: ("runs", N_("Automations")),
    Kind.SCENE: ("runs", N_("Automations")),
}
ELSEWHERE = N_("Elsewhere")
FIRST = ("asked", "calls", "runs")


@dataclass(frozen=True, slots=True)
class Spot:
    """One row: where it is, what it says, and the look of its kind."""

    ref: str
    x: int
    y: int
    kind: str
    title: str
    here: bool


@dataclass(frozen=True, slots=True)
class Arrow:
    """From a cause to its effect; `sure` is the certainty of the link."""

    path: str
    sure: str


@dataclass(frozen=True, slots=True)
class LaneRow:
    """A lane with its name, and the line that it lies on."""

    name: str
    y: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """All of it, in px."""

    width: int
    height: int
    lanes: tuple[LaneRow, ...]
    spots: tuple[Spot, ...]
    arrows: tuple[Arrow, ...]
    clocks: tuple[tuple[int, str], ...]


def drawn(rows: Sequence[Row], links: Sequence[Link], told: Mapping[str, str], visit: Visit, here: str = "") -> Drawing:
    """Return the drawing of `rows`, the oldest at the left; `told` is what each says, by its ref, and `here` the one that is meant."""
    ordered = sorted(rows, key=lambda row: row.position)
    lanes = _lanes(ordered, visit)
    y_of = {key: LANE * n + LANE // 2 for n, key in enumerate(lanes)}
    last = LANE * len(lanes) - LANE // 2
    spots = tuple(
        Spot(
            row.ref,
            STEP * n + STEP // 2,
            y_of.get(_lane_of(row, visit)[0], last),
            row.kind.value,
            told.get(row.ref, ""),
            row.ref == here,
        )
        for n, row in enumerate(ordered)
    )
    by_ref = {spot.ref: spot for spot in spots}
    height = LANE * len(lanes) + CLOCK
    return Drawing(
        width=STEP * len(ordered) + STEP,
        height=height,
        lanes=tuple(LaneRow(name, y_of[key]) for key, name in lanes.items()),
        spots=spots,
        arrows=tuple(_arrows(links, by_ref)),
        clocks=tuple(_clocks(ordered, visit)),
    )


def _lanes(rows: Sequence[Row], visit: Visit) -> dict[str, str]:
    """Return the lanes by key: those of kinds first, then the areas in the order in which they come up; the rest share the last."""
    found = dict(_lane_of(row, visit) for row in rows)
    ordered = [key for key in FIRST if key in found] + [key for key in found if key not in FIRST]
    if len(ordered) <= MOST_LANES:
        return {key: found[key] for key in ordered}
    kept = [key for key in ordered if key != "area:"][: MOST_LANES - 1]
    return {key: found[key] for key in kept} | {"rest": visit.say(ELSEWHERE)}


def _lane_of(row: Row, visit: Visit) -> tuple[str, str]:
    if row.kind in KIND_LANES:
        key, name = KIND_LANES[row.kind]
        return key, visit.say(name)
    area = area_of(visit.home, row.subject)
    return (f"area:{area.area_id}", area.name) if area else ("area:", visit.say(ELSEWHERE))


def _arrows(links: Sequence[Link], spots: Mapping[str, Spot]) -> Iterator[Arrow]:
    for link in links:
        cause, effect = spots.get(link.cause), spots.get(link.effect)
        if cause and effect:
            yield Arrow(_curve(cause, effect), link.certainty.value)


def _curve(cause: Spot, effect: Spot) -> str:
    """Return an arc from one spot to another; within a lane it rises a little above it."""
    x1, y1, x2, y2 = cause.x, cause.y, effect.x, effect.y
    if y1 == y2:
        return f"M{x1} {y1 - 6}C{x1} {y1 - LANE // 2},{x2} {y2 - LANE // 2},{x2} {y2 - 8}"
    bend = (x1 + x2) // 2
    return f"M{x1} {y1}C{bend} {y1},{bend} {y2},{x2 - 7 if x2 >= x1 else x2 + 7} {y2}"


def _clocks(rows: Sequence[Row], visit: Visit) -> Iterator[tuple[int, str]]:
    said, free = "", 0
    for n, row in enumerate(rows):
        clock = visit.local.clock(row.at)
        if clock != said and n >= free:
            yield STEP * n + STEP // 2, clock
            said, free = clock, n + CLOCK_APART


SURE_WORDS: Mapping[Certainty, str] = {
    Certainty.CERTAIN: N_("certain"),
    Certainty.LIKELY: N_("likely"),
    Certainty.UNKNOWN: N_("cannot have been so"),
}
