"""Changes of configuration on the wire: where they go, once, and what each answer means."""

import pytest

from homesteward.home.access import Access
from homesteward.home.config_source import ConfigSource
from homesteward.home.courier import Answer
from homesteward.home.errors import (
    AuthFailedError,
    CallFailedError,
    CallUncertainError,
    ConnectionLostError,
    HaError,
    HaTimeoutError,
    NotConnectedError,
)
from homesteward.home.rest import Rest
from homesteward.home.tokens import FixedToken
from homesteward.home.write import HaWriter

HOUSE = "http://house.test:8123"
ACCESS = Access(HOUSE, HOUSE, f"{HOUSE}/api")


class Renewed(FixedToken):
    """Another token as soon as one is refused."""

    async def renewed(self, refused):
        return f"{refused} again"


class FarHouse:
    """What answers over REST and over the socket."""

    def __init__(self):
        self.answers = []
        self.sent = []

    async def change(self, method, url, *, token, body=None):
        self.sent.append((method, url, token, body))
        return self._answer()

    async def get(self, url, *, token, query=None):
        self.sent.append(("GET", url, token, query))
        return self._answer()

    async def send(self, kind, /, *, timeout_s, **fields):
        assert timeout_s
        self.sent.append((kind, fields))
        return self._answer()

    def _answer(self):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.fixture
def house():
    return FarHouse()


@pytest.fixture
def writer(house):
    return HaWriter(ACCESS, Renewed("token"), house, house)


@pytest.fixture
def source(house):
    return ConfigSource(Rest(ACCESS, FixedToken("token"), house), house)


async def test_an_object_is_put_under_its_key_once(writer, house):
    house.answers = [Answer(200, b'{"result":"ok"}')]
    await writer.put("automation", "1700", {"alias": "A"})
    assert house.sent == [("POST", f"{HOUSE}/api/config/automation/config/1700", "token", {"alias": "A"})]


async def test_a_removal_has_no_body(writer, house):
    house.answers = [Answer(200, b'{"result":"ok"}')]
    await writer.remove("scene", "x")
    assert house.sent == [("DELETE", f"{HOUSE}/api/config/scene/config/x", "token", None)]


@pytest.mark.parametrize("status", [400, 405, 500])
async def test_a_refusal_has_home_assistants_own_words_and_is_not_repeated(writer, house, status):
    """E48: an answer other than yes is never taken for one."""
    house.answers = [Answer(status, b'{"message":"Message malformed: expected a list"}')]
    with pytest.raises(CallFailedError, match=f"answered {status} .*Message malformed: expected a list"):
        await writer.put("automation", "x", {})
    assert len(house.sent) == 1


async def test_a_token_that_is_refused_at_the_door_is_renewed_once(writer, house):
    house.answers = [Answer(401), Answer(200, b"{}")]
    await writer.put("script", "x", {})
    assert [token for _, _, token, _ in house.sent] == ["token", "token again"]

    house.answers = [Answer(401), Answer(401)]
    with pytest.raises(AuthFailedError):
        await writer.put("script", "x", {})


@pytest.mark.parametrize("lost", [HaTimeoutError("It took too long."), NotConnectedError("it went away")])
async def test_what_was_not_answered_is_not_known_and_not_repeated(writer, house, lost):
    house.answers = [lost]
    with pytest.raises(CallUncertainError):
        await writer.put("script", "x", {})
    assert len(house.sent) == 1


@pytest.mark.parametrize("key", ["../core/x", "a/../b", "a?b", "a#b"])
async def test_a_key_leads_nowhere_else(writer, house, key):
    with pytest.raises(ValueError, match="config"):
        await writer.put("script", key, {})
    assert house.sent == []


async def test_only_what_is_in_the_table_is_sent(writer, source, house):
    for command in ("hassio/update", "config/auth/delete", "call_service"):
        with pytest.raises(ValueError, match=command):
            await writer.command(command)
        with pytest.raises(ValueError, match=command):
            await source.ask(command)
    with pytest.raises(ValueError, match="lovelace/config/save"):
        await source.ask("lovelace/config/save")
    assert house.sent == []


@pytest.mark.parametrize(
    ("answer", "becomes"),
    [
        (HaError("invalid_format", "no such field"), CallFailedError),
        (ConnectionLostError(), CallUncertainError),
        (HaTimeoutError("It took too long."), CallUncertainError),
        (NotConnectedError(), NotConnectedError),
    ],
)
async def test_a_command_ends_as_its_answer_says(writer, house, answer, becomes):
    house.answers = [answer]
    with pytest.raises(becomes):
        await writer.command("config/area_registry/create", name="x")
    assert house.sent == [("config/area_registry/create", {"name": "x"})]


async def test_what_is_not_there_is_none_and_any_other_refusal_is_an_error(source, house):
    house.answers = [Answer(404, b'{"message":"Resource not found"}'), Answer(500), Answer(200, b'{"alias":"A"}')]
    assert await source.stored("automation", "x") is None
    with pytest.raises(HaError):
        await source.stored("automation", "x")
    assert await source.stored("automation", "x") == {"alias": "A"}
