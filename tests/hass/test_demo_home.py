"""The demo home is what its inventory says, also where it is broken, and keeps to itself."""

import time
from contextlib import suppress
from pathlib import Path

import aiohttp
import pytest

from hass.raw import RawError, RawSocket, raw_socket
from homesteward.demo import DemoHome, PortTakenError, StartFailedError, inventory
from homesteward.demo.process import check_port_free

pytestmark = pytest.mark.hass


async def test_it_is_ready_within_fifteen_seconds(demo_home: DemoHome) -> None:
    assert 0 < demo_home.ready_s < 15


async def test_home_assistants_registries_hold_the_inventory(socket: RawSocket) -> None:
    entities = {entry["entity_id"] for entry in await socket.ask("config/entity_registry/list")}
    areas = {area["name"] for area in await socket.ask("config/area_registry/list")}
    floors = await socket.ask("config/floor_registry/list")
    labels = {label["name"] for label in await socket.ask("config/label_registry/list")}

    assert len(inventory().entities) >= 60
    assert set(inventory().entities) <= entities
    assert len(areas) >= 8
    assert set(inventory().areas) == areas
    assert set(inventory().floors) == {floor["name"] for floor in floors}
    assert set(inventory().labels) == labels
    assert next(floor["aliases"] for floor in floors if floor["name"] == "Ground floor") == ["downstairs"]


async def test_every_thing_stands_in_its_area_under_its_name_and_in_its_state(socket: RawSocket) -> None:
    areas = {area["area_id"]: area["name"] for area in await socket.ask("config/area_registry/list")}
    devices = {device["id"]: device for device in await socket.ask("config/device_registry/list")}
    registry = {entry["entity_id"]: entry for entry in await socket.ask("config/entity_registry/list")}
    await socket.watch()

    for entity_id, thing in inventory().entities.items():
        device = devices[registry[entity_id]["device_id"]]
        state = socket.states[entity_id]
        assert areas.get(device["area_id"]) == thing.area, entity_id
        assert state["attributes"]["friendly_name"] == thing.name, entity_id
        assert state["state"] == thing.state, entity_id


async def test_two_lamps_share_a_name_and_one_area_is_empty(socket: RawSocket) -> None:
    await socket.watch()

    names = [socket.states[lamp]["attributes"]["friendly_name"] for lamp in ("light.bedroom_lamp", "light.study_lamp")]
    assert names == ["Reading lamp", "Reading lamp"]
    assert "Guest room" not in {thing.area for thing in inventory().entities.values()}


async def test_assist_sees_what_the_inventory_exposes(socket: RawSocket) -> None:
    exposed = (await socket.ask("homeassistant/expose_entity/list"))["exposed_entities"]
    visible = {entity_id for entity_id, assistants in exposed.items() if assistants.get("conversation")}

    wanted = {entity_id for entity_id, thing in inventory().entities.items() if thing.exposed}
    assert wanted <= visible
    assert {"light.utility_service_light", "sensor.electricity_voltage", "input_boolean.workday_morning"}.isdisjoint(
        visible
    )
    assert {
        "script.let_the_dog_out",
        "scene.welcome_home",
        "group.night_security",
        "light.downstairs_lights",
    } <= visible


async def test_the_household_has_a_shopping_list_and_a_calendar(socket: RawSocket) -> None:
    await socket.watch()

    assert socket.states["todo.shopping"]["state"] == "2"
    assert socket.states["calendar.family"]["state"] in {"on", "off"}
    assert {"person.robin", "person.sam"} <= set(socket.states)


