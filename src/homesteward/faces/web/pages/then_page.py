"""The house at a moment: a slider over the past, what differed from now, and how the things of an area were."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.chronicle.moments import HouseAt, Known
from homesteward.core.errors import HomestewardError
from homesteward.core.text import fold
from homesteward.faces.web.pages.chronicle import areas_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import icon_of, state_told
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.remembering import visible_to
from homesteward.home.model import State
from homesteward.home.view import area_of
from homesteward.language.names import called
from homesteward.store.tables import EPOCH

NOTCHES = 96  # of the slider
MOST_SHOWN = 100
NOTHING = HouseAt(EPOCH, {}, {})


class Over(StrEnum):
    """How far the slider reaches back."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


SPANS: Mapping[Over, tuple[str, timedelta]] = {
    Over.DAY: (N_("a day"), timedelta(days=1)),
    Over.WEEK: (N_("a week"), timedelta(days=7)),
    Over.MONTH: (N_("a month"), timedelta(days=30)),
}


@dataclass(frozen=True, slots=True)
class Then:
    """One thing as it was and as it is; empty where it was not, or is not, there."""

    entity_id: str
    name: str
    icon: str
    area: str
    then: str
    now: str


@dataclass(frozen=True, slots=True)
class ThenPage:
    """The house at a moment. `measures` are readings, which nearly always differ; `unknown` counts what nobody knows of that moment."""

    tab: str
    remembers: bool
    at: Moment
    told: str
    back: int
    over: str
    spans: tuple[tuple[str, str], ...]
    notches: int
    areas: tuple[tuple[str, str], ...]
    area: str
    differs: tuple[Then, ...]
    differs_more: int
    measures: tuple[Then, ...]
    measures_more: int
    same: int
    unknown: int
    outage: bool
    trouble: str = ""


def then_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/chronicle/then")
    async def then(
        visit: Annotated[Visit, Depends(stage.visitor())],
        back: Annotated[int, Query(ge=0, le=NOTCHES)] = NOTCHES // 4,
        over: Over = Over.DAY,
        at: Annotated[str, Query(max_length=100)] = "",
        area: Annotated[str, Query(max_length=255)] = "",
    ) -> Response:
        """Show the house at a moment: so many notches back, or at the one that is written."""
        asked = _Asked(back, over, at.strip(), area.strip())
        view = await _view(stage, visit, asked)
        if visit.partial:
            return stage.part(visit, "chronicle_moment", view)
        return await stage.page(visit, "chronicle_then", view, here="chronicle")

    return router


@dataclass(frozen=True, slots=True)
class _Asked:
    back: int
    over: Over
    at: str
    area: str

    @property
    def step(self) -> timedelta:
        return SPANS[self.over][1] / NOTCHES

    def moment(self, stage: Stage, visit: Visit) -> datetime:
        if self.at and stage.rooms.chronicle:
            return stage.rooms.chronicle.history.moment(self.at).at
        return visit.now - self.step * self.back


async def _view(stage: Stage, visit: Visit, asked: _Asked) -> ThenPage:
    at, house, trouble = visit.now - asked.step * asked.back, NOTHING, ""
    try:
        at = asked.moment(stage, visit)
        if stage.rooms.chronicle:
            visible = visible_to(visit.caller, stage.rooms.home)
            house = await stage.rooms.chronicle.history.home_at(at, visible)
    except HomestewardError as error:
        trouble = f"{error.message} {error.next}".strip()
    return _page(stage, visit, asked, at, house, trouble)


def _page(stage: Stage, visit: Visit, asked: _Asked, at: datetime, house: HouseAt, trouble: str) -> ThenPage:
    known = house.before_outage or house.states
    compared = [each for each in known if _within(each, asked.area, visit)]
    differing = [each for each in compared if _differs(known[each], visit.home.states.get(each))]
    came = [each for each in visit.home.states if each not in known and each not in house.unknown]
    both = sorted([*differing, *(each for each in came if known and _within(each, asked.area, visit))])
    measures = [each for each in both if _measures(each, visit)]
    things = [each for each in both if not _measures(each, visit)]
    return ThenPage(
        tab="then",
        remembers=stage.rooms.chronicle is not None,
        at=visit.when(at),
        told=f"{visit.local.day(at)}, {visit.local.clock(at)}",
        back=min(NOTCHES, max(0, round((visit.now - at) / asked.step))),
        over=asked.over.value,
        spans=tuple((each.value, visit.say(label)) for each, (label, _) in SPANS.items()),
        notches=NOTCHES,
        areas=areas_of(visit),
        area=asked.area,
        differs=tuple(_thens(things, known, visit)),
        differs_more=max(0, len(things) - MOST_SHOWN),
        measures=tuple(_thens(measures, known, visit)),
        measures_more=max(0, len(measures) - MOST_SHOWN),
        same=len(compared) - len(differing),
        unknown=sum(_within(each, asked.area, visit) for each in house.unknown),
        outage=house.outage is not None,
        trouble=trouble,
    )


def _within(entity_id: str, area_id: str, visit: Visit) -> bool:
    if not area_id:
        return True
    area = area_of(visit.home, entity_id)
    return area is not None and area_id in {area.area_id, fold(area.name)}


def _differs(then: Known, now: State | None) -> bool:
    return now is None or now.state != then.state


def _measures(entity_id: str, visit: Visit) -> bool:
    state = visit.home.states.get(entity_id)
    return state is not None and state.attributes.get("unit_of_measurement") is not None


def _thens(entity_ids: list[str], known: Mapping[str, Known], visit: Visit) -> Iterator[Then]:
    for entity_id in entity_ids[:MOST_SHOWN]:
        now, then, area = visit.home.states.get(entity_id), known.get(entity_id), area_of(visit.home, entity_id)
        attributes = {**(now.attributes if now else {}), **(then.attributes if then else {})}
        yield Then(
            entity_id,
            called(visit.home, entity_id),
            icon_of(visit.home, entity_id),
            area.name if area else "",
            state_told(State(entity_id, then.state, attributes), visit) if then else "",
            state_told(now, visit) if now else "",
        )
