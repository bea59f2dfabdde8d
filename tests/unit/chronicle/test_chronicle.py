import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from chronicles import START, act, after
from homes import small_home
from homesteward.chronicle.chronicle import Chronicle
from homesteward.chronicle.export import ExportFormat
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from homesteward.chronicle.times import InTheFutureError
from homesteward.core import FrozenClock, HomestewardError
from homesteward.home.errors import UnknownEntityError
from homesteward.settings.settings import ChronicleSettings
from homesteward.store.failures import full

LAMP, THERMOMETER = "light.hall", "sensor.study_temperature"


@pytest.fixture
def clock():
    return FrozenClock(START)


@pytest.fixture
def home(clock):
    return small_home(clock)


@pytest.fixture
async def place(new_place):
    """Return where a chronicle finds nothing yet: a data folder, or a PostgreSQL."""
    place = await new_place(CHRONICLE, blank=True)
    return place.parent if isinstance(place, Path) else place


@pytest.fixture
async def open_chronicle(place, home, clock):
    opened = []

    async def go(**settings):
        opened.append(await Chronicle.open(place, home, ChronicleSettings(**settings), clock))
        return opened[-1]

    yield go
    for chronicle in opened:
        await chronicle.close()


async def newest(chronicle, **query):
    await chronicle.flush()
    return [row.as_json() for row in (await chronicle.history.rows(Query(**query))).rows]


async def test_a_lamp_that_is_turned_on_is_remembered_and_explained(open_chronicle, home, clock):
    chronicle = await open_chronicle()
    clock.advance(timedelta(minutes=1))
    home.set_state(LAMP, "on")
    clock.advance(timedelta(minutes=1))

    [row, *_] = await newest(chronicle, entities=(LAMP,))

    assert (row["old"], row["new"], row["source"]) == ("off", "on", "heard")
    assert row["at"] == after(60).isoformat()
    assert (await chronicle.history.why(LAMP)).text
    assert (await chronicle.history.home_at(after(90))).as_json()["states"][LAMP]["state"] == "on"


async def test_what_changed_while_it_was_closed_is_found_at_the_next_opening(open_chronicle, home, clock):
    first = await open_chronicle()
    await first.close()
    clock.advance(timedelta(hours=1))
    home.set_state(LAMP, "on")
    clock.advance(timedelta(hours=1))

    second = await open_chronicle()

    [row, *_] = await newest(second, entities=(LAMP,))
    assert (row["old"], row["new"], row["source"]) == ("off", "on", "found")


async def test_nothing_is_found_twice(open_chronicle, home):
    first = await open_chronicle()
    found = await newest(first, limit=1000)
    await first.close()

    second = await open_chronicle()

    assert await newest(second, limit=1000) == found


async def test_an_act_of_ours_is_kept_beside_what_it_did(open_chronicle, home, clock):
    chronicle = await open_chronicle()
    chronicle.record(act(0, LAMP))

    [row] = await newest(chronicle, kinds=frozenset({Kind.ACT}))

    assert (row["person"], row["rule"], row["entity_id"]) == ("Ada", "routine", LAMP)


async def test_noise_is_dropped_counted_and_explained(open_chronicle, home):
    chronicle = await open_chronicle()
    home.set_state(THERMOMETER, "21.7", unit_of_measurement="°C", device_class="temperature")
    home.set_state(THERMOMETER, "22.3", unit_of_measurement="°C", device_class="temperature")

    rows = await newest(chronicle, entities=(THERMOMETER,))

    assert [row["new"] for row in rows] == ["22.3", "21.5"]
    assert (await chronicle.stats())["filter"]["dropped"]["deadband"] == 1
    assert chronicle.explain(THERMOMETER).deadband


async def test_stats_say_how_much_is_kept_and_how_large_it_is(open_chronicle, home):
    chronicle = await open_chronicle()
    home.set_state(LAMP, "on")
    chronicle.record(act(0, LAMP))
    await chronicle.flush()

    stats = await chronicle.stats()

    assert stats["rows"]["act"] == 1
    assert stats["rows"]["state"] > 10
    assert stats["size_bytes"] > 0
    assert stats["oldest"] <= START.isoformat() <= stats["newest"]
    assert stats["writer"]["dropped"] == 0
    assert chronicle.health()["ok"] is True


async def test_a_purge_keeps_the_house_as_it_is(open_chronicle, home, clock):
    chronicle = await open_chronicle(keep_days=1)
    for n in range(5):
        clock.advance(timedelta(minutes=1))
        home.set_state(LAMP, "on" if n % 2 else "off", brightness=n)
    await chronicle.flush()
    before = (await chronicle.history.home_at(clock.now())).as_json()["states"]
    clock.advance(timedelta(days=3))

    purged = await chronicle.purge()

    assert purged.rows["state_changes"] > 0
    assert (await chronicle.history.home_at(clock.now())).as_json()["states"] == before


