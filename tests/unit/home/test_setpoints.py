"""A thermostat is asked for the temperatures of its mode, or told which those are."""

import pytest

from homesteward.home.calls import parse_call
from homesteward.home.effects import effect_of
from homesteward.home.errors import InvalidDataError
from homesteward.home.inventory import Thing
from homesteward.home.services import check
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand

MODES = ["off", "heat", "cool", "heat_cool", "auto"]
BOTH = {"target_temp_low": 20, "target_temp_high": 24}


def hall(mode="heat_cool", *, features=1 | 2 | 128 | 256, unit="°C", low=7, high=30):
    """A home with one thermostat: in heat_cool it holds 19 to 25, in any other mode 21; all in its unit."""
    two = mode == "heat_cool"
    temperatures = {
        "temperature": None if two else 21,
        "target_temp_low": 19 if two else None,
        "target_temp_high": 25 if two else None,
    }
    bounds = {"min_temp": low, "max_temp": high, "temperature_unit": unit}
    attributes = {"hvac_modes": MODES, "supported_features": features, **bounds, **temperatures}
    return SimulatedHome.build([Thing("climate.hall", "Hall", state=mode, attributes=attributes)])


def asked(home, **data):
    call = parse_call({"service": "climate.set_temperature", "target": {"entity_id": "climate.hall"}, "data": data})
    return check(home, expand(home, call))


@pytest.mark.parametrize(
    "data",
    [
        {"temperature": 22},
        {"temperature": 22, **BOTH},
        {"target_temp_low": 20},
        {"target_temp_high": 24},
        {"hvac_mode": "heat_cool", "temperature": 22},
    ],
)
def test_one_temperature_for_a_mode_with_two_is_refused_saying_what_it_needs(data):
    """E14: it was sent, and ignored."""
    with pytest.raises(InvalidDataError) as refused:
        asked(hall(), **data)
    assert refused.value.message == "Hall needs target_temp_low and target_temp_high in heat_cool."
    assert refused.value.next == "Each from 7 to 30 °C; now target_temp_low 19, target_temp_high 25."


def test_two_temperatures_for_a_mode_with_two_are_sent():
    assert asked(hall(), **BOTH).data == BOTH


def test_the_lower_one_above_the_higher_one_is_refused():
    with pytest.raises(InvalidDataError, match="above target_temp_high 20"):
        asked(hall(), target_temp_low=24, target_temp_high=20)


@pytest.mark.parametrize(
    ("now", "data", "fits"),
    [
        ("heat_cool", {"hvac_mode": "cool", "temperature": 22}, True),
        ("heat", {"hvac_mode": "cool", "temperature": 22}, True),
        ("cool", {"hvac_mode": "heat_cool", **BOTH}, True),
        ("cool", {"hvac_mode": "heat_cool", "temperature": 22}, False),
        ("heat_cool", {"hvac_mode": "cool", **BOTH}, False),
        ("cool", {"temperature": 22}, True),
        ("cool", BOTH, False),
        ("off", {"temperature": 22}, True),
    ],
)
def test_the_mode_asked_for_decides_and_not_the_one_it_is_in(now, data, fits):
    """E14, variant 2."""
    if fits:
        assert asked(hall(now), **data).data == data
    else:
        with pytest.raises(InvalidDataError, match=" needs "):
            asked(hall(now), **data)


def test_the_mode_asked_for_is_part_of_what_has_to_be_seen():
    """E14, variant 2: still in heat_cool with the right number is not done."""
    home = hall()
    effect = effect_of(asked(home, hvac_mode="cool", temperature=22), "climate.hall", home)
    assert not effect.holds(hall("heat_cool").states["climate.hall"])
    assert effect.expected == "cool, temperature 22"


def test_a_number_meant_in_celsius_is_out_of_range_where_the_home_counts_in_fahrenheit():
    """E14, variant 1: 22 in a home whose thermostats go from 45 to 95 °F."""
    home = hall("heat", unit="°F", low=45, high=95)
    with pytest.raises(InvalidDataError) as refused:
        asked(home, temperature=22)
    assert refused.value.next == "Allowed: 45 to 95 °F."


def test_a_thermostat_that_cannot_hold_two_takes_one_in_every_mode():
    """A heat pump with a single set-point stays in heat_cool; its features say so."""
    home = hall("heat_cool", features=1 | 128 | 256)
    assert asked(home, temperature=22).data == {"temperature": 22}


def test_a_thermostat_that_shows_one_temperature_in_heat_cool_is_believed():
    home = hall("heat_cool")
    home.set_state("climate.hall", "heat_cool", temperature=21, target_temp_low=None, target_temp_high=None)
    assert asked(home, temperature=22).data == {"temperature": 22}
