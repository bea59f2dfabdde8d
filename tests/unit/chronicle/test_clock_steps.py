"""A clock that is set back: what the house is like now stays what it is like now."""

from datetime import timedelta

import pytest

from chronicles import START, after
from homes import small_home
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.history import History
from homesteward.chronicle.intake import Intake
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.query import Query
from homesteward.chronicle.writer import Writer
from homesteward.core import FrozenClock

LAMP, HOUR = "light.hall", timedelta(hours=1)


class Clocks:
    """A home with a clock of its own, its chronicle by another, and the past of it."""

    def __init__(self, database) -> None:
        self.theirs, self.ours = FrozenClock(START), FrozenClock(START)
        self.home, self.database = small_home(self.theirs), database

    async def begin(self):
        self.writer = await Writer.start(self.database, self.home.home_id)
        self.undo = await Intake(self.home, self.writer.put, Filter(), self.ours).start()
        return self

    async def end(self):
        self.undo()
        await self.writer.close()

    def passes(self, minutes: float) -> None:
        for clock in (self.theirs, self.ours):
            clock.advance(timedelta(minutes=minutes))

    async def shown(self) -> str:
        await self.writer.flush()
        house = await History(self.database, self.home, self.ours).home_at(self.ours.now())
        return house.states[LAMP].state

    async def stamps(self) -> list[float]:
        await self.writer.flush()
        page = await History(self.database, self.home, self.ours).rows(Query((LAMP,)))
        return [(row.at - START) / timedelta(minutes=1) for row in reversed(page.rows)]


@pytest.fixture
async def clocks(open_database):
    made = await Clocks(await open_database(CHRONICLE)).begin()
    yield made
    await made.end()


async def test_after_home_assistants_clock_was_set_back_now_is_what_the_home_shows(clocks):
    clocks.passes(10)
    clocks.home.set_state(LAMP, "on")
    clocks.theirs.advance(-HOUR)
    for state in ("off", "on", "off"):
        clocks.passes(1)
        clocks.home.set_state(LAMP, state)
        assert await clocks.shown() == state


async def test_what_it_says_then_is_put_at_the_moment_it_was_heard_until_its_clock_has_come_as_far(clocks):
    clocks.passes(10)
    clocks.home.set_state(LAMP, "on")
    clocks.theirs.advance(-HOUR)
    clocks.passes(1)
    clocks.home.set_state(LAMP, "off")
    clocks.theirs.advance(2 * HOUR)
    clocks.home.set_state(LAMP, "on")
    clocks.ours.advance(2 * HOUR)
    assert await clocks.stamps() == [0, 10, 11, 71]


async def test_its_own_stamps_are_kept_where_they_go_forward_however_late_they_are_heard(clocks):
    clocks.ours.advance(HOUR)
    for _ in range(2):
        clocks.theirs.advance(timedelta(minutes=1))
        clocks.home.set_state(LAMP, "on" if clocks.theirs.now() == after(60) else "off")
    assert await clocks.stamps() == [0, 1, 2]


async def test_where_both_clocks_were_set_back_stamps_are_kept_and_now_is_still_what_the_home_shows(clocks):
    clocks.passes(10)
    clocks.home.set_state(LAMP, "on")
    clocks.passes(-5)
    clocks.home.set_state(LAMP, "off")
    assert await clocks.shown() == "off"
    clocks.passes(60)
    assert await clocks.stamps() == [0, 5, 10]
