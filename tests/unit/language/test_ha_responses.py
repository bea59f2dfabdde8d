"""A language that we have no words for is answered in by Home Assistant's own templates, with what the home shows."""

import pytest
from home_assistant_intents import get_languages

from homes import DIMMABLE
from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Says
from unit.language.test_every_language import sentences

NAME = "Kitchen light"


@pytest.fixture(scope="module")
def lit() -> SimulatedHome:
    return SimulatedHome.build(
        [Thing("light.kitchen", NAME, "kitchen", "on", DIMMABLE), Thing("light.porch", "Porch", state="unavailable")],
        areas=[Area("kitchen", "Kitchen")],
    )


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        ("sv", "är Kitchen light på?", "Ja"),
        ("sv", "är Kitchen light av?", "Nej, den är på"),
        ("da", "er Kitchen light tændt?", "Ja"),
    ],
)
def test_a_question_is_answered_in_its_own_language(lit, speaking_to, language, text, answer):
    reading = speaking_to(lit)(text, language)
    assert isinstance(reading, Says), reading
    assert reading.text == answer


def test_what_cannot_be_reached_is_never_told_as_if_it_were_known(lit, speaking_to):
    reading = speaking_to(lit)("är Porch på?", "sv")
    assert isinstance(reading, Says), reading
    assert "unavailable" in reading.text


@pytest.mark.parametrize("language", get_languages())
def test_every_question_of_every_grammar_is_answered_or_left(lit, speaking_to, language):
    read = speaking_to(lit)
    for text in sentences(language, "HassGetState")[:4]:
        reading = read(f"{text}?", language)
        assert not isinstance(reading, Acts)
        assert not isinstance(reading, Says) or (reading.text and "{" not in reading.text)
