"""The HTTP face, put together: the door, the intake, and the routes. None of them decides anything about the house."""

from typing import Any

from fastapi import FastAPI

from homesteward import __version__
from homesteward.faces.web.address import Addresses
from homesteward.faces.web.asking import asking
from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.configuring import configuring
from homesteward.faces.web.deciding import deciding
from homesteward.faces.web.document import documented
from homesteward.faces.web.door import Door
from homesteward.faces.web.entering import entering
from homesteward.faces.web.intake import Intake
from homesteward.faces.web.keeping import keeping
from homesteward.faces.web.looking import looking
from homesteward.faces.web.managing import managing
from homesteward.faces.web.mending import mending
from homesteward.faces.web.notifying import notifying
from homesteward.faces.web.offering import offering
from homesteward.faces.web.pages import showing
from homesteward.faces.web.pages.trouble import Trouble
from homesteward.faces.web.problems import answer_problems
from homesteward.faces.web.recording import recording
from homesteward.faces.web.remembering import remembering
from homesteward.faces.web.rooms import Rooms
from homesteward.faces.web.ruling import ruling
from homesteward.faces.web.scheduling import scheduling

ROUTERS = (
    entering,
    looking,
    asking,
    deciding,
    configuring,
    mending,
    ruling,
    remembering,
    managing,
    recording,
    notifying,
    keeping,
    offering,
    scheduling,
    showing,
)


class Face(FastAPI):
    """FastAPI with a document of our own. Its built-in documentation pages stay off: they load from elsewhere."""

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        return documented(self)


def create_api(rooms: Rooms) -> FastAPI:
    """Build the HTTP face over `rooms`."""
    api = Face(title="Homesteward", version=__version__, docs_url=None, redoc_url=None, openapi_url=None)
    entrance = Entrance(rooms)
    api.add_middleware(Intake, clean=rooms.clean, admit=entrance.admit)
    api.add_middleware(Door, addresses=Addresses(rooms.web))
    answer_problems(api, Trouble(rooms))
    for routes in ROUTERS:
        api.include_router(routes(rooms, entrance))

    @api.get("/openapi.json", include_in_schema=False)
    async def document() -> dict[str, Any]:
        """Return the API's own document."""
        return api.openapi()

    return api
