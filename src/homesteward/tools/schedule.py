"""The tool `schedule`: have something done later, or for a while; see what is to be done, and call it off."""

from typing import Any, Literal

from pydantic import ConfigDict, Field

from homesteward.actions import Gate, Plan
from homesteward.actions.schedule import Schedule, ScheduleStore, schedule_json
from homesteward.actions.schedule.asking import asked_for, called_off
from homesteward.actions.schedule.store import listed, one_of
from homesteward.core import Clock, new_id
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonValue
from homesteward.home.calls import Call
from homesteward.home.live import LiveHome
from homesteward.people.scoped import scoped
from homesteward.tools.aim import aimed
from homesteward.tools.call_service import TargetArguments
from homesteward.tools.entities import check_exposed
from homesteward.tools.outcome import error_of, told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST = 50
TIMES = ("at", "in", "until", "for", "if")


class ScheduleArguments(Arguments):
    """What is to be done with the schedule. A call is written as for call_service; unknown keys are fields of its service."""

    model_config = ConfigDict(extra="allow")

    action: Literal["add", "list", "cancel"] = Field(default="add", description="What to do.")
    id: str = Field(default="", description="To cancel: the id, as list returns it.")
    service: str = Field(default="", description="To add: the service, for example light.turn_off.")
    target: TargetArguments = Field(default_factory=TargetArguments, description="What it is aimed at.")
    data: dict[str, Any] = Field(default_factory=dict, description="Fields of the service.")
    at: str = Field(default="", description="When: 17:00 or 2026-03-01T17:00, by the home's clock.")
    after: Any = Field(default=None, alias="in", description="Or in how many seconds.")
    until: str = Field(default="", description="A time at which it is taken back.")
    lasting: Any = Field(default=None, alias="for", description="Or after how many seconds it is taken back.")
    given: list[dict[str, Any]] = Field(
        default_factory=list,
        alias="if",
        description="Conditions at that time: {entity_id, state | above | below | unchanged}.",
    )


class NothingAskedError(HomestewardError):
    """There is no call to be made later."""

    code = "invalid_arguments"


def schedule_tool(home: LiveHome, gate: Gate, schedules: ScheduleStore, clock: Clock) -> Tool[ScheduleArguments]:
    """Return the tool. What it adds or cancels is decided by the gate; it lists what exists for the caller."""

    async def submitted(calls: tuple[Call, ...], context: ToolContext) -> ToolResult:
        plans = await gate.submit(
            calls,
            context.caller,
            request=context.request,
            run_id=context.run_id or new_id("run"),
            mode=context.mode,
            dry_run=context.dry_run,
            outside=context.outside,
            named=context.named,
        )
        return _result(plans)

    async def run(arguments: ScheduleArguments, context: ToolContext) -> ToolResult:
        if arguments.action == "list":
            found = [each for each in await listed(schedules, context.caller) if home.exposed.issuperset(_named(each))]
            return ToolResult(ok=True, data=[_shown(each, clock) for each in found[:MOST]])
        if arguments.action == "cancel":
            await one_of(schedules, arguments.id, context.caller)
            return await submitted((called_off(arguments.id),), context)
        raw = arguments.model_dump(exclude_unset=True, by_alias=True, exclude={"action", "id"})
        if not arguments.service:
            raise NothingAskedError("There is no service to be called later.", next="Give service, target and data.")
        seen = scoped(home, context.caller)
        check_exposed(seen, [str(condition.get("entity_id", "")) for condition in arguments.given])
        when = {name: raw.pop(name) for name in TIMES if raw.get(name) not in (None, "", [])}
        call = aimed(seen, {key: value for key, value in raw.items() if key not in TIMES})
        return await submitted(asked_for([call], when, home, context.caller, clock.now()), context)

    return Tool(
        "schedule",
        "Have one service called later (at, in), or now and taken back later (until, for); list what is to be done; cancel it. "
        "It happens once, and is judged now and again then.",
        ScheduleArguments,
        run,
        changes=True,
    )


def _result(plans: tuple[Plan, ...]) -> ToolResult:
    error = error_of(plans)
    return ToolResult(ok=error is None, data={"plans": [told(plan) for plan in plans]}, error=error, plans=plans)


def _named(schedule: Schedule) -> tuple[str, ...]:
    return (*schedule.call.entity_ids, *(condition.entity_id for condition in schedule.conditions))


def _shown(schedule: Schedule, clock: Clock) -> JsonValue:
    whole = schedule_json(schedule, clock.now())
    return {name: whole[name] for name in ("id", "at", "in_s", "request", "person", "call", "if") if whole[name]}
