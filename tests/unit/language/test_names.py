"""Which thing is meant: names, rooms, doubts, and things that are not there or not shared."""

import unicodedata

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Asks, Declines, Says


def test_two_things_of_one_name_are_told_apart_by_their_rooms(read):
    reading = read("turn on the reading lamp")
    assert isinstance(reading, Asks)
    assert [option.label for option in reading.options] == ["Reading lamp (Bedroom)", "Reading lamp (Study)"]
    assert [call.target.entity_id for call in reading.calls] == [(option.entity_id,) for option in reading.options]


def test_the_room_said_beside_the_name_settles_the_doubt(read, calls):
    assert calls(read("turn on the reading lamp in the bedroom")) == [
        ("light.turn_on", ["light.reading_lamp_bedroom"], {})
    ]
    assert calls(read("turn on the study reading lamp")) == [("light.turn_on", ["light.reading_lamp_study"], {})]


def test_the_room_where_it_was_said_settles_the_doubt(read, calls):
    assert calls(read("turn on the reading lamp", area_id="study")) == [
        ("light.turn_on", ["light.reading_lamp_study"], {})
    ]


def test_one_of_several_doors_has_to_be_named(read):
    assert isinstance(read("unlock the door"), Asks)


def test_an_unknown_room_is_named_with_the_known_ones(read):
    """E04: a room that does not exist never becomes the whole house."""
    reading = read("turn on the bathroom lights")
    assert isinstance(reading, Declines)
    assert reading.code == "unknown_area"
    assert "bathroom" in reading.text
    assert "Kitchen" in reading.next


def test_a_misheard_name_is_asked_about(read):
    reading = read("turn on the kitchin light")
    assert isinstance(reading, Asks)
    assert [option.entity_id for option in reading.options] == ["light.kitchen"]
    assert "kitchen light" in reading.text


@pytest.mark.parametrize(
    "text", ["start the dishwasher", "open the skylight", "lock the shed", "turn on light 2", "turn on kitchen light 2"]
)
def test_nothing_similar_is_taken_for_a_thing_that_does_not_exist(read, calls, text):
    assert calls(read(text)) == []


@pytest.mark.parametrize(
    "text",
    ["turn on the cellar light", "cellar light on", "is the cellar light on?", "what is the state of the cellar light"],
)
def test_a_thing_that_is_not_shared_neither_acts_nor_tells(read, text):
    reading = read(text)
    assert not isinstance(reading, Says)
    assert isinstance(reading, Declines)
    assert reading.code == "not_exposed"


def test_a_wide_request_does_not_reach_what_is_not_shared(read, calls):
    [(_, entities, _)] = calls(read("turn on all lights"))
    assert "light.cellar" not in entities


def test_a_thing_that_cannot_be_reached_is_named(read):
    reading = read("turn on the porch light")
    assert isinstance(reading, Declines)
    assert (reading.code, "Porch light" in reading.text) == ("unavailable", True)


def test_a_plain_light_has_no_colour(read):
    reading = read("make the kitchen light red")
    assert isinstance(reading, Declines)
    assert (reading.code, "Kitchen light" in reading.text) == ("unsupported", True)


def test_a_lock_is_not_opened_by_asking_a_door_to_open(read, calls):
    assert calls(read("open the front door")) == []


def test_the_garage_door_is_no_other_door_of_the_garage(speaking_to, calls):
    read = speaking_to(
        SimulatedHome.build(
            [
                Thing("cover.side", "Side entrance", "garage", device_class="door"),
                Thing("light.g", "Garage light", "garage"),
            ],
            areas=[Area("garage", "Garage")],
        )
    )
    assert calls(read("open the garage door")) == []


@pytest.mark.parametrize(
    "spoken",
    ["Büro Decke", unicodedata.normalize("NFD", "Büro Decke"), "BÜRO DECKE", "buero decke", "buro decke"],
)
def test_a_name_is_found_in_every_spelling(speaking_to, calls, spoken):
    """E56: Unicode forms, case, and umlauts spelled out."""
    read = speaking_to(SimulatedHome.build([Thing("light.buro_decke", unicodedata.normalize("NFC", "Büro Decke"))]))
    assert calls(read(f"turn on {spoken}")) == [("light.turn_on", ["light.buro_decke"], {})]


@pytest.mark.parametrize(("name", "spoken"), [("Straße", "STRASSE"), ("Strasse", "straße"), ("Кухня", "КУХНЯ")])
def test_case_folding_holds_beyond_ascii(speaking_to, calls, name, spoken):
    """E56: ß and Cyrillic."""
    read = speaking_to(SimulatedHome.build([Thing("light.x", name)]))
    assert calls(read(f"turn on {spoken}")) == [("light.turn_on", ["light.x"], {})]


def test_a_name_with_a_comma_is_one_name(speaking_to, calls):
    """E06: "Tree, big" is one switch."""
    read = speaking_to(
        SimulatedHome.build(
            [Thing("switch.tree", "Tree, big"), Thing("switch.lamp", "Multisocket 2", aliases=("Salt lamp",))]
        )
    )
    assert calls(read("turn off Tree, big")) == [("switch.turn_off", ["switch.tree"], {})]
    assert calls(read("turn off the salt lamp")) == [("switch.turn_off", ["switch.lamp"], {})]


def test_a_renamed_thing_is_found_by_its_new_name(home, speaking_to, calls):
    read = speaking_to(home)
    assert calls(read("turn on the sun lamp")) == []
    home.set_state("light.hall", "off", friendly_name="Sun lamp")
    home.revision += 1
    assert calls(read("turn on the sun lamp")) == [("light.turn_on", ["light.hall"], {})]
