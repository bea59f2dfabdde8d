"""Chain reactions: automations that set each other off in a circle, or many at once from one trigger, as far as is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from starlette.responses import Response

from homesteward.chronicle.cascades import Cascade, CascadeKind, clusters
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from homesteward.chronicle.rows import Row
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.forgetting import chronicle_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.why_page import Whys
from homesteward.faces.web.remembering import visible_to
from homesteward.language.names import called

SPAN = timedelta(days=7)
MOST_RUNS = 1000  # that are looked through for one page
MOST_FOUND = 6  # that are followed up for one page: each takes as long as a why


@dataclass(frozen=True, slots=True)
class ChainReaction:
    """One of them: which automations, how many runs in what time, and what it all came from."""

    loop: bool
    at: Moment
    names: tuple[str, ...]
    runs: int
    at_least: bool
    lasting: str
    text: str
    ref: str


@dataclass(frozen=True, slots=True)
class CascadesPage:
    """What was found, the newest first; `older` is from where to go on, and `looked_at` how many runs were looked through."""

    tab: str
    remembers: bool
    found: tuple[ChainReaction, ...]
    looked_at: int
    older: str
    trouble: str = ""


def cascades_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/chronicle/cascades")
    async def cascades(
        visit: Annotated[Visit, Depends(stage.visitor())],
        before: Annotated[str, Parameter(max_length=60)] = "",
    ) -> Response:
        """Show the chain reactions of a week, the newest first."""
        return await stage.page(visit, "cascades", await _view(stage, visit, before), here="chronicle")

    return router


async def _view(stage: Stage, visit: Visit, before: str) -> CascadesPage:
    if stage.rooms.chronicle is None:
        return CascadesPage("cascades", False, (), 0, "")
    try:
        runs = await _runs(stage, visit, before)
        close = clusters(runs)
        found = [reaction for each in close[:MOST_FOUND] if (reaction := await _followed(stage, visit, each))]
    except HomestewardError as error:
        return CascadesPage("cascades", True, (), 0, "", f"{error.message} {error.next}".strip())
    return CascadesPage("cascades", True, tuple(found), len(runs), _older(runs, close))


def _older(runs: Sequence[Row], close: Sequence[Sequence[Row]]) -> str:
    """Return from where to go on: behind the last cluster that was followed up, else behind the last run that was read."""
    if len(close) > MOST_FOUND:
        return close[MOST_FOUND - 1][0].at.isoformat()
    return runs[-1].at.isoformat() if len(runs) == MOST_RUNS else ""


async def _runs(stage: Stage, visit: Visit, before: str) -> Sequence[Row]:
    past = chronicle_of(stage.rooms).history
    until = past.moment(before).at if before else visit.now
    query = Query(kinds=frozenset({Kind.AUTOMATION}), since=until - SPAN, until=until, limit=MOST_RUNS)
    return (await past.rows(query, visible_to(visit.caller, stage.rooms.home))).rows


async def _followed(stage: Stage, visit: Visit, runs: Sequence[Row]) -> ChainReaction | None:
    """Return what a cluster of runs really was; None where they only happened at about the same time."""
    last = runs[-1]
    why = await Whys(stage, visit).why(last.subject, last.at)
    return _told(why.cascade, why.text, runs, visit) if why.cascade else None


def _told(cascade: Cascade, text: str, runs: Sequence[Row], visit: Visit) -> ChainReaction:
    return ChainReaction(
        loop=cascade.kind is CascadeKind.LOOP,
        at=visit.when(runs[0].at),
        names=tuple(called(visit.home, entity_id) for entity_id in cascade.entity_ids),
        runs=cascade.runs,
        at_least=cascade.at_least,
        lasting=visit.local.number(round(cascade.span_ms / 1000, 1)),
        text=text,
        ref=runs[-1].ref,
    )
