"""The routes of plans that ran: taking one back, and going on with one that was cut off."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from homesteward.actions.plan import plan_json
from homesteward.actions.undo import undone_json
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms


def mending(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404, 409))
    gate = rooms.gate
    guard = Depends(entrance.guard)

    @router.post("/plans/{plan_id}/undo")
    async def undo(plan_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Take back what a plan did, as far as it goes: the plan for it that waits, else the first, with all `plans` and what is `left`."""
        undone = await gate.undo(plan_id, asker.caller)
        return undone_json([plan_json(plan) for plan in undone.plans], undone.left)

    @router.post("/plans/{plan_id}/resume")
    async def resume(plan_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Go on with a plan that was cut off; what is unsure is looked at before anything is sent."""
        await gate.plan(plan_id, asker.caller)
        return dict(plan_json(await gate.resume(plan_id, entrance.proven(asker, plan_id))))

    return router
