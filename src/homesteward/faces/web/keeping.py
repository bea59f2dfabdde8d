"""The routes of secrets: which there are, and that one is kept or forgotten. What one is nobody can look up."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response

from homesteward.actions.strongbox import Strongbox
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import SecretForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms

DONE = 204


class NoSecretsError(HomestewardError):
    """This Homesteward keeps no secrets."""

    code = "not_enabled"


def keeping(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    guard = Depends(entrance.guard)

    def box() -> Strongbox:
        if rooms.strongbox is None:
            raise NoSecretsError("This service keeps no secrets.", next="Run it as 'homesteward run'.")
        return rooms.strongbox

    @router.get("/secrets")
    async def names(asker: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """List the names of the secrets that are kept: the code of a lock or an alarm has the id of its entity."""
        return [{"name": name} for name in await box().names(asker.caller)]

    @router.put("/secrets/{name}", status_code=DONE, response_class=Response)
    async def put(name: str, form: SecretForm, asker: Annotated[Asker, guard]) -> None:
        """Keep a secret under a name, in place of what was there."""
        await box().put(asker.caller, name, form.value.get_secret_value())

    @router.delete("/secrets/{name}", status_code=DONE, response_class=Response)
    async def remove(name: str, asker: Annotated[Asker, guard]) -> None:
        """Forget a secret."""
        await box().remove(asker.caller, name)

    return router
