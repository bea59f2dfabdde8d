"""One thing of the house: its state, how it was, why it is so, who may do what with it, what reaches it, and how it is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from homesteward.chronicle.why import Why
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonValue
from homesteward.faces.web.pages.allowed import Allowed, allowed
from homesteward.faces.web.pages.configured import Configured, configured
from homesteward.faces.web.pages.course import Course, Span, course
from homesteward.faces.web.pages.home import LIVED_IN
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.reaching import ways_to
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import icon_of, state_told
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.why_page import Whys
from homesteward.home.errors import UnknownEntityError
from homesteward.home.view import area_of
from homesteward.language.names import called

LONGEST_VALUE = 300
HIDDEN = frozenset({"friendly_name", "entity_picture", "access_token", "icon"})


@dataclass(frozen=True, slots=True)
class Named:
    """A thing by name, on the way to another."""

    entity_id: str
    name: str
    icon: str


@dataclass(frozen=True, slots=True)
class EntityPage:
    """All that is known of one thing. `why`, `course` and `ways` are None for somebody who only visits, `config` where it is no owner's."""

    entity_id: str
    name: str
    icon: str
    area: str
    area_id: str
    floor: str
    state: str
    since: Moment | None
    exposed: bool
    available: bool
    details: tuple[tuple[str, str], ...]
    why: Why | None
    trouble: str
    course: Course | None
    allowed: tuple[Allowed, ...]
    ways: tuple[tuple[Named, ...], ...] | None
    ways_more: int
    config: Configured | None


def entity_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/house/{entity_id}")
    async def entity(
        entity_id: str, visit: Annotated[Visit, Depends(stage.visitor())], span: Span = Span.DAY
    ) -> Response:
        """Show one thing; one that does not exist for whoever looks is not there."""
        return await stage.page(visit, "entity", await _view(stage, visit, entity_id, span), here="house")

    return router


async def _view(stage: Stage, visit: Visit, entity_id: str, span: Span) -> EntityPage:
    state = visit.home.states.get(entity_id)
    if state is None:
        raise UnknownEntityError(
            visit.say(N_("There is no such thing here.")), next=visit.say(N_("Look it up in the house."))
        )
    area = area_of(visit.home, entity_id)
    floor = visit.home.floors.get(area.floor_id or "") if area else None
    lives_here = visit.caller.role in LIVED_IN
    why, trouble = await _why(stage, visit, entity_id) if lives_here else (None, "")
    ways, more = ways_to(entity_id, visit.home) if lives_here else ((), 0)
    return EntityPage(
        entity_id=entity_id,
        name=called(visit.home, entity_id),
        icon=icon_of(visit.home, entity_id),
        area=area.name if area else "",
        area_id=area.area_id if area else "",
        floor=floor.name if floor else "",
        state=state_told(state, visit),
        since=visit.when(state.last_changed) if state.last_changed else None,
        exposed=entity_id in visit.home.exposed,
        available=state.available,
        details=tuple(_details(state.attributes)),
        why=why,
        trouble=trouble,
        course=await course(stage, visit, state, span) if lives_here else None,
        allowed=await allowed(entity_id, visit, stage.rooms.gate),
        ways=tuple(tuple(_named(each, visit) for each in way.path) for way in ways) if lives_here else None,
        ways_more=more,
        config=await configured(stage, visit, entity_id),
    )


async def _why(stage: Stage, visit: Visit, entity_id: str) -> tuple[Why | None, str]:
    """Return why it is so; where that cannot be told, what keeps it from being told."""
    if stage.rooms.chronicle is None:
        return None, ""
    try:
        return await Whys(stage, visit).why(entity_id), ""
    except HomestewardError as error:
        return None, error.message


def _named(entity_id: str, visit: Visit) -> Named:
    return Named(entity_id, called(visit.home, entity_id), icon_of(visit.home, entity_id))


def _details(attributes: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    for name, value in sorted(attributes.items()):
        if name not in HIDDEN and value not in (None, "", [], ()):
            told = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            yield name, told if len(told) <= LONGEST_VALUE else f"{told[:LONGEST_VALUE]}…"
