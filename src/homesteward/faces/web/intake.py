"""What comes in, before anything reads it: of somebody known, no larger and no slower than a request may be, and without a secret where none belongs."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from homesteward.core.errors import HomestewardError
from homesteward.faces.web.problems import problem_of

MAX_BODY = 1024 * 1024  # bytes; the longest sentence has a few thousand, a call with its targets a few ten thousand
MAX_OPEN_BODY = 16 * 1024  # of somebody who need not be known: a form of the set-up
MAX_HELD = 32 * 1024 * 1024  # bytes of all requests that are under way
BODY_S = 20.0  # how long a body may take; a phone at the edge of the network sends a sentence within it
FOR_SOMEBODY = "/api/"  # under which a body is taken from somebody who is known alone

type Admit = Callable[[Scope], Awaitable[None]]


async def admit_all(_scope: Scope) -> None:
    """Know everybody."""


class Intake:
    """Read a request's body whole, within its bound, and take our own secrets out of its path, query, headers and body.

    A token belongs in the `Authorization` header, the one that is left as it is. One pasted into a sentence or an id would be stored with the plan,
    repeated in the answer and shown to a model; taken out here, it can come out nowhere.
    """

    def __init__(
        self, app: ASGIApp, clean: Callable[[str], str], admit: Admit = admit_all, body_s: float = BODY_S
    ) -> None:
        """Stand before `app`; `clean` returns a text without our secrets, `admit` raises for somebody who is not known."""
        self._app = app
        self._clean = clean
        self._admit = admit
        self._body_s = body_s
        self.held = 0
        """Bytes of all the bodies that are taken in at the moment."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, cleaned."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        taken = _Taken(self)
        try:
            body = await self._taken_in(scope, receive, taken)
            if body is not None:
                await self._app(self._without_secrets(scope), _given(self._clean_bytes(body), receive), send)
        except _RefusedError as refused:
            await _refuse(refused.error, scope, receive, send)
        finally:
            taken.give_back()

    async def _taken_in(self, scope: Scope, receive: Receive, taken: _Taken) -> bytes | None:
        """Return the body, once it is known who sends it; None where the client left before it was whole.

        Raises _RefusedError for one that is too large or too slow, or of somebody who is not known.
        """
        known = scope["path"].startswith(FOR_SOMEBODY)
        try:
            if known and _brings_something(scope):
                await self._admit(scope)
            async with asyncio.timeout(self._body_s):
                return await _whole(receive, taken, MAX_BODY if known else MAX_OPEN_BODY)
        except HomestewardError as error:
            raise _RefusedError(error) from error
        except TimeoutError:
            raise _RefusedError(TooSlowError()) from None

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


class TooLargeError(HomestewardError):
    """The body has more bytes than it may."""

    code = "too_large"

    def __init__(self, most: int) -> None:
        """Say how many it may have."""
        super().__init__(f"Such a request has at most {most // 1024} KiB.", next="Send less.")


class TooSlowError(HomestewardError):
    """The body did not come in time."""

    code = "too_slow"

    def __init__(self) -> None:
        """Say that it may be sent again."""
        super().__init__("The request did not arrive whole in time.", retry=True, next="Send it again.")


class OverloadedError(HomestewardError):
    """As much is taken in as fits at once."""

    code = "overloaded"

    def __init__(self) -> None:
        """Say that it may be sent again."""
        super().__init__("Too much is sent at once.", retry=True, next="Try again in a moment.")


class _RefusedError(Exception):
    """The request goes no further, and `error` says why: an error of the application behind us is none of ours."""

    def __init__(self, error: HomestewardError) -> None:
        super().__init__(error.message)
        self.error = error


class _Taken:
    """What one request holds of the bytes that all may hold together."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self.size = 0

    def take(self, size: int) -> None:
        """Hold so many more; raise OverloadedError where that would be too much for all of them."""
        if self._intake.held + size > MAX_HELD:
            raise OverloadedError
        self.size += size
        self._intake.held += size

    def give_back(self) -> None:
        """Hold nothing any more."""
        self._intake.held -= self.size
        self.size = 0


async def _refuse(error: HomestewardError, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer, and end the connection: whatever is still on its way is read by nobody."""
    answer = problem_of(error)
    answer.headers["connection"] = "close"
    await answer(scope, receive, send)


def _brings_something(scope: Scope) -> bool:
    """Return whether a body comes, as HTTP/1.1 says it: by its length, or in pieces."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return any(length.strip() != b"0" for length in lengths) or any(
        name == b"transfer-encoding" for name, _ in scope["headers"]
    )


async def _whole(receive: Receive, taken: _Taken, most: int) -> bytes | None:
    """Return the body, None where the client left before it was whole: half an approval must not be read as a whole one."""
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        taken.take(len(parts[-1]))
        if taken.size > most:
            raise TooLargeError(most)
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
