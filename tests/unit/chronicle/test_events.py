"""Home Assistant's events become runs and calls, with the entity that set them off where its words name one."""

from datetime import UTC, datetime

import pytest

from homesteward.chronicle.events import EventFormError, call_of, run_of, trigger_entity
from homesteward.chronicle.record import Context, Kind

AT = datetime(2026, 11, 30, 18, 2, 1, 500, tzinfo=UTC)


def fired(**data) -> dict:
    """Return an event as it comes over the socket."""
    context = {"id": "A", "parent_id": "S", "user_id": None}
    return {
        "event_type": "x",
        "data": data,
        "origin": "LOCAL",
        "time_fired": "2026-11-30T19:02:01.000500+01:00",
        "context": context,
    }


def test_an_automation_that_ran_has_everything_that_leads_to_its_cause_and_its_trace():
    run = run_of(
        "automation_triggered",
        fired(
            name="Hall motion",
            entity_id="automation.hall",
            source="state of binary_sensor.hall",
            item_id="17",
            run_id="r1",
        ),
    )
    assert (run.at, run.kind, run.entity_id, run.name) == (AT, Kind.AUTOMATION, "automation.hall", "Hall motion")
    assert (run.trigger, run.trigger_entity_id) == ("state of binary_sensor.hall", "binary_sensor.hall")
    assert (run.item_id, run.run_id, run.context) == ("17", "r1", Context("A", "S", None))


def test_a_script_needs_no_more_than_its_name():
    run = run_of("script_started", fired(name=None, entity_id="script.evening", item_id=None))
    assert (run.kind, run.entity_id, run.name, run.trigger, run.item_id) == (Kind.SCRIPT, "script.evening", "", "", "")


@pytest.mark.parametrize(
    ("words", "entity_id"),
    [
        ("state of light.kitchen", "light.kitchen"),
        ("numeric state of sensor.power", "sensor.power"),
        ("sensor.power via template", "sensor.power"),
        ("device_tracker.phone entering Home", "device_tracker.phone"),
        ("person.anna leaving Work", "person.anna"),
        ("time set in input_datetime.wake_up", "input_datetime.wake_up"),
        ("time remaining of timer.oven", "timer.oven"),
        ("time", None),
        ("time pattern", None),
        ("sun event sunset", None),
        ("event 'light.on'", None),
        ("mqtt topic zigbee.lamp", None),
        ("time change or manual update via template", None),
        ("Home Assistant starting", None),
        ("webhook", None),
        ("", None),
    ],
)
def test_the_words_for_a_trigger_name_an_entity_only_where_it_set_it_off(words, entity_id):
    assert trigger_entity(words) == entity_id


def test_a_call_has_its_targets_apart_from_its_data():
    call = call_of(
        fired(
            domain="light",
            service="turn_on",
            service_data={"entity_id": ["light.a"], "area_id": "hall", "brightness": 5},
        )
    )
    assert (call.at, call.id, call.target.entity_id, call.target.area_id) == (
        AT,
        "light.turn_on",
        ("light.a",),
        ("hall",),
    )
    assert (dict(call.data), call.context) == ({"brightness": 5}, Context("A", "S", None))


@pytest.mark.parametrize(
    ("service", "data", "named"),
    [
        ("scene.apply", {"entities": {"light.a": "on", "no entity": 1}}, ("light.a",)),
        ("scene.create", {"scene_id": "x", "snapshot_entities": ["light.b"]}, ("light.b",)),
        ("light.turn_on", {"entity_id": "light.a, light.b"}, ("light.a", "light.b")),
        ("light.turn_on", {"entity_id": "all"}, ("all",)),
        ("light.turn_on", {"entity_id": 5}, ()),
        ("light.turn_on", {"entity_id": ["not an id"]}, ()),
        ("persistent_notification.create", {"message": "x"}, ()),
    ],
)
def test_a_call_names_its_entities_in_whichever_way(service, data, named):
    domain, _, name = service.partition(".")
    assert call_of(fired(domain=domain, service=name, service_data=data)).target.entity_id == named


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"data": {}, "time_fired": "2026-11-30T19:02:01+00:00"},
        fired(domain=1, service="x"),
        fired(domain="light"),
        fired(domain="light", service="x") | {"time_fired": "yesterday"},
    ],
)
def test_what_is_not_of_the_form_is_said_without_what_it_held(event):
    with pytest.raises(EventFormError) as caught:
        call_of(event)
    assert "light" not in caught.value.message
