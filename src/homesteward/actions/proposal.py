"""From resolved calls to proposed plans: one plan per verdict, in the order in which the verdicts come up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from homesteward.actions.agreed import Agreed
from homesteward.actions.ajar import minding_the_open
from homesteward.actions.before import before_of
from homesteward.actions.codes import without_codes, without_codes_said
from homesteward.actions.ending import left_out
from homesteward.actions.entries import POLICY
from homesteward.actions.executor import under_way
from homesteward.actions.foreseen import observed
from homesteward.actions.frequency import with_asked
from homesteward.actions.hashing import hash_of
from homesteward.actions.modes import Mode, at_least, under_mode
from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.actions.reached import reached_by
from homesteward.actions.reserved import Prepared
from homesteward.actions.rights import under_scopes
from homesteward.core import new_id
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_of, observed_of
from homesteward.home.live import LiveHome
from homesteward.home.reserved import is_reserved
from homesteward.home.view import HomeView
from homesteward.people import Caller
from homesteward.policy import Action, Circumstances, Decision, Level, Policy, verdicts
from homesteward.policy.decision import Verdict

NEEDS = {
    (Action.CONFIRM, False): Needs.CONFIRM,
    (Action.CONFIRM, True): Needs.PIN,
    (Action.APPROVE, False): Needs.APPROVE,
    (Action.APPROVE, True): Needs.APPROVE,
}
# How long a plan may wait: a yes belongs to the conversation, an approval to the day.
EXPIRY = {
    Action.ALLOW: timedelta(minutes=5),
    Action.CONFIRM: timedelta(minutes=5),
    Action.APPROVE: timedelta(hours=24),
    Action.DENY: timedelta(0),
}


@dataclass(frozen=True, slots=True)
class Request:
    """What a set of calls was asked for, by whom, when, and how much the gate may do with them."""

    caller: Caller
    text: str
    run_id: str
    mode: Mode
    dry_run: bool
    at: datetime
    policy: Policy
    circumstances: Circumstances
    has_pin: bool = False
    """Whether the caller has a PIN to give."""
    undoes: str = ""
    """The plan that is taken back by this."""
    agreed: Agreed | None = None
    """The yes that was given to this before, where it comes to its time now: it is done by that, or not at all."""
    wide: bool = False
    """Whether what is reached was not named one by one: "all doors"."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed plan, and by step the data as it was given, where a code was left out of it."""

    plan: Plan
    given: Mapping[int, JsonObject]


def judged(call: ResolvedCall, request: Request, home: HomeView) -> Iterator[tuple[ResolvedCall, Decision]]:
    """Yield each part of the call with what may happen to it, once mode, scopes and the PIN have had their say."""
    for part, decision in verdicts(call, request.caller, home, request.policy, request.circumstances):
        careful = _shown_first(decision) if request.wide else decision
        strict = under_scopes(request.caller, under_mode(request.mode, careful))
        yield part, _answerable(minding_the_open(part, strict, home), request)


def propose(calls: Iterable[Prepared], request: Request, home: LiveHome) -> tuple[Proposal, ...]:
    """Return one proposal per verdict on `calls`; their steps keep the order of the calls."""
    by_verdict: dict[Verdict, list[tuple[Prepared, Decision]]] = {}
    before: list[ResolvedCall] = []
    counts = request.circumstances.counts
    for asked in calls:  # what the same request asks for beforehand counts as done
        now = replace(request.circumstances, counts=with_asked(counts, before, home))
        for call, decision in judged(asked.call, replace(request, circumstances=now), home):
            by_verdict.setdefault(decision.verdict, []).append((replace(asked, call=call), decision))
        before.append(asked.call)
    return tuple(_proposal(same, request, home) for same in by_verdict.values())


type Course = tuple[Plan, tuple[PlanState, ...]]


def courses(proposals: Iterable[Proposal], request: Request, home: HomeView) -> list[Course]:
    """Return each proposed plan as its verdict leaves it, and the states it goes through at once.

    What was agreed to before is done as a whole: where the yes of then lacks something for one of the plans, none of them is.
    """
    plans = [proposal.plan for proposal in proposals]
    lacks = request.agreed.lacks([step for plan in plans for step in plan.steps], home) if request.agreed else ""
    return [_refused(plan, lacks, request) if lacks else _course(plan, request, home) for plan in plans]


def simulated(steps: Iterable[Step], home: HomeView, at: datetime) -> tuple[Step, ...]:
    """Return the steps as a dry run ends: nothing was sent, and what was to be expected is said."""
    return tuple(_simulated(step, home, at) if step.state is StepState.PENDING else step for step in steps)


