"""What a script or automation would do is found at any depth; what cannot be read is a blank."""

import pytest

from homesteward.core.json import JsonValue
from homesteward.home.bodies import MAX_STEPS, body_of, scene_body
from homesteward.home.calls import Call, Target
from homesteward.home.model import State

UNLOCK: JsonValue = {"action": "lock.unlock", "target": {"entity_id": "lock.front"}}
FOUND = Call("lock", "unlock", Target(entity_id=("lock.front",)))


@pytest.mark.parametrize(
    "sequence",
    [
        [UNLOCK],
        [{"service": "lock.unlock", "data": {"entity_id": "lock.front"}}],
        [{"action": "lock.unlock", "entity_id": "lock.front"}],
        [{"if": [], "then": [], "else": [UNLOCK]}],
        [{"choose": [{"conditions": [], "sequence": [UNLOCK]}]}],
        [{"choose": [], "default": UNLOCK}],
        [{"repeat": {"count": 2, "sequence": [UNLOCK]}}],
        [{"parallel": [{"sequence": [UNLOCK]}]}],
        [{"delay": 5}, UNLOCK],
    ],
)
def test_a_call_is_found_wherever_it_stands(sequence: JsonValue):
    assert [step.call for step in body_of({"sequence": sequence})] == [FOUND]
    assert [step.call for step in body_of({"actions": sequence})] == [FOUND]
    assert [step.call for step in body_of({"action": sequence})] == [FOUND]


@pytest.mark.parametrize(
    "action",
    [
        {"action": "{{ what }}"},
        {"action": "lock.unlock", "target": {"entity_id": "{{ which }}"}},
        {"action": "lock.unlock", "target": {"area_id": "{{ where }}"}},
        {"action": "lock.unlock", "target": "{{ who }}"},
        {"event": "open_sesame"},
        {"device_id": "d", "domain": "mqtt", "type": "publish"},
        {"something": "new"},
    ],
)
def test_what_cannot_be_known_is_a_blank(action: JsonValue):
    assert [step.call for step in body_of({"sequence": [action]})] == [None]


@pytest.mark.parametrize("config", [None, "x", {"use_blueprint": {"path": "x"}}])
def test_a_body_that_cannot_be_read_is_a_blank(config: JsonValue):
    assert [step.call for step in body_of(config)] == [None]


def test_an_action_on_a_device_is_a_call_on_the_device():
    action = {"device_id": "d1", "domain": "lock", "type": "unlock", "entity_id": "abc"}
    assert [step.call for step in body_of({"sequence": [action]})] == [
        Call("lock", "unlock", Target(device_id=("d1",)))
    ]


def test_a_scene_in_a_script_is_turned_on():
    found = body_of({"sequence": [{"scene": "scene.x"}]})
    assert [step.call for step in found] == [Call("scene", "turn_on", Target(entity_id=("scene.x",)))]


def test_a_disabled_action_does_nothing():
    assert body_of({"sequence": [{"action": "lock.unlock", "enabled": False}]}) == ()


def test_waiting_and_conditions_do_nothing():
    harmless: JsonValue = [
        {"delay": 1},
        {"wait_template": "x"},
        {"variables": {}},
        {"stop": "x"},
        {"condition": "state"},
    ]
    assert body_of({"sequence": harmless}) == ()


def test_a_body_too_long_to_read_ends_in_a_blank():
    found = body_of({"sequence": [UNLOCK] * (MAX_STEPS + 5)})
    assert len(found) == MAX_STEPS + 1
    assert found[-1].call is None


def test_a_scene_sets_its_members_itself():
    steps = scene_body(State("scene.x", "unknown", {"entity_id": ["lock.front", "light.a"]}))
    assert [(step.call, step.member) for step in steps] == [(None, "lock.front"), (None, "light.a")]


@pytest.mark.parametrize(
    "step",
    [
        {"action": "scene.apply", "data": {"entities": "{{ {'lock.front': 'unlocked'} }}"}},
        {"action": "scene.apply", "data": {"entities": {"{{ which }}": "unlocked"}}},
        {"action": "scene.create", "data": {"scene_id": "x", "snapshot_entities": ["{{ which }}"]}},
        {"action": "group.set", "data": {"object_id": "x", "entities": "{{ which }}"}},
        {"action": "homeassistant.turn_on", "data": {"entity_id": "{% if a %}lock.front{% endif %}"}},
    ],
)
def test_a_template_that_names_what_is_acted_on_is_a_blank(step):
    assert [found.call for found in body_of({"sequence": [step]})] == [None]


def test_a_template_that_only_says_how_much_is_none():
    [step] = body_of(
        {
            "sequence": [
                {"action": "light.turn_on", "target": {"entity_id": "light.a"}, "data": {"brightness": "{{ b }}"}}
            ]
        }
    )
    assert step.call.id == "light.turn_on"


def test_a_scene_without_members_is_a_blank():
    assert [step.call for step in scene_body(State("scene.x", "unknown"))] == [None]
