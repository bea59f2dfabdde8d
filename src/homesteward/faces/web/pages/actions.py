"""Actions: what waits for a yes, from whom, and what came of everything that was decided."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.actions.errors import UnknownPlanError
from homesteward.actions.plan import Plan, PlanState
from homesteward.faces.web.pages.awaited import MOST_COUNTED
from homesteward.faces.web.pages.cards import PlanCard, card_of
from homesteward.faces.web.pages.deeds import awaited_by
from homesteward.faces.web.pages.paging import portion
from homesteward.faces.web.pages.past_plans import FILTERS, Outcome, PastPage, past_page
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.tabs import Tab, actions_tabs
from homesteward.faces.web.pages.visit import Visit

PER_PAGE = 20  # waiting plans, each a card that can be decided


@dataclass(frozen=True, slots=True)
class ActionsPage:
    """What waits: for whoever looks, and for others; and what was decided here since the page was opened."""

    tab: str
    waiting: tuple[PlanCard, ...]
    others: tuple[PlanCard, ...]
    decided: tuple[PlanCard, ...]
    count: int
    number: int
    pages: int
    tabs: tuple[Tab, ...]


@dataclass(frozen=True, slots=True)
class PastView:
    """Past plans, and by what they can be filtered."""

    tab: str
    past: PastPage
    outcomes: tuple[tuple[str, str], ...]
    chosen: str
    text: str
    tabs: tuple[Tab, ...]


def actions_page(stage: Stage) -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())

    @router.get("/actions")
    async def actions(
        visit: Annotated[Visit, visitor],
        page: Annotated[int, Query(ge=1, le=MOST_COUNTED)] = 1,
        kept: Annotated[list[str], Query(max_length=PER_PAGE)] = [],  # noqa: B006 - FastAPI copies it
    ) -> Response:
        """Show what waits; the plans that are `kept` were decided on the page, and stay to be looked at."""
        view = await _waiting(stage, visit, page, kept)
        if visit.partial:
            return stage.part(visit, "actions_waiting", view)
        return await stage.page(visit, "actions", view, here="actions")

    @router.get("/actions/past")
    async def past(
        visit: Annotated[Visit, visitor],
        outcome: Outcome | None = None,
        text: Annotated[str, Query(max_length=200)] = "",
        before: Annotated[str, Query(max_length=100)] = "",
    ) -> Response:
        """Show what was decided, done and seen, the newest first."""
        chosen = outcome or Outcome.ANY
        view = PastView(
            tab="past",
            past=await past_page(stage.rooms.gate, visit, chosen, text.strip(), before),
            outcomes=tuple((each.value, visit.say(label)) for each, (label, _) in FILTERS.items()),
            chosen=chosen.value,
            text=text.strip(),
            tabs=actions_tabs(visit.caller.role),
        )
        return await stage.page(visit, "actions_past", view, here="actions")

    return router


async def _waiting(stage: Stage, visit: Visit, number: int, kept: Sequence[str]) -> ActionsPage:
    """Return one page of what waits: what whoever looks can decide comes first, the oldest of it first, since it ends first."""
    found = (await stage.rooms.gate.plans(PlanState.WAITING, MOST_COUNTED, visit.caller))[::-1]
    own = [plan for plan in found if awaited_by(plan, visit.caller)]
    ordered = [*own, *(plan for plan in found if not awaited_by(plan, visit.caller))]
    shown, number, pages = portion(ordered, number, PER_PAGE)
    theirs = {plan.id for plan in own}

    def cards(plans: Sequence[Plan], *, mine: bool) -> tuple[PlanCard, ...]:
        return tuple(card_of(plan, visit) for plan in plans if (plan.id in theirs) is mine)

    return ActionsPage(
        tab="waiting",
        waiting=cards(shown, mine=True),
        others=cards(shown, mine=False),
        decided=tuple([card async for card in _decided(stage, visit, kept)]),
        count=len(own),
        number=number,
        pages=pages,
        tabs=actions_tabs(visit.caller.role),
    )


async def _decided(stage: Stage, visit: Visit, kept: Sequence[str]) -> AsyncIterator[PlanCard]:
    for plan_id in dict.fromkeys(kept):
        with suppress(UnknownPlanError):
            plan = await stage.rooms.gate.plan(plan_id, visit.caller)
            if plan.state is not PlanState.WAITING:
                yield card_of(plan, visit)
