"""Who of those that share a context did it: which run made a call, and which run or call a run was started by.

An automation, the scripts that it starts and the scenes that these apply all carry the automation's context. So the context says to which
family a record belongs; which member did it only a trace says, or that there is but one who can have.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from homesteward.chronicle.graph import Certainty, Evidence, Link
from homesteward.chronicle.record import Act, Call, Kind, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.home.calls import BodyStep
from homesteward.home.effects import HANDED_ON
from homesteward.home.recorder.traces import Trace, TraceStep
from homesteward.home.view import HomeView, leaves_of

if TYPE_CHECKING:
    from homesteward.chronicle.linking import Knowledge

JITTER = timedelta(milliseconds=50)  # an effect may be stamped a little before the call whose event came later
TRIED = 20  # calls that one run may have come of
PROMPT = timedelta(seconds=1)  # a step makes its call at once; a longer wait is that of another step
SWITCHES = frozenset({"turn_on", "toggle"})
BEGINS = {"script": SWITCHES, "scene": frozenset({"turn_on"}), "automation": frozenset({"trigger"})} | dict.fromkeys(
    HANDED_ON, SWITCHES
)  # what starts those of its targets that run; a domain that hands on starts whatever it reaches
OWN = frozenset({"turn_on", "turn_off", "toggle", "reload"})  # the services of scripts that are no script's name


def begins(call: Call | Act) -> tuple[str, ...]:
    """Return the automations, scripts and scenes that a call starts."""
    if call.domain == "script" and call.service not in OWN:
        return (f"script.{call.service}",)
    if call.service not in BEGINS.get(call.domain, ()):
        return ()
    return tuple(each for each in call.entity_ids if call.domain in {*HANDED_ON, each.partition(".")[0]})


def starter_of(row: Row, run: Run, earlier: Sequence[Row], known: Knowledge) -> Link | None:
    """Return the link to a run from the one that made the call that started it, else from that call."""
    for other, maker in reversed(list(_runs(earlier))):
        step = _step_that_started(known.traces.get(maker.run_id), run)
        if step is not None:
            return Link(other.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.TRACE), step.path)
    calls = _unspent(run, earlier)
    if not calls:
        return _among(row, [other for other, _ in _runs(earlier)])
    links = [_through(row, other, earlier, known) for other in calls]
    if len({link.cause for link in links}) > 1:  # the first that nothing came of yet; it may have been turned away
        first = links[0]
        return Link(first.cause, row.ref, Certainty.LIKELY, _and(first.evidence, Evidence.ORDER), first.note)
    return links[0]


def maker_of(row: Row, call: Call, earlier: Sequence[Row], known: Knowledge) -> Link | None:
    """Return the link to a call from the call that it carries out, else from the run or the act that made it."""
    if link := _handed_on(row, call, earlier, known.view):
        return link
    runs = [other for other, _ in _runs(earlier) if other.position < row.position]
    if link := _by_trace(row, call, runs, known):
        return link
    if link := _by_scene(row, call, earlier, known.view):
        return link
    possible = _possible(runs, earlier, known)
    if len(possible) > 1:
        possible = [other for other in possible if _names(known.view.bodies.get(other.subject, ()), call)] or possible
    if runs:
        return _among(row, possible, alone=len(possible) == 1 and len(_possible(runs, earlier, known)) == 1)
    acts = [other for other in earlier if isinstance(other.record, Act)]
    own = [other for other in acts if isinstance(other.record, Act) and other.record.service == call.service] or acts
    return Link(own[0].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.STEP)) if own else None


def _runs(rows: Iterable[Row]) -> Iterator[tuple[Row, Run]]:
    for row in rows:
        if isinstance(row.record, Run):
            yield row, row.record


def _among(row: Row, possible: Sequence[Row], *, alone: bool = True) -> Link | None:
    """Return the link from the only one who can have done it, else the likely one from the innermost."""
    if not possible:
        return None
    if len(possible) == 1 and alone:
        return Link(possible[0].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
    return Link(possible[-1].ref, row.ref, Certainty.LIKELY, (Evidence.CONTEXT, Evidence.ORDER))


def _unspent(run: Run, earlier: Sequence[Row]) -> list[Row]:
    """Return the calls that start what runs and that no earlier run of it came of; where none was heard, acts of ours."""
    waiting: list[Row] = []
    for other in earlier:
        record = other.record
        if isinstance(record, Call) and run.entity_id in begins(record):
            if not any(_hands_on(each.record, record) for each in waiting):
                waiting.append(other)
        elif isinstance(record, Run) and record.entity_id == run.entity_id:
            waiting = waiting[1:]
    if waiting:
        return waiting[:TRIED]
    return [other for other in earlier if isinstance(other.record, Act) and run.entity_id in begins(other.record)][:1]


def _hands_on(outer: object, inner: Call) -> bool:
    """Return whether one call is but what another does for single domains: both together start one run."""
    return (
        isinstance(outer, Call)
        and outer.domain in HANDED_ON
        and outer.service == inner.service
        and inner.domain not in HANDED_ON
    )


def _through(row: Row, call: Row, earlier: Sequence[Row], known: Knowledge) -> Link:
    """Return the link to a run from whatever run made the call, else from the call itself."""
    direct = Link(call.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.EFFECT))
    if not isinstance(call.record, Call):
        return direct
    before = [other for other in earlier if other.position < call.position]
    link = maker_of(call, call.record, before, known)
    if link is None or link.cause not in {other.ref for other, _ in _runs(before)}:
        return direct
    return Link(link.cause, row.ref, link.certainty, _and(link.evidence, Evidence.EFFECT), link.note)


def _and(evidence: Sequence[Evidence], more: Evidence) -> tuple[Evidence, ...]:
    return tuple(dict.fromkeys((*evidence, more)))


def _step_that_started(trace: Trace | None, run: Run) -> TraceStep | None:
    steps = trace.steps if trace and run.run_id else ()
    return next((step for step in steps if step.child is not None and step.child.run_id == run.run_id), None)


@dataclass(frozen=True, slots=True, order=True)
class _Step:
    """A step of a run that may have made a call, by how near to it it came."""

    gap: timedelta
    row: Row = field(compare=False)
    step: TraceStep = field(compare=False)


def _by_trace(row: Row, call: Call, runs: Sequence[Row], known: Knowledge) -> Link | None:
    """Return the link from the run whose trace has the call; only a likely one where the traces of several have it."""
    found: list[_Step] = []
    for other, run in _runs(runs):
        steps = _steps_of(known.traces.get(run.run_id), call)
        found += [_Step(abs(call.at - step.at), other, step) for step in steps]
    if not found:
        return None
    best = min(found)
    rivals = {each.row.ref for each in found if each.gap <= best.gap + JITTER}
    if len(rivals) > 1:
        evidence = (Evidence.CONTEXT, Evidence.TRACE, Evidence.ORDER)
        return Link(best.row.ref, row.ref, Certainty.LIKELY, evidence, best.step.path)
    return Link(best.row.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.TRACE), best.step.path)


def _steps_of(trace: Trace | None, call: Call) -> Iterator[TraceStep]:
    service = f"{call.domain}.{call.service}"
    for step in trace.steps if trace else ():
        if step.service == service and -JITTER <= call.at - step.at <= PROMPT and _same_targets(step, call):
            yield step


def _same_targets(step: TraceStep, call: Call) -> bool:
    """Return whether the step's targets can be those of the call: entities that it names must be among them."""
    named = step.target.get("entity_id")
    wanted = {named} if isinstance(named, str) else set(named) if isinstance(named, list | tuple) else set()
    return not wanted or not call.entity_ids or bool(wanted.intersection(call.entity_ids)) or len(step.target) > 1


