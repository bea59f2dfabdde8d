"""Why an entity is as it is: the chain behind its last change, as one plain sentence and as a graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from homesteward.chronicle.cascades import Cascade, CascadeKind
from homesteward.chronicle.graph import Certainty, Graph, Link
from homesteward.chronicle.record import Act, Call, Kind, Run, Source, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.telling import MAX_QUOTE, Teller
from homesteward.core.ids import born
from homesteward.core.json import JsonObject

MAX_CLAUSES = 5  # of what started what, in one sentence
ITS_TIME = "trigger"  # the channel of what came to its time: whoever asked did so when the run began
# what only ever reports: that nothing in Home Assistant made it change is how it should be
REPORTING = frozenset(
    {
        "binary_sensor", "sensor", "person", "device_tracker", "sun", "weather", "event", "zone", "calendar", "image",
        "geo_location", "air_quality", "update", "button", "input_button", "remote", "tag",
    }
)  # fmt: skip


NO_GRAPH = Graph()


@dataclass(frozen=True, slots=True)
class Why:
    """The answer. `complete` says that the chain goes back to where it began and nothing in it is doubtful."""

    entity_id: str
    text: str
    chain: tuple[Row, ...] = ()
    complete: bool = False
    graph: Graph = NO_GRAPH
    cascade: Cascade | None = None

    def as_json(self) -> JsonObject:
        """Return the answer in the form of the contract, the graph and the cascade beside it."""
        return {
            "entity_id": self.entity_id,
            "text": self.text,
            "chain": [_step(row, self.graph) for row in self.chain],
            "complete": self.complete,
            "cascade": self.cascade.as_json() if self.cascade else None,
            "graph": self.graph.as_json(),
        }


def told(
    graph: Graph,
    start: str,
    teller: Teller,
    before: JsonObject,
    cascade: Cascade | None = None,
    unheard: datetime | None = None,
    origin: Graph | None = None,
) -> Why:
    """Return why the row `start` of a graph happened.

    `before` are its attributes before, `unheard` is since when nobody has been listening, `origin` the graph in which the chain begins
    where that is another.
    """
    row = graph.by_ref[start]
    path = _told_of(graph, start)
    sentence = _Sentence(graph, teller, path)
    text = sentence.text(before) + "."
    if sentence.cut:
        text += _beginning(origin or graph, start, teller)
    if cascade is not None:
        text += sentence.cascade(cascade)
    if unheard is not None:
        text += teller.text("unheard", when=teller.when(unheard))
    return Why(row.subject, text, path, sentence.complete and unheard is None, graph, cascade)


def nothing_known(entity_id: str, at: datetime, teller: Teller) -> Why:
    """Return the answer where nothing is remembered of an entity."""
    text = teller.text("nothing", name=teller.name(entity_id), when=teller.when(at))
    return Why(entity_id, text + ".")


def _beginning(origin: Graph, start: str, teller: Teller) -> str:
    """Return with what a chain began of which the sentence does not tell all; nothing where that is not known."""
    path = _told_of(origin, start if start in origin.by_ref else origin.start)
    if origin.deeper or not path:
        return ""
    return teller.text("began", when=teller.when(path[0].at)) + _Sentence(origin, teller, path).first() + "."


def _told_of(graph: Graph, start: str) -> tuple[Row, ...]:
    """Return the rows worth telling: calls and bookkeeping only where they are what it began with."""
    story = {row.ref for row in graph.story} | {start}
    return tuple(row for row in graph.path(start) if row.ref in story)


def _step(row: Row, graph: Graph) -> JsonObject:
    record = row.record
    by = row.user
    if by is None and isinstance(record, Run) and not graph.causes(row.ref):
        by = record.trigger or None
    return {
        "kind": row.kind.value,
        "subject": row.subject,
        "at": row.at.isoformat(),
        "context_id": row.context.id if row.context else None,
        "parent_id": row.context.parent_id if row.context else None,
        "by": by,
        "ref": row.ref,
    }


class _Sentence:
    """One sentence: what happened, because of what, set off by what. It says no more than the links are sure of."""

    def __init__(self, graph: Graph, teller: Teller, path: Sequence[Row]) -> None:
        self._graph, self._teller, self._path = graph, teller, path
        self.cut = False
        """Whether there is more of the chain than was told."""
        self.complete = not (graph.deeper or graph.unknown) and all(
            link.certainty is Certainty.CERTAIN for link in self._links()
        )

    def text(self, before: JsonObject) -> str:
        row = self._path[-1]
        record = row.record
        if isinstance(record, Run):
            key = "was_applied" if record.kind is Kind.SCENE else "ran"
            return (
                self._teller.text(key, name=self._teller.runs(record), when=self._teller.when(row.at)) + self._cause()
            )
        if not isinstance(record, StateChange):
            return row.subject
        if record.source is Source.FOUND:
            self.complete = False
            state = self._teller.state(record.entity_id, record.new)
            return self._teller.text(
                "found", name=self._teller.name(record.entity_id), state=state, when=self._teller.when(row.at)
            )
        did = self._teller.did(record, before)
        if record.source is Source.BACKFILL:
            self.complete = False
            return did + self._teller.text("backfill")
        return did + self._cause()

    def cascade(self, cascade: Cascade) -> str:
        names = ", ".join(self._teller.name(entity_id) for entity_id in cascade.entity_ids)
        key = "loop" if cascade.kind is CascadeKind.LOOP else "burst"
        runs = self._teller.text("at_least", count=cascade.runs) if cascade.at_least else cascade.runs
        return self._teller.text(key, names=names, runs=runs, span=self._teller.lasting(cascade.span_ms)) + "."

    def first(self) -> str:
        """Return what the path begins with, as what started all that followed."""
        return self._started(0)

    def _cause(self) -> str:
        """Return why the last row of the path came about."""
        row = self._path[-1]
        if contradicted := self._contradicted(row):
            return contradicted
        if isinstance(row.record, Run) and len(self._path) == 1:
            return self._set_off(row)
        if len(self._path) == 1:
            return self._without_cause(row)
        if isinstance(row.record, Run):
            return self._started(len(self._path) - 2)
        cause = self._path[-2].record
        if isinstance(cause, StateChange) and cause.entity_id != row.subject:
            following = self._teller.text("following", what=self._teller.doing(cause))
            return following + (self._started(len(self._path) - 3) if len(self._path) > 2 else "")
        return self._because(self._nearest())

    def _nearest(self) -> str:
        cause = self._path[-2]
        record = cause.record
        teller = self._teller
        match record:
            case Run():
                return teller.text(record.kind.value, name=teller.runs(record)) + self._started(len(self._path) - 3)
            case Act():
                return teller.text("act", **self._act(record))
            case Call():
                return self._called(cause, record)
            case StateChange():
                return teller.text("went_on", time=teller.clock(record.at)) + self._further()

    def _further(self) -> str:
        """Return what stands behind a movement that the last row ended."""
        inner = _Sentence(self._graph, self._teller, self._path[:-1])
        found = inner._cause()
        self.complete = self.complete and inner.complete
        self.cut |= inner.cut
        return found

    def _started(self, place: int, left: int = MAX_CLAUSES) -> str:
        """Return what started the run behind `place` in the path, from the nearest on to the first, in so many clauses."""
        if place < 0:
            return self._set_off(self._path[place + 1])
        if not left:
            self.cut = True
            return self._teller.text("further")
        cause, teller = self._path[place], self._teller
        record = cause.record
        match record:
            case Run():
                what = teller.text(f"by_{record.kind.value}", name=teller.runs(record))
                return teller.text("started_by", what=what) + self._started(place - 1, left - 1)
            case Act():
                return teller.text("started_by", what=teller.text("by_act", **self._act(record)))
            case Call():
                self.complete = self.complete and cause.user is not None
                by = cause.user or teller.text("by_call", what=cause.subject)
                return teller.text("started_by", what=by)
            case StateChange():
                what = teller.text("triggered_by", what=teller.doing(record))
                return what + (self._started(place - 1, left - 1) if place else self._behind(cause))

    def _behind(self, row: Row) -> str:
        """Return who stands behind the first cause, where it is somebody; nothing for what came by itself."""
        if row.user:
            return self._teller.text("for_user", user=row.user)
        if self._graph.unknown:
            return self._teller.text("unknown_origin")
        self.complete = self.complete and row.subject.partition(".")[0] in REPORTING
        self.cut |= self._graph.deeper
        return self._teller.text("deeper") if self._graph.deeper else ""

    def _set_off(self, row: Row) -> str:
        """Return what a run names as its trigger, where no record of it is known: the sun, the time, an event."""
        record, teller = row.record, self._teller
        what = teller.trigger(record) if isinstance(record, Run) else ""
        words = teller.text("triggered_by", what=what) if what else ""
        if row.user:
            return words + teller.text("for_user", user=row.user)
        if isinstance(record, Run) and record.trigger_entity_id and what:
            return words  # what it heard was not worth a row, and yet it is known
        if self._graph.unknown or not what:
            self.complete = False
            return words + teller.text("unknown_origin")
        return words

    def _called(self, cause: Row, call: Call) -> str:
        what = f"{call.domain}.{call.service}"
        if cause.user:
            return self._teller.text("user", user=cause.user, what=what)
        self.complete = False
        return self._teller.text("call", what=what)

    def _without_cause(self, row: Row) -> str:
        teller = self._teller
        if row.user:
            return teller.text("because", cause=teller.text("user_alone", user=row.user))
        if self._graph.unknown:
            self.complete = False
            return teller.text("unknown_origin")
        if row.subject.partition(".")[0] in REPORTING:
            return teller.text("sensor")
        self.complete = False
        return teller.text("device")

    def _because(self, cause: str) -> str:
        """Return the cause, with how sure it is."""
        likely = any(link.certainty is Certainty.LIKELY for link in self._links())
        return self._teller.text("probably" if likely else "because", cause=cause)

    def _links(self) -> list[Link]:
        """Return the links along the whole path, also through what is not told."""
        refs = [row.ref for row in self._graph.path(self._path[-1].ref)]
        pairs = set(pairwise(refs))
        return [link for link in self._graph.links if (link.cause, link.effect) in pairs]

    def _contradicted(self, row: Row) -> str:
        links = self._graph.causes(row.ref)
        if not links or any(link.certainty is not Certainty.UNKNOWN for link in links):
            return ""
        self.complete = False
        cause = self._graph.by_ref[links[0].cause]
        return self._teller.text("contradicted", what=cause.subject)

    def _act(self, act: Act) -> dict[str, str]:
        teller = self._teller
        request = " ".join(act.request.split())[:MAX_QUOTE]
        asked = born(act.run_id) if act.channel == ITS_TIME else None
        ahead = teller.text("ahead", when=teller.when(asked)) if asked else ""
        return {
            "person": act.person or teller.text("somebody"),
            "request": ahead + (teller.text("request", request=request) if request else ""),
            "plan": teller.text("plan", plan=act.plan_id, rule=act.rule) if teller.ids else "",
        }
