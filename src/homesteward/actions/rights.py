"""Who may see, confirm, approve or reject a plan, and how far a token's scopes go. Authority is the caller's own: no plan can raise it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial

from homesteward.actions.errors import NotAllowedError, UnknownPlanError
from homesteward.actions.modes import at_least
from homesteward.actions.plan import Needs, Plan, PlanState, Step
from homesteward.home.reserved import OWN
from homesteward.home.view import HomeView, leaves_of
from homesteward.people import Caller, Role, Scope
from homesteward.people.errors import ProofNeededError
from homesteward.policy import Action, Decision, Level

NOBODY: frozenset[Role] = frozenset()
ANYBODY = frozenset(Role)
HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER})


class Deed(StrEnum):
    """What somebody does with a plan."""

    SEE = "see"
    CONFIRM = "confirm"
    APPROVE = "approve"
    REJECT = "reject"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Right:
    """Which roles may do it with everybody's plans, and which with those they asked for themselves.

    A token needs the scope `own_scope` for what it asked for itself, and `admin` for everything else: a machine that may act
    does not thereby decide.
    """

    everybodys: frozenset[Role]
    own: frozenset[Role]
    own_scope: Scope = Scope.ADMIN


RIGHTS: Mapping[Deed, Right] = {
    Deed.SEE: Right(frozenset({Role.OWNER, Role.SYSTEM}), ANYBODY, Scope.READ),
    Deed.CONFIRM: Right(NOBODY, HOUSEHOLD | {Role.GUEST}),
    Deed.APPROVE: Right(HOUSEHOLD, NOBODY),
    Deed.REJECT: Right(HOUSEHOLD, ANYBODY, Scope.PROPOSE),
    Deed.RESUME: Right(HOUSEHOLD, NOBODY),
}

_CHANGE = ((Scope.ACT, Action.ALLOW), (Scope.PROPOSE, Action.APPROVE))
# By the first scope that a token holds: the least strict thing that may happen to its calls. With none of them, nothing happens.
SCOPES: Mapping[Level, tuple[tuple[Scope, Action], ...]] = {
    Level.READ: ((Scope.READ, Action.ALLOW), (Scope.ACT, Action.ALLOW)),
    Level.ROUTINE: _CHANGE,
    Level.SENSITIVE: _CHANGE,
    Level.CRITICAL: ((Scope.CONFIGURE, Action.ALLOW), (Scope.PROPOSE, Action.APPROVE)),
}
SCOPE_REASONS = {
    Action.APPROVE: "this token may only ask for changes, for a person to approve",
    Action.DENY: "this token was not made for that",
}


def under_scopes(caller: Caller, decision: Decision) -> Decision:
    """Return `decision`, made as strict as the scopes of the caller's token ask; who has no token is bound by none."""
    if caller.scopes is None:
        return decision
    floor = next((action for scope, action in SCOPES[decision.impact.level] if caller.may(scope)), Action.DENY)
    return at_least(floor, decision, "token scopes", SCOPE_REASONS.get(floor, ""))


def may(deed: Deed, plan: Plan, by: Caller) -> bool:
    """Return whether the table gives `by` this right over the plan."""
    right = RIGHTS[deed]
    if by.role in right.everybodys and by.may(Scope.ADMIN):
        return True
    # A guest's token is how a guest without a user in Home Assistant comes in: its yes is the guest's own.
    guests = (deed, plan.caller.role, by.role) == (Deed.CONFIRM, Role.GUEST, Role.GUEST)
    return same_asker(plan.caller, by) and by.role in right.own and by.may(Scope.ACT if guests else right.own_scope)


def visible(plan: Plan, by: Caller, home: HomeView) -> bool:
    """Return whether the plan exists for `by`: theirs to see, one they may decide about, or one they decided, and within their reach."""
    if not within_reach(plan, by, home):
        return False
    decides = plan.state is PlanState.WAITING and plan.needs is Needs.APPROVE and _may_approve(plan, by)
    decided = bool(by.person_id) and not by.token_id and plan.decided_person_id == by.person_id
    return may(Deed.SEE, plan, by) or decides or decided


def require_visible(plan: Plan, by: Caller, home: HomeView) -> None:
    """Raise UnknownPlanError, as for a plan that nobody has, unless the plan exists for `by`."""
    if not visible(plan, by, home):
        raise unknown_plan(plan.id)


def require_approver(plan: Plan, by: Caller, home: HomeView, now: datetime) -> None:
    """Raise NotAllowedError unless `by` may approve, or ProofNeededError where they have to prove first who they are."""
    if plan.needs is Needs.PIN:
        require_confirmer(plan, by, home, now)
        return
    _require_reach(plan, by, home)
    if not _may_approve(plan, by):
        who = "an owner" if _by_owner(plan) else "an owner or a member"
        raise NotAllowedError(f"{_named(by.role)} cannot approve this: {who} can.", next=f"Ask {who} of this home.")
    _require_proof(plan, by, now)


def require_confirmer(plan: Plan, by: Caller, home: HomeView, now: datetime) -> None:
    """Raise NotAllowedError unless a yes is all that the plan waits for and `by` asked for it; ProofNeededError without its PIN."""
    _require_reach(plan, by, home)
    if plan.needs is Needs.APPROVE:
        raise NotAllowedError(
            "A yes is not enough for this plan: it waits for an approval.", next="Approve it in the list of plans."
        )
    if not may(Deed.CONFIRM, plan, by) or (_by_owner(plan) and by.role is not Role.OWNER):
        raise NotAllowedError(f"{_named(by.role)} cannot confirm this.", next="Only the person who asked for it can.")
    _require_proof(plan, by, now)


