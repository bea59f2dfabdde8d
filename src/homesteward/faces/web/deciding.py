"""The routes of plans: what waits, a yes, a no, and what would happen to a call."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from homesteward.actions import Gate
from homesteward.actions.editing import edit
from homesteward.actions.plan import PlanState, decision_json, plan_json
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import ApproveForm, EditForm, ExplainForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.home.calls import ResolvedCall, parse_call
from homesteward.home.errors import NotConnectedError
from homesteward.policy import Decision, Preset


def deciding(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    gate = rooms.gate
    guard = Depends(entrance.guard)
    decided = answers(401, 403, 404, 409)

    @router.get("/plans")
    async def plans(
        asker: Annotated[Asker, guard],
        state: PlanState | None = None,
        limit: Annotated[int, Query(ge=1, le=500)] = 50,
    ) -> list[dict[str, Any]]:
        """List plans, the newest first."""
        return [dict(plan_json(plan)) for plan in await gate.plans(state, limit, asker.caller)]

    @router.get("/plans/{plan_id}")
    async def show(plan_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return one plan with its steps and their evidence."""
        plan = await gate.plan(plan_id, asker.caller)
        learned = [_learned(gate, step.call, step.decision) for step in plan.steps]
        return {**plan_json(plan), "learned": [each for step in learned for each in step]}

    @router.post("/plans/{plan_id}/approve", responses=decided)
    async def approve(plan_id: str, asker: Annotated[Asker, guard], form: ApproveForm | None = None) -> dict[str, Any]:
        """Approve a waiting plan, carry it out, and return what was seen."""
        await gate.plan(plan_id, asker.caller)  # one that does not exist for this caller cannot be decided about either
        caller = entrance.proven(asker, plan_id)
        return dict(plan_json(await gate.approve(plan_id, caller, steps=form.steps if form else None)))

    @router.post("/plans/{plan_id}/confirm", responses=decided)
    async def confirm(plan_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Say yes to a plan that waits for its own asker's yes."""
        await gate.plan(plan_id, asker.caller)
        return dict(plan_json(await gate.confirm(plan_id, entrance.proven(asker, plan_id))))

    @router.post("/plans/{plan_id}/reject", responses=decided)
    async def reject(plan_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Reject a waiting plan; nothing of it will be done."""
        await gate.plan(plan_id, asker.caller)
        return dict(plan_json(await gate.reject(plan_id, asker.caller)))

    @router.post("/plans/{plan_id}/edit", responses=decided)
    async def change(plan_id: str, form: EditForm, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Reject a waiting plan and ask for these calls instead: the new plan that waits, else the first, with all `plans`."""
        plans = await edit(gate, plan_id, [parse_call(call) for call in form.calls], asker.caller)
        first = next((plan for plan in plans if plan.state is PlanState.WAITING), plans[0])
        return {**plan_json(first), "plans": [dict(plan_json(plan)) for plan in plans], "instead_of": plan_id}

    def connected() -> None:
        if not rooms.home.connected:  # what it was must not be taken for what it is
            raise NotConnectedError

    @router.post("/policy/explain", dependencies=[guard, Depends(connected)])
    async def explain(form: ExplainForm, asker: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """Say what would happen to a call, and why; nothing is sent."""
        preset = Preset(form.preset) if form.preset else None
        judged = await gate.explain(parse_call(form.call), asker.caller, preset)
        return [
            {
                "entity_ids": list(call.entity_ids),
                **decision_json(decision),
                "healed": list(call.healed),
                "learned": _learned(gate, call, decision),
                "dry_run": gate.dry_run,
            }
            for call, decision in judged
        ]

    return router


def _learned(gate: Gate, call: ResolvedCall, decision: Decision) -> list[dict[str, Any]]:
    """Return for which things of the call it is looked longer than usual, and from what that was learned."""
    return [{"entity_id": name, **found.as_json()} for name, found in gate.learned(call, decision).items()]
