"""One plan on a page of its own, and the forms by which a person decides about it: yes, no, take it back, go on."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from homesteward.actions.plan import Plan
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.pages.cards import PlanCard, card_of
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit
from homesteward.people import Caller

MOST_STEPS = 100

type Fields = dict[str, str]
type Verdict = Callable[[str, Caller, Fields], Awaitable[Plan]]


@dataclass(frozen=True, slots=True)
class PlanPage:
    """One plan."""

    card: PlanCard


class Verdicts:
    """What the buttons of a plan's card do. The gate judges each of them; a refusal is told on the card."""

    def __init__(self, stage: Stage) -> None:
        """Decide at the gate of `stage`."""
        self._stage, self._gate = stage, stage.rooms.gate

    async def approve(self, plan_id: str, by: Caller, fields: Fields) -> Plan:
        """Approve all of it, or the steps that are ticked."""
        return await self._gate.approve(plan_id, by, steps=_ticked(fields))

    async def confirm(self, plan_id: str, by: Caller, _fields: Fields) -> Plan:
        """Say the yes that whoever asked is asked for."""
        return await self._gate.confirm(plan_id, by)

    async def reject(self, plan_id: str, by: Caller, _fields: Fields) -> Plan:
        """Say no for good."""
        return await self._gate.reject(plan_id, by)

    async def undo(self, plan_id: str, by: Caller, _fields: Fields) -> Plan:
        """Take back what it did; the plan for that is shown."""
        return (await self._gate.undo(plan_id, by)).plans[0]

    async def resume(self, plan_id: str, by: Caller, _fields: Fields) -> Plan:
        """Go on with one that was cut off."""
        return await self._gate.resume(plan_id, by)

    async def carried_out(self, verdict: Verdict, plan_id: str, visit: Visit, fields: Fields) -> PlanCard:
        """Return the card of the plan after the verdict, or as it is with why that could not be. Raises unknown_plan."""
        before = await self._gate.plan(plan_id, visit.caller)
        try:
            by = await self._proven(before, visit, fields)
            return card_of(await verdict(plan_id, by, fields), visit)
        except HomestewardError as error:
            now = await self._gate.plan(plan_id, visit.caller)
            return card_of(now, visit, trouble=f"{error.message} {error.next}".strip())

    async def _proven(self, plan: Plan, visit: Visit, fields: Fields) -> Caller:
        """Return whoever visits with the proof that a PIN in the form gives for this plan."""
        entrance, asker = self._stage.entrance, visit.asker
        if pin := fields.get("pin", "").strip():
            await entrance.stepped_up(asker, plan.id, pin, visit.seen.peer)
        return entrance.proven(asker, plan.id)


def verdicts(stage: Stage) -> APIRouter:
    """Return the routes of one plan."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())
    given = Verdicts(stage)

    @router.get("/plans/{plan_id}")
    async def plan_page(plan_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """Show one plan as it is now."""
        card = card_of(await stage.rooms.gate.plan(plan_id, visit.caller), visit)
        return await shown(visit, card)

    async def shown(visit: Visit, card: PlanCard) -> Response:
        if visit.partial:
            return stage.part(visit, "plan_card", PlanPage(card))
        return await stage.page(visit, "plan", PlanPage(card))

    async def decided(verdict: Verdict, plan_id: str, visit: Visit, request: Request) -> Response:
        fields = await fields_of(request)
        card = await given.carried_out(verdict, plan_id, visit, fields)
        if visit.partial or card.trouble:
            return await shown(visit, card)
        return stage.onward(visit, fields.get("onward") or f"/plans/{card.id}")

    def offer(name: str, verdict: Verdict) -> None:
        @router.post(f"/plans/{{plan_id}}/{name}")
        async def decide(plan_id: str, visit: Annotated[Visit, visitor], request: Request) -> Response:
            return await decided(verdict, plan_id, visit, request)

    for name in ("approve", "confirm", "reject", "undo", "resume"):
        offer(name, getattr(given, name))
    return router


def _ticked(fields: Fields) -> list[int] | None:
    """Return the steps that are ticked, None where none can be chosen."""
    if "chosen" not in fields:
        return None
    return [n for n in range(1, MOST_STEPS + 1) if f"step-{n}" in fields]
