"""The door: every answer leaves with the headers that keep a browser from doing more with it, and no request passes under a name not ours."""

from collections.abc import Awaitable, Callable

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homesteward.faces.web.address import Addresses, Seen, UnknownHostError
from homesteward.faces.web.cookies import written_cookie
from homesteward.faces.web.problems import problem

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {frames}"
)

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # never leaves the house, and keeps Origin whole on forms of our own
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(self), payment=(), usb=()",
}


class Door:
    """Find out how a request sees us, before anything else of it is looked at."""

    def __init__(self, app: ASGIApp, addresses: Addresses) -> None:
        """Stand before `app`."""
        self._app = app
        self._addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with how it sees us, or refuse it. There is no WebSocket here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            seen = self._addresses.seen(scope)
        except UnknownHostError as error:
            await problem(error.info)(scope, receive, send)
            return
        scope.setdefault("state", {})["seen"] = seen
        await self._app(scope, receive, _guarded(send, seen, scope))


def seen_by(connection: HTTPConnection) -> Seen:
    """Return how the request sees us, as the door found it."""
    seen: Seen = connection.state.seen
    return seen


def keep_cookie(
    connection: HTTPConnection, kind: str, value: str, max_age: int, still: Callable[[], Awaitable[bool]]
) -> None:
    """Have the browser keep a cookie with whatever the answer will be, a stream or a failure too.

    `still` is asked as the answer leaves: an older cookie that arrives after a newer one would sign the browser out.
    """
    connection.state.cookie = (kind, value, max_age, still)


def _guarded(send: Send, seen: Seen, scope: Scope) -> Send:
    frames = "'self'" if seen.ingress else "'none'"  # ingress shows it in a frame of the same origin

    async def guarded(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers["content-security-policy"] = POLICY.format(frames=frames)
            headers.setdefault("cache-control", "no-store")
            for name, value in HEADERS.items():
                headers[name] = value
            if kept := scope["state"].get("cookie"):
                kind, value, max_age, still = kept
                if await still():
                    headers.append("set-cookie", written_cookie(kind, value, seen, max_age=max_age))
        await send(message)

    return guarded
