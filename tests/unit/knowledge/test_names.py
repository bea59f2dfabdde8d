"""The name index: the same whether it is gathered at once, in slices, or from what has changed."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Entity, Floor
from homesteward.home.simulation import SimulatedHome
from homesteward.knowledge import NameIndex, gathering_of, names_of_home
from homesteward.knowledge.gathering import Gathering


def renamed(home: SimulatedHome, entity_id: str, name: str) -> None:
    state = home.states[entity_id]
    home.states[entity_id] = replace(state, attributes={**state.attributes, "friendly_name": name})
    home.revision += 1


def fresh(home: SimulatedHome) -> NameIndex:
    return Gathering().index(home)


def test_a_new_name_is_found_and_the_old_one_is_not():
    home = small_home()
    assert names_of_home(home).exact["hall light"] == ("light.hall",)
    renamed(home, "light.hall", "Lantern")

    index = names_of_home(home)
    assert index.exact["lantern"] == ("light.hall",)
    assert "hall light" not in index.exact


def test_an_index_stays_as_it_was_when_the_home_is_renamed():
    home = small_home()
    before = names_of_home(home)
    renamed(home, "light.hall", "Lantern")
    names_of_home(home)
    assert before.exact["hall light"] == ("light.hall",)
    assert "lantern" not in before.exact


def test_what_is_not_exposed_is_known_to_be_hidden_and_is_no_name():
    index = names_of_home(small_home())
    assert "cellar light" not in index.exact
    assert index.hidden["cellar light"] == {"light"}


def test_a_name_that_something_exposed_has_too_is_not_hidden():
    home = small_home()
    renamed(home, "light.old_bulb", "Cellar light")
    index = names_of_home(home)
    assert index.exact["cellar light"] == ("light.old_bulb",)
    assert "cellar light" not in index.hidden


names = st.sampled_from(["Lamp", "Hall light", "Café", "Ölofen", "Anna's lamp", "Lamp 2", "-5 freezer", "Garage"])
changes = st.lists(st.tuples(st.integers(0, 20), names, st.booleans()), max_size=12)


@given(changes)
def test_following_changes_leads_to_what_reading_all_anew_leads_to(made):
    home = small_home()
    following = Gathering()
    following.index(home)
    for place, name, gone in made:
        entity_id = sorted(home.states)[place % len(home.states)]
        if gone and len(home.states) > 1:
            del home.states[entity_id]
            home.revision += 1
        else:
            renamed(home, entity_id, name)
        following.index(home)
    followed, anew = following.index(home), fresh(home)
    for part in fields(NameIndex):
        assert getattr(followed, part.name) == getattr(anew, part.name), part.name


def test_slices_read_everything_and_only_the_end_of_them_is_seen():
    home = small_home()
    known = gathering_of(home)
    first = known.index(home)
    renamed(home, "light.hall", "Lantern")
    steps = known.slices(home, 5)
    next(steps)
    assert first.exact["hall light"] == ("light.hall",)
    for _ in steps:
        pass
    assert known.index(home).exact["lantern"] == ("light.hall",)


def test_a_name_given_while_slices_are_read_is_in_the_index_they_end_in():
    home = small_home()
    known = Gathering()
    steps = known.slices(home, 5)
    next(steps)
    renamed(home, min(home.states), "Newcomer")
    for _ in steps:
        pass
    assert "newcomer" in known.index(home).exact


def test_spellings_are_found_inside_a_text_and_inside_a_word():
    index = names_of_home(SimulatedHome.build([Thing("light.kuche", "Küche"), Thing("light.hall", "Hall light")]))
    found = dict(index.standing_in("das küchenlicht und the hall light"))
    assert found == {"küche": ("light.kuche",), "hall light": ("light.hall",)}


STOREYED = [
    Thing("light.a", "Sconce", "upstairs_hall"),
    Thing("light.b", "Chandelier", "downstairs_bath"),
    Thing("light.c", "Spots", "kitchen"),
]
AREAS = [
    Area("upstairs_hall", "Upstairs hall"),
    Area("downstairs_bath", "Downstairs bath"),
    Area("kitchen", "Kitchen"),
]


def test_a_home_without_floors_has_those_that_its_rooms_names_speak_of():
    index = names_of_home(SimulatedHome.build(STOREYED, areas=AREAS))
    assert index.on_floor[index.floors["upstairs"][0]] == {"light.a"}
    assert index.on_floor[index.floors["downstairs"][0]] == {"light.b"}
    assert index.on_floor[index.floors["oben"][0]] == {"light.a"}


def test_a_home_with_floors_is_not_guessed_about():
    areas = [replace(AREAS[0], floor_id="g"), *AREAS[1:]]
    index = names_of_home(SimulatedHome.build(STOREYED, areas=areas, floors=[Floor("g", "Ground floor", level=0)]))
    assert index.on_floor == {"g": {"light.a"}}


@pytest.mark.parametrize(("levels", "upstairs"), [((0, 1), "f1"), ((0, 1, 2), None), ((-1, 0), None)])
def test_the_only_floor_above_the_ground_is_upstairs(levels, upstairs):
    floors = [Floor(f"f{level}", f"Storey {level}", level=level) for level in levels]
    index = names_of_home(
        SimulatedHome.build([Thing("light.a", "Sconce", "hall")], areas=[Area("hall", "Hall")], floors=floors)
    )
    assert index.floors.get("upstairs", (None,))[0] == upstairs


def test_members_of_groups_are_known_to_their_ends():
    index = names_of_home(small_home())
    assert index.entities["light.upstairs"].members == {"light.reading_lamp_bedroom", "light.study"}


def test_an_alias_is_a_name_as_well():
    home = small_home()
    home.entities["light.hall"] = replace(home.entities.get("light.hall") or Entity("light.hall"), aliases=("Beacon",))
    home.revision += 1
    assert names_of_home(home).exact["beacon"] == ("light.hall",)
