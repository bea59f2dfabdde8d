"""A demo home with a past: Home Assistant takes it for its own, shows it, and goes on from there."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hass.raw import RawSocket, raw_socket
from homesteward.core.json import loads
from homesteward.demo import DemoHome, ha_environment, inventory
from homesteward.demo.past import SEED, PastSummary, past_of, write_past
from homesteward.demo.past.place import HOME

pytestmark = [pytest.mark.hass, pytest.mark.timeout(300)]

SPAN = timedelta(days=21)
DATABASE = "home-assistant_v2.db"
EXPECTED = (
    "Skipping pip installation",
    "custom integration homesteward_demo",
    "is taking over",
)  # the last: a busy machine
AFTER_A_POWER_CUT = ("was shutdown cleanly", "Ended unfinished session", "cached auth token")
LIVED = ["light.kitchen_ceiling_light", "sensor.outdoor_temperature", "person.robin", "climate.living_room"]


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the home with a past."""
    return tmp_path_factory.mktemp("past-home")


@pytest.fixture(scope="module")
async def old_home(directory: Path) -> AsyncIterator[DemoHome]:
    """The furnished house after three weeks of life."""
    home = await DemoHome.start(directory, past=SPAN)
    try:
        yield home
    finally:
        await home.stop()


@pytest.fixture
async def old_socket(old_home: DemoHome) -> AsyncIterator[RawSocket]:
    """A WebSocket to it, as its owner."""
    async with raw_socket(old_home.address.url, old_home.address.token) as opened:
        yield opened


@pytest.fixture
def past(old_home: DemoHome, directory: Path) -> PastSummary:
    """What it was given."""
    summary = past_of(directory)
    assert summary is not None
    return summary


async def test_it_has_a_past_of_the_length_asked_for_in_seconds(past: PastSummary, old_home: DemoHome) -> None:
    assert past.until - past.since == SPAN
    assert past.states > 40_000
    assert past.seconds < 120  # it takes three on a machine with nothing else to do, and no user waits a day for it
    assert past.megabytes < 40
    assert old_home.ready_s < 15


async def test_home_assistant_finds_nothing_to_complain_about_or_to_migrate(old_home: DemoHome) -> None:
    assert complaints(old_home) == []
    assert "igrat" not in old_home.log


async def test_the_past_lies_where_home_assistant_is(old_socket: RawSocket) -> None:
    config = await old_socket.ask("get_config")

    assert (config["latitude"], config["longitude"]) == (HOME.latitude, HOME.longitude)
    assert config["time_zone"] == HOME.zone.key


async def test_history_returns_the_past_of_several_things(old_socket: RawSocket, past: PastSummary) -> None:
    history = await history_of(old_socket, past, LIVED)

    assert set(history) == set(LIVED)
    for entity_id, rows in history.items():
        assert len(rows) > 20, entity_id
        assert rows[0]["lu"] == pytest.approx(past.since.timestamp(), abs=1)
    assert {row["s"] for row in history["light.kitchen_ceiling_light"]} >= {"on", "off", "unavailable"}
    assert {row["s"] for row in history["person.robin"]} >= {"home", "not_home"}
    assert any(row["a"].get("temperature") == 16.5 for row in history["climate.living_room"])


async def test_hours_reach_beyond_the_states_and_count_on_over_a_reset(
    old_socket: RawSocket, past: PastSummary
) -> None:
    temperature = await hours_of(old_socket, past, "sensor.outdoor_temperature")
    energy = await hours_of(old_socket, past, "sensor.car_charger_energy")
    readings = [row["state"] for row in energy]

    assert len(temperature) > 59 * 24
    assert temperature[0]["start"] / 1000 < past.since.timestamp() - 30 * 86400
    assert all(row["min"] <= row["mean"] <= row["max"] for row in temperature)
    assert any(after < before for before, after in pairwise(readings))
    assert all(row["change"] >= 0 for row in energy)
    assert max(row["change"] for row in energy) < 12  # what a charger draws in an hour; not the reading after a reset


