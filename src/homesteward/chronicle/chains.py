"""From any context, or any row: what led to it and what it led to. `walking` reads it, here it becomes a graph."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from homesteward.chronicle.contexts import unpack
from homesteward.chronicle.graph import Graph, Link, ordered
from homesteward.chronicle.linking import Knot, Knowledge, across, heads, within
from homesteward.chronicle.record import Run
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.recorder.traces import RunKey, Trace
from homesteward.home.view import HomeView

USUAL_DEPTH = 5
MAX_DEPTH = 20
MAX_TRACES = 4  # asked for one graph


class Direction(StrEnum):
    """Which way a chain is followed."""

    BACKWARD = "backward"
    FORWARD = "forward"
    BOTH = "both"
    SIBLINGS = "siblings"


class BadChainError(HomestewardError):
    """A chain cannot be followed like this."""

    code = "bad_chain"


class NothingThereError(HomestewardError):
    """Nothing that is remembered carries this context or has this reference."""

    code = "nothing_there"

    def __init__(self) -> None:
        """Say where a start is found."""
        super().__init__(
            "Nothing that is remembered has this context or reference.",
            next="Take one from a row: its `context_id` or its `ref`.",
        )


@dataclass(frozen=True, slots=True)
class Start:
    """Where a chain is taken up, which way, and how many contexts far."""

    at: str
    """A context's id, or the `ref` of a row."""
    direction: Direction = Direction.BOTH
    depth: int = USUAL_DEPTH

    def __post_init__(self) -> None:
        """Raise BadChainError for a depth that no chain has."""
        if not 1 <= self.depth <= MAX_DEPTH:
            raise BadChainError(
                f"A chain is followed 1 to {MAX_DEPTH} contexts deep, not {self.depth}.", next="Take another depth."
            )


def direction_of(text: str) -> Direction:
    """Return the direction that `text` names; raise BadChainError with those there are."""
    try:
        return Direction(text.strip().casefold())
    except ValueError:
        raise BadChainError(
            f"'{text.strip()[:40]}' is no direction.", next=f"Use one of {', '.join(Direction)}."
        ) from None


@dataclass(slots=True)
class Walked:
    """What was read of a chain, before anything is said about what led to what."""

    start: str = ""
    knots: dict[bytes, Knot] = field(default_factory=dict)
    loose: list[Link] = field(default_factory=list)
    """Links that no context makes."""
    before: Mapping[str, JsonObject] = field(default_factory=dict)
    """What the attributes were before a change, by its ref."""
    depth: int = 0
    deeper: bool = False
    truncated: bool = False
    unknown: list[bytes] = field(default_factory=list)

    @property
    def rows(self) -> list[Row]:
        """Return all that was read, in the order of time."""
        return sorted((row for knot in self.knots.values() for row in knot.rows), key=lambda row: row.position)

    def traced(self) -> tuple[RunKey, ...]:
        """Return the runs whose traces would tell more, the newest first, no more than are asked for."""
        runs = [row.record for row in reversed(self.rows) if isinstance(row.record, Run)]
        keys = [RunKey(run.kind.value, run.item_id, run.run_id) for run in runs if run.item_id and run.run_id]
        return tuple(keys[:MAX_TRACES])


def graph_of(walked: Walked, view: HomeView, sight: Sight, traces: Mapping[str, Trace] | None = None) -> Graph:
    """Return what was read as a graph, as far as it may be seen: an empty one where that is nothing."""
    everything = walked.rows
    seen = [shown for row in everything if (shown := sight.row(row)) is not None]
    if not seen:
        return Graph()
    hidden = len(seen) < len(everything)
    refs = {row.ref for row in seen}
    links = [
        link
        for link in dict.fromkeys(_links(walked, Knowledge(view, walked.before, traces or {})))
        if link.cause in refs and link.effect in refs and link.cause != link.effect
    ]
    rows = ordered(seen, links)
    unknown = tuple(unpack(packed) if sight.whole else "" for packed in walked.unknown)
    if hidden:  # a cause that is not seen is one that is not known
        unknown = ("",)
    return Graph(
        rows,
        tuple(links),
        0 if hidden else walked.depth,
        walked.deeper and not hidden,
        walked.truncated,
        unknown,
        walked.start if walked.start in refs else "",
        {row.ref: row for row in rows},
    )


def _links(walked: Walked, known: Knowledge) -> list[Link]:
    links = list(walked.loose)
    for knot in walked.knots.values():
        inner = list(within(knot, known))
        links += inner
        parent = walked.knots.get(knot.parent) if knot.parent is not None and knot.parent != knot.packed else None
        if parent is not None:
            links += across(parent, heads(knot, inner))
    return links
