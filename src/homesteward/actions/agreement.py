"""What a person's word makes of a plan: a yes, a no, and a word that comes when it is decided already."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.actions.drift import stopped_by_drift
from homesteward.actions.ending import left_out
from homesteward.actions.entries import NOT_CHOSEN, GateKind, decision_entry
from homesteward.actions.errors import AlreadyDecidedError, GateError, PlanExpiredError, UnknownStepError
from homesteward.actions.executor import under_way
from homesteward.actions.plan import Plan, PlanState, Step, StepState
from homesteward.actions.plan_store import Decided
from homesteward.actions.proposal import simulated
from homesteward.actions.states import AGREED
from homesteward.home.view import HomeView
from homesteward.people import Caller

type Path = tuple[PlanState, ...]

# What a person's no makes of a plan: one that waits is rejected, one that was cut off is given up.
REJECTED_AS = {PlanState.WAITING: PlanState.REJECTED, PlanState.INTERRUPTED: PlanState.FAILED}
YES: Path = (PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING)
DRY_YES: Path = (PlanState.WAITING, PlanState.SIMULATED)
RESUMED: Path = (PlanState.INTERRUPTED, PlanState.EXECUTING)
AGAIN = "Ask for it again if it is still wanted."


def agreed_to(plan: Plan, steps: tuple[Step, ...], by: Caller, home: HomeView, fallen: Mapping[int, str]) -> Plan:
    """Return the waiting plan as a yes of `by` to its pending `steps` leaves it: executing, its first step under way.

    Where the home is not what it was proposed for any more, the steps say so and none is left to run; `fallen` says it of those
    that are none of Home Assistant's.
    """
    decided = replace(plan, needs=None, decided_by=who(by), decided_person_id=by.person_id)
    return replace(decided, state=PlanState.EXECUTING, steps=begun(stopped_by_drift(steps, home, fallen), home))


def rejection(plan: Plan, by: Caller, at: datetime) -> Decided:
    """Return what a no of `by` makes of a plan that waits or was cut off."""
    to = REJECTED_AS[plan.state]
    return Decided(
        plan.id,
        (plan.state, to),
        left_out(plan.steps, "rejected"),
        (decision_entry(GateKind.REJECTED, plan, by, to),),
        {"decided_by": who(by), "decided_person_id": by.person_id, "finished": at},
        alive_at=at if plan.state is PlanState.WAITING else None,
    )


def simulated_for(plan: Plan, steps: tuple[Step, ...], by: Caller, home: HomeView, at: datetime) -> Plan:
    """Return the waiting plan as a yes of `by` leaves it while nothing is really sent."""
    decided = replace(plan, needs=None, decided_by=who(by), decided_person_id=by.person_id)
    return replace(decided, state=PlanState.SIMULATED, steps=simulated(steps, home, at), finished=at)


def begun(steps: tuple[Step, ...], home: HomeView) -> tuple[Step, ...]:
    """Return the steps with the first that is to run under way, which is written with the claim."""
    first = next((step.n for step in steps if step.state is StepState.PENDING), None)
    return tuple(under_way(step, home) if step.n == first else step for step in steps)


def only(plan: Plan, chosen: Sequence[int] | None) -> tuple[Step, ...]:
    """Return the steps with those left out that were not chosen; raise unknown_step for a number that is none."""
    numbers = {step.n for step in plan.steps}
    if chosen is None:
        return plan.steps
    if not chosen or not set(chosen) <= numbers:
        raise UnknownStepError(f"The plan has the steps {sorted(numbers)}.", next="Choose among these, at least one.")
    return tuple(
        step if step.n in chosen else replace(step, state=StepState.SKIPPED, note=NOT_CHOSEN) for step in plan.steps
    )


def as_agreed(plan: Plan) -> Plan:
    """Return a plan that somebody has said yes to before; raise the error that says what became of any other."""
    if plan.state in AGREED or plan.state is PlanState.SIMULATED:
        return plan
    raise decided_otherwise(plan)


def decided_otherwise(plan: Plan) -> GateError:
    """Return the error of a word that comes too late."""
    if plan.state is PlanState.EXPIRED:
        return PlanExpiredError(f"Nobody decided about this plan before {plan.expires:%Y-%m-%d %H:%M} UTC.", next=AGAIN)
    return AlreadyDecidedError(f"This plan is {plan.state}; that cannot be changed any more.", next=AGAIN)


def who(by: Caller) -> str:
    """Return who decided, with the role it was decided in where that is not plain from the name."""
    return f"{by.person} as {by.role}" if by.person not in {"", by.role.value} else by.role.value
