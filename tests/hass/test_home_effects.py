"""What `effects` expects of a call is what a real home shows, and what it calls wrong is what a faulty thing shows."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from homesteward.core.json import JsonObject
from homesteward.demo import DemoHome
from homesteward.home.calls import parse_call
from homesteward.home.connection import Connection
from homesteward.home.dispatch import HaDispatcher
from homesteward.home.effects import Effect, effect_of, observed_of
from homesteward.home.errors import CallFailedError
from homesteward.home.mirror import Mirror
from homesteward.home.services import check
from homesteward.home.targets import expand

pytestmark = pytest.mark.hass


@dataclass
class House:
    """A real home that can be asked and looked at."""

    mirror: Mirror
    dispatcher: HaDispatcher

    async def ask(self, service: str, entity_id: str = "", data: JsonObject | None = None) -> dict[str, Effect]:
        """Send a call as the gate would; return what is expected of each entity."""
        target = {"entity_id": entity_id} if entity_id else {}
        call = check(self.mirror, expand(self.mirror, parse_call({"service": service, "target": target, "data": data})))
        effects = {seen: effect_of(call, seen, self.mirror) for seen in observed_of(call, self.mirror)}
        await self.dispatcher.call(call)
        return effects

    async def shows(self, entity_id: str, effect: Effect, within_s: float | None = None) -> bool:
        """Return whether the entity shows the effect within its window."""
        return await self.mirror.wait_for(entity_id, effect.holds, within_s or effect.window_s) is not None


@asynccontextmanager
async def open_house(home: DemoHome) -> AsyncIterator[House]:
    connection = await Connection.open(home.address.url, home.address.token)
    mirror = await Mirror.start(connection)
    yield House(mirror, HaDispatcher(connection, mirror))
    await mirror.close()
    await connection.close()


@pytest.fixture
async def house(demo_home: DemoHome) -> AsyncIterator[House]:
    async with open_house(demo_home) as opened:
        yield opened


@pytest.fixture
async def other_house(ha_demo_home: DemoHome) -> AsyncIterator[House]:
    async with open_house(ha_demo_home) as opened:
        yield opened


@pytest.mark.parametrize(
    ("service", "entity_id", "data"),
    [
        ("light.turn_on", "light.kitchen_ceiling_light", {}),
        ("light.turn_on", "light.kitchen_ceiling_light", {"brightness_pct": 40}),
        ("light.turn_on", "light.living_room_tv_backlight", {"color_name": "red"}),
        ("light.turn_on", "light.living_room_ceiling_light", {"color_temp_kelvin": 4000}),
        ("light.turn_on", "light.living_room_ceiling_light", {"rgb_color": [0, 120, 255], "brightness": 30}),
        ("light.turn_on", "light.study_lamp", {"brightness_step_pct": -20}),
        ("light.turn_off", "light.study_lamp", {}),
        ("light.toggle", "light.garage_light", {}),
        ("light.turn_on", "light.downstairs_lights", {}),
        ("homeassistant.turn_on", "switch.coffee_maker", {}),
        ("switch.turn_off", "switch.study_printer", {}),
        ("input_boolean.turn_on", "input_boolean.guest_mode", {}),
        ("fan.turn_on", "fan.bedroom_fan", {}),
        ("fan.set_percentage", "fan.bedroom_fan", {"percentage": 70}),
        ("fan.turn_on", "fan.bathroom_extractor", {"percentage": 100}),
        ("cover.open_cover", "cover.bedroom_blinds", {}),
        ("cover.close_cover", "cover.kitchen_blinds", {}),
        ("cover.set_cover_position", "cover.living_room_blinds", {"position": 60}),
        ("homeassistant.toggle", "cover.garage_door", {}),
        ("lock.unlock", "lock.front_door", {}),
        ("valve.close_valve", "valve.water_main", {}),
        ("climate.set_temperature", "climate.living_room", {"temperature": 22}),
        ("climate.set_hvac_mode", "climate.living_room", {"hvac_mode": "off"}),
        ("climate.turn_off", "climate.bedroom", {}),
        ("media_player.media_play", "media_player.living_room_speaker", {}),
        ("media_player.media_pause", "media_player.kitchen_speaker", {}),
        ("media_player.volume_set", "media_player.kitchen_speaker", {"volume_level": 0.6}),
        ("media_player.volume_up", "media_player.kitchen_speaker", {}),
        ("media_player.volume_mute", "media_player.kitchen_speaker", {"is_volume_muted": True}),
        ("media_player.media_next_track", "media_player.kitchen_speaker", {}),
        ("media_player.turn_on", "media_player.living_room_television", {}),
        ("vacuum.start", "vacuum.robot_vacuum", {}),
        ("siren.turn_on", "siren.house_alarm_siren", {}),
        ("alarm_control_panel.alarm_arm_home", "alarm_control_panel.house_alarm", {"code": "1234"}),
        ("scene.turn_on", "scene.relax", {}),
        ("script.turn_on", "script.movie_time", {}),
        ("script.movie_time", "", {}),
        ("automation.trigger", "automation.hall_light_at_dusk", {}),
        ("automation.turn_off", "automation.hall_light_at_dusk", {}),
    ],
)
async def test_a_real_thing_shows_what_is_expected(house: House, service: str, entity_id: str, data: JsonObject):
    effects = await house.ask(service, entity_id, data)
    assert effects
    for seen, effect in effects.items():
        if seen not in {"light.hallway_old_bulb", "light.loft_flaky_bulb"}:
            assert await house.shows(seen, effect), (seen, effect.expected, house.mirror.states[seen])


@pytest.mark.parametrize(
    ("service", "entity_id", "data"),
    [
        ("light.turn_on", "light.bed_light", {"color_name": "green", "brightness_pct": 35}),
        ("light.turn_on", "light.office_rgbw_lights", {"rgb_color": [10, 200, 30]}),
        ("cover.set_cover_position", "cover.hall_window", {"position": 30}),
        ("cover.set_cover_tilt_position", "cover.living_room_window", {"tilt_position": 40}),
        ("lock.open", "lock.openable_lock", {}),
        ("climate.set_temperature", "climate.ecobee", {"target_temp_low": 18, "target_temp_high": 24}),
        ("climate.set_preset_mode", "climate.ecobee", {"preset_mode": "away"}),
        ("fan.set_preset_mode", "fan.preset_only_limited_fan", {"preset_mode": "sleep"}),
        ("fan.increase_speed", "fan.living_room_fan", {}),
        ("humidifier.set_humidity", "humidifier.humidifier", {"humidity": 44}),
        ("media_player.media_next_track", "media_player.walkman", {}),
        ("media_player.select_source", "media_player.lounge_room", {"source": "dvd"}),
        ("vacuum.start", "vacuum.demo_vacuum_0_ground_floor", {}),
        ("number.set_value", "number.volume", {"value": 33}),
        ("select.select_next", "select.speed", {}),
        ("water_heater.turn_off", "water_heater.demo_water_heater_celsius", {}),
    ],
)
async def test_a_thing_of_another_integration_shows_it_too(
    other_house: House, service: str, entity_id: str, data: JsonObject
):
    effects = await other_house.ask(service, entity_id, data)
    effect = effects[entity_id]
    assert await other_house.shows(entity_id, effect), (effect.expected, other_house.mirror.states[entity_id])


async def test_asking_again_for_what_is_so_is_already_so(house: House):
    await house.ask("light.turn_on", "light.kitchen_ceiling_light", {"brightness_pct": 40})
    call = expand(
        house.mirror,
        parse_call(
            {"service": "light.turn_on", "entity_id": "light.kitchen_ceiling_light", "data": {"brightness_pct": 40}}
        ),
    )
    effect = effect_of(call, "light.kitchen_ceiling_light", house.mirror)
    await house.shows("light.kitchen_ceiling_light", effect)
    assert effect.already(house.mirror.states["light.kitchen_ceiling_light"])


async def test_a_lock_that_jams_contradicts(house: House):
    effects = await house.ask("lock.unlock", "lock.back_door")
    effect = effects["lock.back_door"]
    assert await house.mirror.wait_for("lock.back_door", effect.contradicted, effect.window_s)
    assert not effect.holds(house.mirror.states["lock.back_door"])


async def test_a_dead_bulb_shows_nothing(house: House):
    effects = await house.ask("light.turn_on", "light.hallway_old_bulb")
    assert not await house.shows("light.hallway_old_bulb", effects["light.hallway_old_bulb"], 0.5)


async def test_an_unavailable_light_shows_nothing(house: House):
    effects = await house.ask("light.turn_on", "light.loft_flaky_bulb")
    assert not await house.shows("light.loft_flaky_bulb", effects["light.loft_flaky_bulb"], 0.5)


async def test_a_thermostat_that_clamps_is_not_where_it_was_told_to_be(house: House):
    effects = await house.ask("climate.set_temperature", "climate.bedroom", {"temperature": 28})
    assert not await house.shows("climate.bedroom", effects["climate.bedroom"], 0.5)
    assert house.mirror.states["climate.bedroom"].attributes["temperature"] == 25


async def test_what_home_assistant_refuses_carries_its_words(house: House):
    with pytest.raises(CallFailedError) as told:
        await house.ask("alarm_control_panel.alarm_disarm", "alarm_control_panel.house_alarm", {"code": "9999"})
    assert told.value.message
    assert not told.value.retry
