"""The front page: Home for whoever is signed in, and for everybody else how to sign in. Beside it, what a browser chooses for itself."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from homesteward.faces.web.cookies import LOOK, LOOK_S, LOOKS, drop_cookie, set_cookie
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.fields import fields_of
from homesteward.faces.web.origin import require_same_origin, safe_onward
from homesteward.faces.web.pages.files import file_answer
from homesteward.faces.web.pages.home import home_view
from homesteward.faces.web.pages.rendering import bare_page
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.trouble import Trouble
from homesteward.people.errors import NobodyError

WORKER = "service-worker.js"


def front(stage: Stage) -> APIRouter:
    """Return the routes that anybody may use."""
    router = APIRouter(include_in_schema=False)
    trouble = Trouble(stage.rooms)

    @router.get("/")
    async def front_page(request: Request) -> Response:
        """Show Home, or how to sign in."""
        try:
            asker = await stage.entrance.asker(request)
        except NobodyError:
            return await trouble.sign_in(request)
        visit = stage.visit(request, asker)
        return await stage.page(visit, "home", await home_view(stage, visit), here="home")

    @router.get("/static/{name}")
    async def static(name: str, request: Request) -> Response:
        """Return a file that the pages need."""
        return file_answer(name, request)

    @router.get("/service-worker.js")
    async def worker(request: Request) -> Response:
        """Return the service worker; its address says for which pages it works."""
        return file_answer(WORKER, request)

    @router.get("/offline")
    async def offline(request: Request) -> Response:
        """Return what a browser shows while it reaches nothing and keeps nothing."""
        return bare_page(request, "offline", language=stage.rooms.home.config.language)

    @router.post("/look")
    async def look(request: Request) -> Response:
        """Keep in this browser whether it shows light or dark; anything else leaves that to the device."""
        seen = seen_by(request)
        require_same_origin(request, seen)
        fields = await fields_of(request)
        answer = RedirectResponse(f".{safe_onward(fields.get('onward', '/'))}", 303)
        if (chosen := fields.get("look")) in LOOKS:
            set_cookie(answer, LOOK, chosen, seen, max_age=LOOK_S)
        else:
            drop_cookie(answer, LOOK, seen)
        return answer

    return router