def require_rejecter(plan: Plan, by: Caller, home: HomeView) -> None:
    """Raise NotAllowedError unless `by` lives here or asked for the plan."""
    _require_reach(plan, by, home)
    if not may(Deed.REJECT, plan, by):
        raise NotAllowedError(
            f"{_named(by.role)} cannot reject what somebody else asked for.", next="Ask the household."
        )


def require_resumer(plan: Plan, by: Caller, home: HomeView, now: datetime) -> None:
    """Raise NotAllowedError unless `by` may have a plan that was cut off gone on with; ProofNeededError where it took a PIN."""
    _require_reach(plan, by, home)
    if not may(Deed.RESUME, plan, by) or (_by_owner(plan) and by.role is not Role.OWNER):
        who = "an owner" if _by_owner(plan) else "an owner or a member"
        raise NotAllowedError(f"{_named(by.role)} cannot go on with this: {who} can.", next=f"Ask {who} of this home.")
    _require_pin(plan, by, now)


def visible_run(asker: Caller, by: Caller) -> bool:
    """Return whether a run that `asker` began exists for `by`."""
    right = RIGHTS[Deed.SEE]
    if by.role in right.everybodys and by.may(Scope.ADMIN) and by.reach is None:
        return True
    return same_asker(asker, by) and by.may(right.own_scope)


def same_asker(asker: Caller, by: Caller) -> bool:
    """Return whether both are one: the same person, the same device where no person is known, the very same token."""
    if by.token_id:
        return asker.token_id == by.token_id
    if not by.person_id and by.device_id != asker.device_id:
        return False
    return by.same_as(asker)


def deeds_open(plan: Plan, by: Caller) -> frozenset[Deed]:
    """Return what `by` may do now with a plan that exists for them, a PIN where one is asked for put aside."""
    owned = by.role is Role.OWNER or not _by_owner(plan)
    waits, yes_is_enough = plan.state is PlanState.WAITING, plan.needs in {Needs.CONFIRM, Needs.PIN}
    found = {
        Deed.CONFIRM: waits and yes_is_enough and owned and may(Deed.CONFIRM, plan, by),
        Deed.APPROVE: waits and plan.needs is Needs.APPROVE and _may_approve(plan, by),
        Deed.REJECT: plan.state in {PlanState.WAITING, PlanState.INTERRUPTED} and may(Deed.REJECT, plan, by),
        Deed.RESUME: plan.state is PlanState.INTERRUPTED and owned and may(Deed.RESUME, plan, by),
    }
    return frozenset(deed for deed, can in found.items() if can)


def within_reach(plan: Plan, by: Caller, home: HomeView) -> bool:
    """Return whether everything that the plan is about, to the last member of a group, is within the caller's reach."""
    if by.reach is None:
        return True
    about = [_about(step) for step in plan.steps]
    named = [entity_id for entity_ids in about for entity_id in entity_ids]
    ends = [*named, *leaves_of(home, named)]
    return all(about) and all(by.reach.holds(home, end) for end in ends)


def _about(step: Step) -> tuple[str, ...]:
    """Return what the step is about: its targets, or what a call of our own (a schedule) will act on when its time comes."""
    if step.call.domain == OWN and not step.reached.more:
        return step.reached.ends
    return step.call.entity_ids


def shown_to(plan: Plan, by: Caller, home: HomeView) -> Plan:
    """Return the plan as it is shown to `by`: what a script reaches beyond their reach is counted, and not named."""
    reach = by.reach
    if reach is None:
        return plan
    held = partial(reach.holds, home)
    return replace(
        plan,
        steps=tuple(
            replace(step, reached=step.reached.within(held), decision=decision_shown(step.decision, by, home))
            for step in plan.steps
        ),
    )


def decision_shown(decision: Decision, by: Caller, home: HomeView) -> Decision:
    """Return the decision as it is shown to `by`: what stands open beyond their reach is counted in its reason, and not named."""
    reach = by.reach
    return (
        decision if reach is None else replace(decision, ajar=tuple(e for e in decision.ajar if reach.holds(home, e)))
    )


def unknown_plan(plan_id: str) -> UnknownPlanError:
    """Return the error for a plan that is not there, or is none of the caller's business."""
    return UnknownPlanError(f"There is no plan {plan_id!r}.", next="List the plans to see their ids.")


def proven(plan: Plan, by: Caller, now: datetime) -> bool:
    """Return whether `by` has proved anew who they are, for this very plan, and not too long ago."""
    return by.proof is not None and by.proof.purpose == plan.id and now < by.proof.until


def _may_approve(plan: Plan, by: Caller) -> bool:
    return may(Deed.APPROVE, plan, by) and (by.role is Role.OWNER or not _by_owner(plan))


def _named(role: Role) -> str:
    return f"{'An' if role.value[0] in 'aeiou' else 'A'} {role}"


def _by_owner(plan: Plan) -> bool:
    return any(step.decision.by_owner for step in plan.steps)


def _require_reach(plan: Plan, by: Caller, home: HomeView) -> None:
    if not within_reach(plan, by, home):
        raise unknown_plan(plan.id)


def _require_proof(plan: Plan, by: Caller, now: datetime) -> None:
    if plan.state is PlanState.WAITING:
        _require_pin(plan, by, now)


def _require_pin(plan: Plan, by: Caller, now: datetime) -> None:
    if any(step.decision.pin for step in plan.steps) and not proven(plan, by, now):
        raise ProofNeededError(
            "This takes your PIN as well.",
            next="Give it in the conversation in which it was asked for, or prove who you are for this plan (step-up).",
        )
