"""A chronicle that cannot be opened keeps the house from nothing: it says why, answers with it, and tries again where that may pass."""

import asyncio
import logging

import pytest

from chronicles import START, act
from homes import small_home
from homesteward.app import memory as module
from homesteward.app.memory import open_memory
from homesteward.chronicle.chronicle import CHRONICLE_FILE, Chronicle
from homesteward.chronicle.query import Query
from homesteward.core import FrozenClock
from homesteward.core.errors import HomestewardError
from homesteward.core.redaction import Redactor
from homesteward.home.life import Life, Phase, Turn
from homesteward.settings import Settings
from homesteward.store.failures import busy, failing, full, refused, unknown, unreachable, unreadable

PASSING = [make("The chronicle", "why") for make in (busy, failing, full, refused, unknown, unreachable)]
LAMP = "light.hall"


@pytest.fixture
def fails(monkeypatch):
    """Let the chronicle fail to open, as often as there are errors."""
    errors, real, tried = [], Chronicle.open, asyncio.Event()

    async def go(*args, **kwargs):
        if errors:
            raise errors.pop(0)
        tried.set()
        return await real(*args, **kwargs)

    monkeypatch.setattr(Chronicle, "open", go)
    monkeypatch.setattr(module, "AGAIN_S", 0.01)
    go.errors, go.tried = errors, tried
    return go


def opening(folder, home=None, link=None):
    clock = FrozenClock(START)
    return open_memory(Settings(data=folder), home or small_home(clock), folder, clock, Redactor(), link)


@pytest.mark.parametrize(
    "error", [*PASSING, OSError("the folder is gone")], ids=lambda error: getattr(error, "code", "os")
)
async def test_a_chronicle_that_cannot_be_opened_yet_is_tried_again_until_it_is_there(tmp_path, fails, error, caplog):
    fails.errors[:] = [error, error]
    home = small_home()
    async with opening(tmp_path, home) as memory:
        assert memory.health()["ok"] is False
        assert memory.health()["failure"] == memory.problem.message
        with pytest.raises(HomestewardError) as asked:
            await memory.chronicle.flush()
        assert asked.value is memory.problem
        memory.record(act(0, LAMP))  # kept in its plan alone

        await fails.tried.wait()
        async with asyncio.timeout(30):
            while memory.problem:  # noqa: ASYNC110 - the opening itself takes a few steps more
                await asyncio.sleep(0.01)

        await memory.chronicle.flush()
        assert memory.health()["ok"] is True
        assert (await memory.rooms[0].rows(Query((LAMP,)))).rows
    said = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(said) == 1  # once, not every minute


async def test_tools_made_before_answer_the_true_reason_and_later_what_is_asked(tmp_path, fails):
    fails.errors[:] = [busy("The chronicle", "")]
    home = small_home()
    async with opening(tmp_path, home) as memory:
        history, _ = memory.rooms
        assert history  # with nothing there, no tool that asks it would be made
        with pytest.raises(HomestewardError) as asked:
            await history.why(LAMP)
        assert asked.value.code == "database_busy"
        async with asyncio.timeout(30):
            while memory.problem:  # noqa: ASYNC110 - as above
                await asyncio.sleep(0.01)
        assert (await history.why(LAMP)).text


@pytest.mark.parametrize("code", ["newer_data", "database_unreadable"])
async def test_what_only_a_person_can_mend_is_not_tried_again(tmp_path, fails, code):
    fails.errors[:] = [HomestewardError("It cannot be read.", code=code, next="Do something.")]
    async with opening(tmp_path) as memory:
        await asyncio.sleep(0.05)
        assert memory.problem.code == code
        assert not fails.tried.is_set()


async def test_a_file_that_is_none_is_such_a_thing(tmp_path):
    (tmp_path / CHRONICLE_FILE).write_bytes(b"no database at all" * 500)
    async with opening(tmp_path) as memory:
        assert memory.problem.code == unreadable("", "").code


class Lost:
    """A link as far as its life."""

    def __init__(self):
        self.life = Life(FrozenClock(START))

    async def send(self, _kind, **_fields):
        return []


async def test_the_moment_at_which_home_assistant_goes_away_is_told_to_the_chronicle(tmp_path):
    home, link = small_home(FrozenClock(START)), Lost()
    link.life.phase = Phase.LIVE
    async with opening(tmp_path, home, link) as memory:
        home.connected, home.lost_at = False, home._clock.now()
        link.life.take(Turn.LOST)
        await memory.chronicle.flush()
        stats = await memory.chronicle.stats()
        assert [outage["to"] for outage in stats["outages"]] == [None]
        assert (await memory.rooms[0].home_at(home._clock.now())).outage
