"""The utterance cases of `evals/`, read in a copy of the things that Home Assistant's own demo integration brings."""

from pathlib import Path

import pytest
import yaml

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Says

CASES = yaml.load(
    (Path(__file__).parents[3] / "evals" / "utterances.yaml").read_text(encoding="utf-8"), yaml.BaseLoader
)
COLOURS = {"supported_color_modes": ["color_temp", "hs"]}
CELSIUS, PERCENT = {"unit_of_measurement": "°C"}, {"unit_of_measurement": "%"}
SENSITIVE = ("alarm_control_panel.", "lock.")  # the gate lets nobody do these at once


@pytest.fixture(scope="module")
def ha_demo() -> SimulatedHome:
    return SimulatedHome.build(
        [
            Thing("light.bed_light", "Bed Light", attributes=COLOURS),
            Thing("light.ceiling_lights", "Ceiling Lights", attributes=COLOURS),
            Thing("light.kitchen_lights", "Kitchen Lights", attributes=COLOURS),
            Thing("light.entrance_color_white_lights", "Entrance Color + White Lights", attributes=COLOURS),
            Thing("fan.living_room_fan", "Living Room Fan"),
            Thing("fan.ceiling_fan", "Ceiling Fan"),
            Thing("cover.kitchen_window", "Kitchen Window"),
            Thing("cover.living_room_window", "Living Room Window"),
            Thing("cover.garage_door", "Garage Door", device_class="garage"),
            Thing("lock.front_door", "Front Door"),
            Thing("lock.kitchen_door", "Kitchen Door", state="unlocked"),
            Thing("lock.poorly_installed_door", "Poorly Installed Door", state="unlocked"),
            Thing("lock.openable_lock", "Openable Lock"),
            Thing("climate.heatpump", "HeatPump"),
            Thing("climate.hvac", "Hvac"),
            Thing("media_player.walkman", "Walkman", state="playing"),
            Thing("media_player.living_room", "Living Room", state="playing"),
            Thing("vacuum.demo_vacuum_0_ground_floor", "Demo vacuum 0 ground floor"),
            Thing("vacuum.demo_vacuum_1_first_floor", "Demo vacuum 1 first floor"),
            Thing(
                "sensor.outside_temperature", "Outside Temperature", None, "15.6", CELSIUS, device_class="temperature"
            ),
            Thing("sensor.outside_humidity", "Outside Humidity", None, "54", PERCENT, device_class="humidity"),
            Thing("binary_sensor.basement_floor_wet", "Basement Floor Wet", device_class="moisture"),
            Thing("alarm_control_panel.security", "Security"),
            Thing("switch.ac", "AC"),
        ]
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_an_utterance_case_is_read_as_it_expects(ha_demo, speaking_to, calls, case):
    expected, reading = case["expect"], speaking_to(ha_demo)(case["utterance"], case["language"])
    wanted = [
        (
            f"{call['domain']}.{call['service']}",
            call["entity_id"],
            {key: str(value) for key, value in call["data"].items()},
        )
        for call in expected["calls"]
    ]
    asked = [(service, ids, {key: str(value) for key, value in data.items()}) for service, ids, data in calls(reading)]
    held = [one for one in asked if one[0].startswith(SENSITIVE) and "waiting" in expected.get("outcome_in", ())]
    assert [one for one in asked if one not in held] == wanted
    for words in expected.get("answer_contains", []):
        assert isinstance(reading, Says)
        assert any(word in reading.text.casefold() for word in words)
