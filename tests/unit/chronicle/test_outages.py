"""While nobody listens that is kept, and said of every moment in it: not only once it is over."""

from collections.abc import AsyncIterator

import pytest

from databases import OpenDatabase
from homesteward.chronicle.backfill import AWAY
from homesteward.chronicle.history import History
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.record import Outage
from homesteward.home.outage import NOT_RUNNING
from unit.chronicle.remembering import Remembering, at


@pytest.fixture
async def house(open_database: OpenDatabase) -> AsyncIterator[Remembering]:
    made = Remembering(await open_database(CHRONICLE))
    await made.begin()
    yield made
    await made.end()


async def test_that_nobody_listens_is_kept_while_it_goes_on(house: Remembering):
    house.goes_away(2)
    house.goes_on(3)
    assert await house.writer.outages() == [Outage(at(2), None, AWAY)]
    history = History(house.database, house.home, house.clock)
    assert (await history.home_at(at(3))).outage
    assert not (await history.home_at(at(3))).states
    assert "Listening stopped" in (await history.why("light.a", at(3))).text


async def test_an_outage_is_one_from_its_beginning_to_its_end(house: Remembering):
    house.goes_away(2)
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    await house.comes_back(2, 6, "restart")
    assert await house.writer.outages() == [Outage(at(2), at(6), "restart", at(6), 2)]
    assert not (await History(house.database, house.home, house.clock).home_at(at(7))).outage


async def test_an_attempt_that_fails_begins_no_outage_anew(house: Remembering):
    house.goes_away(2)
    house.goes_on(3)
    house.backfill.lost()
    assert await house.writer.outages() == [Outage(at(2), None, AWAY)]


async def test_an_outage_in_which_this_service_ended_too_is_one_and_names_both(house: Remembering):
    house.change(1, "light.a", "on", heard=True)
    house.goes_away(2)
    await house.end()
    house.change(3, "light.a", "off")
    house.change(4, "light.a", "on")
    house.goes_on(5)
    await house.begin()
    (outage,) = await house.writer.outages()
    assert (outage.start, outage.end) == (at(2), None)
    await house.comes_back(2, 6, NOT_RUNNING)
    (outage,) = await house.writer.outages()
    assert (outage.start, outage.end, outage.filled) == (at(2), at(6), at(6))
    assert outage.reason == f"{AWAY}; then {NOT_RUNNING}"
    assert (3, "light.a", "off", "backfill") in await house.rows()


async def test_a_start_without_the_home_keeps_that_nobody_listens_since_the_end(house: Remembering):
    house.change(1, "light.a", "on", heard=True)
    await house.settled()
    await house.end()
    house.home.connected, house.home.lost_at = False, at(1)
    house.goes_on(5)
    await house.begin()
    assert await house.writer.outages() == [Outage(at(1), None, NOT_RUNNING)]
    await house.comes_back(1, 6, NOT_RUNNING)
    assert [(each.start, each.end, each.reason) for each in await house.writer.outages()] == [
        (at(1), at(6), NOT_RUNNING)
    ]


async def test_a_new_chronicle_without_a_home_keeps_no_outage(open_database: OpenDatabase):
    made = Remembering(await open_database(CHRONICLE))
    made.home.connected = False
    await made.begin()
    made.backfill.lost()
    assert await made.writer.outages() == []
    await made.end()
