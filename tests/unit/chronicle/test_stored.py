"""What is stored already is found again by whoever must not write it twice, on either engine."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.dialects import sqlite

from databases import OpenDatabase
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.memory import Logged
from homesteward.chronicle.record import Call, Context, Kind, Record, Run, StateChange
from homesteward.chronicle.stored import Stored, newest_of
from homesteward.chronicle.writer import Writer

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


RECORDS: list[Record] = [
    StateChange(at(0), "light.a", None, "off"),
    StateChange(at(5), "light.a", "off", "on", {"brightness": 5}, Context("C1")),
    StateChange(at(5), "light.b", None, "on"),
    StateChange(at(5), "light.b", "on", "off"),
    StateChange(at(7), "sensor.c", None, "100", {"unit_of_measurement": "W"}),
    StateChange(at(3), "light.a", "off", "on"),  # read afterwards
    StateChange(at(9), "light.b", "off", None),
    Run(at(1), Kind.AUTOMATION, "automation.x"),
    Run(at(2), Kind.SCENE, "scene.y"),
    Call(at(2), "light", "turn_on"),
    Call(at(2), "light", "turn_on"),
]


@pytest.fixture
async def stored(open_database: OpenDatabase) -> Stored:
    database = await open_database(CHRONICLE)
    for home in ("other", "home"):
        writer = await Writer.start(database, home)
        for record in RECORDS if home == "home" else [StateChange(at(100), "light.a", None, "elsewhere")]:
            writer.put(record)
        await writer.close()
    return Stored(database, "home")


async def test_of_each_entity_the_newest_is_known_with_what_was_kept(stored: Stored):
    assert await stored.last() == {
        "light.a": Logged("on", {"brightness": 5}, at(5)),
        "light.b": Logged(None, at=at(9)),
        "sensor.c": Logged("100", {"unit_of_measurement": "W"}, at(7)),
    }


async def test_before_a_moment_is_before_it_and_of_two_in_one_moment_the_later_counts(stored: Stored):
    assert await stored.before(["light.a", "light.b", "light.none"], at(5)) == {"light.a": Logged("on", at=at(3))}
    assert (await stored.before(["light.b"], at(6)))["light.b"].state == "off"


async def test_a_window_has_its_beginning_and_its_end_in_order(stored: Stored):
    found = await stored.states(["light.a", "light.none"], at(0), at(5))
    assert [(logged.at, logged.state) for logged in found["light.a"]] == [(at(0), "off"), (at(3), "on"), (at(5), "on")]
    assert found["light.none"] == []


async def test_runs_and_calls_are_counted(stored: Stored):
    assert await stored.happened(at(1), at(2)) == {
        ("automation", at(1), "automation.x"): 1,
        ("scene", at(2), "scene.y"): 1,
        ("call", at(2), "light.turn_on"): 2,
    }
    assert not await stored.happened(at(3), at(9))


@pytest.mark.parametrize("asked", [{}, {"before": at(10), "entity_ids": ["light.a"]}])
async def test_the_newest_row_of_an_entity_is_never_looked_for_among_those_of_others(
    open_database: OpenDatabase, asked
):
    database = await open_database(CHRONICLE)
    if database.engine_name != "sqlite":
        return  # it has the same indexes, and a plan that changes with what is in the tables
    query = newest_of("home", **asked).compile(dialect=sqlite.dialect(), compile_kwargs={"literal_binds": True})
    plan = await database.read(
        lambda connection: [row.detail for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}")]
    )
    rows = [step for step in plan if "state_changes" in step]
    assert rows
    assert all("entity=?" in step or "at=?" in step for step in rows)
    assert not any(step.startswith("SCAN") for step in rows)  # the list of entities itself may be gone through


async def test_many_entities_are_asked_for_in_portions(stored: Stored):
    names = [f"light.n{number}" for number in range(1200)]
    assert await stored.before([*names, "light.a"], at(10)) == {"light.a": Logged("on", {"brightness": 5}, at(5))}
    assert len(await stored.states([*names, "light.a"], at(0), at(10))) == 1201
