"""What is put right in a call is what was plainly meant, is told in words, and never reaches further than what was asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, ResolvedCall, Target, parse_call
from homesteward.home.errors import InvalidDataError, NotSupportedError
from homesteward.home.inventory import Thing
from homesteward.home.quantities import amount_in, colour_temperature
from homesteward.home.services import check
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand
from homesteward.policy.impact import reached

HOME = small_home()
TUNABLE = {"supported_color_modes": ["color_temp"], "min_color_temp_kelvin": 2000, "max_color_temp_kelvin": 6500}
LAMPS = SimulatedHome.build(
    [
        Thing("light.tunable", "Tunable", attributes=TUNABLE),
        Thing("light.colour", "Colour", attributes={"supported_color_modes": ["xy"]}),
        Thing("light.dimmable", "Dimmable", attributes={"supported_color_modes": ["brightness"]}),
        Thing("light.plain", "Plain", attributes={"supported_color_modes": ["onoff"]}),
        Thing("light.gone", "Gone", state="unavailable", attributes={"supported_color_modes": ["brightness"]}),
        Thing("climate.room", "Room"),
        Thing("media_player.box", "Box"),
    ]
)


def put_right(service: str, *entity_ids: str, unit: str = "°C", home: SimulatedHome = LAMPS, **data: object):
    """Return the data as it would be sent, and what is said of it."""
    asked = parse_call({"service": service, "target": {"entity_id": list(entity_ids)}, "data": data})
    found = check(home, expand(home, asked), unit)
    return found.data, found.healed


@pytest.mark.parametrize(
    ("said", "kelvin"),
    [
        ({"kelvin": 2700}, 2700),
        ({"color_temp": 2700}, 2700),  # written by models that know only kelvin
        ({"color_temp": 370}, 2703),
        ({"color_temp": "370 mired"}, 2703),
        ({"color_temp": 153.8}, 6502),
        ({"color_temp_kelvin": "2700K"}, 2700),
        ({"color_temp_kelvin": "2700"}, 2700),
    ],
)
def test_a_colour_temperature_is_kelvin_however_it_was_written(said, kelvin):
    """0.9 of the field notes: mired and kelvin were mixed up in both earlier systems."""
    if kelvin > 6500:
        with pytest.raises(InvalidDataError):
            put_right("light.turn_on", "light.tunable", **said)
        return
    data, told = put_right("light.turn_on", "light.tunable", **said)
    assert data == {"color_temp_kelvin": kelvin}
    assert told


def test_the_field_itself_wins_over_its_old_name():
    data, told = put_right("light.turn_on", "light.tunable", color_temp_kelvin=3000, kelvin=6000)
    assert (data, told) == ({"color_temp_kelvin": 3000}, ("kelvin left out: color_temp_kelvin is given as well",))


@pytest.mark.parametrize("odd", [5, 1_000_000, True, None, "warm", [370], "nan", "370 lumens"])
def test_a_colour_temperature_that_could_be_anything_is_refused(odd):
    assert colour_temperature(odd) is None
    with pytest.raises(InvalidDataError):
        put_right("light.turn_on", "light.tunable", color_temp=odd)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ({"brightness": "40%"}, {"brightness_pct": 40}),
        ({"brightness": "40 percent"}, {"brightness_pct": 40}),
        ({"brightness": 0.4}, {"brightness_pct": 40}),
        ({"brightness": 102}, {"brightness": 102}),
        ({"brightness": "102"}, {"brightness": 102}),
        ({"brightness": 1}, {"brightness": 1}),
        ({"brightness_pct": "40"}, {"brightness_pct": 40}),
        ({"brightness": "40%", "brightness_pct": 70}, {"brightness_pct": 70}),
    ],
)
def test_a_brightness_is_on_the_scale_it_was_said_on(said, meant):
    assert put_right("light.turn_on", "light.dimmable", **said)[0] == meant


@pytest.mark.parametrize(("said", "meant"), [("40%", 0.4), (40, 0.4), ("40", 0.4), (0.4, 0.4), (1, 1), (100, 1.0)])
def test_a_volume_is_a_share_of_one(said, meant):
    assert put_right("media_player.volume_set", "media_player.box", volume_level=said)[0] == {"volume_level": meant}


@pytest.mark.parametrize(
    ("said", "unit", "meant"),
    [
        ("70 °F", "°C", 21.11),
        ("70F", "°C", 21.11),
        ("21 °C", "°C", 21),
        ("21,5", "°C", 21.5),
        ("21 degrees", "°C", 21),
        ("21 °C", "°F", 69.8),
        ("70 °F", "°F", 70),
        (21, "°C", 21),
    ],
)
def test_a_temperature_is_in_the_unit_of_the_home(said, unit, meant):
    home = SimulatedHome.build([Thing("climate.room", attributes={"min_temp": 5, "max_temp": 95})])
    data, told = put_right("climate.set_temperature", "climate.room", unit=unit, home=home, temperature=said)
    assert data == {"temperature": meant}
    assert bool(told) is (said != meant)


def test_a_temperature_out_of_range_after_conversion_is_refused():
    with pytest.raises(InvalidDataError):
        put_right("climate.set_temperature", "climate.room", temperature="120 °F")


@pytest.mark.parametrize("said", ["21 kelvin", "1,000", "21 °C or so", "twenty", "21 °X"])
def test_an_amount_with_more_than_one_reading_is_none(said):
    assert amount_in("°C", said) is None


@pytest.mark.parametrize(
    ("lamp", "said", "kept"),
    [
        ("light.dimmable", {"brightness_pct": 40, "color_temp_kelvin": 3000}, {"brightness_pct": 40}),
        ("light.dimmable", {"brightness_pct": 40, "color_name": "red", "hs_color": [1, 2]}, {"brightness_pct": 40}),
        ("light.tunable", {"color_temp_kelvin": 3000, "rgb_color": [255, 0, 0]}, {"color_temp_kelvin": 3000}),
        ("light.tunable", {"brightness_pct": 40, "rgb_color": [255, 0, 0]}, {"brightness_pct": 40}),
        ("light.colour", {"color_temp_kelvin": 3000, "rgb_color": [255, 0, 0]}, {"rgb_color": [255, 0, 0]}),
        ("light.colour", {"rgb_color": [255, 0, 0]}, {"rgb_color": [255, 0, 0]}),  # HA converts it
        ("light.colour", {"color_temp_kelvin": 3000}, {"color_temp_kelvin": 3000}),  # and imitates this
        ("light.gone", {"brightness_pct": 40, "color_name": "red"}, {"brightness_pct": 40, "color_name": "red"}),
    ],
)
def test_of_several_colours_the_one_that_the_light_can_show_is_kept(lamp, said, kept):
    """Acceptance 25: a colour temperature for a light with brightness alone still sets its brightness."""
    data, told = put_right("light.turn_on", lamp, **said)
    assert data == kept
    assert len(told) == len(said) - len(kept)


def test_nothing_but_a_colour_that_no_light_can_show_is_refused():
    with pytest.raises(NotSupportedError):
        put_right("light.turn_on", "light.dimmable", "light.plain", color_name="red")


def test_a_colour_for_several_lights_goes_to_those_that_have_it():
    data, told = put_right("light.turn_on", "light.dimmable", "light.colour", brightness_pct=40, color_name="red")
    assert (data, told) == ({"brightness_pct": 40, "color_name": "red"}, ())


def test_fields_beside_the_data_are_put_into_it_and_those_inside_win():
    raw = {"service": "light.turn_on", "entity_id": "light.dimmable", "brightness_pct": 40, "transition": 2}
    call = parse_call({**raw, "data": {"transition": 5}})
    assert (call.data, call.target.entity_id) == ({"brightness_pct": 40, "transition": 5}, ("light.dimmable",))
    assert call.healed == ("brightness_pct put into the data", "transition taken from the data, not from beside it")


def test_a_call_that_was_right_has_nothing_to_tell():
    assert put_right("light.turn_on", "light.dimmable", brightness_pct=40)[1] == ()


def test_what_was_put_right_is_no_part_of_what_a_call_is():
    assert ResolvedCall("light", "turn_on", ("light.a",), {}, ("x",)) == ResolvedCall("light", "turn_on", ("light.a",))


NAMES = st.sampled_from(
    [
        "brightness",
        "brightness_pct",
        "kelvin",
        "color_temp",
        "color_temp_kelvin",
        "color",
        "rgb",
        "rgb_color",
        "color_name",
        "volume",
        "volume_level",
        "temperature",
        "target_temp_low",
        "mute",
        "option",
        "value",
        "media",
        "code",
        "entity",
        "x",
        "media_content_id",
        "media_content_type",
        "hvac_mode",
        "white",
        "effect",
        "transition",
    ]
)
VALUES = st.one_of(
    st.integers(-10, 10_000),
    st.floats(allow_nan=True),
    st.booleans(),
    st.none(),
    st.sampled_from(
        ["40%", "370 mired", "70 °F", "red", "lock.front_door", "light.hall,lock.front_door", "1e400", "[1,2,3]"]
    ),
    st.text(max_size=8),
    st.lists(st.sampled_from(["lock.front_door", "light.hall", 3]), max_size=3),
)
CALLS = st.sampled_from(
    [
        ("light.turn_on", "light.kitchen"),
        ("light.toggle", "light.study"),
        ("homeassistant.turn_on", "light.study"),
        ("climate.set_temperature", "climate.thermostat"),
        ("media_player.volume_set", "media_player.speaker"),
        ("media_player.play_media", "media_player.speaker"),
        ("script.turn_on", "script.welcome"),
        ("lock.unlock", "lock.front_door"),
        ("cover.set_cover_position", "cover.garage_door"),
    ]
)


@given(CALLS, st.dictionaries(NAMES, VALUES, max_size=5), st.sampled_from(["°C", "°F"]))
def test_putting_right_never_reaches_further_changes_the_service_or_lowers_what_it_amounts_to(asked, data, unit):
    service, entity_id = asked
    domain, name = service.split(".")
    try:
        before = expand(HOME, Call(domain, name, Target(entity_id=(entity_id,)), data))
        after = check(HOME, before, unit)
    except HomestewardError:
        return
    assert (after.domain, after.service, after.entity_ids) == (before.domain, before.service, before.entity_ids)
    assert after.data.keys() & {"entity_id", "device_id", "area_id", "floor_id", "label_id"} == set()
    there = {(each.at, each.kind) for each in reached(before, entity_id, HOME)}
    assert {(each.at, each.kind) for each in reached(after, entity_id, HOME)} == there


@given(CALLS, st.dictionaries(NAMES, VALUES, max_size=5))
def test_putting_right_twice_changes_nothing_more(asked, data):
    domain, name = asked[0].split(".")
    try:
        once = check(HOME, expand(HOME, Call(domain, name, Target(entity_id=(asked[1],)), data)))
    except HomestewardError:
        return
    assert check(HOME, once).data == once.data
