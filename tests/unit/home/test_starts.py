"""What starts an automation is read from its triggers, and what a dashboard's buttons do from the dashboard."""

import pytest

from homesteward.core.json import JsonValue
from homesteward.home.blueprints import parsed_blueprint
from homesteward.home.bodies import body_of
from homesteward.home.calls import Call, Target
from homesteward.home.dashboards import buttons_of
from homesteward.home.starts import Start, open_starts, starts_of


@pytest.mark.parametrize(
    ("trigger", "expected"),
    [
        ({"trigger": "state", "entity_id": "light.a"}, Start("light.a")),
        ({"platform": "state", "entity_id": ["Light.A"], "to": "on"}, Start("light.a", to=("on",))),
        ({"trigger": "state", "entity_id": "light.a", "to": ["on", "off"]}, Start("light.a", to=("on", "off"))),
        ({"trigger": "state", "entity_id": "light.a", "attribute": "brightness", "to": "5"}, Start("light.a")),
        ({"trigger": "numeric_state", "entity_id": "input_number.a", "above": 5}, Start("input_number.a")),
        ({"trigger": "event", "event_type": "ring"}, Start(event="ring")),
        ({"trigger": "time", "at": "input_datetime.wake"}, Start("input_datetime.wake")),
        ({"trigger": "time", "at": {"entity_id": "input_datetime.wake", "offset": "-00:05"}}, Start("input_datetime.wake")),
        ({"trigger": "template", "value_template": "{{ is_state('light.a', 'on') }}"}, Start("light.a")),
        ({"trigger": "light.turned_on", "target": {"entity_id": "light.a"}}, Start("light.a")),
        ({"trigger": "device", "device_id": "d", "domain": "light", "type": "turned_on", "entity_id": "0" * 32}, Start("0" * 32)),
        ({"triggers": [{"trigger": "state", "entity_id": "light.a"}]}, Start("light.a")),
    ],
)  # fmt: skip
def test_what_a_trigger_names_starts_its_automation(trigger: JsonValue, expected: Start):
    assert starts_of({"triggers": [trigger]}) == (expected,)
    assert starts_of({"trigger": trigger}) == (expected,)


def test_a_template_names_a_thing_in_either_way():
    template = "{{ states.light.a.state == 'on' }}"
    assert Start("light.a") in starts_of({"triggers": [{"trigger": "template", "value_template": template}]})


def test_an_event_of_one_thing_names_the_thing_as_well():
    trigger: JsonValue = {"trigger": "event", "event_type": "timer.finished", "event_data": {"entity_id": "timer.a"}}
    assert starts_of({"triggers": [trigger]}) == (Start(event="timer.finished", to=("timer.a",)), Start("timer.a"))


@pytest.mark.parametrize(
    "trigger",
    [
        {"trigger": "state", "entity_id": "light.a", "enabled": False},
        {"trigger": "time", "at": "07:00:00"},
        "nonsense",
    ],
)
def test_what_a_trigger_does_not_name_exactly_is_not_followed(trigger: JsonValue):
    assert starts_of({"triggers": [trigger]}) == ()


def test_what_comes_from_outside_the_house_is_told_in_words():
    config: JsonValue = {"triggers": [{"trigger": "webhook", "webhook_id": "x"}, {"trigger": "sun"}]}
    assert open_starts(config) == ("whoever knows the address of its webhook",)


UNLOCK = Call("lock", "unlock", Target(entity_id=("lock.front",)))


@pytest.mark.parametrize(
    ("card", "expected"),
    [
        ({"tap_action": {"action": "perform-action", "perform_action": "lock.unlock", "target": {"entity_id": "lock.front"}}}, UNLOCK),
        ({"hold_action": {"action": "call-service", "service": "lock.unlock", "service_data": {"entity_id": "lock.front"}}}, UNLOCK),
        ({"entity": "cover.a", "tap_action": {"action": "toggle"}}, Call("homeassistant", "toggle", Target(entity_id=("cover.a",)))),
        ({"type": "button", "entity": "cover.a"}, Call("homeassistant", "toggle", Target(entity_id=("cover.a",)))),
    ],
)  # fmt: skip
def test_a_button_calls_what_its_tap_does(card: JsonValue, expected: Call):
    assert [step.call for step in buttons_of({"views": [{"sections": [{"cards": [card]}]}]})] == [expected]


def test_what_only_shows_calls_nothing():
    card: JsonValue = {"type": "tile", "entity": "lock.front", "tap_action": {"action": "more-info"}}
    assert buttons_of({"views": [{"cards": [card]}]}) == ()


def test_the_inputs_of_a_blueprint_are_what_nobody_knows_yet():
    text = "blueprint: {name: x, domain: script}\nsequence:\n- action: lock.unlock\n  target: !input door\n"
    [step] = body_of(parsed_blueprint(text))
    assert (step.call, step.service) == (None, "lock.unlock")


@pytest.mark.parametrize(
    "text",
    [
        "a: !secret x",
        "a: [",
        "x" * 300_000,
        "[" * 100,
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 8)),
    ],
)
def test_a_blueprint_that_cannot_be_read_is_none(text):
    assert parsed_blueprint(text) is None