def _refused(plan: Plan, why: str, request: Request) -> Course:
    refused = left_out(plan.steps, why)
    return replace(plan, steps=refused, decided_by=POLICY, finished=request.at), (PlanState.REJECTED,)


def _course(plan: Plan, request: Request, home: HomeView) -> Course:
    action, agreed = plan.decision.action, request.agreed
    if action is Action.DENY:
        return _refused(plan, "refused", request)
    if request.dry_run and plan.decision.impact.level is not Level.READ:
        dry = simulated(plan.steps, home, request.at)
        return replace(plan, steps=dry, finished=request.at), (PlanState.SIMULATED,)
    if action is Action.ALLOW or agreed:
        first, *rest = plan.steps
        begun = replace(plan, steps=(under_way(first, home), *rest), decided_by=POLICY)
        if agreed and action is not Action.ALLOW:
            begun = replace(begun, decided_by=agreed.by, decided_person_id=agreed.person_id)
        return begun, (PlanState.APPROVED, PlanState.EXECUTING)
    return replace(plan, needs=NEEDS[action, plan.decision.pin]), (PlanState.WAITING,)


def _shown_first(decision: Decision) -> Decision:
    """Return the decision, at least a yes in the conversation for what is sensitive: "all doors" may be more than was thought of."""
    if decision.impact.level < Level.SENSITIVE:
        return decision
    return at_least(Action.CONFIRM, decision, "limit all at once", ALL_AT_ONCE)


ALL_AT_ONCE = "several sensitive things at once that were not named one by one; a yes to all of them first"


def _answerable(decision: Decision, request: Request) -> Decision:
    """Return the decision, refused where it takes a PIN of somebody who has none: nobody could ever say that yes."""
    if not decision.pin or request.has_pin or decision.action is not Action.CONFIRM:
        return decision
    why = NO_PIN if request.caller.person_id else NOBODYS_PIN
    return replace(decision, action=Action.DENY, by_owner=False, pin=False, reason=why)


NO_PIN = (
    "an owner asks for a PIN here, and you have none; ask an owner to give you one (homesteward people pin NAME), "
    "then choose your own"
)

NOBODYS_PIN = "an owner asks for a PIN here, and only a person who has signed in can give one; ask for it on the pages"


def _patience(decisions: Sequence[Decision]) -> timedelta:
    """Return how long the plan may wait: as its action does, or the least that a rule says."""
    return min(decision.expires or EXPIRY[decision.action] for decision in decisions)


def _simulated(step: Step, home: HomeView, at: datetime) -> Step:
    effects = {entity_id: effect_of(step.call, entity_id, home) for entity_id in observed_of(step.call, home)}
    evidence = tuple(
        Evidence(entity_id, effect.expected, observed(effect, home.states.get(entity_id)), Status.SIMULATED, at)
        for entity_id, effect in effects.items()
    )
    return replace(step, state=StepState.SKIPPED, evidence=evidence, note="dry run: nothing was sent")


def _proposal(judged: list[tuple[Prepared, Decision]], request: Request, home: LiveHome) -> Proposal:
    steps = tuple(_step(n, asked, decision, home) for n, (asked, decision) in enumerate(judged, 1))
    ends = [end for step in steps for end in step.reached.ends]
    said = without_codes_said(request.text, [asked.call for asked, _ in judged], ends, home)
    plan = Plan(
        id=new_id("plan"),
        home_id=home.home_id,
        state=PlanState.PROPOSED,
        caller=replace(request.caller, proof=None),  # good for another purpose, if for any
        request=said,
        created=request.at,
        expires=request.at + _patience([step.decision for step in steps]),
        hash=hash_of(step.call for step in steps),
        steps=steps,
        run_id=request.run_id,
        undoes=request.undoes,
        schedule=request.agreed.schedule if request.agreed else "",
    )
    coded = [n for n, (asked, _) in enumerate(judged) if steps[n].call.data != asked.call.data]
    return Proposal(plan, {n + 1: judged[n][0].call.data for n in coded})


def _step(n: int, asked: Prepared, decision: Decision, home: LiveHome) -> Step:
    call = without_codes(asked.call, home)
    before = asked.before if is_reserved(call.domain) else before_of(call, home)
    reached = reached_by(call, home)
    return Step(n, call, decision, before=before, reached=reached, summary=asked.summary, diff=asked.diff)
