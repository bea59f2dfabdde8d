"""A name finds what it fits, in every spelling; what fits two things finds both."""

import pytest

from homes import small_home
from homesteward.home.inventory import Thing
from homesteward.home.names import resolve_name
from homesteward.home.simulation import SimulatedHome

HOME = small_home()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Multisocket Switch 2, Salt lamp", "switch.multi_2"),
        ("Salt lamp", "switch.multi_2"),
        ("multisocket switch 2", "switch.multi_2"),
        ("Tree, big", "switch.tree"),
    ],
)
def test_names_and_aliases_are_found_alone_and_joined(text: str, found: str):
    """E06: what a model was shown as one string comes back as one string."""
    home = SimulatedHome.build(
        [
            Thing("switch.multi_2", "Multisocket Switch 2", aliases=("Salt lamp",)),
            Thing("switch.tree", "Tree, big"),
            Thing("switch.other", "Big fan"),
        ]
    )
    assert resolve_name(home, text) == (found,)


def test_a_half_name_that_fits_two_finds_both():
    """E06: somebody has to be asked which."""
    assert resolve_name(HOME, "reading lamp") == ("light.reading_lamp_bedroom", "light.reading_lamp_study")
    assert resolve_name(HOME, "blinds") == ("cover.bedroom_blinds", "cover.study_blinds")


def test_the_area_tells_two_of_one_name_apart():
    assert resolve_name(HOME, "study reading lamp") == ("light.reading_lamp_study",)
    assert resolve_name(HOME, "office reading lamp") == ("light.reading_lamp_study",)


def test_a_half_name_that_fits_one_finds_it():
    assert resolve_name(HOME, "coffee") == ("switch.coffee",)


def test_a_name_with_a_word_too_many_finds_nothing():
    assert resolve_name(HOME, "bathroom hall light") == ()


def test_joined_names_of_two_things_find_nothing():
    assert resolve_name(HOME, "Kitchen light, Hall light") == ()


def test_an_entity_id_is_a_name():
    assert resolve_name(HOME, "light.kitchen") == ("light.kitchen",)


def test_what_is_not_exposed_is_found_only_when_asked_for():
    assert resolve_name(HOME, "Cellar light") == ()
    assert resolve_name(HOME, "Cellar light", exposed_only=False) == ("light.cellar",)


def test_a_domain_narrows():
    assert resolve_name(HOME, "front door", domain="lock") == ("lock.front_door",)
    assert resolve_name(HOME, "front door", domain="light") == ()


@pytest.mark.parametrize("text", ["Büro", "buro", "BUERO", "bu\u0308ro"])
def test_accents_and_unicode_forms_do_not_matter(text: str):
    home = SimulatedHome.build([Thing("light.x", "Büro")])
    assert resolve_name(home, text) == ("light.x",)


@pytest.mark.parametrize("text", ["", " ", ",", ", ,"])
def test_no_name_finds_nothing(text: str):
    assert resolve_name(HOME, text) == ()
