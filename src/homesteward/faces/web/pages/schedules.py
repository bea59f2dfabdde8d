"""What is to be done later: what and when, who asked, what has to hold then; and calling it off."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.actions.schedule import ScheduleStore
from homesteward.actions.schedule.asking import called_off
from homesteward.actions.schedule.schedule import Schedule, ScheduleState
from homesteward.actions.schedule.store import MOST, MOST_ENDED, listed, one_of
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.pages.later import SCHEDULE_LOOK, conditions_told
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.paging import portion
from homesteward.faces.web.pages.proving import Refused, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import Look, icon_of
from homesteward.faces.web.pages.submitting import led_on, submitted
from homesteward.faces.web.pages.tabs import Tab, actions_tabs
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.worded import asked_words, whose
from homesteward.faces.web.scheduling import NoSchedulesError

PER_PAGE = 50
MOST_OVER = 20  # of those that are over, the newest
OPEN = frozenset({ScheduleState.WAITING, ScheduleState.FIRING})


@dataclass(frozen=True, slots=True)
class Later:
    """One schedule. `end` is the other half of what is done for a while; `ends` what it brings to an end by itself."""

    id: str
    what: str
    icon: str
    at: Moment
    latest: Moment
    request: str
    who: str
    mine: bool
    agreed_by: str
    conditions: tuple[str, ...]
    ends: str
    plan_id: str
    look: Look
    waits: bool
    why: str
    ended: Moment | None
    end: Later | None = None


@dataclass(frozen=True, slots=True)
class SchedulesPage:
    """What is to come, the soonest first, and what became of what is over. `kept`: this Homesteward keeps anything for later."""

    tab: str
    tabs: tuple[Tab, ...]
    kept: bool
    coming: tuple[Later, ...]
    over: tuple[Later, ...]
    number: int
    pages: int
    refused: Refused | None = None


def schedules_page(stage: Stage) -> APIRouter:
    """Return the routes of the page."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())

    @router.get("/actions/schedules")
    async def schedules(visit: Annotated[Visit, visitor], page: Annotated[int, Query(ge=1, le=MOST)] = 1) -> Response:
        """Show what is to be done later."""
        return await _shown(stage, visit, page)

    @router.post("/actions/schedules/{schedule_id}/cancel")
    async def cancel(schedule_id: str, visit: Annotated[Visit, visitor]) -> Response:
        """Call off what is still to be done, and with it what would have been its end."""
        try:
            await one_of(_store(stage), schedule_id, visit.caller)
            plan = await submitted(stage, called_off(schedule_id), visit.caller, f"cancel {schedule_id}")
        except HomestewardError as error:
            return await _shown(stage, visit, 1, refused(error))
        return led_on(stage, visit, plan, "/actions/schedules")

    return router


def _store(stage: Stage) -> ScheduleStore:
    if stage.rooms.schedules is None:
        raise NoSchedulesError("This service keeps nothing for later.", next="Run it as 'homesteward run'.")
    return stage.rooms.schedules


async def _shown(stage: Stage, visit: Visit, number: int, wrong: Refused | None = None) -> Response:
    store = stage.rooms.schedules
    found = await listed(store, visit.caller, ended=True, limit=MOST + MOST_ENDED) if store else ()
    coming = paired([each for each in found if each.state in OPEN], visit)
    over = [each for each in found if each.state not in OPEN][:MOST_OVER]
    shown, number, pages = portion(coming, number, PER_PAGE)
    view = SchedulesPage(
        tab="schedules",
        tabs=actions_tabs(visit.caller.role),
        kept=store is not None,
        coming=tuple(shown),
        over=tuple(_later(each, visit) for each in over),
        number=number,
        pages=pages,
        refused=wrong,
    )
    if visit.partial:
        return stage.part(visit, "schedules_coming", view)
    return await stage.page(visit, "schedules", view, here="actions", status=wrong.status if wrong else 200)


def paired(found: Sequence[Schedule], visit: Visit) -> tuple[Later, ...]:
    """Return what waits, soonest first; the two halves of what is done for a while are one."""
    ends = dict(_ends_of(found))
    behind = {end.id for end in ends.values()}
    return tuple(
        replace(_later(each, visit), end=_later(ends[each.id], visit)) if each.id in ends else _later(each, visit)
        for each in found
        if each.id not in behind
    )


def _ends_of(found: Sequence[Schedule]) -> Iterator[tuple[str, Schedule]]:
    """Yield each schedule's id with the one that ends it: of one request, the same call, and later."""
    for first in found:
        for other in found:
            if other.ends == first.call and other.run_id == first.run_id and other.at > first.at:
                yield first.id, other


def _later(schedule: Schedule, visit: Visit) -> Later:
    things = schedule.call.entity_ids
    return Later(
        id=schedule.id,
        what=asked_words(schedule.call, visit),
        icon=icon_of(visit.home, things[0]) if things else "calendar",
        at=visit.when(schedule.at),
        latest=visit.when(schedule.latest),
        request=schedule.request,
        who=whose(schedule.caller, visit),
        mine=schedule.caller.same_as(visit.caller),
        agreed_by=schedule.agreed.by,
        conditions=conditions_told(schedule.conditions, visit),
        ends=asked_words(schedule.ends, visit) if schedule.ends else "",
        plan_id=schedule.plan_id,
        look=SCHEDULE_LOOK[schedule.state],
        waits=schedule.state is ScheduleState.WAITING,
        why=schedule.why,
        ended=visit.when(schedule.ended) if schedule.ended else None,
    )
