"""What a browser is shown in place of a page: how to sign in, or what went wrong and what to do next."""

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from homesteward.core.errors import ErrorInfo
from homesteward.faces.web.cookies import SESSION, cookie_of, drop_cookie
from homesteward.faces.web.door import seen_by
from homesteward.faces.web.pages.rendering import HTMX, bare_page
from homesteward.faces.web.rooms import Rooms

OURS = ("/api/", "/openapi.json", "/static/", "/live")  # read by programs and scripts, and never shown
NOBODY = "not_signed_in"
TOLD = ("www-authenticate", "retry-after")


class Trouble:
    """Show failures to browsers that asked for a page."""

    def __init__(self, rooms: Rooms) -> None:
        """Speak the language of the home where the browser asks for none of ours."""
        self._rooms = rooms

    async def __call__(self, request: Request, error: ErrorInfo, problem: Response) -> Response | None:
        """Return what is shown for `problem`; None where no page was asked for."""
        if request.url.path.startswith(OURS) or "text/html" not in request.headers.get("accept", ""):
            return None
        answer = await self._shown(request, error, problem.status_code)
        for name in TOLD:
            if name in problem.headers:
                answer.headers[name] = problem.headers[name]
        return answer

    async def sign_in(self, request: Request, status: int = 200) -> HTMLResponse:
        """Return how to sign in, and lead back to the page that was asked for."""
        seen, desk = seen_by(request), self._rooms.desk
        onward = request.url.path if request.method == "GET" else "/"
        answer = bare_page(
            request,
            "signed_out",
            language=self._rooms.home.config.language,
            status=status,
            possible=bool(self._rooms.sign_in and self._rooms.sign_in.possible),
            set_up=desk is not None and seen.local and await desk.setup.needed(),
            onward="" if onward == "/" else onward,
        )
        if cookie_of(request, SESSION, seen):  # of a session that is over: it would be refused each time
            drop_cookie(answer, SESSION, seen)
        return answer

    async def _shown(self, request: Request, error: ErrorInfo, status: int) -> Response:
        language = self._rooms.home.config.language
        if HTMX in request.headers:
            if error.code == NOBODY:
                return Response(status_code=401, headers={"hx-refresh": "true"})  # the whole page says how to sign in
            return bare_page(request, "alert", language=language, status=status, message=error.message, next=error.next)
        if error.code == NOBODY:
            return await self.sign_in(request, 401)
        return bare_page(
            request,
            "trouble",
            language=language,
            status=status,
            signing_in=False,
            message=error.message,
            next=error.next,
        )
