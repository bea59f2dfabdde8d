"""From resolved calls to proposed plans: one plan per verdict, in the order in which the verdicts come up."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from homesteward.actions.before import before_of
from homesteward.actions.codes import without_codes, without_codes_said
from homesteward.actions.entries import POLICY
from homesteward.actions.executor import left_out, under_way
from homesteward.actions.foreseen import observed
from homesteward.actions.frequency import with_asked
from homesteward.actions.hashing import hash_of
from homesteward.actions.modes import Mode, at_least, under_mode
from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.actions.reached import reached_by
from homesteward.actions.rights import under_scopes
from homesteward.core import new_id
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_of, observed_of
from homesteward.home.live import LiveHome
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
    wide: bool = False
    """Whether what is reached was not named one by one: "all doors"."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed plan, and by step the data as it was given, with its codes."""

    plan: Plan
    given: Mapping[int, JsonObject]


def judged(call: ResolvedCall, request: Request, home: HomeView) -> Iterator[tuple[ResolvedCall, Decision]]:
    """Yield each part of the call with what may happen to it, once mode, scopes and the PIN have had their say."""
    for part, decision in verdicts(call, request.caller, home, request.policy, request.circumstances):
        careful = _shown_first(decision) if request.wide else decision
        strict = under_scopes(request.caller, under_mode(request.mode, careful))
        yield part, _answerable(strict, request)


def propose(calls: Iterable[ResolvedCall], request: Request, home: LiveHome) -> tuple[Proposal, ...]:
    """Return one proposal per verdict on `calls`; their steps keep the order of the calls."""
    by_verdict: dict[Verdict, list[tuple[ResolvedCall, Decision]]] = {}
    before: list[ResolvedCall] = []
    counts = request.circumstances.counts
    for asked in calls:  # what the same request asks for beforehand counts as done
        now = replace(request.circumstances, counts=with_asked(counts, before, home))
        for call, decision in judged(asked, replace(request, circumstances=now), home):
            by_verdict.setdefault(decision.verdict, []).append((call, decision))
        before.append(asked)
    return tuple(_proposal(same, request, home) for same in by_verdict.values())


def course(plan: Plan, request: Request, home: HomeView) -> tuple[Plan, tuple[PlanState, ...]]:
    """Return the proposed plan as its verdict leaves it, and the states it goes through at once."""
    action = plan.decision.action
    if action is Action.DENY:
        refused = left_out(plan.steps, "refused")
        return replace(plan, steps=refused, decided_by=POLICY, finished=request.at), (PlanState.REJECTED,)
    if request.dry_run and plan.decision.impact.level is not Level.READ:
        dry = simulated(plan.steps, home, request.at)
        return replace(plan, steps=dry, finished=request.at), (PlanState.SIMULATED,)
    if action is Action.ALLOW:
        first, *rest = plan.steps
        return replace(plan, steps=(under_way(first, home), *rest), decided_by=POLICY), (
            PlanState.APPROVED,
            PlanState.EXECUTING,
        )
    return replace(plan, needs=NEEDS[action, plan.decision.pin]), (PlanState.WAITING,)


def simulated(steps: Iterable[Step], home: HomeView, at: datetime) -> tuple[Step, ...]:
    """Return the steps as a dry run ends: nothing was sent, and what was to be expected is said."""
    return tuple(_simulated(step, home, at) if step.state is StepState.PENDING else step for step in steps)


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


def _proposal(judged: list[tuple[ResolvedCall, Decision]], request: Request, home: LiveHome) -> Proposal:
    steps = tuple(
        Step(n, stored, decision, before=before_of(call, home), reached=reached_by(stored, home))
        for n, (call, decision) in enumerate(judged, 1)
        for stored in (without_codes(call),)
    )
    ends = [end for step in steps for end in step.reached.ends]
    said = without_codes_said(request.text, [call for call, _ in judged], ends)
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
    )
    return Proposal(plan, {n: call.data for n, (call, _) in enumerate(judged, 1)})
