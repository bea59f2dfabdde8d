"""What a script or automation would do is found at any depth; what cannot be read is a blank."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core.json import JsonValue
from homesteward.home.bodies import MAX_STEPS, body_of, scene_body
from homesteward.home.calls import Call, Target
from homesteward.home.dashboards import buttons_of
from homesteward.home.model import State
from homesteward.home.script_syntax import ACTIONS
from homesteward.home.starts import starts_of

UNLOCK: JsonValue = {"action": "lock.unlock", "target": {"entity_id": "lock.front"}}
KEYS = [
    *ACTIONS,
    "target",
    "data",
    "entity_id",
    "domain",
    "type",
    "then",
    "else",
    "default",
    "trigger",
    "triggers",
    "to",
]
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


def test_an_action_on_a_device_without_an_entity_is_a_call_on_the_device():
    action = {"device_id": "d1", "domain": "lock", "type": "unlock"}
    assert [step.call for step in body_of({"sequence": [action]})] == [
        Call("lock", "unlock", Target(device_id=("d1",)))
    ]


@pytest.mark.parametrize("entity_id", ["lock.front", "0123456789abcdef0123456789abcdef"])
def test_an_action_on_a_device_is_one_on_the_entity_that_it_names(entity_id):
    """Home Assistant acts on that entity, whichever device it belongs to."""
    action = {"device_id": "another", "domain": "lock", "type": "unlock", "entity_id": entity_id}
    assert [step.call for step in body_of({"sequence": [action]})] == [
        Call("lock", "unlock", Target(entity_id=(entity_id,)))
    ]


@pytest.mark.parametrize(
    ("domain", "kind", "service"),
    [
        ("alarm_control_panel", "disarm", "alarm_control_panel.alarm_disarm"),
        ("cover", "set_tilt_position", "cover.set_cover_tilt_position"),
        ("light", "flash", "light.turn_on"),
        ("vacuum", "clean", "vacuum.start"),
        ("zwave_js", "set_value", "zwave_js.set_value"),
        ("zha", "warn", "zha.warning_device_warn"),
        ("mobile_app", "notify", "notify.notify"),
    ],
)
def test_an_action_on_a_device_is_the_service_that_it_stands_for(domain, kind, service):
    action = {"device_id": "d1", "domain": domain, "type": kind}
    assert [step.call.id for step in body_of({"sequence": [action]})] == [service]


@pytest.mark.parametrize("kind", ["", "press", "unlock"])
def test_an_action_on_a_device_that_nobody_knows_is_a_blank(kind):
    action = {"device_id": "d1", "domain": "nut", "type": kind}
    assert [step.call for step in body_of({"sequence": [action]})] == [None]


def test_what_an_action_is_goes_by_the_order_in_which_home_assistant_looks():
    """An action on a device may hold any other key, which Home Assistant does not look at."""
    action = {
        "device_id": "d",
        "domain": "lock",
        "type": "unlock",
        "action": "light.turn_on",
        "entity_id": "lock.front",
    }
    [step] = body_of({"sequence": [action]})
    assert step.call
    assert (step.call.id, step.call.target) == ("lock.unlock", FOUND.target)


@pytest.mark.parametrize(
    "action",
    [
        {"action": "LOCK.Unlock", "target": {"entity_id": "Lock.Front"}},
        {"service_template": "lock.unlock", "data": {"entity_id": "lock.front"}},
        {"action": "lock.unlock", "data": {"entity_id": "lock.front"}, "data_template": {"code": "{{ code }}"}},
        {"action": "lock.unlock", "data_template": {"entity_id": "lock.front"}, "data": {"entity_id": []}},
        {"action": "lock.unlock", "target": {"entity_id": "lock.front"}, "enabled": "{{ maybe }}"},
        {"action": "lock.unlock", "target": {"entity_id": "lock.front"}, "continue_on_error": True},
        {"action": "lock.unlock", "target": {"entity_id": "lock.front"}, "response_variable": "r"},
    ],
)
def test_a_call_is_read_in_every_way_home_assistant_takes_it(action: JsonValue):
    [step] = body_of({"sequence": [action]})
    assert step.call
    assert (step.call.id, step.call.target) == ("lock.unlock", FOUND.target)


def test_both_ways_of_writing_data_count_together():
    action = {
        "action": "homeassistant.turn_on",
        "data": {"entity_id": "light.a"},
        "data_template": {"entity_id": "lock.b"},
    }
    [step] = body_of({"sequence": [action]})
    assert step.call.target.entity_id == ("light.a", "lock.b")


@pytest.mark.parametrize(
    "action",
    [
        {"action": "light.turn_on", "data": {"{{ 'entity_id' }}": "lock.front"}},
        {"action": "light.turn_on", "target": {"entity_id": "{{ repeat.item }}"}},
        {"action": "light.turn_on", "data": "{{ all_of_it }}"},
        {"action": "light.turn_on", "data": {"effects": list(range(5000))}},
        {"scene": "{{ which }}"},
    ],
)
def test_more_that_cannot_be_known_is_a_blank(action: JsonValue):
    assert [step.call for step in body_of({"sequence": [{"repeat": {"for_each": ["x"], "sequence": [action]}}]})] == [
        None
    ]


def test_a_blank_still_tells_the_service_where_only_its_target_is_hidden():
    [step] = body_of({"sequence": [{"action": "Shell_Command.wipe", "data": "{{ what }}"}]})
    assert (step.call, step.service) == (None, "shell_command.wipe")


def test_an_event_that_is_fired_is_told_by_its_type():
    assert [step.event for step in body_of({"sequence": [{"event": "open_sesame"}, {"event": "{{ x }}"}]})] == [
        "open_sesame",
        "",
    ]


def test_a_body_nested_beyond_reading_ends_in_a_blank():
    action: JsonValue = UNLOCK
    for _ in range(500):
        action = {"sequence": [action]}
    assert [step.call for step in body_of({"sequence": [action]})] == [None]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=4), inner, max_size=4)
        ),
        max_leaves=20,
    )
)
def test_whatever_stands_in_a_body_is_read_without_an_error(config):
    """What cannot be read is a blank; nothing that somebody wrote stops a judgement."""
    assert all(step.call or step.description for step in body_of({"sequence": config}))
    starts_of({"triggers": config})
    buttons_of(config)


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
