"""What a configuration names has to be there, at any depth; what a template makes is not guessed."""

import pytest

from homesteward.actions.ha_config.errors import UnknownReferenceError
from homesteward.actions.ha_config.references import references, require_known

HOME_IS_FINE = [
    {"action": "light.turn_on", "target": {"entity_id": "light.hall"}},
    {"action": "light.turn_on", "target": {"entity_id": ["light.hall", "light.study"]}},
    {"action": "light.turn_on", "target": {"entity_id": "light.hall, light.study"}},
    {"action": "light.turn_on", "target": {"area_id": "kitchen", "floor_id": "upper", "label_id": "security"}},
    {"action": "light.turn_on", "target": {"entity_id": "all"}},
    {"action": "{{ 'light.turn_on' }}", "target": {"entity_id": "{{ whichever }}"}},
    {"entity_id": "0123456789abcdef0123456789abcdef"},
    {"entity_id": "!input door"},
    {"scene": "scene.cosy"},
    {"entities": {"light.hall": "on"}},
    {"zone": "anything that is no trigger"},
    {"entity": "a word"},
]
WRONG = [
    ({"target": {"entity_id": "light.hal"}}, "target.entity_id: this home has no entity light.hal (near: light.hall"),
    ({"action": "light.turn_up"}, "action: this home has no service light.turn_up (near: light.turn_o"),
    ({"choose": [{"sequence": [{"target": {"area_id": "attic"}}]}]}, "choose[0].sequence[0].target.area_id"),
    ({"target": {"floor_id": "cellar"}}, "no floor cellar"),
    ({"target": {"label_id": ["security", "sekurity"]}}, "no label sekurity (near: security)"),
    ({"target": {"device_id": "abc"}}, "no device abc"),
    ({"entities": {"light.nowhere": "on"}}, "no entity light.nowhere"),
    ({"views": [{"cards": [{"entity": "light.nowhere"}]}]}, "views[0].cards[0].entity"),
    ({"tap_action": {"perform_action": "lock.unlok"}}, "no service lock.unlok (near: lock.unlock"),
    ({"trigger": "zone", "zone": "zone.moon", "entity_id": "light.hall"}, "no entity zone.moon"),
    ({"scene": "scene.cozy"}, "no entity scene.cozy (near: scene.cosy"),
]


@pytest.mark.parametrize("config", HOME_IS_FINE)
def test_what_is_there_or_cannot_be_known_passes(home, config):
    require_known(config, home)


@pytest.mark.parametrize(("config", "says"), WRONG)
def test_what_is_not_there_is_named_with_its_place_and_what_is_near(home, config, says):
    with pytest.raises(UnknownReferenceError) as refused:
        require_known(config, home)
    assert says in refused.value.message


def test_many_mistakes_are_told_up_to_a_bound(home):
    config = {"sequence": [{"entity_id": f"light.no{n}"} for n in range(9)]}
    with pytest.raises(UnknownReferenceError, match="and 4 more"):
        require_known(config, home)


def test_a_script_may_name_itself(home):
    require_known({"action": "script.new"}, home, {"script.new"})


def test_references_come_in_the_order_in_which_they_stand():
    config = {"triggers": [{"entity_id": "a.b"}], "actions": [{"action": "c.d", "target": {"area_id": "e"}}]}
    assert [(each.sort, each.name) for each in references(config)] == [
        ("entity", "a.b"),
        ("service", "c.d"),
        ("area", "e"),
    ]
