"""What whoever looks may do with a plan, so that no page offers a button that would be refused."""

from homesteward.actions.plan import Plan
from homesteward.actions.rights import Deed, deeds_open
from homesteward.actions.undo import OVER, SENT
from homesteward.people import Caller

YES = frozenset({Deed.APPROVE, Deed.CONFIRM})


def awaited_by(plan: Plan, by: Caller) -> bool:
    """Return whether the plan waits for a yes that `by` can say."""
    return bool(deeds_open(plan, by) & YES)


def takes_pin(plan: Plan) -> bool:
    """Return whether a yes to the plan takes a PIN as well."""
    return any(step.decision.pin for step in plan.steps)


def can_be_undone(plan: Plan) -> bool:
    """Return whether the plan did something that nobody has taken back yet; whether all of it can be, the gate says."""
    return plan.state in OVER and any(step.state in SENT for step in plan.steps) and not plan.undone_by
