"""The routes of Home Assistant's configuration: an object as it is, its versions, and changes, which are plans like any others."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends
from fastapi import Query as Parameters

from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.ha_config.text import written
from homesteward.actions.plan import plan_json
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import ONE_LINE, ConfigDeleteForm, ConfigForm, ConfigRestoreForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.home.calls import Call
from homesteward.home.reserved import CONFIG

type Kind = Annotated[str, Parameters(min_length=1, max_length=40, pattern=ONE_LINE)]
type ObjectId = Annotated[str, Parameters(alias="id", min_length=1, max_length=200, pattern=ONE_LINE)]


class NoConfigurationError(HomestewardError):
    """This Homesteward writes no configuration."""

    code = "not_enabled"


def configuring(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(400, 401, 403, 404, 409, 503))
    guard = Depends(entrance.guard)

    def room() -> ConfigRoom:
        if rooms.configuration is None:
            raise NoConfigurationError("This home has no configuration that could be written.", next="Use a real one.")
        return rooms.configuration

    _looking(router, guard, Depends(room))
    _changing(router, guard, Depends(room), rooms)
    return router


def _looking(router: APIRouter, guard: Any, there: Any) -> None:  # noqa: ANN401 - FastAPI's own type for a dependency
    @router.get("/config")
    async def show(
        kind: Kind, object_id: ObjectId, _: Annotated[Asker, guard], room: Annotated[ConfigRoom, there]
    ) -> dict[str, Any]:
        """Return an object as it is now, with its YAML; codes are not in it."""
        shown = await room.show(kind, object_id)
        return {
            **_named(shown.kind, shown.id),
            "config": shown.config,
            "yaml": written(shown.config),
            "hash": shown.hash,
        }

    @router.get("/config/versions")
    async def versions(
        kind: Kind, object_id: ObjectId, _: Annotated[Asker, guard], room: Annotated[ConfigRoom, there]
    ) -> list[dict[str, Any]]:
        """List the versions of an object, the newest first."""
        return [dict(version.as_json()) for version in await room.listed(kind, object_id)]

    @router.get("/config/versions/{n}")
    async def version(
        n: int, kind: Kind, object_id: ObjectId, _: Annotated[Asker, guard], room: Annotated[ConfigRoom, there]
    ) -> dict[str, Any]:
        """Return one version with its content; null where there was none at the time."""
        found = await room.version(kind, object_id, n)
        return {**found.as_json(), "config": found.config, "yaml": written(found.config)}


def _changing(router: APIRouter, guard: Any, there: Any, rooms: Rooms) -> None:  # noqa: ANN401 - FastAPI's own type for a dependency
    async def planned(call: Call, asker: Asker, request: str) -> dict[str, Any]:
        (plan,) = await rooms.gate.submit([call], asker.caller, request=request)
        return dict(plan_json(plan))

    @router.post("/config/propose")
    async def propose(
        form: ConfigForm, asker: Annotated[Asker, guard], _: Annotated[ConfigRoom, there]
    ) -> dict[str, Any]:
        """Propose to write an object and return the plan, with a summary and the difference; it waits for whoever may approve it."""
        data = form.model_dump(exclude_defaults=True, exclude={"request"})
        return await planned(
            Call(CONFIG, "write", data=data), asker, form.request or f"write the {form.kind} {form.id}"
        )

    @router.post("/config/delete")
    async def delete(
        form: ConfigDeleteForm, asker: Annotated[Asker, guard], _: Annotated[ConfigRoom, there]
    ) -> dict[str, Any]:
        """Propose to delete an object and return the plan; its content is kept, and can be restored."""
        call = Call(CONFIG, "delete", data=_named(form.kind, form.id))
        return await planned(call, asker, form.request or f"delete the {form.kind} {form.id}")

    @router.post("/config/restore")
    async def restore(
        form: ConfigRestoreForm, asker: Annotated[Asker, guard], room: Annotated[ConfigRoom, there]
    ) -> dict[str, Any]:
        """Propose to bring a version back and return the plan."""
        call = await room.restoring(form.kind, form.id, form.n)
        return await planned(call, asker, f"restore version {form.n} of the {form.kind} {form.id}")


def _named(kind: str, object_id: str) -> dict[str, Any]:
    return {"kind": kind, "id": object_id}
