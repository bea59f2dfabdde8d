"""Automations that set each other off: in a circle, or many at once from one trigger."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from homesteward.chronicle.graph import Graph
from homesteward.chronicle.record import Kind
from homesteward.chronicle.rows import Row
from homesteward.core.json import JsonObject

BURST = timedelta(seconds=10)  # runs that follow each other within this belong together
MANY = 3  # so many runs of one trigger are worth a word


class CascadeKind(StrEnum):
    """How runs hang together."""

    LOOP = "loop"
    """An automation led, through others or by itself, to its own next run."""
    BURST = "burst"
    """One trigger led to many runs in a short time."""


@dataclass(frozen=True, slots=True)
class Cascade:
    """Runs that set each other off: which automations in the order they began, how many runs, in what time."""

    kind: CascadeKind
    entity_ids: tuple[str, ...]
    runs: int
    span_ms: int

    def as_json(self) -> JsonObject:
        """Return the cascade for pages."""
        return {
            "kind": self.kind.value,
            "entity_ids": list(self.entity_ids),
            "runs": self.runs,
            "span_ms": self.span_ms,
        }


def cascade_in(graph: Graph) -> Cascade | None:
    """Return the loop that the graph holds, else the burst, None where runs are what they should be."""
    runs = [row for row in graph.rows if row.kind is Kind.AUTOMATION]
    looping = _looping(graph, runs)
    if looping:
        return _cascade(CascadeKind.LOOP, looping)
    together = _together(runs)
    return _cascade(CascadeKind.BURST, together) if len(together) >= MANY else None


def _cascade(kind: CascadeKind, rows: Sequence[Row]) -> Cascade:
    span = rows[-1].at - rows[0].at
    return Cascade(
        kind, tuple(dict.fromkeys(row.subject for row in rows)), len(rows), span // timedelta(milliseconds=1)
    )


def _looping(graph: Graph, runs: Sequence[Row]) -> list[Row]:
    """Return the runs between two runs of one automation of which the earlier led to the later."""
    longest: list[Row] = []
    for row in runs:
        path = [each for each in graph.path(row.ref) if each.kind is Kind.AUTOMATION]
        if sum(each.subject == row.subject for each in path) > 1:
            first = next(place for place, each in enumerate(path) if each.subject == row.subject)
            longest = max(longest, path[first:], key=len)
    return longest


def _together(runs: Iterable[Row]) -> list[Row]:
    """Return the longest series of runs in which each follows soon on the first."""
    ordered = sorted(runs, key=lambda row: row.position)
    best: list[Row] = []
    for place, first in enumerate(ordered):
        near = [row for row in ordered[place:] if row.at - first.at <= BURST]
        best = max(best, near, key=len)
    return best
