"""One version of an automation, script or scene: how it was written, what putting it back would change, and asking for that."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from homesteward.actions.ha_config import ConfigRoom
from homesteward.actions.ha_config.text import written
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.configuring import NoConfigurationError
from homesteward.faces.web.pages.configured import VersionRow, kind_of, room_for, version_row
from homesteward.faces.web.pages.differing import Line, difference
from homesteward.faces.web.pages.proving import Refused, refused
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.submitting import led_on, submitted
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.language.names import called


@dataclass(frozen=True, slots=True)
class VersionPage:
    """One version beside how it is now."""

    entity_id: str
    name: str
    version: VersionRow
    yaml: str
    lines: tuple[Line, ...]
    refused: Refused | None


def config_versions(stage: Stage) -> APIRouter:
    """Return the routes of a version."""
    router = APIRouter(include_in_schema=False)
    visitor = Depends(stage.visitor())

    @router.get("/house/{entity_id}/versions/{n}")
    async def show(entity_id: str, n: int, visit: Annotated[Visit, visitor]) -> Response:
        """Show how it was written, and what is different now."""
        return await _shown(stage, visit, entity_id, n)

    @router.post("/house/{entity_id}/versions/{n}")
    async def restore(entity_id: str, n: int, visit: Annotated[Visit, visitor]) -> Response:
        """Ask for the version to be put back, and lead to the plan of that."""
        kind = kind_of(entity_id)
        room = _room(stage, visit, entity_id)
        try:
            call = await room.restoring(kind, entity_id, n)
            plan = await submitted(stage, call, visit.caller, f"restore version {n} of the {kind} {entity_id}")
        except HomestewardError as error:
            return await _shown(stage, visit, entity_id, n, refused(error))
        return led_on(stage, visit, plan, f"/house/{entity_id}")

    return router


def _room(stage: Stage, visit: Visit, entity_id: str) -> ConfigRoom:
    room = room_for(stage, visit, entity_id)
    if room is None:
        raise NoConfigurationError(
            visit.say(N_("Nothing is known here of how this is written.")),
            next=visit.say(N_("Look at an automation, a script or a scene.")),
        )
    return room


async def _shown(stage: Stage, visit: Visit, entity_id: str, n: int, wrong: Refused | None = None) -> Response:
    room, kind = _room(stage, visit, entity_id), kind_of(entity_id)
    version, now = await room.version(kind, entity_id, n), await room.show(kind, entity_id)
    view = VersionPage(
        entity_id=entity_id,
        name=called(visit.home, entity_id),
        version=version_row(version, visit, present=version.hash == now.hash),
        yaml=written(version.config),
        lines=difference(written(now.config), written(version.config)),
        refused=wrong,
    )
    return await stage.page(visit, "config_version", view, here="house", status=wrong.status if wrong else 200)