async def test_the_logbook_says_who_and_which_automation_was_behind_a_change(
    old_socket: RawSocket, past: PastSummary
) -> None:
    since = past.until - timedelta(days=6)
    entries = await old_socket.ask("logbook/get_events", start_time=since.isoformat(), end_time=past.until.isoformat())
    users = {user["id"]: user["name"] for user in await old_socket.ask("config/auth/list")}

    names = Counter(users[entry["context_user_id"]] for entry in entries if "context_user_id" in entry)
    assert {"Robin", "Sam"} <= set(names)
    lit = [entry for entry in entries if (entry.get("entity_id"), entry.get("state")) == ("light.hall_light", "on")]
    assert any(
        entry.get("context_event_type") == "automation_triggered"
        and entry.get("context_entity_id") == "automation.hall_light_at_dusk"
        and entry["context_source"] == "numeric state of sensor.outdoor_illuminance"
        for entry in lit
    )
    scripted = [entry for entry in entries if entry.get("domain") == "script"]
    assert {entry["name"] for entry in scripted} == {"Good night"}


async def test_a_habit_is_in_the_logbook_as_often_as_its_truth_says(old_socket: RawSocket, past: PastSummary) -> None:
    habit = next(habit for habit in past.habits if habit.id == "morning_coffee")
    entries = await old_socket.ask(
        "logbook/get_events",
        start_time=past.since.isoformat(),
        end_time=past.until.isoformat(),
        entity_ids=["switch.coffee_maker"],
    )

    by_hand = [entry for entry in entries if entry["state"] == "on" and "context_user_id" in entry]
    assert len(by_hand) == habit.kept
    assert 0.6 * habit.chances <= habit.kept < habit.chances


@pytest.fixture(scope="module")
async def lived_on(old_home: DemoHome, directory: Path) -> AsyncIterator[sqlite3.Connection]:
    """The database after a few things were done and Home Assistant was started once more."""
    async with raw_socket(old_home.address.url, old_home.address.token) as socket:
        await socket.call("light", "turn_on", "light.kitchen_ceiling_light")
        await socket.call("homesteward_demo", "set_state", "sensor.outdoor_illuminance", state="40")
        await socket.call("script", "good_night")
    await old_home.restart()
    with closing(recorded(directory)) as database:
        yield database


async def test_what_home_assistant_records_itself_looks_like_the_past(lived_on: sqlite3.Connection) -> None:
    for kind in ("automation_triggered", "script_started", "call_service"):
        old, new = (event(lived_on, kind, order) for order in ("ASC", "DESC"))
        assert set(old) == set(new), kind


async def test_new_states_join_the_things_and_texts_of_the_past(
    lived_on: sqlite3.Connection, past: PastSummary
) -> None:
    rows = lived_on.execute(
        "SELECT metadata_id, attributes_id FROM states WHERE state = 'on' AND metadata_id = "
        "(SELECT metadata_id FROM states_meta WHERE entity_id = 'light.kitchen_ceiling_light') ORDER BY state_id"
    ).fetchall()
    shared = lived_on.execute(
        "SELECT count(DISTINCT attributes_id) FROM states WHERE last_updated_ts > ? "
        "AND attributes_id IN (SELECT attributes_id FROM states WHERE last_updated_ts < ?)",
        (past.until.timestamp(), past.until.timestamp()),
    ).fetchone()[0]

    assert len(rows) > 10
    assert len(set(rows)) == 1
    assert shared > 0.8 * len(inventory().entities)


async def test_a_second_start_keeps_the_past(old_home: DemoHome, directory: Path, past: PastSummary) -> None:
    await old_home.stop()
    again = await DemoHome.start(directory, port=port_of(old_home), past=SPAN)
    try:
        async with raw_socket(again.address.url, again.address.token) as socket:
            history = await history_of(socket, past, LIVED)
        assert all(len(rows) > 20 for rows in history.values())
        assert past_of(directory) == past
        assert complaints(again) == []
    finally:
        await again.stop()
        await old_home.restart()


async def test_the_house_works_after_a_power_cut(old_home: DemoHome, past: PastSummary) -> None:
    await old_home.kill()
    await old_home.restart()

    async with raw_socket(old_home.address.url, old_home.address.token) as socket:
        history = await history_of(socket, past, LIVED)
        info = await socket.ask("recorder/info")
        await socket.watch()
        await socket.call("light", "turn_off", "light.kitchen_ceiling_light")
        await socket.call("light", "turn_on", "light.kitchen_ceiling_light")
        await socket.until("light.kitchen_ceiling_light", lambda state: state["state"] == "on")
    assert all(len(rows) > 20 for rows in history.values())
    assert (info["recording"], info["migration_in_progress"]) == (True, False)
    assert complaints(old_home, *AFTER_A_POWER_CUT) == []


