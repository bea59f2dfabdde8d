"""A name is found in every way people and programs write its letters, and the id is the registry's."""

import unicodedata
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.errors import UnknownEntityError
from homesteward.home.inventory import Thing
from homesteward.home.names import resolve_name
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.tools import ToolContext, ToolRegistry
from homesteward.tools.entities import named_entities
from homesteward.tools.find import find_tool

NAMES = {
    "light.buro_decke": "Büro Decke",
    "light.street": "Straße",
    "light.kitchen_ru": "Кухня",
    "light.front_fr": "Éclairage façade",
    "light.bath_pl": "Światło w łazience",
    "light.hall_da": "Gangbelysning på øen",
    "light.sofa_tr": "Işık",
    "light.child_el": "Παιδικό",
    "light.tree_ru": "Ёлка",
    "light.desk_vi": "Đèn bàn",
}
HOME = SimulatedHome.build([Thing(entity_id, name) for entity_id, name in NAMES.items()])
WRITTEN = {
    "light.buro_decke": ["BÜRO DECKE", "büro decke", "buero decke", "buro decke", "  Büro   Decke ", "Büro-Decke"],
    "light.street": ["STRASSE", "strasse", "STRAßE", "straße"],
    "light.kitchen_ru": ["КУХНЯ", "кухня"],
    "light.front_fr": ["eclairage facade", "ÉCLAIRAGE FAÇADE", "Eclairage façade"],
    "light.bath_pl": ["swiatlo w lazience", "ŚWIATŁO W ŁAZIENCE"],
    "light.hall_da": ["gangbelysning pa oen", "gangbelysning paa oeen"],
    "light.sofa_tr": ["isik"],
    "light.child_el": ["παιδικο", "ΠΑΙΔΙΚΌ"],
    "light.tree_ru": ["елка", "ЁЛКА"],
    "light.desk_vi": ["den ban", "đèn bàn"],
}
CASES = [(entity_id, text) for entity_id, texts in WRITTEN.items() for text in (NAMES[entity_id], *texts)]
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")


@pytest.fixture
def registry():
    tools = ToolRegistry()
    tools.add(find_tool(HOME))
    return tools


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("entity_id", "text"), CASES)
def test_a_name_is_found_in_every_unicode_form_and_case(entity_id, text, form):
    """E56: the two sides wrote the same umlaut differently, and the lamp was not there."""
    assert named_entities(HOME, unicodedata.normalize(form, text)) == (entity_id,)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("entity_id", "text"), CASES)
async def test_a_search_finds_it_too(registry, entity_id, text, form):
    """E56: whoever looks before asking."""
    result = await registry.call("find", {"query": unicodedata.normalize(form, text)}, OWNER)
    assert result.data["entities"][0]["entity_id"] == entity_id


@pytest.mark.parametrize("form", FORMS)
def test_a_name_stored_decomposed_is_found_as_well(form):
    """E56, the other way round: the home's side is the odd one."""
    home = SimulatedHome.build([Thing("light.odd_one", unicodedata.normalize(form, "Büro Decke"))])
    assert named_entities(home, "büro decke") == ("light.odd_one",)


@given(name=st.sampled_from(sorted(NAMES.values())), form=st.sampled_from(FORMS), upper=st.booleans())
def test_whatever_finds_a_name_finds_the_same_thing_in_any_form_and_case(name, form, upper):
    """E56, as a law."""
    written = unicodedata.normalize(form, name.upper() if upper and "ı" not in name else name)
    assert resolve_name(HOME, written) == resolve_name(HOME, name)


def test_an_id_is_never_built_from_a_name():
    """E56: `light.street` is called Straße; nothing else is."""
    for built in ("light.strasse", "light.büro_decke", "light.кухня"):
        with pytest.raises(UnknownEntityError):
            named_entities(HOME, built)


def test_every_way_of_writing_belongs_to_one_thing_only():
    found = list(chain.from_iterable(named_entities(HOME, text) for _, text in CASES))
    assert found == [entity_id for entity_id, _ in CASES]