async def test_a_purge_of_what_is_still_to_come_is_refused(open_chronicle, home, clock):
    chronicle = await open_chronicle()
    rows = await newest(chronicle, limit=1000)

    with pytest.raises(InTheFutureError):
        await chronicle.purge(clock.now() + timedelta(hours=1))

    assert await newest(chronicle, limit=1000) == rows


@pytest.fixture
def nothing_is_written(monkeypatch):
    """Let the database take no writes from now on, when called."""

    def go(chronicle):
        async def write(_work):
            raise full("The chronicle")

        monkeypatch.setattr(chronicle._parts.database, "write", write)
        monkeypatch.setattr("homesteward.chronicle.chronicle.FLUSH_S", 0.2)

    return go


async def test_a_purge_while_nothing_can_be_written_says_why_instead_of_waiting(
    open_chronicle, home, nothing_is_written, monkeypatch
):
    chronicle = await open_chronicle()
    await chronicle.flush()
    nothing_is_written(chronicle)
    home.set_state(LAMP, "on")

    for _ in range(2):  # before anybody knows of it, and afterwards
        async with asyncio.timeout(30):
            with pytest.raises(HomestewardError) as refused:
                await chronicle.purge()
        assert refused.value.code == "disk_full"

    monkeypatch.undo()


async def test_an_export_has_what_was_heard_just_before(open_chronicle, home, clock, tmp_path):
    chronicle = await open_chronicle()
    clock.advance(timedelta(minutes=1))
    home.set_state(LAMP, "on")
    clock.advance(timedelta(minutes=1))

    assert b",off,on," in b"".join([chunk async for chunk in chronicle.csv(Query(entities=(LAMP,)))])
    home.set_state(LAMP, "off")
    clock.advance(timedelta(minutes=1))
    exported = await chronicle.export(tmp_path / "all.csv", ExportFormat.CSV, Query(entities=(LAMP,)))
    assert ",on,off," in exported.path.read_text()


async def test_an_export_while_nothing_can_be_written_has_what_is_stored(
    open_chronicle, home, clock, tmp_path, nothing_is_written, monkeypatch
):
    chronicle = await open_chronicle()
    await chronicle.flush()
    clock.advance(timedelta(minutes=1))
    nothing_is_written(chronicle)
    home.set_state(LAMP, "on")

    async with asyncio.timeout(30):
        assert (await chronicle.export(tmp_path / "all.csv", ExportFormat.CSV, Query())).rows

    monkeypatch.undo()


async def test_what_is_not_in_the_home_and_never_was_cannot_be_explained(open_chronicle, home):
    chronicle = await open_chronicle()

    with pytest.raises(UnknownEntityError) as unknown:
        chronicle.explain("light.hal")

    assert LAMP in unknown.value.next


async def test_what_is_gone_and_remembered_can_still_be_explained(open_chronicle, home):
    first = await open_chronicle()
    await first.close()
    del home.states[LAMP]

    assert (await open_chronicle()).explain(LAMP).kept


async def test_no_secret_of_an_act_of_ours_is_kept(open_chronicle):
    chronicle = await open_chronicle()
    chronicle.record(act(0, "lock.door", data={"code": "471108"}))

    [row] = await newest(chronicle, kinds=frozenset({Kind.ACT}))

    assert "471108" not in str(row)


async def test_it_is_exported_up_to_now(open_chronicle, home, tmp_path):
    chronicle = await open_chronicle()
    home.set_state(LAMP, "on")
    await chronicle.flush()
    home_rows = sum(1 for _ in await newest(chronicle, limit=1000, until=START))

    exported = await chronicle.export(tmp_path / "all.csv", ExportFormat.CSV, Query())

    assert exported.rows >= home_rows
    assert b"id,at,kind" in b"".join([chunk async for chunk in chronicle.csv(Query())])


async def test_closing_twice_does_nothing(open_chronicle):
    chronicle = await open_chronicle()

    await chronicle.close()
    await chronicle.close()


async def test_after_closing_nobody_listens(open_chronicle, home):
    chronicle = await open_chronicle()
    await chronicle.close()

    home.set_state(LAMP, "on")

    again = await open_chronicle()
    [row, *_] = await newest(again, entities=(LAMP,))
    assert row["source"] == "found"


async def test_an_opening_that_fails_leaves_nothing_open(place, home, clock, monkeypatch):
    monkeypatch.setattr("homesteward.chronicle.intake.Intake.start", _fail)
    with pytest.raises(ZeroDivisionError):
        await Chronicle.open(place, home, clock=clock)

    monkeypatch.undo()
    await (await Chronicle.open(place, home, clock=clock)).close()


async def _fail(_self):
    raise ZeroDivisionError
