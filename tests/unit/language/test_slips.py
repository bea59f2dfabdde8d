"""Words that are a slip away from a known one: put right only where nothing else can be meant, else asked about."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, NotUnderstood, pick
from homesteward.language.slips import Slip, slip_of


@pytest.mark.parametrize(
    ("said", "meant", "slip"),
    [
        ("kithcen", "kitchen", Slip.SWAPPED),
        ("kittchen", "kitchen", Slip.DOUBLED),
        ("kichen", "kitchen", Slip.OTHER),
        ("kitchin", "kitchen", Slip.OTHER),
        ("martha", "marta", Slip.OTHER),
        ("kitchen", "kitchen", None),
        ("kitten", "kitchen", None),
        ("lamp", "lump", Slip.OTHER),
    ],
)
def test_a_slip_is_told_by_its_sort(said, meant, slip):
    assert slip_of(said, meant) is slip


def test_letters_that_changed_places_are_put_right(read, calls):
    assert calls(read("turn on the kithcen light")) == [("light.turn_on", ["light.kitchen"], {})]


def test_any_other_slip_is_asked_about_and_a_yes_is_the_answer(read):
    reading = read("turn on the kitchin light")
    assert isinstance(reading, Asks)
    assert "turn on the kitchen light" in reading.text
    assert pick(reading.options, "yes", "en") == 0
    assert reading.calls[0].target.entity_id == ("light.kitchen",)


@pytest.mark.parametrize("text", ["unlock the fornt door", "open the graage door"])
def test_what_matters_is_asked_about_however_clear_the_slip(read, text):
    assert isinstance(read(text), Asks)


def test_a_name_that_is_nearly_another_is_asked_about(speaking_to):
    home = SimulatedHome.build([Thing("light.a", "Marta lamp", "den")], areas=[Area("den", "Den")])
    assert isinstance(speaking_to(home)("turn on the martha lamp"), Asks)


@pytest.mark.parametrize(
    "text", ["dno't turn on the kitchen light", "nevr turn on the kitchen light", "turn on the kitchen light tomorow"]
)
def test_a_slip_in_a_word_that_forbids_does_not_set_it_free(read, text):
    assert not isinstance(read(text), Acts | Asks)


def test_a_slip_between_two_names_is_asked_about(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "Marta lamp", "den"), Thing("light.b", "Maria lamp", "den")], areas=[Area("den", "Den")]
    )
    reading = speaking_to(home)("turn on the marja lamp")
    assert isinstance(reading, Asks)
    assert "light.b" in {option.entity_id for option in reading.options}


@pytest.mark.parametrize("text", ["turn on the flux capacitor", "trun no teh ligth"])
def test_what_is_like_nothing_here_is_not_guessed(read, text):
    assert isinstance(read(text), Declines | NotUnderstood | Asks)
    assert not isinstance(read(text), Acts)