async def test_the_nightly_purge_leaves_it_and_a_shorter_one_leaves_the_hours(tmp_path: Path) -> None:
    home = await DemoHome.start(tmp_path, past=SPAN)
    try:
        past = past_of(tmp_path)
        assert past is not None
        async with raw_socket(home.address.url, home.address.token) as socket:
            await socket.call("recorder", "purge")
            await socket.ask("recorder/clear_statistics", statistic_ids=["sensor.gone"])  # waits for its turn
            kept = await history_of(socket, past, LIVED)
            await socket.call("recorder", "purge", keep_days=2)
            async with asyncio.timeout(90):
                while (first := await oldest(socket, past)) <= past.until.timestamp() - 3 * 86400:  # noqa: ASYNC110 - a purge tells nobody
                    await asyncio.sleep(0.2)
            hours = await hours_of(socket, past, "sensor.outdoor_temperature")
    finally:
        await home.stop()

    assert all(rows[0]["lu"] == pytest.approx(past.since.timestamp(), abs=1) for rows in kept.values())
    assert first > past.until.timestamp() - 3 * 86400
    assert len(hours) > 59 * 24


async def test_two_homes_of_one_seed_differ_in_their_users_only(
    tmp_path: Path, directory: Path, past: PastSummary
) -> None:
    from homesteward.demo.seed import seed  # noqa: PLC0415 - needs the `demo` extra

    seed(tmp_path, "demo", 1)
    python = ha_environment(lambda _line: None)
    other = await write_past(tmp_path, inventory(), past.until, SPAN, SEED, python)

    assert (other.states, other.events, other.habits) == (past.states, past.events, past.habits)
    with closing(recorded(tmp_path)) as database:
        changes = "SELECT state_id, state, last_updated_ts FROM states WHERE last_updated_ts < ? ORDER BY state_id"
        new = database.execute(changes, (past.until.timestamp(),)).fetchall()
    with closing(recorded(directory)) as database:
        assert database.execute(changes, (past.until.timestamp(),)).fetchall() == new


async def history_of(socket: RawSocket, past: PastSummary, entity_ids: list[str]) -> dict[str, list[dict[str, Any]]]:
    history: dict[str, list[dict[str, Any]]] = await socket.ask(
        "history/history_during_period",
        start_time=(past.since - timedelta(hours=1)).isoformat(),
        end_time=datetime.now(UTC).isoformat(),
        entity_ids=entity_ids,
        significant_changes_only=False,
    )
    return history


def complaints(home: DemoHome, *more: str) -> list[str]:
    words = (" WARNING ", " ERROR ", " CRITICAL ", "Traceback")
    return [
        line
        for line in home.log.splitlines()
        if any(word in line for word in words) and not any(known in line for known in (*EXPECTED, *more))
    ]


async def hours_of(socket: RawSocket, past: PastSummary, statistic_id: str) -> list[dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = await socket.ask(
        "recorder/statistics_during_period",
        start_time=(past.until - timedelta(days=60)).isoformat(),
        statistic_ids=[statistic_id],
        period="hour",
    )
    return found[statistic_id]


async def oldest(socket: RawSocket, past: PastSummary) -> float:
    rows = await history_of(socket, past, ["sensor.outdoor_temperature"])
    return float(rows["sensor.outdoor_temperature"][0]["lu"])


def port_of(home: DemoHome) -> int:
    return int(home.address.url.rpartition(":")[2])


def recorded(directory: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{directory / DATABASE}?mode=ro", uri=True)


def event(database: sqlite3.Connection, kind: str, order: str) -> dict[str, Any]:
    row = database.execute(
        "SELECT shared_data FROM events JOIN event_types USING (event_type_id) JOIN event_data USING (data_id) "
        f"WHERE event_types.event_type = ? ORDER BY event_id {order} LIMIT 1",
        (kind,),
    ).fetchone()
    data: dict[str, Any] = loads(row[0])
    return data
