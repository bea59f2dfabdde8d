"""What led to what: records and the links between them, each link as sure as its evidence and no surer."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from heapq import heapify, heappop, heappush

from homesteward.chronicle.record import Call, Kind, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core.json import JsonObject


class Certainty(StrEnum):
    """How sure a link is."""

    CERTAIN = "certain"
    """The context says so, and the change is what its cause does."""
    LIKELY = "likely"
    """It fits by time and effect, or the context says so and the effect cannot be judged."""
    UNKNOWN = "unknown"
    """Named by Home Assistant, and yet it cannot have been so."""


class Evidence(StrEnum):
    """What a link rests on."""

    CONTEXT = "context"
    STEP = "step window"
    """It fell into the time of a step of our own."""
    WINDOW = "time window"
    """It fell into the time in which a call shows its effect."""
    EFFECT = "effects table"
    TRIGGER = "trigger"
    """The run names what triggered it."""
    TRACE = "trace"
    ORDER = "order"
    """Only the order in time says which of several it was."""
    GOES_ON = "goes on"
    """It ends what had begun: from opening to open."""
    CONTRADICTED = "contradicted"
    """The call that the context names does not do this."""


@dataclass(frozen=True, slots=True)
class Link:
    """That one record led to another, by their refs."""

    cause: str
    effect: str
    certainty: Certainty
    evidence: tuple[Evidence, ...]
    note: str = ""
    """What the trace adds: the step of the run, such as `action/0/choose/1/sequence/0`."""

    def as_json(self) -> JsonObject:
        """Return the link for pages."""
        return {
            "cause": self.cause,
            "effect": self.effect,
            "certainty": self.certainty.value,
            "evidence": [each.value for each in self.evidence],
            "note": self.note,
        }


@dataclass(frozen=True, slots=True)
class Graph:
    """Records in the order in which they led to each other, and their links.

    `deeper` says that the depth was reached and there is more, `truncated` that there was more than a graph holds, and `unknown`
    lists contexts that are named as a cause and of which nothing is known.
    """

    rows: tuple[Row, ...] = ()
    links: tuple[Link, ...] = ()
    depth: int = 0
    deeper: bool = False
    truncated: bool = False
    unknown: tuple[str, ...] = ()
    start: str = ""
    """The ref of the row that was asked about; empty where a context was."""
    by_ref: Mapping[str, Row] = field(default_factory=dict, compare=False, repr=False)

    @property
    def complete(self) -> bool:
        """Return whether nothing was left out and every cause that is named is known."""
        return not (self.deeper or self.truncated or self.unknown) and all(
            link.certainty is not Certainty.UNKNOWN for link in self.links
        )

    def causes(self, ref: str) -> tuple[Link, ...]:
        """Return the links that lead to a row, the surest first."""
        order = list(Certainty)
        return tuple(
            sorted((link for link in self.links if link.effect == ref), key=lambda link: order.index(link.certainty))
        )

    @property
    def story(self) -> tuple[Row, ...]:
        """Return the rows that tell it: without a run's own bookkeeping, and without calls that something else stands behind."""
        return tuple(row for row in self.rows if not self._beside(row))

    def path(self, ref: str) -> tuple[Row, ...]:
        """Return the rows that led to one, the first cause first, along the surest links; contradicted ones lead nowhere."""
        found: list[str] = []
        at: str | None = ref
        while at is not None and at not in found and at in self.by_ref:
            found.append(at)
            links = [link for link in self.causes(at) if link.certainty is not Certainty.UNKNOWN]
            at = links[0].cause if links else None
        return tuple(self.by_ref[each] for each in reversed(found))

    def as_json(self) -> JsonObject:
        """Return the graph for pages."""
        return {
            "nodes": [{**row.as_json(), "subject": row.subject} for row in self.rows],
            "links": [link.as_json() for link in self.links],
            "depth": self.depth,
            "deeper": self.deeper,
            "truncated": self.truncated,
            "unknown": list(self.unknown),
            "start": self.start,
            "complete": self.complete,
        }

    def _beside(self, row: Row) -> bool:
        if row.ref == self.start:
            return False
        behind = [self.by_ref[link.cause] for link in self.causes(row.ref) if link.cause in self.by_ref]
        if row.kind is Kind.CALL:
            return bool(behind)
        return is_bookkeeping(row) and any(cause.subject == row.subject for cause in behind)


def is_bookkeeping(row: Row) -> bool:
    """Return whether the row is only an automation or script showing that it runs."""
    record = row.record
    return isinstance(record, StateChange) and record.entity_id.partition(".")[0] in {"automation", "script", "scene"}


def runs_of(rows: tuple[Row, ...]) -> Iterator[Run]:
    """Yield the runs among the rows."""
    yield from (row.record for row in rows if isinstance(row.record, Run))


def calls_of(rows: tuple[Row, ...]) -> Iterator[Call]:
    """Yield the calls among the rows."""
    yield from (row.record for row in rows if isinstance(row.record, Call))


def ordered(rows: list[Row], links: list[Link]) -> tuple[Row, ...]:
    """Return the rows by time, but no effect before its cause: clocks of two machines differ. A loop is entered at its earliest."""
    by_ref = {row.ref: row for row in rows}
    waiting = dict.fromkeys(by_ref, 0)
    onward: dict[str, list[str]] = {}
    for link in links:
        waiting[link.effect] += 1
        onward.setdefault(link.cause, []).append(link.effect)
    ready = [(row.position, row.ref) for row in rows if not waiting[row.ref]]
    heapify(ready)
    done: dict[str, Row] = {}
    while len(done) < len(by_ref):
        if not ready:
            earliest = min((row for row in rows if row.ref not in done), key=lambda row: row.position)
            heappush(ready, (earliest.position, earliest.ref))
        _, ref = heappop(ready)
        if ref in done:
            continue
        done[ref] = by_ref[ref]
        for effect in onward.get(ref, ()):
            waiting[effect] -= 1
            if waiting[effect] <= 0 and effect not in done:
                heappush(ready, (by_ref[effect].position, effect))
    return tuple(done.values())
