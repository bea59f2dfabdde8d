"""A configuration in plain words, from itself alone."""

import pytest

from homesteward.actions.ha_config.words import summary_of


def told(home, kind="automation", deed="new", **config):
    return summary_of(kind, "x", {"alias": "X", **config}, deed, home)


@pytest.mark.parametrize(
    ("trigger", "says"),
    [
        ({"trigger": "state", "entity_id": "lock.front_door", "to": "unlocked", "for": "00:05:00"}, "when Front door changes to unlocked for 00:05:00"),
        ({"platform": "state", "entity_id": ["light.hall", "light.study"]}, "when Hall light or Study light changes"),
        ({"trigger": "numeric_state", "entity_id": "sensor.study_temperature", "above": 20}, "when Study temperature is above 20"),
        ({"trigger": "time", "at": "07:00:00", "weekday": ["mon", "tue"]}, "at 07:00:00 on mon or tue"),
        ({"trigger": "sun", "event": "sunset", "offset": "-00:30:00"}, "at sunset (-00:30:00)"),
        ({"trigger": "webhook", "webhook_id": "x"}, "when somebody calls its webhook"),
        ({"trigger": "event", "event_type": "doorbell"}, "when the event doorbell is fired"),
        ({"trigger": "conversation", "command": ["open up"]}, "when somebody says open up"),
        ({"trigger": "something_new"}, "when the trigger something_new fires"),
    ],
)  # fmt: skip
def test_a_trigger_is_said(home, trigger, says):
    assert told(home, triggers=[trigger]) == f"Make the automation “X”: {says}: do nothing"


@pytest.mark.parametrize(
    ("condition", "says"),
    [
        ({"condition": "state", "entity_id": "light.hall", "state": "off"}, "Hall light is off"),
        ({"condition": "time", "after": "22:00:00", "before": "06:00:00"}, "it is after 22:00:00 and before 06:00:00"),
        ({"condition": "not", "conditions": [{"condition": "sun", "after": "sunset"}]}, "not (it is after sunset)"),
        ({"condition": "template", "value_template": "{{ x }}"}, "a template is true"),
    ],
)
def test_a_condition_is_said(home, condition, says):
    assert (
        told(home, conditions=[condition]) == f"Make the automation “X”: nothing starts it, only if {says}: do nothing"
    )


@pytest.mark.parametrize(
    ("action", "says"),
    [
        ({"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}, "lock.unlock on Front door"),
        ({"service": "light.turn_on", "target": {"area_id": "study"}}, "light.turn_on on Study"),
        ({"delay": {"minutes": 5}}, "wait 5 minutes"),
        ({"choose": [{"sequence": [{"scene": "scene.cosy"}]}], "default": [{"stop": ""}]}, "one of: set the scene Cosy; else stop"),
        ({"if": [], "then": [{"event": "ring"}], "else": [{"delay": 3}]}, "if it fits: fire the event ring; else wait 3"),
        ({"repeat": {"count": 3, "sequence": [{"action": "light.toggle"}]}}, "again and again: light.toggle"),
        ({"parallel": [{"action": "a.b"}, {"action": "c.d"}]}, "at once: a.b, then c.d"),
        ({"odd": 1}, "a step of odd"),
    ],
)  # fmt: skip
def test_an_action_is_said(home, action, says):
    assert told(home, "script", sequence=[action]) == f"Make the script “X”: {says}"


def test_what_is_long_is_cut_and_counted(home):
    text = told(home, "script", sequence=[{"action": f"light.a{n}"} for n in range(40)])
    assert text.endswith("and 34 more")


def test_a_deletion_names_what_goes_and_an_entry_what_it_is_of(home):
    assert told(home, deed="delete") == "Delete the automation “X”"
    text = summary_of("registry", "light.hall", {"name": "Entrance", "area_id": None}, "edit", home)
    assert text == "Change the registry entry of “Hall light”: name Entrance, area_id none"
    assert summary_of("exposure", "light.hall", {"should_expose": False}, "edit", home).endswith("do not reach it")
