"""Names that are sentences: what a household called a thing is not read as words of the request."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, NotUnderstood, is_question


@pytest.mark.parametrize(
    ("text", "started"),
    [
        ("let the dog out", "script.let_the_dog_out"),
        ("please let the dog out", "script.let_the_dog_out"),
        ("can you let the dog out now?", "script.let_the_dog_out"),
        ("good night", "script.good_night"),
        ("Movie time!", "script.movie_time"),
        ("bedtime", "script.bedtime"),
        ("relax", "scene.relax"),
    ],
)
def test_the_whole_name_of_a_scene_or_script_starts_it(demo_house, speaking_to, calls, text, started):
    assert calls(speaking_to(demo_house)(text)) == [(f"{started.partition('.')[0]}.turn_on", [started], {})]


@pytest.mark.parametrize(
    "text",
    [
        "don't let the dog out",
        "let the cat out",
        "good night?",
        "let the dog out tomorrow",
        "the good night",
        "secure the house",  # not exposed
        "kitchen light",
        "guest mode",
    ],
)
def test_more_or_less_than_that_name_starts_nothing(demo_house, speaking_to, text):
    assert not isinstance(speaking_to(demo_house)(text), Acts)


def test_a_name_of_two_scenes_is_asked_about(speaking_to):
    read = speaking_to(
        SimulatedHome.build(
            [Thing("scene.a", "Cosy", "a"), Thing("scene.b", "Cosy", "b")], areas=[Area("a", "Den"), Area("b", "Loft")]
        )
    )
    assert isinstance(read("cosy"), Asks)


@pytest.mark.parametrize(
    ("text", "service", "entity_id"),
    [
        ("turn on night security", "homeassistant.turn_on", "group.night_security"),
        ("run bedtime", "script.turn_on", "script.bedtime"),
        ("turn off bedtime", "script.turn_off", "script.bedtime"),
    ],
)
def test_a_time_in_a_name_is_no_other_time(demo_house, speaking_to, calls, text, service, entity_id):
    assert calls(speaking_to(demo_house)(text)) == [(service, [entity_id], {})]


@pytest.mark.parametrize("text", ["run bedtime tomorrow", "turn on night security tonight", "turn off bedtime lights"])
def test_a_time_beside_a_name_still_is(demo_house, speaking_to, text):
    reading = speaking_to(demo_house)(text)
    assert isinstance(reading, Declines)
    assert reading.code == "later"


def test_a_time_in_the_name_of_a_room_is_no_other_time(speaking_to, calls):
    read = speaking_to(
        SimulatedHome.build([Thing("light.a", "Spots", "day_room")], areas=[Area("day_room", "Day room")])
    )
    assert calls(read("turn on the lights in the day room")) == [("light.turn_on", ["light.a"], {})]


@pytest.mark.parametrize(
    "text",
    ["turn on the hall light \U0001f4a1", "\U0001f64f turn on the hall light", "turn on the hall light \u2764\ufe0f"],
)
def test_a_picture_beside_the_words_adorns_them(demo_house, speaking_to, calls, text):
    assert calls(speaking_to(demo_house)(text)) == [("light.turn_on", ["light.hall_light"], {})]


@pytest.mark.parametrize(
    "text",
    [
        "turn on the hall light \U0001f6ab",
        "turn on the hall light \u274c",
        "turn on the hall light \u23f0",
        "turn on the hall light? \U0001f914",
        "turn on the hall light \u2753",
    ],
)
def test_a_picture_that_says_something_is_not_left_out(demo_house, speaking_to, text):
    assert not isinstance(speaking_to(demo_house)(text), Acts)


def test_a_question_mark_before_a_picture_still_asks():
    assert is_question("open the garage? \U0001f914", "en")
    assert is_question('"open the garage?"', "en")
    assert is_question("\u00f6ffne das Tor? \U0001f914", "de")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "only turn on the hall light"),
        ("en", "turn on only the hall light"),
        ("de", "schalte nur Hall light ein"),
        ("nl", "doe alleen Hall light aan"),
        ("fr", "allume seulement Hall light"),
        ("es", "enciende solo Hall light"),
        ("it", "accendi solo Hall light"),
        ("pl", "włącz tylko Hall light"),
        ("ru", "включи только Hall light"),
    ],
)
def test_only_one_thing_is_that_thing(demo_house, speaking_to, calls, language, text):
    assert calls(speaking_to(demo_house)(text, language)) == [("light.turn_on", ["light.hall_light"], {})]


def test_only_inside_a_value_stays_part_of_it(speaking_to, calls):
    read = speaking_to(SimulatedHome.build([Thing("climate.a", "Thermostat")]))
    assert calls(read("set the thermostat to fan only please")) == [
        ("climate.set_hvac_mode", ["climate.a"], {"hvac_mode": "fan_only"})
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn that off"),
        ("en", "turn it off"),
        ("de", "mach das aus"),
        ("de", "schalte es aus"),
        ("nl", "doe het uit"),
        ("fr", "éteins ça"),
        ("es", "apaga eso"),
        ("it", "spegni questo"),
        ("pl", "wyłącz to"),
        ("ru", "выключи это"),
    ],
)
def test_what_is_not_named_is_asked_for_and_not_called_nothing(demo_house, speaking_to, language, text):
    reading = speaking_to(demo_house)(text, language)
    assert isinstance(reading, Declines)
    assert reading.code == "unknown_entity"
    assert not any(mark in reading.text for mark in ('""', "„“", "‘’", "«»", "„”"))


def test_rooms_that_are_not_listed_are_counted(demo_house, speaking_to):
    reading = speaking_to(demo_house)("turn off the lights in the cellar")
    assert f"{len(demo_house.areas) - 8} more" in reading.next


def test_a_language_that_is_not_known_is_named_as_the_reason(demo_house, speaking_to):
    reading = speaking_to(demo_house)("tih xpr", "tlh")
    assert isinstance(reading, NotUnderstood)
    assert "language (tlh)" in reading.text
