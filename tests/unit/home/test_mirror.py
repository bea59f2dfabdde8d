"""A mirror waits for the whole house, follows it, and says when it no longer does."""

import asyncio
from typing import Any

import pytest

from homesteward.home.connection import Connection
from homesteward.home.errors import NeedsAdminError
from homesteward.home.mirror import Mirror, id_of
from homesteward.home.model import State
from homesteward.home.starts import Start
from unit.home.far_end import FarEnd

LAMP = {"s": "off", "a": {"friendly_name": "Lamp"}, "c": "C0", "lc": 1.0}


@pytest.fixture
def house(far_end: FarEnd) -> FarEnd:
    """A running house with one lamp in the hall."""
    rows: list[dict[str, Any]] = [{"entity_id": "light.a", "area_id": "hall", "aliases": [None]}]
    config = {"state": "RUNNING", "location_name": "Test home", "time_zone": "Europe/Paris"}
    far_end.answers |= {
        "get_config": lambda _message: config,
        "get_services": lambda _message: {
            "light": {"turn_on": {"fields": {}, "target": {"entity": [{"domain": ["light"]}]}}}
        },
        "config/area_registry/list": lambda _message: [{"area_id": "hall", "name": "Hall"}],
        "config/floor_registry/list": lambda _message: [],
        "config/label_registry/list": lambda _message: [],
        "config/device_registry/list": lambda _message: [],
        "config/entity_registry/list": lambda _message: rows,
        "config/entity_registry/get_entries": lambda _message: {row["entity_id"]: row for row in rows},
        "homeassistant/expose_entity/list": lambda _message: {"exposed_entities": {"light.a": {"conversation": True}}},
        "script/config": lambda _message: {
            "config": {"sequence": [{"action": "light.turn_on", "entity_id": "light.a"}]}
        },
        "subscribe_entities": lambda message: far_end.say(
            {"id": message["id"], "type": "event", "event": {"a": {"light.a": LAMP}}}
        ),
    }
    return far_end


def subscription(far_end: FarEnd, kind: str, event_type: str | None = None) -> int:
    return next(int(m["id"]) for m in far_end.sent if m["type"] == kind and m.get("event_type") == event_type)


def states(far_end: FarEnd, **event: object) -> None:
    far_end.say({"id": subscription(far_end, "subscribe_entities"), "type": "event", "event": event})


async def settled(mirror: Mirror, revision: int) -> None:
    """Wait until the mirror has read something again."""
    async with asyncio.timeout(30):
        while mirror.revision <= revision or mirror._following.behind:  # noqa: ASYNC110 - there is no event for "nothing more to read"
            await asyncio.sleep(0.01)


@pytest.mark.usefixtures("house")
async def test_the_whole_house_is_there_after_the_start(connection: Connection):
    mirror = await Mirror.start(connection)
    assert mirror.states["light.a"].name == "Lamp"
    assert mirror.areas["hall"].name == "Hall"
    assert mirror.exposed == {"light.a"}
    assert mirror.config.time_zone == "Europe/Paris"
    assert "light.turn_on" in mirror.services
    assert mirror.connected
    await mirror.close()


async def test_a_house_that_is_still_starting_is_waited_for(connection: Connection, house: FarEnd):
    answers = iter(["NOT_RUNNING", "STARTING", "RUNNING"])
    whole = house.answers["get_config"]
    house.answers["get_config"] = lambda _message: {"state": next(answers, "RUNNING")}
    mirror = await Mirror.start(connection)
    asked = [message["type"] for message in house.sent]
    assert asked[:3] == ["get_config"] * 3
    house.answers["get_config"] = whole
    await mirror.close()


async def test_a_watcher_hears_of_changes_in_order(connection: Connection, house: FarEnd):
    mirror = await Mirror.start(connection)
    heard: list[tuple[str | None, str | None]] = []
    undo = mirror.watch(lambda old, new: heard.append((old and old.state, new and new.state)), ["light.a"])
    states(house, c={"light.a": {"+": {"s": "on", "c": "C1", "lc": 2.0}}})
    states(house, r=["light.a"])
    await connection.send("ping")
    undo()
    assert heard == [("off", "on"), ("on", None)]
    assert "light.a" not in mirror.states
    await mirror.close()


