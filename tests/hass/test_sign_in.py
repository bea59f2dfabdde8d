"""Signing in with a real Home Assistant: it says who a person is, and keeps no token that this took."""

import base64
import hashlib
import secrets

import aiohttp
import pytest

from hass.raw import raw_socket
from homesteward.home.access import Access
from homesteward.home.sign_in import HaSignIn, SignInFailedError

pytestmark = pytest.mark.hass

HERE = "http://127.0.0.1:8126/"
CALLBACK = f"{HERE}auth/callback"


def verifier():
    made = secrets.token_urlsafe(48)
    return made, base64.urlsafe_b64encode(hashlib.sha256(made.encode()).digest()).decode().rstrip("=")


async def typed_in(home, user, challenge, client_id=HERE, callback=CALLBACK):
    """Do what Home Assistant's own page does with a name and a password, and return the code it gives."""
    start = {
        "client_id": client_id,
        "handler": ["homeassistant", None],
        "redirect_uri": callback,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    async with aiohttp.ClientSession(home.address.url) as session:
        async with session.post("/auth/login_flow", json=start) as answer:
            flow = (await answer.json())["flow_id"]
        typed = {"client_id": client_id, "username": user, "password": home.address.password}
        async with session.post(f"/auth/login_flow/{flow}", json=typed) as answer:
            return (await answer.json())["result"]


async def tokens_of(home, token):
    async with raw_socket(home.address.url, token) as socket:
        return await socket.ask("auth/refresh_tokens")


@pytest.fixture
def sign_in(demo_home):
    return HaSignIn(Access(demo_home.address.url))


async def test_home_assistant_says_who_an_owner_and_a_member_are(demo_home, sign_in):
    for user, name, is_admin in (("owner", "Robin", True), ("member", "Sam", False)):
        secret, challenge = verifier()
        told = await sign_in.user_of(await typed_in(demo_home, user, challenge), HERE, secret)
        assert (told.name, told.is_admin) == (name, is_admin)


async def test_no_token_of_a_sign_in_is_left_with_home_assistant(demo_home, sign_in):
    before = await tokens_of(demo_home, demo_home.address.member_token)
    secret, challenge = verifier()
    await sign_in.user_of(await typed_in(demo_home, "member", challenge), HERE, secret)
    after = await tokens_of(demo_home, demo_home.address.member_token)
    assert [token["id"] for token in after] == [token["id"] for token in before]
    assert HERE not in {token["client_id"] for token in after}


async def test_a_token_that_an_earlier_sign_in_left_behind_is_ended_by_the_next(demo_home, sign_in):
    secret, challenge = verifier()
    code = await typed_in(demo_home, "member", challenge)
    form = {"grant_type": "authorization_code", "code": code, "client_id": HERE, "code_verifier": secret}
    async with aiohttp.ClientSession() as session, session.post(f"{demo_home.address.url}/auth/token", data=form) as _:
        pass
    assert HERE in {token["client_id"] for token in await tokens_of(demo_home, demo_home.address.member_token)}
    secret, challenge = verifier()
    await sign_in.user_of(await typed_in(demo_home, "member", challenge), HERE, secret)
    assert HERE not in {token["client_id"] for token in await tokens_of(demo_home, demo_home.address.member_token)}


async def test_a_code_is_worth_nothing_without_the_verifier_it_was_asked_for_with(demo_home, sign_in):
    _, challenge = verifier()
    with pytest.raises(SignInFailedError):
        await sign_in.user_of(await typed_in(demo_home, "member", challenge), HERE, verifier()[0])


async def test_a_code_that_home_assistant_did_not_give_is_refused(sign_in):
    with pytest.raises(SignInFailedError):
        await sign_in.user_of("0" * 32, HERE, verifier()[0])


async def test_a_home_assistant_that_is_away_is_said_to_be():
    with pytest.raises(SignInFailedError) as raised:
        await HaSignIn(Access("http://127.0.0.1:9")).user_of("x", HERE, verifier()[0])
    assert raised.value.retry


async def test_behind_the_supervisor_the_browsers_address_has_to_be_set():
    inside = Access("http://supervisor/core")
    assert not HaSignIn(inside).possible
    there = HaSignIn(inside, "https://home.example:8443/").address(HERE, CALLBACK, "s", "c")
    assert there.startswith("https://home.example:8443/auth/authorize?response_type=code&client_id=http")