def _possible(runs: Sequence[Row], earlier: Sequence[Row], known: Knowledge) -> list[Row]:
    """Return the runs that can have made a call: no scene that is known not to, none that had ended, none whose trace would have it."""
    acting = [other for other in runs if other.kind is not Kind.SCENE or not known.view.bodies.get(other.subject)]
    acting = acting or list(runs)
    going = [other for other in acting if not _ended(other, earlier)] or acting
    return [other for other, run in _runs(going) if not _told_whole(known.traces.get(run.run_id))] or going


def _told_whole(trace: Trace | None) -> bool:
    return trace is not None and trace.summary.finished is not None and not trace.truncated


def _ended(run: Row, earlier: Sequence[Row]) -> bool:
    """Return whether what runs had shown that it no longer did."""
    last: StateChange | None = None
    for other in earlier:
        record = other.record
        if isinstance(record, StateChange) and record.entity_id == run.subject and other.position > run.position:
            last = record
    if last is None:
        return False
    return last.new == "off" if run.kind is Kind.SCRIPT else last.attributes.get("current") == 0


def _names(body: Iterable[BodyStep], call: Call) -> bool:
    return any(
        step.call is not None and (step.call.domain, step.call.service) == (call.domain, call.service) for step in body
    )


def _handed_on(row: Row, call: Call, earlier: Sequence[Row], view: HomeView) -> Link | None:
    """Return the link from the call that this one carries out for single members or domains: of a group, or HA's own."""
    for other in reversed(earlier):
        record = other.record
        if not isinstance(record, Call) or not call.entity_ids or record.service != call.service:
            continue
        if _hands_on(record, call) and (not record.entity_ids or _covers(record, call, view)):
            return Link(other.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
        if record.entity_ids == call.entity_ids:
            continue
        members = set(leaves_of(view, record.entity_ids)) - set(record.entity_ids)
        if members.issuperset(call.entity_ids):
            return Link(other.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
    return None


def _covers(outer: Call, inner: Call, view: HomeView) -> bool:
    return {*outer.entity_ids, *leaves_of(view, outer.entity_ids)}.issuperset(inner.entity_ids)


def _by_scene(row: Row, call: Call, earlier: Sequence[Row], view: HomeView) -> Link | None:
    for other in reversed(earlier):
        record = other.record
        if isinstance(record, Run) and record.kind is Kind.SCENE:
            members = {step.member for step in view.bodies.get(record.entity_id, ())}
            if call.entity_ids and members.issuperset(call.entity_ids):
                return Link(other.ref, row.ref, Certainty.LIKELY, (Evidence.CONTEXT, Evidence.ORDER))
    return None
