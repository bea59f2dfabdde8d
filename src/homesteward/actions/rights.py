"""Who may say yes or no to a plan. Authority is the caller's own: nothing in a plan can raise it."""

from homesteward.actions.errors import NotAllowedError
from homesteward.actions.plan import Needs, Plan
from homesteward.people import Caller, Role

HOUSEHOLD = frozenset({Role.OWNER, Role.MEMBER})


def require_approver(plan: Plan, by: Caller) -> None:
    """Raise NotAllowedError unless `by` may approve: an owner, or a member where no owner is asked for."""
    by_owner = any(step.decision.by_owner for step in plan.steps)
    if by.role not in HOUSEHOLD or (by_owner and by.role is not Role.OWNER):
        who = "an owner" if by_owner else "an owner or a member"
        raise NotAllowedError(f"A {by.role} cannot approve this: {who} can.", next=f"Ask {who} of this home.")


def require_confirmer(plan: Plan, by: Caller) -> None:
    """Raise NotAllowedError unless a yes is all that the plan waits for, and `by` lives here or is the guest who asked."""
    if plan.needs not in {None, Needs.CONFIRM}:
        raise NotAllowedError(
            "A yes is not enough for this plan: it waits for an approval.", next="Approve it in the list of plans."
        )
    if by.role not in HOUSEHOLD and not (by.role is Role.GUEST and _asked(plan, by)):
        raise NotAllowedError(
            f"A {by.role} cannot confirm this.", next="Whoever asked, or somebody who lives here, can."
        )


def require_rejecter(plan: Plan, by: Caller) -> None:
    """Raise NotAllowedError unless `by` lives here or asked for the plan."""
    if by.role not in HOUSEHOLD and not _asked(plan, by):
        raise NotAllowedError(f"A {by.role} cannot reject what somebody else asked for.", next="Ask the household.")


def _asked(plan: Plan, by: Caller) -> bool:
    return (by.role, by.channel, by.person) == (plan.caller.role, plan.caller.channel, plan.caller.person)
