"""After an outage, what Home Assistant recorded meanwhile is in the chronicle: all of it, once, filtered, and said to be read afterwards."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select

from databases import OpenDatabase
from homesteward.chronicle import backfill, refill
from homesteward.chronicle.backfill import BEYOND, RECORDS_NOTHING
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.filter_rules import OwnerRules
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.record import Context, Outage, Source, StateChange
from homesteward.chronicle.tables import attributes, calls, runs, state_changes
from homesteward.home.errors import HaError, NotConnectedError
from homesteward.home.health import Gap
from unit.chronicle.far_past import UNKNOWN
from unit.chronicle.remembering import START, WATT, Remembering, at


@pytest.fixture
async def house(open_database: OpenDatabase) -> AsyncIterator[Remembering]:
    made = Remembering(await open_database(CHRONICLE))
    await made.begin()
    yield made
    await made.end()


async def test_what_happened_in_a_gap_is_read_afterwards(house: Remembering):
    house.change(1, "light.a", "on", heard=True)
    house.change(3, "light.a", "off")
    house.change(4, "light.a", "on")
    house.change(5, "light.a", "off")
    await house.comes_back(2, 6)
    house.change(7, "light.a", "on", heard=True)
    await house.settled()
    assert await house.rows() == [
        (0, "light.a", "off", "found"),
        (1, "light.a", "on", "heard"),
        (3, "light.a", "off", "backfill"),
        (4, "light.a", "on", "backfill"),
        (5, "light.a", "off", "found"),
        (7, "light.a", "on", "heard"),
    ]


async def test_the_outage_says_when_it_was_read_and_how_much(house: Remembering):
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    await house.comes_back(2, 6, "restart")
    assert await house.writer.outages() == [Outage(at(2), at(6), "restart", at(6), 2)]
    assert house.backfill.health() == {"waiting": 0, "rows": 2, "trouble": None}


async def test_reading_it_again_adds_nothing(house: Remembering):
    for minute in range(3, 9):
        house.change(minute, "light.a", "on" if minute % 2 else "off")
    house.past.called(at(4), "light.turn_on", entity_id="light.a")
    house.past.ran(at(4), "automation.x", "state of lock.door")
    await house.comes_back(2, 10)
    before = [await house.count(table) for table in (state_changes, calls, runs)]
    house.backfill.add(Outage(at(0), at(10), "cut"))
    await house.settled()
    house.backfill.add(Outage(at(5), at(7.5), "cut"))
    await house.settled()
    assert [await house.count(table) for table in (state_changes, calls, runs)] == before


async def test_the_same_filter_measures_from_what_was_kept_before_the_gap(house: Remembering):
    """Acceptance 21: backfill uses the same rules."""
    house.change(1, "sensor.power", "160", heard=True)
    for minute, watt in ((3, "190"), (4, "205"), (5, "215"), (6, "230"), (7, "261"), (8, "262")):
        house.change(minute, "sensor.power", watt)
    house.change(8.5, "sensor.x_rssi", "900")
    await house.comes_back(2, 9)
    assert await house.rows("sensor.power", "sensor.x_rssi") == [
        (0, "sensor.power", "100", "found"),
        (1, "sensor.power", "160", "heard"),
        (5, "sensor.power", "215", "backfill"),
        (8, "sensor.power", "262", "found"),
    ]


async def test_noise_is_not_even_asked_for(house: Remembering):
    asked: list[str] = []
    send = house.past.send

    async def listening(kind: str, /, **fields):
        asked.extend(fields.get("entity_ids", ()))
        return await send(kind, **fields)

    house.past.send = listening  # type: ignore[method-assign]
    await house.comes_back(2, 3)
    assert "light.a" in asked
    assert "sensor.x_rssi" not in asked


async def test_calls_and_runs_are_read_too_without_secrets_and_with_their_contexts(house: Remembering):
    house.past.ran(at(3), "automation.x", "state of lock.door", "CTX", "anna")
    house.past.called(at(3), "lock.unlock", "CTX", entity_id=["lock.door"], code="4711")
    house.past.ran(at(3.5), "script.s")
    await house.comes_back(2, 6)
    found = await house.database.read(
        lambda connection: (
            connection.execute(select(runs.c.kind, runs.c.trigger, runs.c.run_id, runs.c.source)).all(),
            connection.execute(select(calls.c.service, calls.c.source)).all(),
            "".join(connection.scalars(select(attributes.c.body))),
        )
    )
    assert found[0] == [("automation", "state of lock.door", "r1", 1), ("script", "", "r1", 1)]
    assert found[1] == [("lock.unlock", 1)]
    assert "4711" not in found[2]
    assert "redacted" in found[2]


async def test_calls_that_were_heard_are_not_stored_twice_however_many_there_were(house: Remembering):
    house.goes_on(3)
    for _ in range(2):
        house.home.fire("call_service", domain="light", service="toggle", service_data={"entity_id": "light.a"})
    for _ in range(3):
        house.past.called(at(3), "light.toggle", entity_id="light.a")
    await house.comes_back(2, 4)
    assert await house.count(calls) == 3


async def test_a_scene_applied_in_a_gap_is_a_run(house: Remembering):
    house.change(3, "scene.cosy", at(3).isoformat())
    house.change(4, "scene.cosy", at(4).isoformat())
    await house.comes_back(2, 6)
    await house.comes_back(2, 7)
    kinds = await house.database.read(lambda connection: connection.scalars(select(runs.c.kind)).all())
    assert kinds == ["scene", "scene"]


async def test_an_entity_that_was_removed_in_a_gap_is_gone_once(house: Remembering):
    house.past.tell("light.b", at(3), "")
    house.goes_on(4)
    del house.home.states["light.b"]
    await house.comes_back(2, 4)
    house.backfill.add(Outage(at(1), at(5), "cut"))
    await house.settled()
    assert [row for row in await house.rows("light.b") if row[2] is None] == [
        (3, "light.b", None, "backfill"),
        (4, "light.b", None, "found"),
    ]


async def test_the_time_in_which_the_service_did_not_run_is_read(house: Remembering):
    house.change(1, "light.a", "on", heard=True)
    await house.settled()
    await house.end()
    house.change(5, "light.a", "off")
    house.change(6, "light.a", "on")
    house.goes_on(10)
    await house.begin()
    assert [row for row in await house.rows() if row[0] > 1] == [
        (5, "light.a", "off", "backfill"),
        (6, "light.a", "on", "backfill"),
    ]
    (outage,) = await house.writer.outages()
    assert (outage.reason, outage.end, outage.filled) == ("homesteward was not running", at(10), at(10))
    assert outage.start == at(1)


async def test_what_was_left_unread_is_read_at_the_next_start(house: Remembering):
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    house.past.cut_after = len(house.past.asked) + 1
    house.goes_on(6)
    house.home.reconnect(Gap(at(2), at(6), "cut", 0))
    await house.past.cut.wait()
    assert house.backfill.health()["waiting"] == 1
    await house.end()
    house.past.cut_after = None
    await house.begin()
    assert (3, "light.a", "on", "backfill") in await house.rows()
    assert not await house.writer.outages(unfilled=True)


async def test_it_gives_way_to_a_new_disconnection_and_goes_on_without_a_duplicate(house: Remembering):
    for minute in range(3, 20):
        house.change(minute, "light.a", "on" if minute % 2 else "off")
    house.goes_on(20)
    for cut in range(4):  # each time it comes one question further
        house.past.cut.clear()
        house.past.cut_after = len(house.past.asked) + cut
        house.home.reconnect(Gap(at(19.5), at(20), "cut", 0) if cut else Gap(at(2), at(19.4), "cut", 0))
        await house.past.cut.wait()
    assert house.backfill.health()["waiting"] == 2
    house.past.cut_after = None
    await house.comes_back(19.5, 20)
    assert [row[0] for row in await house.rows()] == [0, *range(3, 20)]
    assert [bool(outage.filled) for outage in await house.writer.outages()] == [True, True]


async def test_what_the_recorder_has_forgotten_is_said_and_not_asked_for_again(house: Remembering):
    house.change(3, "light.a", "on")
    house.change(30, "light.a", "off")
    house.change(31, "light.a", "on")
    house.change(32, "light.a", "off")
    house.past.begins = at(31)
    await house.comes_back(2, 40)
    lost, read = await house.writer.outages()
    assert (lost.start, lost.end, lost.filled) == (at(2), at(31), None)
    assert lost.reason == f"cut; {BEYOND}"
    assert (read.start, read.end, read.filled, read.rows) == (at(31), at(40), at(40), 2)
    await house.end()
    asked = house.past.asked.count("history/history_during_period")
    await house.begin()
    windows = house.past.asked.count("history/history_during_period") - asked
    assert windows <= 1  # the time in which the service did not run, and nothing else


async def test_a_home_that_records_nothing_is_said(house: Remembering):
    house.past.refuses["history/history_during_period"] = UNKNOWN
    await house.comes_back(2, 4)
    (outage,) = await house.writer.outages()
    assert (outage.reason, outage.filled) == (f"cut; {RECORDS_NOTHING}", None)


async def test_a_token_that_may_not_read_calls_still_reads_states(house: Remembering):
    house.past.refuses["logbook/get_action_calls"] = HaError("unauthorized", "Unauthorized")
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    await house.comes_back(2, 5)
    assert (3, "light.a", "on", "backfill") in await house.rows()


@pytest.mark.parametrize("missing", ["logbook/get_events", "recorder/info"])
async def test_a_home_without_a_logbook_still_has_states(house: Remembering, missing: str):
    house.past.refuses[missing] = UNKNOWN
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    await house.comes_back(2, 5)
    assert (3, "light.a", "on", "backfill") in await house.rows()
    assert [bool(outage.filled) for outage in await house.writer.outages()] == [True]


async def test_a_failure_is_tried_again_for_as_long_as_it_takes(house: Remembering, monkeypatch):
    monkeypatch.setattr(backfill, "RETRY_S", 0.001)
    monkeypatch.setattr(backfill, "LONGEST_RETRY_S", 0.002)
    history = "history/history_during_period"
    house.past.refuses[history] = HaError("unknown_error", "Something broke")
    house.change(3, "light.a", "on")
    house.change(3.5, "light.a", "off")
    await house.comes_back(2, 4)
    assert len(await house.writer.outages(unfilled=True)) == 1
    assert "Something broke" in str(house.backfill.health()["trouble"])
    while house.backfill.health()["waiting"]:
        await asyncio.sleep(0.001)
        if house.past.asked.count(history) >= 12:
            house.past.refuses.clear()
    assert house.backfill.health() == {"waiting": 0, "rows": 2, "trouble": None}


async def test_what_the_recorder_still_queues_is_read_once_it_is_committed(house: Remembering, monkeypatch):
    """While Home Assistant starts its recorder only queues: an empty queue says that the next commit has what was in it."""
    asked: list[int] = []

    async def caught_up() -> bool:
        asked.append(len(asked))
        if len(asked) == 2:
            house.past.tell("light.a", at(3), "unknown")
            house.past.tell("light.a", at(4), "off")
        return len(asked) == 1

    monkeypatch.setattr(house.backfill._refill, "caught_up", caught_up)
    monkeypatch.setattr(house.backfill, "_settle_s", 0.01)
    house.goes_on(60)
    house.backfill.add(Outage(at(2), at(5), "restart"))
    await house.settled()
    assert (3, "light.a", "unknown", "backfill") in await house.rows()


async def test_a_recorder_that_is_behind_is_waited_for_and_that_is_said(house: Remembering, monkeypatch):
    async def sleep(_seconds: float) -> None:
        house.past.backlog = 0

    house.past.backlog = 2
    with monkeypatch.context() as patched:
        patched.setattr("homesteward.chronicle.refill.sleep", sleep)
        assert await house.backfill._refill.caught_up() is True
    assert await house.backfill._refill.caught_up() is False


def test_the_pause_after_a_failure_grows_to_an_hour_and_no_further():
    pauses = [backfill.pause_after(attempts) for attempts in (0, 1, 2, 3, 10, 10_000)]
    assert pauses == [60, 120, 240, 480, 3600, 3600]


async def test_an_outage_that_cannot_be_read_keeps_no_other_waiting(house: Remembering):
    house.past.refuses["history/history_during_period"] = HaError("unknown_error", "Something broke")
    await house.comes_back(2, 4)
    house.past.refuses.clear()
    house.change(6, "light.a", "on")
    house.goes_on(8)
    house.backfill.add(Outage(at(5), at(8), "cut"))
    await house.settled()
    assert (6, "light.a", "on", "backfill") in await house.rows()
    assert [outage.start for outage in await house.writer.outages(unfilled=True)] == [at(2)]


async def test_too_much_at_once_is_read_in_smaller_windows_in_order(house: Remembering, monkeypatch):
    monkeypatch.setattr(refill, "MAX_ROWS", 20)
    for step in range(200):
        house.change(3 + step, "sensor.power", str(100 + 40 * (step + 1)))
    await house.comes_back(2, 210)
    rows = [row for row in await house.rows("sensor.power") if row[3] == "backfill"]
    judge, expected = Filter(OwnerRules(deadbands={"*": 50})), []
    for step in range(-1, 199):
        state = house.home.states["sensor.power"]
        if judge.take(type(state)("sensor.power", str(100 + 40 * (step + 1)), WATT)) and step >= 0:
            expected.append(str(100 + 40 * (step + 1)))
    assert [row[2] for row in rows] == expected


async def test_an_overflow_of_the_writer_is_read_like_a_gap(house: Remembering):
    house.change(3, "light.a", "on", heard=True)
    house.writer._room = 0
    house.change(4, "light.a", "off", heard=True)
    house.writer._room = 1000
    house.change(5, "light.a", "on", heard=True)
    await house.writer.flush()
    await house.settled()
    assert (4, "light.a", "off", "backfill") in await house.rows()
    assert [outage.rows for outage in await house.writer.outages()] == [1]


async def test_a_new_chronicle_asks_for_nothing_that_was_before_it(open_database: OpenDatabase):
    made = Remembering(await open_database(CHRONICLE))
    made.change(1, "light.a", "on")
    await made.begin()
    assert "history/history_during_period" not in made.past.asked
    await made.end()


async def test_brightness_which_home_assistant_does_not_record_makes_no_false_row(house: Remembering):
    house.change(1, "light.a", "on", heard=True, brightness=120)
    bare = {"friendly_name": "A"}
    house.past.states["light.a"][-1] = (at(1), "on", bare)
    house.past.tell("light.a", at(3), "on", **bare)
    await house.comes_back(2, 5)
    assert [row[0] for row in await house.rows()] == [0, 1]


async def test_what_waits_for_the_home_is_read_when_it_is_there(house: Remembering):
    house.home.connected = False
    house.change(3, "light.a", "on")
    house.change(4, "light.a", "off")
    house.past.refuses["history/history_during_period"] = NotConnectedError()
    house.backfill.add(Outage(at(2), at(5), "cut"))
    house.past.refuses.clear()
    await house.comes_back(2, 5)
    assert (3, "light.a", "on", "backfill") in await house.rows()


def test_a_record_read_afterwards_has_no_context():
    change = StateChange(START, "light.a", "off", "on", source=Source.BACKFILL)
    assert change.context is None
    assert Context("A").parent_id is None
