"""The routes of schedules: what is to be done later, and asking for it or calling it off, which the gate decides like everything else."""

from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query

from homesteward.actions.plan import Plan, plan_json
from homesteward.actions.schedule import Schedule, ScheduleStore, schedule_json
from homesteward.actions.schedule.asking import asked_for, called_off
from homesteward.actions.schedule.store import listed, one_of
from homesteward.actions.undo import undone_json
from homesteward.core import new_id
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import ScheduleForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.home.calls import parse_call


class NoSchedulesError(HomestewardError):
    """This Homesteward keeps nothing for later."""

    code = "not_enabled"


def scheduling(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404, 409))
    guard = Depends(entrance.guard)

    def kept() -> ScheduleStore:
        if rooms.schedules is None:
            raise NoSchedulesError("This service keeps nothing for later.", next="Run it as 'homesteward run'.")
        return rooms.schedules

    def shown(schedule: Schedule) -> dict[str, Any]:
        return dict(schedule_json(schedule, rooms.clock.now(), ZoneInfo(rooms.home.config.time_zone)))

    @router.get("/schedules")
    async def schedules(
        asker: Annotated[Asker, guard],
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
        *,
        ended: Annotated[bool, Query(description="Also what is over.")] = False,
    ) -> list[dict[str, Any]]:
        """List what is to be done later, the soonest first; what is over follows, the newest first."""
        found = await listed(kept(), asker.caller, ended=ended, limit=limit)
        return [shown(each) for each in found]

    @router.get("/schedules/{schedule_id}")
    async def show(schedule_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return one schedule, and what became of it."""
        return shown(await one_of(kept(), schedule_id, asker.caller))

    @router.post("/schedules")
    async def add(form: ScheduleForm, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Ask for a call to be made later, for a while, or both, and return the plans of that; one that waits comes first."""
        kept()
        calls = asked_for([parse_call(form.call)], form.when, rooms.home, asker.caller, rooms.clock.now())
        return _shown(
            await rooms.gate.submit(calls, asker.caller, request=form.request or "schedule", run_id=new_id("run"))
        )

    @router.post("/schedules/{schedule_id}/cancel")
    async def cancel(schedule_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Call off what is still to be done, and with it what would have been its end; return the plan of that."""
        await one_of(kept(), schedule_id, asker.caller)
        call = called_off(schedule_id)
        return _shown(await rooms.gate.submit([call], asker.caller, request=f"cancel {schedule_id}"))

    return router


def _shown(plans: tuple[Plan, ...]) -> dict[str, Any]:
    return undone_json([plan_json(plan) for plan in plans], ())
