"""Answers about now hold no more than what is known, and name nothing that rests."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Says, tables

DEGREES = {"unit_of_measurement": "°C"}


@pytest.fixture(scope="module")
def said(speaking_to):
    return speaking_to(
        SimulatedHome.build(
            [
                Thing("lock.front", "Front door", "hall", "locked"),
                Thing("light.hall", "Hall light", "hall", "on"),
                Thing("light.den", "Den light", "den", "unknown"),
                Thing("binary_sensor.one", "Hall window", "hall", "off", device_class="window"),
                Thing("binary_sensor.two", "Den window", "den", "unknown", device_class="window"),
                *(
                    Thing(f"vacuum.{state}", f"Robot {state}", "den", state)
                    for state in ("docked", "returning", "paused")
                ),
                Thing("sensor.air", "Den air", "den", "21", DEGREES, device_class="temperature"),
                Thing("sensor.loft", "Loft air", "loft", "25", DEGREES, device_class="temperature"),
                Thing("person.tom", "Tom", None, "home"),
                Thing("person.ada", "Ada", None, "not_home"),
                Thing("vacuum.cleaning", "Robot cleaning", "den", "cleaning"),
            ],
            areas=[Area("hall", "Hall"), Area("den", "Den"), Area("loft", "Loft")],
        )
    )


def test_a_vacuum_that_rests_is_not_on(said):
    assert said("what's on?").sources == ("light.hall", "vacuum.cleaning")


@pytest.mark.parametrize(
    ("language", "text", "left"),
    [
        ("en", "are all windows closed?", "Den window"),
        ("en", "are all lights on?", "Den light"),
        ("de", "sind alle Fenster geschlossen?", "Den window"),
        ("fr", "est-ce que toutes les fenêtres sont fermées ?", "Den window"),
        ("nl", "zijn alle ramen dicht?", "Den window"),
        ("es", "¿están todas las ventanas cerradas?", "Den window"),
        ("it", "sono chiuse tutte le finestre?", "Den window"),
        ("pl", "czy wszystkie okna są zamknięte?", "Den window"),
        ("ru", "все окна закрыты?", "Den window"),
    ],
)
def test_what_is_not_known_of_one_is_not_told_of_all(said, language, text, left):
    reading = said(text, language)
    assert isinstance(reading, Says)
    assert left in reading.text
    assert not reading.text.startswith(("Yes", "Ja", "Oui", "Sí", "Sì", "Tak", "Да"))


def test_where_a_door_is_only_a_lock_that_is_what_is_told(said):
    for text in ("is the front door open?", "is the front door closed?"):
        reading = said(text)
        assert isinstance(reading, Says)
        assert reading.text == "Front door is locked."


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "what's the temperature?"),
        ("en", "how warm is it?"),
        ("de", "wie warm ist es?"),
        ("fr", "quelle température fait-il ?"),
        ("nl", "hoe warm is het?"),
        ("es", "¿qué temperatura hace?"),
        ("it", "che temperatura c'è?"),
        ("pl", "jaka jest temperatura?"),
        ("ru", "какая температура?"),
    ],
)
def test_how_warm_it_is_is_told_of_the_room_it_is_asked_in(said, language, text):
    assert said(text, language, area_id="den").sources == ("sensor.air",)
    assert "23 °C" in said(text, language).text


@pytest.mark.parametrize(
    ("language", "who", "where"),
    [
        ("en", "who's home?", "where is Tom?"),
        ("de", "wer ist zu Hause?", "wo ist Tom?"),
        ("fr", "qui est à la maison ?", "où est Tom ?"),
        ("nl", "wie is er thuis?", "waar is Tom?"),
        ("es", "¿quién está en casa?", "¿dónde está Tom?"),
        ("it", "chi è a casa?", "dov'è Tom?"),
        ("pl", "kto jest w domu?", "gdzie jest Tom?"),
        ("ru", "кто дома?", "где Tom?"),
    ],
)
def test_who_is_at_home_and_where_somebody_is(said, language, who, where):
    assert said(who, language).text == "Tom."
    assert said(where, language).sources == ("person.tom",)


def test_where_asks_for_a_person_and_never_for_a_thing(said):
    assert not isinstance(said("where is the hall light?"), Says)


def test_a_file_of_the_language_is_read_once():
    assert tables.table("replies", "en") is tables.table("replies", "en-GB")
