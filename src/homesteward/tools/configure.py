"""The tool `configure`: automations, scripts, scenes, helpers, dashboards, registries, looked at and proposed; the gate decides about a change."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Literal

from pydantic import Field

from homesteward.actions import Gate
from homesteward.actions.errors import NotAllowedError
from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.ha_config.text import written
from homesteward.core.json import JsonValue
from homesteward.home.calls import Call
from homesteward.home.reserved import CONFIG
from homesteward.people import Caller, Role, Scope
from homesteward.tools.outcome import error_of, told
from homesteward.tools.tool import Arguments, Tool, ToolContext, ToolResult

MOST_VERSIONS = 20
KINDS = "automation, script, scene, helper, area, floor, label, registry, exposure, dashboard, blueprint"


class ConfigureArguments(Arguments):
    """What is to be looked at or changed."""

    action: Literal["show", "write", "delete", "versions", "restore"] = Field(
        description="show and versions look; write, delete and restore propose a change."
    )
    kind: str = Field(min_length=1, max_length=40, description=f"One of {KINDS}.")
    id: str = Field(
        default="",
        max_length=200,
        description="The object's id or entity id; for a helper domain.name. Left out for something new.",
    )
    config: dict[str, Any] | str = Field(
        default="",
        description="The whole object in Home Assistant's own form (for registry the changed fields), or its YAML.",
    )
    edit: bool = Field(default=False, description="True to change what is there; without it nothing is written over.")
    version: int = Field(default=0, ge=0, description="The version to restore.")


type Run = Callable[[ConfigureArguments, ToolContext], Awaitable[ToolResult]]


def configure_tool(gate: Gate, room: ConfigRoom) -> Tool[ConfigureArguments]:
    """Return the tool. A change answers with its plan: what it would do in words, the difference, and what may happen to it."""

    async def run(arguments: ConfigureArguments, context: ToolContext) -> ToolResult:
        if context.caller.reach is not None:
            raise NotAllowedError(
                "Whoever reaches a part of the home does not see its configuration.", next="Ask an owner."
            )
        if arguments.action in LOOKS:
            _require_sight(context.caller)
        match arguments.action:
            case "show":
                return await _shown(room, arguments)
            case "versions":
                return await _versions(room, arguments)
            case "restore":
                call = await room.restoring(arguments.kind, arguments.id, arguments.version)
            case action:
                call = Call(CONFIG, action, data=_data(arguments))
        return await _proposed(gate, call, context)

    return Tool(
        "configure",
        "Look at or change Home Assistant's configuration: automations, scripts, scenes, helpers, areas, labels, registry entries, "
        "exposure, dashboards. A change is proposed with its difference and usually waits for an owner; nothing is written before. "
        "Show an object before editing it.",
        ConfigureArguments,
        run,
        changes=True,
        roles=frozenset({Role.OWNER, Role.MEMBER, Role.TOKEN}),
    )


LOOKS = frozenset({"show", "versions", "restore"})


def _require_sight(caller: Caller) -> None:
    """Raise NotAllowedError for whoever may propose a change of the configuration, and does not see it."""
    if caller.role is not Role.OWNER and not (caller.role is Role.TOKEN and caller.may(Scope.CONFIGURE)):
        raise NotAllowedError(
            "Only an owner sees the configuration.", next="Ask an owner, or propose the whole object."
        )


async def _proposed(gate: Gate, call: Call, context: ToolContext) -> ToolResult:
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


async def _shown(room: ConfigRoom, arguments: ConfigureArguments) -> ToolResult:
    shown = await room.show(arguments.kind, arguments.id)
    there = shown.config is not None
    return ToolResult(ok=True, data={"kind": shown.kind, "id": shown.id, "there": there, "yaml": written(shown.config)})


async def _versions(room: ConfigRoom, arguments: ConfigureArguments) -> ToolResult:
    listed = await room.listed(arguments.kind, arguments.id)
    shown: list[JsonValue] = [version.as_json() for version in listed[:MOST_VERSIONS]]
    return ToolResult(ok=True, data={"versions": shown})


def _data(arguments: ConfigureArguments) -> dict[str, JsonValue]:
    """Return the fields of the call, without those that were left out."""
    given: Mapping[str, JsonValue] = {"id": arguments.id, "config": arguments.config, "edit": arguments.edit}
    wanted = ("id", "config", "edit") if arguments.action == "write" else ("id",)
    return {"kind": arguments.kind, **{key: given[key] for key in wanted if given[key]}}
