"""The stage that every page stands on: who visits is found out, and what a page's view holds becomes HTML."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from homesteward import __version__
from homesteward.faces.web.asker import Asker
from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.origin import safe_onward
from homesteward.faces.web.pages.awaited import Awaited
from homesteward.faces.web.pages.local import Local
from homesteward.faces.web.pages.menu import ROLE_WORDS, Place, menu_for
from homesteward.faces.web.pages.rendering import HTMX, rendered, root_of, theme_of
from homesteward.faces.web.pages.texts import Words, language_of
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.rooms import Rooms
from homesteward.people.scoped import scoped

type Visitor = Callable[..., Awaitable[Visit]]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every page."""

    home: str
    person: str
    role: str
    menu: tuple[Place, ...]
    here: str
    waiting: int
    mark: str
    """What an open page compares with the stream's, to learn whether it missed something in between."""
    signs_out: bool
    ingress: bool
    version: str = __version__


class Stage:
    """Make pages over the rooms of one house."""

    def __init__(self, rooms: Rooms, entrance: Entrance) -> None:
        """Show what `rooms` hold to those whom `entrance` lets in."""
        self.rooms = rooms
        self.entrance = entrance
        self.awaited = Awaited(rooms)

    def visitor(self) -> Visitor:
        """Return the dependency of a page: a visit by somebody who may use its route."""

        async def visit(request: Request, asker: Annotated[Asker, Depends(self.entrance.guard)]) -> Visit:
            return self.visit(request, asker)

        return visit

    def visit(self, request: Request, asker: Asker) -> Visit:
        """Return the visit of whoever sent the request."""
        config = self.rooms.home.config
        language = language_of(request.headers.get("accept-language", ""), config.language)
        return Visit(
            asker=asker,
            seen=seen_by(request),
            home=scoped(self.rooms.home, asker.caller),
            root=root_of(request),
            path=request.url.path,
            csrf=self.entrance.page_token(asker),
            theme=theme_of(request),
            say=Words(language),
            local=Local(language, config.country, config.time_zone),
            now=self.rooms.clock.now(),
            partial=HTMX in request.headers,
        )

    async def page(
        self, visit: Visit, template: str, view: object, *, here: str = "", status: int = 200, kept: bool = True
    ) -> Response:
        """Return a whole page of `view`; `here` is the key of its place in the menu, and `kept` that a browser may show it again offline."""
        frame = await self._frame(visit, here)
        headers = KEPT_BY_THE_BROWSER if kept else None
        return HTMLResponse(_made(visit, template, view, frame=frame), status, headers)

    def part(self, visit: Visit, template: str, view: object) -> Response:
        """Return a part of a page, without anything around it."""
        return HTMLResponse(_made(visit, template, view))

    def onward(self, visit: Visit, to: str) -> Response:
        """Send on to a page of ours (`/plans/x`); anything else leads to the front page."""
        return RedirectResponse(f"{visit.root}{safe_onward(to)[1:]}", 303)

    async def waiting(self, visit: Visit) -> int:
        """Return how many plans wait for whoever visits."""
        return len(await self.awaited.by(visit))

    def mark(self, visit: Visit) -> str:
        """Return a word that is another whenever what open pages show of plans and the connection may be."""
        return f"{self.rooms.doings.mark}.{int(visit.home.connected)}"

    async def _frame(self, visit: Visit, here: str) -> Frame:
        return Frame(
            home=visit.home.config.name,
            person=visit.caller.person,
            role=visit.say(ROLE_WORDS[visit.caller.role]),
            menu=menu_for(visit.caller.role),
            here=here,
            waiting=await self.waiting(visit),
            mark=self.mark(visit),
            signs_out=visit.asker.session is not None,
            ingress=visit.seen.ingress,
        )


# A mark for the service worker: this one may be shown again while nothing can be reached.
KEPT_BY_THE_BROWSER = {"x-homesteward-page": "kept"}


def _made(visit: Visit, template: str, view: object, **more: object) -> str:
    about = {"root": visit.root, "language": visit.language, "theme": visit.theme, "csrf": visit.csrf}
    return rendered(template, visit.language, view=view, visit=visit, **about, **more)
