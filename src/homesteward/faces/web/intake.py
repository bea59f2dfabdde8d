"""What comes in, before anything reads it: no larger than a request may be, and without a secret where none belongs."""

from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homesteward.core.errors import ErrorInfo
from homesteward.faces.web.problems import problem

MAX_BODY = 1024 * 1024  # bytes; the longest sentence has a few thousand, a call with its targets a few ten thousand


class Intake:
    """Read a request's body whole, within its bound, and take our own secrets out of its path, query, headers and body.

    A token belongs in the `Authorization` header, the one that is left as it is. One pasted into a sentence or an id would be stored with the plan,
    repeated in the answer and shown to a model; taken out here, it can come out nowhere.
    """

    def __init__(self, app: ASGIApp, clean: Callable[[str], str]) -> None:
        """Stand before `app`; `clean` returns a text without our secrets."""
        self._app = app
        self._clean = clean

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, cleaned."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await _whole(receive)
        except _TooLargeError:
            await problem(TOO_LARGE, 413)(scope, receive, send)
            return
        if body is None:
            return
        await self._app(self._without_secrets(scope), _given(self._clean_bytes(body), receive), send)

    def _without_secrets(self, scope: Scope) -> Scope:
        return {
            **scope,
            "path": self._clean(scope["path"]),
            "raw_path": self._clean_bytes(scope.get("raw_path") or b""),
            "query_string": self._clean_bytes(scope["query_string"]),
            "headers": [
                (name, value if name == b"authorization" else self._clean_bytes(value))
                for name, value in scope["headers"]
            ],
        }

    def _clean_bytes(self, data: bytes) -> bytes:
        return self._clean(data.decode(errors="surrogateescape")).encode(errors="surrogateescape")


TOO_LARGE = ErrorInfo("too_large", f"A request has at most {MAX_BODY // 1024} KiB.", retry=False, next="Send less.")


class _TooLargeError(Exception):
    """The body has more bytes than it may."""


async def _whole(receive: Receive) -> bytes | None:
    """Return the body, None where the client left before it was whole: half an approval must not be read as a whole one."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            raise _TooLargeError
        if not message.get("more_body"):
            return b"".join(parts)


def _given(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives the whole body once, then whatever comes after it: a client that leaves."""
    given = False

    async def once() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return once