async def test_a_light_does_what_it_is_told_and_remembers_its_brightness(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("light", "turn_on", "light.living_room_floor_lamp")
    on = await socket.until("light.living_room_floor_lamp", lambda state: state["state"] == "on")
    assert on["attributes"]["brightness"] == 128

    await socket.call("light", "turn_on", "light.living_room_ceiling_light", hs_color=[120, 50])
    green = await socket.until("light.living_room_ceiling_light", lambda state: state["state"] == "on")
    assert green["attributes"]["color_mode"] == "hs"
    assert green["attributes"]["hs_color"] == [120, 50]


async def test_the_old_bulb_accepts_everything_and_does_nothing(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("light", "turn_on", "light.hallway_old_bulb")
    await socket.call("light", "turn_on", "light.hall_light")

    await socket.until("light.hall_light", lambda state: state["state"] == "on")
    assert socket.seen("light.hallway_old_bulb") == []
    assert socket.states["light.hallway_old_bulb"]["state"] == "off"


async def test_the_back_door_jams_whichever_way_it_is_turned(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("lock", "unlock", "lock.back_door")
    await socket.until("lock.back_door", lambda state: state["state"] == "jammed")
    await socket.call("lock", "lock", "lock.back_door")
    await socket.until("lock.back_door", lambda state: state["state"] == "locking")
    await socket.until("lock.back_door", lambda state: state["state"] == "jammed")

    assert socket.seen("lock.back_door") == ["unlocking", "jammed", "locking", "jammed"]


async def test_the_front_door_unlocks_after_a_moment(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("lock", "unlock", "lock.front_door")
    await socket.until("lock.front_door", lambda state: state["state"] == "unlocked")

    assert socket.seen("lock.front_door") == ["unlocking", "unlocked"]


async def test_blinds_move_step_by_step_and_stop_on_the_way(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("cover", "close_cover", "cover.living_room_blinds")
    await socket.until("cover.living_room_blinds", lambda state: state["attributes"]["current_position"] <= 80)
    await socket.call("cover", "stop_cover", "cover.living_room_blinds")

    stopped = await socket.until("cover.living_room_blinds", lambda state: state["state"] == "open")
    assert 0 < stopped["attributes"]["current_position"] < 100


async def test_how_long_a_movement_takes_can_be_set(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("homesteward_demo", "set_fault", "cover.garage_door", travel=0.1)
    began = time.monotonic()
    await socket.call("cover", "open_cover", "cover.garage_door")
    opened = await socket.until("cover.garage_door", lambda state: state["state"] == "open")

    assert opened["attributes"]["current_position"] == 100
    assert time.monotonic() - began < 3  # what it takes by itself


async def test_a_clamped_thermostat_takes_less_than_it_was_asked_for(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("climate", "set_temperature", "climate.bedroom", temperature=28)
    state = await socket.until("climate.bedroom", lambda state: state["attributes"]["temperature"] != 17.5)

    assert state["attributes"]["temperature"] == 25


async def test_any_light_can_be_dropped_and_comes_back(socket: RawSocket) -> None:
    await socket.watch()
    assert socket.states["light.loft_flaky_bulb"]["state"] == "unavailable"

    await socket.call("homesteward_demo", "set_fault", "light.hall_light", unavailable=True)
    await socket.until("light.hall_light", lambda state: state["state"] == "unavailable")
    await socket.call("homesteward_demo", "set_fault", ["light.hall_light", "light.loft_flaky_bulb"], unavailable=False)

    await socket.until("light.hall_light", lambda state: state["state"] == "off")
    await socket.until("light.loft_flaky_bulb", lambda state: state["state"] == "off")


async def test_a_thing_can_be_made_to_answer_with_an_error_or_late(socket: RawSocket) -> None:
    await socket.call("homesteward_demo", "set_fault", "switch.coffee_maker", error="Out of beans")
    with pytest.raises(RawError, match="Out of beans"):
        await socket.call("switch", "turn_on", "switch.coffee_maker")

    await socket.call("homesteward_demo", "set_fault", "switch.coffee_maker", error="", delay=0.3)
    began = time.monotonic()
    await socket.call("switch", "turn_on", "switch.coffee_maker")
    assert time.monotonic() - began >= 0.3


async def test_a_state_set_by_a_test_looks_as_if_nobody_had_asked_for_it(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("light", "turn_on", "light.hall_light")
    asked = await socket.call(
        "homesteward_demo", "set_state", "light.hall_light", state="on", attributes={"brightness": 12}
    )
    state = await socket.until("light.hall_light", lambda state: state["attributes"]["brightness"] == 12)

    assert state["context"]["id"] != asked
    assert state["context"]["user_id"] is None
    assert state["context"]["parent_id"] is None


async def test_the_alarm_wants_its_code(socket: RawSocket) -> None:
    await socket.watch()
    panel = "alarm_control_panel.house_alarm"

    await socket.call("alarm_control_panel", "alarm_arm_home", panel)
    await socket.until(panel, lambda state: state["state"] == "armed_home")
    with pytest.raises(RawError, match="Invalid alarm code"):
        await socket.call("alarm_control_panel", "alarm_disarm", panel, code="0000")
    await socket.call("alarm_control_panel", "alarm_disarm", panel, code="1234")

    await socket.until(panel, lambda state: state["state"] == "disarmed")


@pytest.mark.parametrize(
    ("domain", "service", "entity_id", "lock"),
    [
        ("script", "turn_on", "script.let_the_dog_out", "lock.back_door"),
        ("scene", "turn_on", "scene.welcome_home", "lock.front_door"),
        ("automation", "trigger", "automation.open_up_in_the_morning", "lock.front_door"),
    ],
)
async def test_what_looks_harmless_turns_a_lock(
    socket: RawSocket, domain: str, service: str, entity_id: str, lock: str
) -> None:
    await socket.watch()

    await socket.call(domain, service, entity_id)

    await socket.until(lock, lambda state: state["state"] == "unlocking")


async def test_a_reset_undoes_everything_and_takes_no_new_home(socket: RawSocket) -> None:
    await socket.watch()
    before = {entity_id: state["state"] for entity_id, state in socket.states.items()}
    await socket.call("light", "turn_on", "light.kitchen_ceiling_light")
    await socket.call("cover", "open_cover", "cover.garage_door")
    await socket.call("lock", "unlock", "lock.back_door")
    await socket.call("input_boolean", "turn_on", "input_boolean.guest_mode")
    await socket.call("automation", "turn_off", "automation.hall_light_at_dusk")

    began = time.monotonic()
    await socket.call("homesteward_demo", "reset")
    took = time.monotonic() - began

    await socket.until("cover.garage_door", lambda state: state["state"] == "closed")
    states = {state["entity_id"]: state["state"] for state in await socket.ask("get_states")}
    assert {key: states[key] for key in inventory().entities} == {key: before[key] for key in inventory().entities}
    assert states["input_boolean.guest_mode"] == "off"
    assert states["automation.hall_light_at_dusk"] == "on"
    assert took < 2  # a new home takes eight, on a machine with nothing else to do


async def test_the_second_user_is_an_ordinary_member(demo_home: DemoHome) -> None:
    async with raw_socket(demo_home.address.url, demo_home.address.member_token) as socket:
        user = await socket.ask("auth/current_user")
        assert user["is_admin"] is False
        assert user["is_owner"] is False
        with pytest.raises(RawError, match="Unauthorized"):
            await socket.ask("homeassistant/expose_entity/list")


async def test_the_owner_can_log_in_at_the_form(demo_home: DemoHome) -> None:
    address = demo_home.address
    client = {"client_id": f"{address.url}/"}
    async with aiohttp.ClientSession(address.url) as http:
        begin = {**client, "handler": ["homeassistant", None], "redirect_uri": f"{address.url}/"}
        async with http.post("/auth/login_flow", json=begin) as answer:
            flow = (await answer.json())["flow_id"]
        login = {**client, "username": address.user, "password": address.password}
        async with http.post(f"/auth/login_flow/{flow}", json=login) as answer:
            assert (await answer.json())["type"] == "create_entry"


async def test_our_home_listens_on_loopback_only(demo_home: DemoHome) -> None:
    await assert_keeps_to_itself(demo_home)


async def test_home_assistants_own_demo_listens_on_loopback_only(ha_demo_home: DemoHome) -> None:
    await assert_keeps_to_itself(ha_demo_home)


async def test_a_home_starts_without_an_error_in_its_log(tmp_path: Path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        assert complaints(home) == []
    finally:
        await home.stop()


async def test_home_assistants_own_demo_is_metric_and_wholly_exposed(ha_demo_home: DemoHome) -> None:
    async with raw_socket(ha_demo_home.address.url, ha_demo_home.address.token) as socket:
        await socket.watch()
        config = await socket.ask("get_config")
        exposed = (await socket.ask("homeassistant/expose_entity/list"))["exposed_entities"]

    assert complaints(ha_demo_home) == []
    assert config["unit_system"]["temperature"] == "°C"
    assert {
        "light.bed_light",
        "vacuum.demo_vacuum_0_ground_floor",
        "cover.living_room_window",
        "climate.heatpump",
        "fan.ceiling_fan",
        "media_player.walkman",
        "alarm_control_panel.security",
    } <= set(socket.states)
    assert set(socket.states) == {key for key, assistants in exposed.items() if assistants.get("conversation")}


async def test_it_comes_back_when_home_assistant_asks_to_be_restarted(tmp_path: Path) -> None:
    """`homeassistant.restart` only leaves with exit code 100; whoever started it must start it again."""
    home = await DemoHome.start(tmp_path)
    try:
        first = home.pid
        async with raw_socket(home.address.url, home.address.token) as socket:
            with suppress(ConnectionResetError):  # it may be gone before it answers
                await socket.call("homeassistant", "restart")
        await home.wait_restarted(1)

        assert home.pid not in {first, None}
        async with raw_socket(home.address.url, home.address.token) as socket:
            assert (await socket.ask("get_config"))["state"] == "RUNNING"
    finally:
        await home.stop()
    assert home.pid is None


async def test_its_folder_survives_a_power_cut_and_keeps_its_keys(tmp_path: Path) -> None:
    home = await DemoHome.start(tmp_path)
    try:
        await home.kill()
        await home.restart()
        async with raw_socket(home.address.url, home.address.token) as socket:
            assert len(await socket.ask("config/area_registry/list")) == len(inventory().areas)
    finally:
        await home.stop()

    again = await DemoHome.start(tmp_path)
    try:
        assert again.address.token == home.address.token
    finally:
        await again.stop()


async def test_a_taken_port_is_refused_before_anything_starts(demo_home: DemoHome, tmp_path: Path) -> None:
    port = int(demo_home.address.url.rpartition(":")[2])
    with pytest.raises(PortTakenError):
        check_port_free(port)
    with pytest.raises(PortTakenError):
        await DemoHome.start(tmp_path, port=port)


async def test_a_failed_start_shows_the_end_of_the_log(tmp_path: Path) -> None:
    (tmp_path / ".ha_run.lock").mkdir()
    with pytest.raises(StartFailedError, match=r"exit code .*\n"):
        await DemoHome.start(tmp_path)


async def assert_keeps_to_itself(home: DemoHome) -> None:
    async with raw_socket(home.address.url, home.address.token) as socket:
        config = await socket.ask("get_config")
    assert config["recovery_mode"] is False
    assert home.pid is not None
    assert listeners(home.pid) == {("127.0.0.1", int(home.address.url.rpartition(":")[2]))}


def complaints(home: DemoHome) -> list[str]:
    return [
        line for line in home.log.splitlines() if any(word in line for word in (" ERROR ", " CRITICAL ", "Traceback"))
    ]


def listeners(pid: int) -> set[tuple[str, int]]:
    """Return the addresses that a process listens on, from the kernel's own tables."""
    inodes = {
        link.readlink().name[8:-1]
        for link in Path(f"/proc/{pid}/fd").iterdir()
        if link.is_symlink() and link.readlink().name.startswith("socket:[")
    }
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                address, port = fields[1].split(":")
                found.add((".".join(str(byte) for byte in reversed(bytes.fromhex(address))), int(port, 16)))
    return found
