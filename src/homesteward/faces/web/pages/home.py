"""Home: how things stand, what waits for you, what came of what was asked, and what is unusual now."""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.actions.errors import UnknownPlanError
from homesteward.actions.gate import Gate
from homesteward.actions.plan import Plan, PlanState
from homesteward.faces.web.pages.awaited import MOST_COUNTED
from homesteward.faces.web.pages.cards import PlanCard, card_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.unusual import Oddity, oddities
from homesteward.faces.web.pages.visit import Visit
from homesteward.people import Caller, Role

MOST_WAITING = 5  # shown here; the rest is counted
MOST_RECENT = 8
LIVED_IN = frozenset({Role.OWNER, Role.MEMBER})  # who is told what is unusual


class Part(StrEnum):
    """The parts of the page that are made anew by themselves."""

    CONNECTION = "connection"
    WAITING = "waiting"
    RECENT = "recent"
    UNUSUAL = "unusual"


@dataclass(frozen=True, slots=True)
class Connection:
    """How things stand with Home Assistant. `as_of` is from when what is known is, None before anything was known."""

    connected: bool
    known: bool
    as_of: Moment | None
    trouble: str
    next: str
    entities: int
    dry_run: bool
    mode: str


@dataclass(frozen=True, slots=True)
class HomePage:
    """The whole page; `oddities` is None for somebody who is not told."""

    connection: Connection
    waiting: tuple[PlanCard, ...]
    waiting_more: int
    decided: tuple[PlanCard, ...]
    recent: tuple[PlanCard, ...]
    oddities: tuple[Oddity, ...] | None


def home_page(stage: Stage) -> APIRouter:
    """Return the routes of the page beside its own address, which is the front page's."""
    router = APIRouter(include_in_schema=False)

    @router.get("/home/{part}")
    async def part(
        part: Part,
        visit: Annotated[Visit, Depends(stage.visitor())],
        kept: Annotated[list[str], Query(max_length=MOST_WAITING)] = [],  # noqa: B006 - FastAPI copies it
    ) -> Response:
        """Return one part of the page as it is now; the plans that are `kept` were decided there, and stay to be looked at."""
        return stage.part(visit, f"home_{part}", await home_view(stage, visit, kept))

    return router


async def home_view(stage: Stage, visit: Visit, kept: Sequence[str] = ()) -> HomePage:
    """Return what the page shows to whoever visits."""
    gate, by = stage.rooms.gate, visit.caller
    waiting, recent = await stage.awaited.by(visit), await _recent(gate, by)
    return HomePage(
        connection=_connection(stage, visit),
        waiting=tuple(card_of(plan, visit) for plan in waiting[:MOST_WAITING]),
        decided=tuple([card async for card in _decided(stage, visit, kept)]),
        waiting_more=max(0, len(waiting) - MOST_WAITING),
        recent=tuple(card_of(plan, visit) for plan in recent),
        oddities=oddities(visit) if by.role in LIVED_IN else None,
    )


async def _recent(gate: Gate, by: Caller) -> list[Plan]:
    """Return the newest plans that do not wait; among very many that wait they are looked for no further than `MOST_COUNTED` back."""
    found: list[Plan] = []
    last: Plan | None = None
    portion, looked_at = MOST_RECENT, 0
    while len(found) < MOST_RECENT and looked_at < MOST_COUNTED:
        page = await gate.plans(None, portion, by, last)
        found += [plan for plan in page if plan.state is not PlanState.WAITING]
        if len(page) < portion:
            break
        last, looked_at, portion = page[-1], looked_at + portion, portion * 4
    return found[:MOST_RECENT]


async def _decided(stage: Stage, visit: Visit, kept: Sequence[str]) -> AsyncIterator[PlanCard]:
    for plan_id in dict.fromkeys(kept):
        with suppress(UnknownPlanError):
            plan = await stage.rooms.gate.plan(plan_id, visit.caller)
            if plan.state is not PlanState.WAITING:
                yield card_of(plan, visit)


def _connection(stage: Stage, visit: Visit) -> Connection:
    told = stage.rooms.describe().get("connection")
    health = told if isinstance(told, dict) else {}
    as_of = visit.home.as_of
    return Connection(
        connected=visit.home.connected,
        known=as_of is not None,
        as_of=visit.when(as_of) if as_of else None,
        trouble=str(health.get("trouble") or ""),
        next=str(health.get("next") or ""),
        entities=len(visit.home.states),
        dry_run=stage.rooms.gate.dry_run,
        mode=stage.rooms.gate.mode.value,
    )
