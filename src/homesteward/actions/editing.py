"""Changing a plan that waits: what is wanted instead is a new plan, judged like any other, and the old one is rejected."""

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

    Every call is looked at first: where one does not fit, or `by` may not reject the plan, nothing changes. Raises unknown_plan,
    already_decided, plan_expired, not_allowed, invalid_call, and what `Gate.submit` raises.
    """
    plan = await gate.plan(plan_id, by)
    if plan.state is not PlanState.WAITING:
        raise decided_otherwise(plan)
    if not may(Deed.REJECT, plan, by):
        raise NotAllowedError("This plan is not yours to change.", next="Ask for what you want instead.")
    if not calls:
        raise InvalidCallError("There is nothing left of the plan.", next="Reject it instead.")
    for call in calls:
        await gate.explain(call, by)
    await gate.reject(plan.id, by)
    return await gate.submit(calls, by, request=f"{plan.request} (instead of {plan.id})"[:MAX_REQUEST])


MAX_REQUEST = 4000
