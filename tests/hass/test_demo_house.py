"""What the demo home has to offer: its rooms and things, and that each of them works on a real Home Assistant."""

from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise

import aiohttp
import pytest

from hass.raw import RawError, RawSocket, raw_socket
from homesteward.demo import DemoHome, inventory

pytestmark = pytest.mark.hass

DOMAINS = {
    "alarm_control_panel", "automation", "binary_sensor", "button", "calendar", "camera", "climate", "counter", "cover",
    "device_tracker", "event", "fan", "group", "humidifier", "input_boolean", "input_button", "input_datetime", "input_number",
    "input_select", "input_text", "lawn_mower", "light", "lock", "media_player", "notify", "number", "person", "scene",
    "schedule", "script", "select", "sensor", "siren", "sun", "switch", "text", "timer", "todo", "update", "vacuum", "valve",
    "water_heater", "weather", "zone",
}  # fmt: skip


async def test_it_has_floors_areas_and_things_enough(socket: RawSocket) -> None:
    await socket.watch()
    areas = await socket.ask("config/area_registry/list")

    assert len(await socket.ask("config/floor_registry/list")) == 3
    assert len(areas) >= 12
    assert len(socket.states) >= 130
    assert {entity_id.partition(".")[0] for entity_id in socket.states} >= DOMAINS


async def test_names_are_as_names_are(socket: RawSocket) -> None:
    """With accents, in other languages and scripts, with shared words, and one of them twice in one area."""
    names = Counter((thing.name, thing.area) for thing in inventory().entities.values())

    assert {name for name, _ in names} >= {
        "Living Room Lamp", "Living Room Lamp 2", "Lamp", "Büro Decke", "Éclairage façade", "Światło w łazience", "Кухня",
    }  # fmt: skip
    assert names["Mirror light", "Bathroom"] == 2


async def test_some_things_are_disabled_some_hidden_some_nowhere_and_some_noise(socket: RawSocket) -> None:
    registry = {entry["entity_id"]: entry for entry in await socket.ask("config/entity_registry/list")}
    own = {entity_id: row for entity_id, row in registry.items() if row["platform"] == "homesteward_demo"}
    house = inventory()

    assert {entity_id for entity_id, row in own.items() if row["disabled_by"]} == set(house.disabled)
    assert sum(1 for row in own.values() if row["hidden_by"]) >= 3
    assert sum(1 for row in own.values() if row["entity_category"] == "diagnostic") >= 30
    assert sum(1 for thing in house.entities.values() if thing.area is None and thing.exposed) >= 2


async def test_automations_are_sorted_into_categories(socket: RawSocket) -> None:
    categories = await socket.ask("config/category_registry/list", scope="automation")
    names = {category["category_id"]: category["name"] for category in categories}
    rows = await socket.ask("config/entity_registry/list")
    sorted_in = Counter(
        names[row["categories"]["automation"]] for row in rows if row["entity_id"].startswith("automation.")
    )

    assert sorted_in == {"Comfort": 7, "Safety": 3, "Tried out": 6}


async def test_people_are_where_their_phones_are(socket: RawSocket) -> None:
    await socket.watch()
    assert socket.states["person.robin"]["state"] == "home"
    assert socket.states["person.sam"]["state"] == "Work"
    assert socket.states["person.zoe"]["state"] == "not_home"

    await socket.call("homesteward_demo", "set_state", "device_tracker.zoes_tablet", state="School")

    await socket.until("person.zoe", lambda state: state["state"] == "School")


async def test_a_camera_draws_a_picture_of_this_moment(demo_home: DemoHome) -> None:
    first = await picture(demo_home, "camera.garden")
    small = await picture(demo_home, "camera.garden", width=160)

    assert first[:3] == b"\xff\xd8\xff"
    assert len(small) < len(first)
    assert await picture(demo_home, "camera.doorbell") != first


