"""What Home Assistant tells over REST alone (pictures, calendars, logs): reads only, with the token and the TLS of the socket."""

from collections.abc import Mapping

from homesteward.core.json import JsonValue
from homesteward.home.access import Access
from homesteward.home.courier import Answer, Carries, Courier
from homesteward.home.errors import AuthFailedError, HaError, UnexpectedAnswerError
from homesteward.home.tokens import Tokens

MAX_SAID = 300  # characters of Home Assistant's own words in an error


class Rest:
    """Read over REST. A token that is refused is renewed once, as with the socket."""

    def __init__(self, access: Access, tokens: Tokens, courier: Carries | None = None) -> None:
        """Read from the home at `access`, by another `courier` than one of its own where one is given; nothing is asked yet."""
        self._base = access.rest.rstrip("/")
        self._tokens = tokens
        self._own = Courier(tls=access.tls)
        self._courier: Carries = courier or self._own

    async def json(self, path: str, **query: str) -> JsonValue:
        """Return what `path` (such as `/calendars`, after `/api`) answers.

        Raises HaError with Home Assistant's own words, AuthFailedError, UnexpectedAnswerError for what is no JSON, and as
        `Courier.get` does.
        """
        answer = await self.read(path, **query)
        if (told := answer.json) is None and answer.body.strip() != b"null":
            raise UnexpectedAnswerError(f"{path} answered with something else than JSON.", next="Check its version.")
        return told

    async def read(self, path: str, **query: str) -> Answer:
        """Return the whole answer of `path`, for what is no JSON: a picture, a log; raises as `json` does."""
        url = self._base + within(path)
        token = await self._tokens.current()
        answer = await self._courier.get(url, token=token, query=query or None)
        if answer.status == 401:
            token = await self._tokens.renewed(token)
            answer = await self._courier.get(url, token=token, query=query or None)
        if answer.status == 401:
            raise AuthFailedError(f"for {path}; it may be for administrators only")
        if not answer.ok:
            raise said(path, answer)
        return answer

    async def close(self) -> None:
        """End its own session."""
        await self._own.close()


CODES: Mapping[int, str] = {400: "invalid_format", 403: "unauthorized", 404: "not_found"}


def within(path: str) -> str:
    """Return `path` if it stays under /api: a token must not be led elsewhere."""
    if not path.startswith("/") or path.startswith("//") or ".." in path.split("/") or set(path) & set("?#\\"):
        raise ValueError(path)
    return path


def said(path: str, answer: Answer) -> HaError:
    """Return an answer that is no yes as the error that it is, in Home Assistant's own words."""
    told = answer.json
    message = told.get("message") if isinstance(told, Mapping) else None
    return HaError(CODES.get(answer.status, f"http_{answer.status}"), _worded(path, answer.status, message))


def _worded(path: str, status: int, message: JsonValue) -> str:
    return f"Home Assistant answered {status} for {path}{f': {str(message)[:MAX_SAID]}' if message else ''}."
