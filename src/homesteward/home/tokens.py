"""The access token at this moment: one that was made for good, or short ones that a refresh token is good for."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from homesteward.core import Clock, SystemClock
from homesteward.home.access import Access
from homesteward.home.courier import Answer, Courier
from homesteward.home.errors import AuthFailedError, HomeError, NotConnectedError

EARLY = timedelta(minutes=2)  # before its end a token is renewed: HA gives it 30 minutes, and clocks differ a little
SIGN_IN_AGAIN = (
    "Sign in to Home Assistant anew and set ha.refresh_token and ha.client_id from that sign-in, "
    "or set a long-lived access token (profile, security) as ha.token."
)

type Post = Callable[[str, Mapping[str, str]], Awaitable[Answer]]


class Tokens(Protocol):
    """Where the socket and REST get the access token from."""

    async def current(self) -> str:
        """Return a token that should be accepted now; raises AuthFailedError or NotConnectedError."""
        ...

    async def renewed(self, refused: str) -> str:
        """Return another one after Home Assistant `refused` this; raises AuthFailedError where there is none."""
        ...


class FixedToken:
    """A long-lived token: there is no other when it is refused."""

    def __init__(self, token: str) -> None:
        """Give `token` whenever one is asked for."""
        self._token = token

    async def current(self) -> str:
        """Return the token."""
        return self._token

    async def renewed(self, refused: str) -> str:
        """Raise AuthFailedError."""
        del refused
        raise AuthFailedError


class RefreshedToken:
    """Short tokens, each fetched when the one before is about to end or was refused. Many may ask at once: one is fetched."""

    def __init__(
        self,
        url: str,
        refresh_token: str,
        client_id: str,
        *,
        post: Post,
        clock: Clock | None = None,
    ) -> None:
        """Fetch from the Home Assistant at `url`; `client_id` is the address that the refresh token was given to."""
        self._url = f"{url.rstrip('/')}/auth/token"
        self._form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        if client_id:
            self._form["client_id"] = client_id
        self._post = post
        self._clock = clock or SystemClock()
        self._token = ""
        self._good_until: datetime | None = None
        self._lock = asyncio.Lock()

    async def current(self) -> str:
        """Return a token that is good for some minutes; raises AuthFailedError, NotConnectedError or HaTimeoutError."""
        async with self._lock:
            if not self._good():
                await self._fetch()
            return self._token

    async def renewed(self, refused: str) -> str:
        """Return another token than `refused`, which somebody else may have fetched meanwhile; raises as `current` does."""
        async with self._lock:
            if self._token == refused:
                await self._fetch()
            return self._token

    def _good(self) -> bool:
        return self._good_until is not None and self._clock.now() < self._good_until

    async def _fetch(self) -> None:
        self._token, self._good_until = "", None
        answer = await self._post(self._url, self._form)
        said = answer.json if isinstance(answer.json, Mapping) else {}
        token, lasts = said.get("access_token"), said.get("expires_in")
        if not answer.ok or not isinstance(token, str) or not token:
            raise _refusal(answer, said)
        life = timedelta(seconds=lasts) if isinstance(lasts, int | float) and lasts > 0 else EARLY
        self._token, self._good_until = token, self._clock.now() + life - min(EARLY, life / 2)


def tokens_of(access: Access, clock: Clock | None = None) -> Tokens:
    """Return where the token of `access` comes from."""
    if access.refresh is None:
        return FixedToken(access.token)

    async def post(url: str, form: Mapping[str, str]) -> Answer:
        async with Courier(
            tls=access.tls
        ) as courier:  # one every half an hour: nothing is worth being kept open for it
            return await courier.post(url, form)

    return RefreshedToken(access.url, access.refresh.token, access.refresh.client_id, post=post, clock=clock)


def _refusal(answer: Answer, said: Mapping[str, object]) -> HomeError:
    """Return what an answer without a token means; nothing of what was sent is in it."""
    why = REFUSALS.get(str(said.get("error")))
    if answer.status in {400, 401, 403} and why:
        detail = said.get("error_description")
        return AuthFailedError(f"{why}{f': {detail}' if isinstance(detail, str) else ''}", next=SIGN_IN_AGAIN)
    return NotConnectedError(f"it gave no access token (HTTP {answer.status})")


REFUSALS: Mapping[str, str] = {
    "invalid_grant": "the refresh token was revoked, has expired or is of another Home Assistant",
    "invalid_request": "the refresh token was given to another client than ha.client_id",
    "access_denied": "the user may not sign in",
}