async def test_a_phone_keeps_its_messages_for_a_test_to_read(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("notify", "send_message", "notify.robins_phone", message="Rain at five", title="Weather")
    phone = await socket.until("notify.robins_phone", lambda state: state["attributes"]["messages"])

    assert phone["attributes"]["messages"] == [{"title": "Weather", "message": "Rain at five"}]
    await socket.call("homesteward_demo", "reset")
    await socket.until("notify.robins_phone", lambda state: state["state"] == "unknown")


async def test_the_meter_can_be_reset(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("button", "press", "button.electricity_meter_reset")

    await socket.until("sensor.electricity_energy", lambda state: state["state"] == "0.0")


async def test_power_follows_the_socket_it_is_measured_at(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("switch", "turn_on", "switch.coffee_maker")

    power = await socket.until("sensor.coffee_maker_power", lambda state: state["state"] == "1150")
    assert power["context"]["id"] == socket.states["switch.coffee_maker"]["context"]["id"]


async def test_the_doorbell_rings_when_it_is_made_to(socket: RawSocket) -> None:
    await socket.watch()

    await socket.call("homesteward_demo", "set_state", "event.doorbell", state="ring")

    rung = await socket.until("event.doorbell", lambda state: state["state"] != "unknown")
    assert rung["attributes"]["event_type"] == "ring"


async def test_the_weather_can_be_foretold(socket: RawSocket) -> None:
    answer = await socket.ask(
        "call_service",
        domain="weather",
        service="get_forecasts",
        service_data={"entity_id": "weather.home", "type": "daily"},
        return_response=True,
    )

    days = answer["response"]["weather.home"]["forecast"]
    assert [day["condition"] for day in days][:2] == ["cloudy", "rainy"]
    dates = [datetime.fromisoformat(day["datetime"]).date() for day in days]
    assert [later - earlier for earlier, later in pairwise(dates)] == [timedelta(days=1)] * 4


@pytest.mark.parametrize(
    ("service", "entity_id", "data", "state", "attributes"),
    [
        ("light.turn_on", "light.kitchen_worktop_strip", {"rgbw_color": [9, 8, 7, 6]}, "on", {"color_mode": "rgbw"}),
        ("light.turn_on", "light.bedroom_wake_up", {"effect": "Sunrise"}, "on", {"effect": "Sunrise"}),
        ("cover.set_cover_tilt_position", "cover.loft_shade", {"tilt_position": 10}, "open", {"current_tilt_position": 10}),
        ("cover.open_cover", "cover.loft_skylight", {}, "open", {}),
        ("climate.set_temperature", "climate.hallway", {"target_temp_low": 18, "target_temp_high": 24}, "heat_cool", {"target_temp_low": 18}),
        ("climate.set_temperature", "climate.hallway", {"hvac_mode": "cool", "temperature": 22}, "cool", {"temperature": 22}),
        ("climate.set_hvac_mode", "climate.loft_air_conditioner", {"hvac_mode": "cool"}, "cool", {"temperature": 20.0}),
        ("water_heater.set_temperature", "water_heater.boiler", {"temperature": 60}, "eco", {"temperature": 60}),
        ("climate.set_temperature", "climate.loft_air_conditioner", {"temperature": 30}, "off", {"temperature": 30}),
        ("water_heater.set_away_mode", "water_heater.boiler", {"away_mode": True}, "eco", {"away_mode": "on"}),
        ("humidifier.set_humidity", "humidifier.bedroom", {"humidity": 55}, "off", {"humidity": 55}),
        ("humidifier.turn_on", "humidifier.utility_dehumidifier", {}, "on", {"action": "drying"}),
        ("fan.set_preset_mode", "fan.loft_fan", {"preset_mode": "turbo"}, "on", {"preset_mode": "turbo"}),
        ("fan.oscillate", "fan.loft_fan", {"oscillating": True}, "off", {"oscillating": True}),
        ("lawn_mower.start_mowing", "lawn_mower.garden_mower", {}, "mowing", {}),
        ("valve.open_valve", "valve.lawn_sprinkler", {}, "open", {}),
        ("lock.unlock", "lock.medicine_cabinet", {"code": "2580"}, "unlocked", {}),
        ("number.set_value", "number.fridge_setpoint", {"value": 6}, "6", {}),
        ("select.select_option", "select.coffee_maker_strength", {"option": "strong"}, "strong", {}),
        ("text.set_value", "text.demo_hub_display", {"value": "Hello"}, "Hello", {}),
        ("update.install", "update.demo_hub_firmware", {}, "off", {"installed_version": "2.4.1"}),
        ("input_number.set_value", "input_number.wanted_humidity", {"value": 60}, "60.0", {}),
        ("input_select.select_option", "input_select.house_mode", {"option": "Party"}, "Party", {}),
        ("input_datetime.set_datetime", "input_datetime.wake_up", {"time": "07:30:00"}, "07:30:00", {}),
        ("counter.increment", "counter.visitors", {}, "4", {}),
        ("timer.start", "timer.tea", {}, "active", {}),
    ],
)  # fmt: skip
async def test_every_sort_of_thing_does_what_it_is_told_and_is_put_back(
    socket: RawSocket, service: str, entity_id: str, data: dict, state: str, attributes: dict
) -> None:
    await socket.watch()
    before = socket.states[entity_id]
    domain, _, name = service.partition(".")

    await socket.call(domain, name, entity_id, **data)
    await socket.until(entity_id, lambda now: now["state"] == state and attributes.items() <= now["attributes"].items())
    await socket.call("homesteward_demo", "reset")

    await socket.until(entity_id, lambda now: now["state"] == before["state"])


async def test_a_lock_with_a_code_wants_it(socket: RawSocket) -> None:
    with pytest.raises(RawError):
        await socket.call("lock", "unlock", "lock.medicine_cabinet")
    with pytest.raises(RawError, match="Invalid lock code"):
        await socket.call("lock", "unlock", "lock.medicine_cabinet", code="1111")


async def test_a_home_may_count_in_fahrenheit(tmp_path) -> None:
    home = await DemoHome.start(tmp_path, units="us_customary")
    try:
        async with raw_socket(home.address.url, home.address.token) as socket:
            await socket.watch()
            assert (await socket.ask("get_config"))["unit_system"]["temperature"] == "°F"
            attributes = socket.states["climate.loft_air_conditioner"]["attributes"]
            assert (attributes["temperature"], attributes["min_temp"], attributes["max_temp"]) == (68, 60, 86)
            assert socket.states["climate.bedroom"]["attributes"]["max_temp"] == 95
            assert socket.states["water_heater.boiler"]["attributes"]["max_temp"] == 158
    finally:
        await home.stop()


async def picture(home: DemoHome, entity_id: str, **size: int) -> bytes:
    headers = {"Authorization": f"Bearer {home.address.token}"}
    async with (
        aiohttp.ClientSession(home.address.url, headers=headers) as http,
        http.get(f"/api/camera_proxy/{entity_id}", params=size) as answer,
    ):
        assert answer.status == 200
        return await answer.read()
