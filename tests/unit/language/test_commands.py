"""What a household says, in English and German, and the calls it comes to."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts

ENGLISH = [
    ("turn on the kitchen light", "light.turn_on", ["light.kitchen"], {}),
    ("Could you please switch off the kitchen light?", "light.turn_off", ["light.kitchen"], {}),
    ("kitchen light off", "light.turn_off", ["light.kitchen"], {}),
    ("toggle the study light", "light.toggle", ["light.study"], {}),
    ("turn on the cooking light", "light.turn_on", ["light.kitchen"], {}),
    ("dim the study light down to a quarter", "light.turn_on", ["light.study"], {"brightness_pct": 25}),
    ("set the study light to 40%", "light.turn_on", ["light.study"], {"brightness_pct": 40}),
    ("set the study light to forty percent", "light.turn_on", ["light.study"], {"brightness_pct": 40}),
    ("make the study light a bit brighter", "light.turn_on", ["light.study"], {"brightness_step_pct": 10}),
    ("dim the study light by 20 percent", "light.turn_on", ["light.study"], {"brightness_step_pct": -20}),
    ("make the study light blue", "light.turn_on", ["light.study"], {"color_name": "blue"}),
    ("set the study light to warm white", "light.turn_on", ["light.study"], {"color_temp_kelvin": 2700}),
    ("study light red", "light.turn_on", ["light.study"], {"color_name": "red"}),
    ("study color red", "light.turn_on", ["light.study"], {"color_name": "red"}),
    ("open the bedroom blinds", "cover.open_cover", ["cover.bedroom_blinds"], {}),
    ("set the bedroom blinds to 30 percent", "cover.set_cover_position", ["cover.bedroom_blinds"], {"position": 30}),
    ("stop the bedroom blinds", "cover.stop_cover", ["cover.bedroom_blinds"], {}),
    ("open the garage", "cover.open_cover", ["cover.garage_door"], {}),
    ("lock the front door", "lock.lock", ["lock.front_door"], {}),
    ("unlock the front door", "lock.unlock", ["lock.front_door"], {}),
    ("I'd like the thermostat at 23 degrees", "climate.set_temperature", ["climate.thermostat"], {"temperature": 23}),
    ("set the study to 21.5 degrees", "climate.set_temperature", ["climate.thermostat"], {"temperature": 21.5}),
    ("raise the temperature in the study", "climate.set_temperature", ["climate.thermostat"], {"temperature": 21}),
    ("set the thermostat to cool", "climate.set_hvac_mode", ["climate.thermostat"], {"hvac_mode": "cool"}),
    ("run the ceiling fan flat out", "fan.set_percentage", ["fan.ceiling"], {"percentage": 100}),
    ("pause whatever is playing on the speaker", "media_player.media_pause", ["media_player.speaker"], {}),
    (
        "set the volume of the speaker to 40%",
        "media_player.volume_set",
        ["media_player.speaker"],
        {"volume_level": 0.4},
    ),
    ("mute the speaker", "media_player.volume_mute", ["media_player.speaker"], {"is_volume_muted": True}),
    ("next track on the speaker", "media_player.media_next_track", ["media_player.speaker"], {}),
    ("send the robot out to clean", "vacuum.start", ["vacuum.robot"], {}),
    ("send the robot back to its base", "vacuum.return_to_base", ["vacuum.robot"], {}),
    ("vacuum the hall", "vacuum.start", ["vacuum.robot"], {}),
    ("activate cosy", "scene.turn_on", ["scene.cosy"], {}),
    ("run let in", "script.turn_on", ["script.let_in"], {}),
]
GERMAN = [
    ("Schalte Kitchen light ein", "light.turn_on", ["light.kitchen"], {}),
    ("Kannst du bitte Kitchen light ausschalten?", "light.turn_off", ["light.kitchen"], {}),
    ("dimme Study light auf die Hälfte", "light.turn_on", ["light.study"], {"brightness_pct": 50}),
    ("stell Study light auf fünfzig Prozent", "light.turn_on", ["light.study"], {"brightness_pct": 50}),
    ("mach Study light etwas heller", "light.turn_on", ["light.study"], {"brightness_step_pct": 10}),
    ("mach Study light blau", "light.turn_on", ["light.study"], {"color_name": "blue"}),
    ("Study light rot", "light.turn_on", ["light.study"], {"color_name": "red"}),
    ("Stelle Bedroom blinds auf 30 Prozent", "cover.set_cover_position", ["cover.bedroom_blinds"], {"position": 30}),
    ("fahr Bedroom blinds hoch", "cover.open_cover", ["cover.bedroom_blinds"], {}),
    ("öffne das Garagentor", "cover.open_cover", ["cover.garage_door"], {}),
    ("schließe Front door ab", "lock.lock", ["lock.front_door"], {}),
    ("schließ Front door auf", "lock.unlock", ["lock.front_door"], {}),
    ("stelle die Heizung auf 21,5 Grad", "climate.set_temperature", ["climate.thermostat"], {"temperature": 21.5}),
    ("mach es im Study wärmer", "climate.set_temperature", ["climate.thermostat"], {"temperature": 21}),
    ("stelle Ceiling fan auf Maximum", "fan.set_percentage", ["fan.ceiling"], {"percentage": 100}),
    ("pausiere die Musik auf Speaker", "media_player.media_pause", ["media_player.speaker"], {}),
    ("schick den Staubsauger los", "vacuum.start", ["vacuum.robot"], {}),
    ("aktiviere die Szene Cosy", "scene.turn_on", ["scene.cosy"], {}),
    ("führe Let in aus", "script.turn_on", ["script.let_in"], {}),
]


@pytest.mark.parametrize(("text", "service", "entities", "data"), ENGLISH)
def test_an_english_request_becomes_its_call(read, calls, text, service, entities, data):
    assert calls(read(text)) == [(service, entities, data)]


@pytest.mark.parametrize(("text", "service", "entities", "data"), GERMAN)
def test_a_german_request_becomes_its_call(read, calls, text, service, entities, data):
    assert calls(read(text, "de")) == [(service, entities, data)]


def test_all_covers_are_expanded_to_the_exposed_covers(read, calls):
    """E19: the garage door is among them, as a call of its own entity that the gate can hold."""
    assert calls(read("open all covers")) == [
        ("cover.open_cover", ["cover.bedroom_blinds", "cover.garage_door", "cover.study_blinds"], {})
    ]


def test_the_lights_of_a_floor_are_those_of_its_areas(read, calls):
    assert calls(read("turn off the lights downstairs")) == [("light.turn_off", ["light.hall", "light.kitchen"], {})]


def test_the_lights_of_an_area_by_its_alias(read, calls):
    assert calls(read("turn off the lights in the office")) == [
        ("light.turn_off", ["light.reading_lamp_study", "light.study"], {})
    ]


def test_a_wide_request_leaves_out_what_cannot_be_reached_and_says_so(read):
    reading = read("turn off all lights")
    assert isinstance(reading, Acts)
    assert "light.porch" not in reading.calls[0].target.entity_id
    assert "Porch light" in reading.note


def test_a_colour_for_many_lights_reaches_only_those_that_have_colours(read, calls):
    assert calls(read("turn all lights red")) == [("light.turn_on", ["light.study"], {"color_name": "red"})]


def test_a_group_whose_members_are_reached_is_not_asked_a_second_time(read, calls):
    [(_, entities, _)] = calls(read("turn off all lights"))
    assert "light.upstairs" not in entities


def test_here_means_where_it_was_said(read, calls):
    assert calls(read("turn on the lights here", area_id="kitchen")) == [("light.turn_on", ["light.kitchen"], {})]


def test_the_lights_without_a_place_are_those_where_it_was_said(read, calls):
    assert calls(read("turn on the lights", area_id="kitchen")) == [("light.turn_on", ["light.kitchen"], {})]


def test_german_joins_room_and_kind_in_one_word(speaking_to, calls):
    home = SimulatedHome.build(
        [Thing("light.a", "Spots", "kueche"), Thing("light.b", "Flurlampe", "flur")],
        areas=[Area("kueche", "Küche"), Area("flur", "Flur")],
    )
    read = speaking_to(home)
    assert calls(read("mach das Küchenlicht an", "de")) == [("light.turn_on", ["light.a"], {})]
    assert calls(read("in der Küche das Licht ausschalten", "de")) == [("light.turn_off", ["light.a"], {})]


def test_the_verb_decides_between_things_of_one_name(speaking_to, calls):
    home = SimulatedHome.build(
        [Thing("lock.front", "Front door"), Thing("cover.front", "Front door", device_class="door")]
    )
    read = speaking_to(home)
    assert calls(read("unlock the front door")) == [("lock.unlock", ["lock.front"], {})]
    assert calls(read("open the front door")) == [("cover.open_cover", ["cover.front"], {})]
