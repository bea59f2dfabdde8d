"""A real Home Assistant that is reached with a refresh token: renewed as it must be, and refused in words that help."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import aiohttp
import pytest

from hass.proxy import CERTIFICATE, proxy_to
from hass.raw import raw_socket
from homesteward.core.redaction import Redactor
from homesteward.demo import DemoHome
from homesteward.home.access import Access, access_of
from homesteward.home.courier import Courier
from homesteward.home.errors import AuthFailedError, HaError, NotConnectedError, TooLargeError
from homesteward.home.life import Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror
from homesteward.home.rest import Rest
from homesteward.home.tokens import tokens_of
from homesteward.settings.settings import HomeAssistantSettings

pytestmark = [pytest.mark.hass, pytest.mark.timeout(300)]

SHORT_S = 3.0  # as Home Assistant would give for half an hour


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A home, and what a sign-in at it left in our hands."""

    home: DemoHome
    refresh_token: str
    client_id: str

    def access(self, **more: object) -> Access:
        settings = {"url": self.home.address.url, "refresh_token": self.refresh_token, "client_id": self.client_id}
        return access_of(HomeAssistantSettings.model_validate(settings | more), {})


@pytest.fixture(scope="module")
async def brief_home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SignedIn]:
    """The furnished house, in which the access tokens of this sign-in live for three seconds."""
    directory = tmp_path_factory.mktemp("brief-home")
    home = await DemoHome.start(directory)
    try:
        refresh_token, client_id = await signed_in(home)
        await home.stop()
        shorten(directory, refresh_token)
        await home.restart()
        yield SignedIn(home, refresh_token, client_id)
    finally:
        await home.stop()


@asynccontextmanager
async def linked(access: Access) -> AsyncIterator[HomeLink]:
    link = HomeLink(access, Mirror("home_test"), redactor=Redactor())
    await link.start()
    try:
        await link.settled()
        yield link
    finally:
        await link.close()


async def test_socket_and_rest_go_on_after_the_end_of_the_token_that_opened_them(brief_home: SignedIn):
    async with proxy_to(brief_home.home.address.url) as way, linked(brief_home.access(url=way.url)) as link:
        access, first = brief_home.access(), await link.tokens.current()
        rest = Rest(access, link.tokens)
        try:
            await ended(access, first)
            found = await rest.json("/config")
        finally:
            await rest.close()
        assert isinstance(found, dict)
        assert found["state"] == "RUNNING"
        assert link.life.phase is Phase.LIVE  # a socket outlives the token that opened it
        assert await link.tokens.current() != first

        back = asyncio.Event()
        undo = link.life.watch(lambda phase: back.set() if phase is Phase.LIVE else None)
        way.cut()
        async with asyncio.timeout(60):
            await back.wait()
        undo()
        assert link.trouble is None


async def test_a_token_that_home_assistant_forgot_is_renewed_once_before_anybody_is_asked(brief_home: SignedIn):
    access = brief_home.access()
    link = HomeLink(access, Mirror("home_test"))
    link.tokens._token, link.tokens._good_until = "eyJ.not.known", link._clock.now().replace(year=2100)
    await link.start()
    try:
        await link.settled(20)
        assert link.life.phase is Phase.LIVE
        assert link.attempts == 1
    finally:
        await link.close()


async def test_behind_a_certificate_that_nobody_signed_both_ways_are_opened_by_the_same_option(brief_home: SignedIn):
    async with proxy_to(brief_home.home.address.url, secure=True) as way:
        strict = brief_home.access(url=way.url)
        with pytest.raises(NotConnectedError) as told:
            await tokens_of(strict).current()
        assert "ha.verify_tls" in told.value.next
        # the client id's host need not be the proxy's: this is what a person signed in at
        for option in ({"verify_tls": False}, {"ca_file": CERTIFICATE}):
            access = brief_home.access(url=way.url, **option)
            async with linked(access) as link:
                rest = Rest(access, link.tokens)
                try:
                    assert await rest.json("/") == {"message": "API running."}
                finally:
                    await rest.close()


