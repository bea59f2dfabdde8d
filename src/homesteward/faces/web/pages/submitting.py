"""A form that asks the gate for something: the plan that comes of it, and where whoever asked is led by that."""

from starlette.responses import Response

from homesteward.actions.plan import Plan, PlanState
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.calls import Call
from homesteward.people import Caller


async def submitted(stage: Stage, call: Call, by: Caller, request: str) -> Plan:
    """Return the plan of a call that is ours; raise what keeps it from being one."""
    (plan,) = await stage.rooms.gate.submit([call], by, request=request)
    return plan


def led_on(stage: Stage, visit: Visit, plan: Plan, back: str) -> Response:
    """Send on to `back` where it is done, else to the plan, which says what it waits for or why it was not."""
    return stage.onward(visit, back if plan.state is PlanState.COMPLETED else f"/plans/{plan.id}")
