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
    """Runs that set each other off: which automations in the order they began, how many runs, in what time.

    `at_least` says that the graph was cut: there may have been more, for longer.
    """

    kind: CascadeKind
    entity_ids: tuple[str, ...]
    runs: int
    span_ms: int
    at_least: bool = False

    def as_json(self) -> JsonObject:
        """Return the cascade for pages."""
        return {
            "kind": self.kind.value,
            "entity_ids": list(self.entity_ids),
            "runs": self.runs,
            "span_ms": self.span_ms,
            "at_least": self.at_least,
        }


def cascade_in(*graphs: Graph) -> Cascade | None:
    """Return the loop that the graphs hold, else the burst, as the graph with most of it has it; None where runs are what they should be."""
    found = [cascade for graph in graphs if (cascade := _cascade_in(graph)) is not None]
    return max(found, key=lambda cascade: (cascade.kind is CascadeKind.LOOP, cascade.runs), default=None)


def clusters(runs: Iterable[Row]) -> tuple[tuple[Row, ...], ...]:
    """Return the runs that may have set each other off, the newest first: each follows soon on the one before, and they are many or one of them came again."""
    found: list[list[Row]] = []
    for row in sorted((row for row in runs if row.kind is Kind.AUTOMATION), key=lambda row: row.position):
        if found and row.at - found[-1][-1].at <= BURST:
            found[-1].append(row)
        else:
            found.append([row])
    return tuple(
        tuple(each) for each in reversed(found) if len(each) >= MANY or len({row.subject for row in each}) < len(each)
    )


def _cascade_in(graph: Graph) -> Cascade | None:
    runs = sorted((row for row in graph.rows if row.kind is Kind.AUTOMATION), key=lambda row: row.position)
    cut = graph.deeper or graph.truncated
    looping = _looping(graph, runs)
    if looping:
        return _cascade(CascadeKind.LOOP, looping, at_least=cut)
    together = _together(runs)
    return _cascade(CascadeKind.BURST, together, at_least=cut) if len(together) >= MANY else None


def _cascade(kind: CascadeKind, rows: Sequence[Row], *, at_least: bool) -> Cascade:
    span = rows[-1].at - rows[0].at
    names = tuple(dict.fromkeys(row.subject for row in rows))
    return Cascade(kind, names, len(rows), span // timedelta(milliseconds=1), at_least)


def _looping(graph: Graph, runs: Sequence[Row]) -> list[Row]:
    """Return all runs of the automations that lie between two runs of one of which the earlier led to the later."""
    longest: list[Row] = []
    for row in runs:
        path = [each for each in graph.path(row.ref) if each.kind is Kind.AUTOMATION]
        if sum(each.subject == row.subject for each in path) > 1:
            first = next(place for place, each in enumerate(path) if each.subject == row.subject)
            longest = max(longest, path[first:], key=len)
    round_ = {row.subject for row in longest}
    return [row for row in runs if row.subject in round_]


def _together(runs: Iterable[Row]) -> list[Row]:
    """Return the longest series of runs in which each follows soon on the first."""
    ordered = sorted(runs, key=lambda row: row.position)
    best: list[Row] = []
    for place, first in enumerate(ordered):
        near = [row for row in ordered[place:] if row.at - first.at <= BURST]
        best = max(best, near, key=len)
    return best
