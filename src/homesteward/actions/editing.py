"""Changing a plan that waits: what is wanted instead is a new plan, judged like any other, and the old one is rejected as it is stored."""

from collections.abc import Sequence

from homesteward.actions.agreement import decided_otherwise
from homesteward.actions.errors import NotAllowedError
from homesteward.actions.gate import Gate
from homesteward.actions.plan import Plan, PlanState
from homesteward.actions.rights import Deed, may
from homesteward.home.calls import Call, InvalidCallError
from homesteward.people import Caller


async def edit(gate: Gate, plan_id: str, calls: Sequence[Call], by: Caller) -> tuple[Plan, ...]:
    """Reject a waiting plan and ask for `calls` instead, as `by`; return the new plans, one per verdict.

    Both happen in one, or neither does: where a call does not fit, `by` may not reject the plan, or somebody decided about it in the
    meantime, nothing changes and nothing is sent. Raises unknown_plan, already_decided, plan_expired, not_allowed, invalid_call, and
    what `Gate.submit` raises.
    """
    plan = await gate.plan(plan_id, by)
    if plan.state is not PlanState.WAITING:
        raise decided_otherwise(plan)
    if not may(Deed.REJECT, plan, by):
        raise NotAllowedError("This plan is not yours to change.", next="Ask for what you want instead.")
    if not calls:
        raise InvalidCallError("There is nothing left of the plan.", next="Reject it instead.")
    request = f"{plan.request} (instead of {plan.id})"[:MAX_REQUEST]
    return await gate.submit(calls, by, request=request, instead_of=plan)


MAX_REQUEST = 4000