async def test_rest_reads_a_picture_and_says_what_is_not_there(brief_home: SignedIn):
    rest = Rest(brief_home.access(), tokens_of(brief_home.access()))
    try:
        picture = await rest.read("/camera_proxy/camera.doorbell")
        assert (picture.content_type, len(picture.body) > 1000) == ("image/jpeg", True)
        with pytest.raises(HaError) as told:
            await rest.json("/states/light.never")
        assert (told.value.code, "Entity not found" in told.value.message) == ("not_found", True)
    finally:
        await rest.close()


async def test_an_answer_that_is_too_large_is_not_taken(brief_home: SignedIn):
    access = brief_home.access()
    async with Courier(tls=access.tls, max_body=2**14) as courier:
        with pytest.raises(TooLargeError):
            await courier.get(f"{access.rest}/states", token=await tokens_of(access).current())


async def test_a_refresh_token_of_another_client_is_refused_with_what_to_do(brief_home: SignedIn):
    with pytest.raises(AuthFailedError, match=r"ha\.client_id"):
        await tokens_of(brief_home.access(client_id="http://127.0.0.1:1/")).current()


async def test_a_revoked_refresh_token_is_auth_failed_and_says_what_to_do(brief_home: SignedIn):
    """The last of this file: it takes the token back."""
    access = brief_home.access()
    async with linked(access) as link:
        lost = asyncio.Event()
        undo = link.life.watch(lambda phase: lost.set() if phase is Phase.COOLING_DOWN and link.trouble else None)
        async with aiohttp.ClientSession() as session:
            form = {"token": brief_home.refresh_token}
            await session.post(f"{brief_home.home.address.url}/auth/revoke", data=form)
        async with asyncio.timeout(60):
            while not isinstance(link.trouble, AuthFailedError):
                lost.clear()
                await lost.wait()
        undo()
        assert link.trouble is not None
        assert "revoked" in link.trouble.message
        assert "ha.refresh_token" in link.trouble.next
        assert brief_home.refresh_token not in json.dumps(link.health())


async def ended(access: Access, token: str) -> None:
    """Return when Home Assistant takes this access token no more: ten seconds after its end, and it tells nobody."""
    async with asyncio.timeout(60), Courier(tls=access.tls) as courier:
        for _ in count():
            if not (await courier.get(f"{access.rest}/", token=token)).ok:
                return
            await asyncio.sleep(0.2)


async def signed_in(home: DemoHome) -> tuple[str, str]:
    """Sign in at the form as the owner, and return the refresh token and the client it was given to."""
    url, client_id = home.address.url, f"{home.address.url}/"
    async with aiohttp.ClientSession() as session:
        begin = {"client_id": client_id, "handler": ["homeassistant", None], "redirect_uri": client_id}
        flow = await (await session.post(f"{url}/auth/login_flow", json=begin)).json()
        form = {"client_id": client_id, "username": home.address.user, "password": home.address.password}
        step = await (await session.post(f"{url}/auth/login_flow/{flow['flow_id']}", json=form)).json()
        code = {"grant_type": "authorization_code", "code": step["result"], "client_id": client_id}
        given = await (await session.post(f"{url}/auth/token", data=code)).json()
    async with raw_socket(url, given["access_token"]) as socket:
        assert (await socket.ask("auth/current_user"))["is_admin"]
    return given["refresh_token"], client_id


def shorten(directory: Path, refresh_token: str) -> None:
    """Have the stopped home in `directory` give short access tokens for this refresh token."""
    file = directory / ".storage" / "auth"
    document = json.loads(file.read_text())
    (row,) = [row for row in document["data"]["refresh_tokens"] if row["token"] == refresh_token]
    row["access_token_expiration"] = SHORT_S
    file.write_text(json.dumps(document))
