"""Signing in with Home Assistant: it says who a person is, once, and the tokens that this took are given back at once."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Protocol

import aiohttp
from yarl import URL

from homesteward.core.errors import HomestewardError
from homesteward.home.access import SUPERVISOR, Access
from homesteward.home.connection import Connection
from homesteward.home.errors import HomeError, UnexpectedAnswerError
from homesteward.home.users import HaUser

_LOG = logging.getLogger(__name__)

BEHIND_SUPERVISOR = (
    "http://homeassistant:8123"  # the Supervisor passes on the API and the socket, and not what signs in
)
TIMEOUT = aiohttp.ClientTimeout(total=15)
GONE_S = 5.0  # Home Assistant ends the connections of a token as it takes the token back


class SignInFailedError(HomestewardError):
    """Home Assistant did not say who it is; nobody is signed in."""

    code = "sign_in_failed"


class SignIn(Protocol):
    """How a browser is sent to Home Assistant, and what comes of what it brings back."""

    @property
    def possible(self) -> bool:
        """Return whether it is known where a browser finds Home Assistant."""
        ...

    def address(self, client_id: str, redirect_uri: str, state: str, challenge: str) -> str:
        """Return where the browser has to go; `challenge` is the S256 one of the verifier that `user_of` will be given."""
        ...

    async def user_of(self, code: str, client_id: str, verifier: str) -> HaUser:
        """Return whose `code` it is; raise SignInFailedError."""
        ...


class HaSignIn:
    """Sign in at the home that `access` reaches; browsers find it at `browser_url`, where that is another address."""

    def __init__(self, access: Access, browser_url: str = "") -> None:
        """Keep the addresses. Nothing is asked yet."""
        supervised = access.url == SUPERVISOR
        self._server = BEHIND_SUPERVISOR if supervised else access.url.rstrip("/")
        self._browser = browser_url.rstrip("/") or ("" if supervised else self._server)
        self._tls = access.tls
        self._turn = asyncio.Lock()

    @property
    def possible(self) -> bool:
        """Return whether it is known where a browser finds Home Assistant."""
        return bool(self._browser)

    def address(self, client_id: str, redirect_uri: str, state: str, challenge: str) -> str:
        """Return where the browser has to go. A Home Assistant that does not know of challenges passes them over."""
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return str(URL(f"{self._browser}/auth/authorize") % query)

    async def user_of(self, code: str, client_id: str, verifier: str) -> HaUser:
        """Return whose `code` it is, once no token that this took is left with Home Assistant; raise SignInFailedError.

        One after the other: what one takes for left behind would be what another of the same person is just using.
        """
        try:
            async with self._turn, aiohttp.ClientSession(timeout=TIMEOUT) as session:
                return await self._user(session, code, client_id, verifier)
        except (aiohttp.ClientError, TimeoutError, HomeError) as error:
            raise SignInFailedError(
                f"Home Assistant could not be asked who you are ({type(error).__name__}).",
                retry=True,
                next="Check that it runs, then sign in again.",
            ) from error

    async def _user(self, session: aiohttp.ClientSession, code: str, client_id: str, verifier: str) -> HaUser:
        given = await self._exchanged(session, code, client_id, verifier)
        try:
            connection = await Connection.open(self._server, given["access_token"], tls=self._tls)
        except BaseException:
            await self._revoke(session, given["refresh_token"])
            raise
        try:
            try:
                user = _user(await connection.send("auth/current_user"))
                await _end_older(connection, client_id)
            finally:
                await self._revoke(session, given["refresh_token"])
            await _gone(connection)
        finally:
            await connection.close()
        return user

    async def _exchanged(
        self, session: aiohttp.ClientSession, code: str, client_id: str, verifier: str
    ) -> Mapping[str, Any]:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "client_id": client_id,
            "code_verifier": verifier,
        }
        async with session.post(f"{self._server}/auth/token", data=form, ssl=self._tls) as answer:
            said = await answer.json(content_type=None) if answer.status < 500 else {}
        if not isinstance(said, dict) or not {"access_token", "refresh_token"} <= said.keys():
            why = said.get("error_description") if isinstance(said, dict) else None
            raise SignInFailedError(
                f"Home Assistant did not accept the sign-in{f' ({why})' if why else ''}.", next="Sign in again."
            )
        return said

    async def _revoke(self, session: aiohttp.ClientSession, token: str) -> None:
        async with session.post(f"{self._server}/auth/revoke", data={"token": token}, ssl=self._tls) as answer:
            if answer.status != 200:
                _LOG.warning("Home Assistant answered %d when a sign-in's token was given back", answer.status)


def _user(said: Any) -> HaUser:  # noqa: ANN401 - an answer, not yet looked at
    match said:
        case {"id": str(id_), "name": name, "is_admin": bool(is_admin)}:
            return HaUser(id_, str(name or ""), is_admin)
        case _:
            raise UnexpectedAnswerError("Home Assistant does not say who the user is.", next="Look at its version.")


async def _end_older(connection: Connection, client_id: str) -> None:
    """End what an earlier sign-in of this person's left behind here because it was cut off."""
    for token in await _tokens(connection):
        if token.get("client_id") == client_id and not token.get("is_current"):
            await connection.send("auth/delete_refresh_token", refresh_token_id=token["id"])


async def _gone(connection: Connection) -> None:
    """Return when Home Assistant has ended the token of `connection`; raise SignInFailedError if it keeps it."""
    if await _ended(connection):
        return
    for token in await _tokens(connection):
        if token.get("is_current"):
            await connection.send("auth/delete_refresh_token", refresh_token_id=token["id"])
    if not await _ended(connection):
        raise SignInFailedError(
            "Home Assistant did not take back the token of this sign-in, so nobody is signed in.",
            next="Delete it in Home Assistant (profile, security), then sign in again.",
        )


async def _ended(connection: Connection) -> bool:
    done, _ = await asyncio.wait([connection.closed], timeout=GONE_S)
    return bool(done)


async def _tokens(connection: Connection) -> list[Mapping[str, Any]]:
    said = await connection.send("auth/refresh_tokens")
    return [token for token in said if isinstance(token, dict)] if isinstance(said, list) else []
