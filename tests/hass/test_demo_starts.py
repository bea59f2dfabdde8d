"""How the demo home starts: how fast, how quietly, again, after a power cut, and grown."""

import re

import pytest

from hass.raw import RawError, raw_socket
from homesteward.app import open_house
from homesteward.demo import DemoError, DemoHome, inventory
from homesteward.home.calls import Call, Target
from homesteward.home.targets import expand

pytestmark = pytest.mark.hass

LARGE = 5000
# Every line of Home Assistant's log above INFO that is meant to be there, and why.
ALWAYS = {
    r"Skipping pip installation of required modules": "it is started with --skip-pip",
    r"We found a custom integration homesteward_demo": "said of every integration that is not Home Assistant's own",
}
# What a busy machine makes it say of anything, whoever wrote it.
SLOW = {r"took \d+\.\d+ seconds": "an update was slow", r"is taking over \d+ seconds": "a set-up was slow"}
AFTER_A_CUT = {
    r"could not validate that the sqlite3 database": "nobody closed it",
    r"Ended unfinished session": "the recorder closes the run that was cut short",
}
PLANTED = {
    r"Error during service call to media_player.volume_set: It goes no louder than 60%": "the player that rejects a volume",
    r"Error during service call to switch.turn_on: Out of beans": "the error that a test asked for",
}


def complaints(home: DemoHome, *expected: dict[str, str]) -> list[str]:
    """Return the warnings and errors that nobody planted; a traceback belongs to the line before it."""
    known = [pattern for patterns in (ALWAYS, SLOW, *expected) for pattern in patterns]
    lines = re.findall(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) .*$|^Traceback.*$", home.log, re.MULTILINE)
    return [line for line in lines if not any(re.search(pattern, line) for pattern in known)]


async def test_a_new_home_says_nothing_unexpected(tmp_path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        await work(home)
        assert complaints(home, PLANTED) == []
        assert all(re.search(pattern, home.log) for pattern in (*ALWAYS, *PLANTED))
    finally:
        await home.stop()
    assert complaints(home, PLANTED) == []


async def test_a_second_start_keeps_users_names_and_places(tmp_path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        before = await memory(home)
        await home.restart()
        assert await memory(home) == before
        assert complaints(home) == []
    finally:
        await home.stop()


async def test_a_power_cut_leaves_a_working_house(tmp_path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        before = await memory(home)
        await home.restart()  # what was made at the first start is written by now
        async with raw_socket(home.address.url, home.address.token) as socket:
            await socket.call("cover", "open_cover", "cover.garage_door")
        await home.kill()
        await home.restart()
        assert await memory(home) == before
        async with raw_socket(home.address.url, home.address.token) as socket:
            await socket.watch()
            await socket.call("light", "turn_on", "light.kitchen_ceiling_light")
            await socket.until("light.kitchen_ceiling_light", lambda state: state["state"] == "on")
        assert complaints(home, AFTER_A_CUT) == []
    finally:
        await home.stop()


async def test_a_power_cut_in_the_first_moments_leaves_a_working_house(tmp_path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        before = await memory(home)
        await home.kill()
        await home.restart()
        assert (await memory(home))["exposed"] == before["exposed"]
        assert complaints(home, AFTER_A_CUT) == []
    finally:
        await home.stop()


async def test_a_large_home_is_found_by_homesteward_and_survives_a_mass_reset(tmp_path) -> None:
    """Everything is changed and put back while Homesteward watches: its connection has to hold."""
    home = await DemoHome.start(tmp_path / "ha", entities=LARGE)
    try:
        assert home.entities >= LARGE
        overrides = {"ha": {"url": home.address.url, "token": home.address.token}, "data": tmp_path / "data"}
        async with open_house(None, overrides) as house:
            grown = inventory(LARGE).entities
            assert grown.keys() <= house.home.states.keys()
            floor = expand(house.home, Call("light", "turn_off", Target(floor_id=("north_wing_1",)), {}))
            assert len(floor.entity_ids) > 40
            async with raw_socket(home.address.url, home.address.token) as socket:
                everything = list(grown)
                await socket.call("homesteward_demo", "set_state", everything, state="unavailable")
                await socket.call("homesteward_demo", "reset")
                states = {state["entity_id"]: state["state"] for state in await socket.ask("get_states")}
            assert {name: states[name] for name in grown} == {name: thing.state for name, thing in grown.items()}
            assert house.home.connected
        assert complaints(home) == []
    finally:
        await home.stop()


async def test_a_grown_home_stays_as_large_as_it_was(tmp_path) -> None:
    home = await DemoHome.start(tmp_path, entities=400)
    await home.stop()
    again = await DemoHome.start(tmp_path)
    try:
        assert again.entities == home.entities
    finally:
        await again.stop()


@pytest.mark.parametrize("entities", [10, 10_001])
async def test_a_size_that_cannot_be_is_refused(tmp_path, entities: int) -> None:
    with pytest.raises(DemoError, match="A demo home has"):
        await DemoHome.start(tmp_path, entities=entities)


def test_the_same_size_is_the_same_house() -> None:
    first = inventory(1000).document
    inventory.cache_clear()
    assert inventory(1000).document == first


async def work(home: DemoHome) -> None:
    """Use the house as tests and people do: rightly, wrongly, and where it is out of order."""
    async with raw_socket(home.address.url, home.address.token) as socket:
        await socket.watch()
        await socket.call(
            "homeassistant", "turn_on", ["light.kitchen_ceiling_light", "fan.bedroom_fan", "light.hallway_old_bulb"]
        )
        await socket.call("cover", "close_cover", ["cover.kitchen_blinds", "cover.study_shutter"])
        await socket.call("climate", "set_temperature", "climate.hallway", temperature=22)
        await socket.call("lock", "unlock", "lock.back_door")
        await socket.call("script", "turn_on", "script.movie_time")
        await socket.call("automation", "trigger", "automation.arrival_button")
        await socket.call("button", "press", "button.electricity_meter_reset")
        await socket.call("light", "turn_on", "light.landing_night_light")
        with pytest.raises(RawError, match="no louder"):
            await socket.call("media_player", "volume_set", "media_player.study_radio", volume_level=0.9)
        await socket.call("homesteward_demo", "set_fault", "switch.coffee_maker", error="Out of beans")
        with pytest.raises(RawError, match="beans"):
            await socket.call("switch", "turn_on", "switch.coffee_maker")
        await socket.until("lock.back_door", lambda state: state["state"] == "jammed")
        await socket.call("homesteward_demo", "reset")
        await socket.until("lock.back_door", lambda state: state["state"] == "locked")


async def memory(home: DemoHome) -> dict:
    """Return what a home remembers: users, rooms, and per entity its names, places, labels and exposure."""
    async with raw_socket(home.address.url, home.address.token) as socket:
        rows = await socket.ask("config/entity_registry/list")
        full = await socket.ask("config/entity_registry/get_entries", entity_ids=[row["entity_id"] for row in rows])
        fields = ("device_id", "area_id", "labels", "aliases", "hidden_by", "disabled_by", "categories")
        exposed = (await socket.ask("homeassistant/expose_entity/list"))["exposed_entities"]
        return {
            "users": sorted(
                user["id"] for user in await socket.ask("config/auth/list") if not user["system_generated"]
            ),
            "areas": sorted(area["area_id"] for area in await socket.ask("config/area_registry/list")),
            "entities": {name: {field: row[field] for field in fields} for name, row in full.items()},
            "exposed": {name for name, assistants in exposed.items() if assistants.get("conversation")},
        }
