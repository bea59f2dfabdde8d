"""The tool `call_service`: the one way in which a model or a client asks for a change. The gate decides what becomes of it."""

from typing import Any

from pydantic import ConfigDict, Field

from homesteward.actions import Gate
from homesteward.home.live import LiveHome
from homesteward.people.scoped import scoped
from homesteward.tools.aim import aimed
from homesteward.tools.outcome import error_of, told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

Names = str | list[str]


class TargetArguments(Arguments):
    """What the call is aimed at."""

    model_config = ConfigDict(extra="allow")

    entity_id: Names = Field(default="", description="Entity ids, as find returns them.")
    name: Names = Field(default="", description="Names, where no entity id is known.")
    area_id: Names = Field(default="", description="Areas, by id or name: everything there that the service acts on.")
    floor_id: Names = Field(default="", description="Floors, by id or name.")
    label_id: Names = Field(default="", description="Labels, by id or name.")
    device_id: Names = Field(default="", description="Devices, by id or name.")


class CallServiceArguments(Arguments):
    """A service call. Unknown keys are taken for fields of the service, as people and models write them flat."""

    model_config = ConfigDict(extra="allow")

    service: str = Field(default="", description="The service, for example light.turn_on.")
    domain: str = Field(default="", description="The service's domain, where service does not say it.")
    target: TargetArguments = Field(default_factory=TargetArguments, description="What it is aimed at.")
    data: dict[str, Any] = Field(default_factory=dict, description="Fields of the service, for example brightness_pct.")


def call_service_tool(home: LiveHome, gate: Gate) -> Tool[CallServiceArguments]:
    """Return the tool. Its result says for each plan whether it was done, refused, simulated or waits, and what was seen."""

    async def run(arguments: CallServiceArguments, context: ToolContext) -> ToolResult:
        call = aimed(scoped(home, context.caller), _raw(arguments))
        plans = await gate.submit(
            [call],
            context.caller,
            request=context.request,
            run_id=context.run_id,
            mode=context.mode,
            dry_run=context.dry_run,
            outside=context.outside,
            named=context.named,
        )
        error = error_of(plans)
        return ToolResult(ok=error is None, data={"plans": [told(plan) for plan in plans]}, error=error, plans=plans)

    return Tool(
        "call_service",
        "Ask Home Assistant to do something: one service on an explicit target. It may be done, refused, or wait for a person; "
        "the result says which, and what was really seen.",
        CallServiceArguments,
        run,
        changes=True,
        outside=False,
    )


def _raw(arguments: CallServiceArguments) -> dict[str, Any]:
    """Return the arguments as they were written, without those left out."""
    return arguments.model_dump(exclude_unset=True)
