"""A reference names its code: it goes along where an action is moved, and is of no use to another lock."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.actions.ha_config.coded import Coder, labels_in
from homesteward.actions.ha_config.errors import CodeNotKeptError
from homesteward.actions.ha_config.text import same, written

WORDS = st.text("abc 0:on{}'\"-#", max_size=8)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=12,
)
CONFIGS = st.dictionaries(st.sampled_from(["alias", "code", "pin", "actions", "data"]), VALUES, min_size=1, max_size=4)
CODER = Coder(b"k" * 32, "automation", "x")


def unlock(lock, code):
    return {"action": "lock.unlock", "target": {"entity_id": f"lock.{lock}"}, "data": {"code": code}}


FRONT, BACK = unlock("front", "4711"), unlock("back", "0815")
BOTH = {"alias": "Both", "actions": [FRONT, BACK]}


@given(CONFIGS)
def test_a_masked_configuration_is_filled_from_what_it_was_made_of(config):
    assert same(CODER.filled(CODER.masked(config), config, {}), config)


@given(CONFIGS)
def test_a_masked_configuration_is_filled_from_what_was_sealed(config):
    assert same(CODER.filled(CODER.masked(config), None, CODER.codes(config)), config)


@given(st.text("0123456789", min_size=4, max_size=8))
def test_no_code_is_left_in_a_masked_configuration(code):
    config = {"actions": [{"data": {"code": code, "deep": [{"alarm_code": code, "pin": int(code)}]}}]}
    hidden = written(CODER.masked(config)).replace("'", "")
    assert not {code, str(int(code))} & set(hidden.split())


@pytest.mark.parametrize("order", [[1], [1, 0], [0]])
def test_a_code_goes_along_with_its_action(order):
    hidden = CODER.masked(BOTH)
    moved = {**hidden, "actions": [hidden["actions"][n] for n in order]}
    assert CODER.filled(moved, BOTH, {})["actions"] == [BOTH["actions"][n] for n in order]


def test_the_code_of_one_lock_is_not_given_to_another():
    front, back = CODER.masked(BOTH)["actions"]
    with pytest.raises(CodeNotKeptError, match="something else"):
        CODER.filled({"actions": [{**back, "data": front["data"]}]}, BOTH, {})


def test_a_reference_of_another_object_is_of_no_use():
    other = Coder(CODER.key, "automation", "y").masked(BOTH)
    with pytest.raises(CodeNotKeptError):
        CODER.filled(other, BOTH, {})


def test_a_version_that_is_older_than_these_references_is_filled_where_there_is_one_code():
    older = {"actions": [{**FRONT, "data": {"code": "secret:automation.x"}}]}
    assert CODER.filled(older, {"actions": [FRONT]}, {})["actions"] == [FRONT]
    with pytest.raises(CodeNotKeptError, match="2 are there"):
        CODER.filled(older, BOTH, {})


@pytest.mark.parametrize(
    "config",
    [
        {"variables": {"x": "4711"}, "actions": [unlock("front", "{{ x }}")]},
        {"variables": {"x": 4711, "y": "{{ x }}"}, "actions": [unlock("front", "{{ y | string }}")]},
        {"actions": [{"variables": {"x": "4711"}}, unlock("front", "{{ x }}")]},
        {"actions": [{"action": "lock.unlock", "data": "{{ {'code': 4711} }}"}]},
        {"actions": [{"action": "lock.unlock", "data": "{{ {'code': '4711'} }}"}]},
        {"actions": [{"action": "alarm_control_panel.alarm_disarm", "data": {"a": "{{ {'pin': 'abc4711'} }}"}}]},
        {"fields": {"x": {"default": "4711"}}, "sequence": [unlock("front", "{{ x }}")]},
        {"sequence": [{"action": "script.open", "data": {"code": "{{ x }}", "x": "4711"}}]},
    ],
)
def test_a_code_that_is_written_elsewhere_is_masked_and_filled_again(config):
    hidden = CODER.masked(config)
    assert "4711" not in written(hidden)
    assert same(CODER.filled(hidden, None, CODER.codes(config)), config)
    assert any(labels_in(hidden))


def test_what_a_helper_for_a_code_begins_with_is_masked():
    coder = Coder(CODER.key, "helper", "input_text.door_code")
    hidden = coder.masked({"name": "Door", "initial": "4711", "max": 8})
    assert ("4711" not in written(hidden), hidden["max"], hidden["name"]) == (True, 8, "Door")
    by_name = Coder(CODER.key, "helper", "input_text.x").masked({"name": "Alarm PIN", "initial": "4711"})
    assert "4711" not in written(by_name)


def test_a_number_that_is_no_code_stays_as_it_is():
    config = {"actions": [{"action": "light.turn_on", "data": {"kelvin": "{{ 2700 }}", "x": 4711}}]}
    assert CODER.masked(config) == config


def test_an_object_with_an_odd_id_has_references_all_the_same():
    coder = Coder(CODER.key, "automation", "it's #1 'x'")
    assert same(coder.filled(coder.masked(BOTH), None, coder.codes(BOTH)), BOTH)