async def test_waiting_for_a_state_ends_with_it_or_with_the_time(connection: Connection, house: FarEnd):
    mirror = await Mirror.start(connection)

    def is_on(state: State) -> bool:
        return state.state == "on"

    waiting = asyncio.create_task(mirror.wait_for("light.a", is_on, 5))
    await asyncio.sleep(0)
    states(house, c={"light.a": {"+": {"s": "on", "lc": 2.0}}})
    found = await waiting
    assert found is not None
    assert found.state == "on"
    assert await mirror.wait_for("light.a", lambda state: state.state == "gone", 0.01) is None
    await mirror.close()


async def test_a_registry_that_changed_is_read_again_once_for_a_burst(connection: Connection, house: FarEnd):
    mirror = await Mirror.start(connection)
    before, asked = mirror.revision, len(house.sent)
    house.answers["config/area_registry/list"] = lambda _message: [{"area_id": "hall", "name": "Entrance"}]
    for _ in range(20):
        house.say(
            {"id": subscription(house, "subscribe_events", "area_registry_updated"), "type": "event", "event": {}}
        )
    await settled(mirror, before)
    assert mirror.areas["hall"].name == "Entrance"
    assert [message["type"] for message in house.sent[asked:]] == ["config/area_registry/list"]
    await mirror.close()


async def test_a_new_name_or_entity_moves_the_revision_and_a_state_does_not(connection: Connection, house: FarEnd):
    mirror = await Mirror.start(connection)
    first = mirror.revision
    states(house, c={"light.a": {"+": {"s": "on", "lc": 2.0}}})
    await connection.send("ping")
    assert mirror.revision == first
    states(house, c={"light.a": {"+": {"a": {"friendly_name": "Big lamp"}}}})
    await connection.send("ping")
    assert mirror.revision == first + 1
    states(house, a={"light.b": LAMP})
    await connection.send("ping")
    assert mirror.revision == first + 2
    await mirror.close()


async def test_a_new_script_brings_its_body(connection: Connection, house: FarEnd):
    mirror = await Mirror.start(connection)
    states(house, a={"script.x": {"s": "off"}})
    await connection.send("ping")
    await settled(mirror, mirror.revision)
    assert [step.call.id for step in mirror.bodies["script.x"] if step.call] == ["light.turn_on"]
    await mirror.close()


async def test_a_new_automation_brings_what_starts_it_and_takes_that_with_it_when_it_goes(
    connection: Connection, house: FarEnd
):
    mirror = await Mirror.start(connection)
    trigger = {"trigger": "state", "entity_id": "light.a", "to": "on"}
    house.answers["automation/config"] = lambda _message: {"config": {"triggers": [trigger], "actions": []}}
    states(house, a={"automation.x": {"s": "on"}})
    await connection.send("ping")
    await settled(mirror, mirror.revision)
    assert mirror.starts == {"automation.x": (Start("light.a", to=("on",)),)}
    states(house, r=["automation.x"])
    await connection.send("ping")
    await settled(mirror, mirror.revision)
    assert (mirror.starts, "automation.x" in mirror.bodies) == ({}, False)
    await mirror.close()


async def test_a_failed_reading_is_tried_again(connection: Connection, house: FarEnd, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("homesteward.home.following.RETRY_S", 0.01)
    mirror = await Mirror.start(connection)
    before = mirror.revision
    answers: list[object] = [Exception("unknown_error", "Busy"), [{"area_id": "hall", "name": "Entrance"}]]
    house.answers["config/area_registry/list"] = lambda _message: answers.pop(0)
    house.say({"id": subscription(house, "subscribe_events", "area_registry_updated"), "type": "event", "event": {}})
    await settled(mirror, before)
    assert mirror.areas["hall"].name == "Entrance"
    await mirror.close()


async def test_a_token_that_may_not_read_everything_says_what_to_do(connection: Connection, house: FarEnd):
    house.answers["homeassistant/expose_entity/list"] = lambda _message: Exception("unauthorized", "Unauthorized")
    with pytest.raises(NeedsAdminError) as told:
        await Mirror.start(connection)
    assert "administrator" in told.value.next


@pytest.mark.usefixtures("house")
async def test_a_closed_connection_leaves_the_last_states_and_says_so(connection: Connection):
    mirror = await Mirror.start(connection)
    await connection.close()
    assert not mirror.connected
    assert mirror.states["light.a"].state == "off"
    await mirror.close()


def test_the_home_keeps_its_id_over_a_slash():
    assert id_of("http://home.test:8123/") == id_of("http://home.test:8123")
    assert id_of("http://home.test:8123").startswith("home_")
