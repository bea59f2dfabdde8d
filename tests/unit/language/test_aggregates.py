"""One answer over many things: average, highest, lowest, sum, and what is on."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Floor
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Says


def sensor(name, area, value, unit, kind, device=None):
    return Thing(
        f"sensor.{name}",
        name.replace("_", " "),
        area,
        value,
        {"unit_of_measurement": unit},
        device_class=kind,
        device=device,
    )


@pytest.fixture(scope="module")
def measured() -> SimulatedHome:
    return SimulatedHome.build(
        [
            sensor("kitchen_air", "kitchen", "21", "°C", "temperature", "air"),
            sensor("kitchen_damp", "kitchen", "50", "%", "humidity", "air"),
            sensor("fridge", "kitchen", "4", "°C", "temperature", "fridge"),
            sensor("bedroom_air", "bedroom", "18", "°C", "temperature", "air2"),
            sensor("bedroom_damp", "bedroom", "60", "%", "humidity", "air2"),
            sensor("garden", "garden", "-3", "°C", "temperature", "air3"),
            sensor("oven_power", "kitchen", "1.2", "kW", "power"),
            sensor("lamp_power", "bedroom", "40", "W", "power"),
            Thing("light.lamp", "Lamp", "kitchen", "on"),
            Thing("light.dead", "Dead lamp", "kitchen", "unavailable"),
            Thing("automation.x", "Robot", None, "on"),
        ],
        areas=[Area("kitchen", "Kitchen", "ground"), Area("bedroom", "Bedroom", "up"), Area("garden", "Garden")],
        floors=[Floor("ground", "Ground floor"), Floor("up", "Upstairs")],
    )


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        ("what's the average temperature?", "en", "On average 19.5 °C, over 2."),
        ("which room is the warmest?", "en", "The highest is kitchen air: 21 °C."),
        ("where is it coldest?", "en", "The lowest is bedroom air: 18 °C."),
        ("what's the highest humidity?", "en", "The highest is bedroom damp: 60 %."),
        ("how much power are we using?", "en", "1240 W altogether, over 2."),
        ("what is the average temperature upstairs?", "en", "On average 18 °C, over 1."),
        ("what is on at home?", "en", "On: Lamp."),
        ("what's on in the kitchen?", "en", "On: Lamp."),
        ("how warm is it in the kitchen?", "en", "kitchen air is at 21 °C."),
        ("wie hoch ist die durchschnittliche Temperatur?", "de", "Im Durchschnitt 19.5 °C, über 2."),
        ("welcher Raum ist am wärmsten?", "de", "Am höchsten: kitchen air mit 21 °C."),
        ("was ist zu Hause an?", "de", "An: Lamp."),
    ],
)
def test_many_things_are_put_together(measured, speaking_to, text, language, answer):
    reading = speaking_to(measured)(text, language)
    assert isinstance(reading, Says), reading
    assert reading.text == answer


def test_nothing_on_is_said_so(speaking_to):
    home = SimulatedHome.build([Thing("light.a", "Lamp"), Thing("automation.x", "Robot", None, "on")])
    assert speaking_to(home)("what is on at home?").text == "Nothing is on."
