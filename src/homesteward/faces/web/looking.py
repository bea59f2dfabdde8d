"""The routes that tell how things stand, and the tools."""

from collections import OrderedDict
from typing import Annotated, Any

from fastapi import APIRouter, Depends

from homesteward import __version__
from homesteward.core.json import plain
from homesteward.faces.web.authority import Authority, require
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import ToolForm
from homesteward.faces.web.problems import answers, problem
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Caller, Reach
from homesteward.people.scoped import scoped
from homesteward.tools import ToolContext, ToolRegistry


def looking(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403))
    guard, tools = Depends(entrance.guard), Registries(rooms)

    @router.get("/health", responses=answers())
    async def health() -> dict[str, str]:
        """Say whether the service can reach its home; no more, since anybody may ask."""
        return {"status": "ok" if rooms.home.connected else "degraded", "version": __version__}

    @router.get("/me")
    async def me(asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return who asks, what they may do here, and the token that a page sends back with every change."""
        return entrance.described(asker)

    @router.get("/status")
    async def status(asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return what the service is connected to and how it is set, counted over what the caller reaches."""
        return _within(asker.caller, rooms)

    @router.get("/doctor")
    async def doctor(_: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """Check settings, Home Assistant, model, database, disk and clock."""
        return [plain(check) for check in await rooms.examine()]

    @router.get("/tools")
    async def offered(asker: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """List the tools the caller may use."""
        return [plain(spec) for spec in tools.of(asker.caller).specs(asker.caller)]

    @router.post("/tools/{name}", responses=answers(401, 403, 404, 409))
    async def call_tool(name: str, form: ToolForm, asker: Annotated[Asker, guard]) -> Any:  # noqa: ANN401 - a result or a problem
        """Use one tool, as a model would."""
        registry = tools.of(asker.caller)
        if registry.changes(name):
            require(asker.caller, Authority.PROPOSE)
        context = ToolContext(
            caller=asker.caller, request=f"tool {name}", run_id="", mode=rooms.steward.mode, language="en"
        )
        result = await registry.call(name, form.arguments, context)
        return problem(result.error) if result.error else {"ok": result.ok, "data": result.data}

    return router


class Registries:
    """The tools for each caller: over the whole home, or over the part of it that the caller reaches."""

    def __init__(self, rooms: Rooms) -> None:
        """Make a registry for each reach when it is first asked for."""
        self._rooms = rooms
        self._made: OrderedDict[Reach, ToolRegistry] = OrderedDict()

    def of(self, caller: Caller) -> ToolRegistry:
        """Return the registry for the caller; without a way to make one for a part of the home, an empty one."""
        if caller.reach is None:
            return self._rooms.registry
        found = self._made.pop(caller.reach, None) or self._rooms.registry_of(scoped(self._rooms.home, caller))
        self._made[caller.reach] = found
        while len(self._made) > MOST_REACHES:
            self._made.popitem(last=False)
        return found


MOST_REACHES = 16
TOLD = ("version", "home", "connected", "ha_version", "mode", "preset", "dry_run")


def _within(caller: Caller, rooms: Rooms) -> dict[str, Any]:
    """Return the status; for a caller with a reach, of what it reaches and no more."""
    told = dict(rooms.describe())
    if caller.reach is None:
        return told
    seen = scoped(rooms.home, caller)
    return {key: told[key] for key in TOLD if key in told} | {
        "entities": len(seen.states),
        "exposed": len(seen.exposed),
    }
