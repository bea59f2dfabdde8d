"""Access tokens of half an hour: fetched before they end, once for all who ask, and a refusal that says what to do."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from homesteward.core import FrozenClock
from homesteward.core.json import dumps
from homesteward.home.access import Access, access_of
from homesteward.home.courier import Answer, Courier
from homesteward.home.errors import AuthFailedError, HaError, NotConnectedError, UnexpectedAnswerError
from homesteward.home.rest import Rest
from homesteward.home.tokens import FixedToken, RefreshedToken, tokens_of
from homesteward.settings.settings import HomeAssistantSettings

HOUSE = "http://house.test:8123"
SECRET = "refresh-token-of-many-letters"


class FarDoor:
    """Home Assistant's token endpoint and its REST: numbered tokens, of which the last alone is taken."""

    def __init__(self) -> None:
        self.clock = FrozenClock(datetime(2026, 3, 1, tzinfo=UTC))
        self.asked: list[dict[str, str]] = []
        self.read: list[str] = []
        self.refuses: Answer | None = None
        self.lasts = 1800
        self.pages: dict[str, Answer] = {"/api/config": Answer(200, b'{"state":"RUNNING"}', "application/json")}

    async def post(self, url, form):
        assert url == f"{HOUSE}/auth/token"
        await asyncio.sleep(0)
        self.asked.append(dict(form))
        if self.refuses:
            return self.refuses
        body = {"access_token": f"token {len(self.asked)}", "expires_in": self.lasts, "token_type": "Bearer"}
        return Answer(200, dumps(body).encode(), "application/json")

    async def get(self, url, *, token, query=None):
        assert query is None
        self.read.append(token)
        if token != f"token {len(self.asked)}" or token == "revoked":
            return Answer(401)
        return self.pages.get(url.removeprefix(HOUSE), Answer(404, b'{"message":"Entity not found."}'))

    @property
    def tokens(self) -> RefreshedToken:
        return RefreshedToken(HOUSE, SECRET, f"{HOUSE}/", post=self.post, clock=self.clock)

    def rest(self, tokens) -> Rest:
        return Rest(Access(HOUSE, HOUSE, f"{HOUSE}/api"), tokens, self)


@pytest.fixture
def door() -> FarDoor:
    return FarDoor()


async def test_a_token_is_fetched_once_and_again_before_it_ends(door):
    tokens = door.tokens
    assert {await tokens.current() for _ in range(3)} == {"token 1"}
    door.clock.advance(timedelta(minutes=27))
    assert await tokens.current() == "token 1"
    door.clock.advance(timedelta(minutes=2))
    assert await tokens.current() == "token 2"
    assert door.asked[1] == {"grant_type": "refresh_token", "refresh_token": SECRET, "client_id": f"{HOUSE}/"}


async def test_a_token_shorter_than_the_margin_is_still_used_for_half_of_its_life(door):
    door.lasts, tokens = 10, door.tokens
    assert await tokens.current() == "token 1"
    door.clock.advance(timedelta(seconds=4))
    assert await tokens.current() == "token 1"
    door.clock.advance(timedelta(seconds=2))
    assert await tokens.current() == "token 2"


async def test_many_who_are_refused_at_once_have_one_fetched(door):
    tokens = door.tokens
    refused = await tokens.current()
    assert set(await asyncio.gather(*(tokens.renewed(refused) for _ in range(5)))) == {"token 2"}
    assert len(door.asked) == 2


@pytest.mark.parametrize(
    ("status", "error", "words"),
    [(400, "invalid_grant", "revoked"), (400, "invalid_request", "ha.client_id"), (403, "access_denied", "may not")],
)
async def test_a_refresh_token_that_is_refused_says_why_and_what_to_do_and_not_what_it_is(door, status, error, words):
    door.refuses = Answer(status, dumps({"error": error}).encode())
    with pytest.raises(AuthFailedError) as told:
        await door.tokens.current()
    assert words in told.value.message
    assert "ha.refresh_token" in told.value.next
    assert SECRET not in f"{told.value!r}{told.value.message}{told.value.next}"


@pytest.mark.parametrize("answer", [Answer(502, b"<html>"), Answer(200, b"{}"), Answer(200, b"[]"), Answer(302)])
async def test_an_answer_that_is_none_is_waited_out_and_no_refusal(door, answer):
    door.refuses = answer
    with pytest.raises(NotConnectedError) as told:
        await door.tokens.current()
    assert told.value.retry
    door.refuses = None
    assert (await door.tokens.current()).startswith("token")


async def test_rest_renews_a_refused_token_once(door):
    tokens = door.tokens
    rest = door.rest(tokens)
    assert await rest.json("/config") == {"state": "RUNNING"}
    door.asked.append({})  # the token in use is good for nothing from here on
    assert await rest.json("/config") == {"state": "RUNNING"}
    assert door.read == ["token 1", "token 1", "token 3"]


async def test_a_long_lived_token_that_is_refused_is_not_tried_twice(door):
    with pytest.raises(AuthFailedError) as told:
        await door.rest(FixedToken("revoked")).json("/config")
    assert "long-lived access token" in told.value.next
    assert door.read == ["revoked"]


async def test_what_rest_does_not_find_or_understand_is_an_error_in_its_own_words(door):
    rest = door.rest(door.tokens)
    with pytest.raises(HaError) as told:
        await rest.json("/calendars/calendar.none")
    assert (told.value.code, "Entity not found." in told.value.message) == ("not_found", True)
    door.pages["/api/page"] = Answer(200, b"<html>", "text/html")
    with pytest.raises(UnexpectedAnswerError):
        await rest.json("/page")
    assert (await rest.read("/page")).body == b"<html>"


@pytest.mark.parametrize("path", ["config", "//elsewhere.test/api", "/../auth/token", "/a?token=1", "/a\\b"])
async def test_a_token_is_never_led_elsewhere(door, path):
    with pytest.raises(ValueError, match=r".*"):
        await door.rest(door.tokens).json(path)
    assert door.read == []


def test_the_settings_choose_the_kind_of_token_and_neither_is_shown():
    access = access_of(HomeAssistantSettings(url=HOUSE, token="own", refresh_token=SECRET, client_id=HOUSE), {})
    assert isinstance(tokens_of(access), RefreshedToken)
    assert (access.token, SECRET in repr(access)) == ("", False)
    assert isinstance(tokens_of(access_of(HomeAssistantSettings(url=HOUSE, token="own"), {})), FixedToken)


async def test_what_cannot_be_reached_is_named_without_what_may_be_a_secret():
    async with Courier(tls=True) as courier:
        for url in (
            "http://robin:hunter2@127.0.0.1:9/api/x?token=hunter2",
            "robin:hunter2@nowhere",
            "ftp://robin:hunter2@nowhere",
        ):
            with pytest.raises(NotConnectedError) as told:
                await courier.get(url, token="hunter2", query={"key": "hunter2"})
            assert "hunter2" not in f"{told.value.message}{told.value!r}{told.value.__cause__}"
