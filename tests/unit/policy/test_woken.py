"""What wakes an automation that waits for no single thing: a group's member, a place, what a service brings about, what nobody can tell."""

import pytest

from homesteward.home.bodies import body_of
from homesteward.home.calls import ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device, Floor, Label
from homesteward.home.simulation import SimulatedHome
from homesteward.home.starts import MAX_STARTS, starts_of
from homesteward.policy import Action, decide, verdicts
from judging import MEMBER, NOON, by

UNLOCK = body_of({"actions": [{"action": "lock.unlock", "target": {"entity_id": "lock.front"}}]})
LAMP = body_of({"actions": [{"action": "light.turn_off", "target": {"entity_id": "light.study"}}]})
ON = ResolvedCall("light", "turn_on", ("light.hall",))


def house(trigger, body=UNLOCK, state="on") -> SimulatedHome:
    starts = starts_of({"triggers": trigger if isinstance(trigger, list) else [trigger]})
    return SimulatedHome.build(
        [
            Thing("lock.front"),
            Thing("light.hall", area="hall", device="lamp", labels=frozenset({"evening"})),
            *map(Thing, ("light.study", "timer.egg", "timer.tea", "input_text.a", "todo.a")),
            Thing("light.outdoor", members=("light.hall",)),
            Thing("group.all", members=("light.outdoor",)),
            Thing("script.nothing", body=()),
            Thing("automation.lamp", body=LAMP, state="on"),
            Thing("automation.opens", body=body, starts=starts, state=state),
        ],
        areas=[Area("hall", "Hall", "ground")],
        floors=[Floor("ground", "Ground")],
        labels=[Label("evening", "Evening")],
        devices=[Device("lamp", "Lamp")],
    )


def action(call: ResolvedCall, home: SimulatedHome) -> Action:
    return decide(call, MEMBER, home, by(), NOON).action


@pytest.mark.parametrize("group", ["light.outdoor", "group.all"])
def test_a_member_of_a_group_that_is_waited_for_starts_what_waits(group):
    home = house({"trigger": "state", "entity_id": group, "to": "on"})
    assert action(ON, home) is Action.APPROVE
    assert action(ResolvedCall("light", "turn_on", ("light.study",)), home) is Action.ALLOW


def test_a_member_that_is_turned_off_does_not_start_what_waits_for_its_group_to_be_on():
    home = house({"trigger": "state", "entity_id": "light.outdoor", "to": "on"})
    assert action(ResolvedCall("light", "turn_off", ("light.hall",)), home) is Action.ALLOW


def test_members_together_get_the_verdict_that_each_gets_alone():
    home = house({"trigger": "state", "entity_id": "light.outdoor"})
    found = verdicts(ResolvedCall("light", "turn_on", ("light.study", "light.hall")), MEMBER, home, by(), NOON)
    assert [(part.entity_ids, decision.action) for part, decision in found] == [
        (("light.study",), Action.ALLOW),
        (("light.hall",), Action.APPROVE),
    ]


@pytest.mark.parametrize(
    "target", [{"area_id": "hall"}, {"floor_id": "ground"}, {"label_id": ["evening"]}, {"device_id": "lamp"}]
)
def test_a_place_that_a_trigger_waits_for_is_every_thing_in_it(target):
    home = house({"trigger": "light.turned_on", "target": target})
    assert action(ON, home) is Action.APPROVE
    assert action(ResolvedCall("light", "turn_on", ("light.study",)), home) is Action.ALLOW


@pytest.mark.parametrize(
    ("waited", "service", "entity_id"),
    [("light.front", "switch.turn_on", "switch.relay"), ("switch.relay", "light.turn_on", "light.front")],
)
def test_a_switch_and_what_it_is_shown_as_are_one_thing(waited, service, entity_id):
    starts = starts_of({"triggers": {"trigger": "state", "entity_id": waited, "to": "on"}})
    home = SimulatedHome.build(
        [
            Thing("lock.front"),
            Thing("switch.relay", device="relay", hidden=True),
            Thing("light.front", platform="switch_as_x", device="relay"),
            Thing("automation.opens", body=UNLOCK, starts=starts, state="on"),
        ]
    )
    assert action(ResolvedCall(*service.split("."), (entity_id,)), home) is Action.APPROVE


BROUGHT = [
    ("timer.start", "timer.egg", "timer.finished"),
    ("timer.cancel", "timer.egg", "timer.cancelled"),
    ("light.turn_on", "light.hall", "call_service"),
    ("notify.notify", None, "call_service"),
    ("script.nothing", None, "script_started"),
    ("script.turn_on", "script.nothing", "script_started"),
    ("automation.trigger", "automation.lamp", "automation_triggered"),
    ("logbook.log", None, "logbook_entry"),
    ("system_log.write", None, "system_log_event"),
    ("light.turn_on", "light.hall", "state_changed"),
    ("light.turn_on", "light.hall", "{{ which }}"),
]


@pytest.mark.parametrize(("service", "entity_id", "event"), BROUGHT)
def test_a_service_that_brings_an_event_about_starts_what_waits_for_it(service, entity_id, event):
    domain, name = service.split(".")
    call = ResolvedCall(domain, name, (entity_id,) if entity_id else ())
    assert action(call, house({"trigger": "event", "event_type": event})) is Action.APPROVE
    assert action(call, house({"trigger": "event", "event_type": "another"})) is Action.ALLOW
    assert action(call, house({"trigger": "event", "event_type": event}, state="off")) is Action.ALLOW


def test_a_notification_that_is_shown_starts_what_waits_for_one():
    call = ResolvedCall("persistent_notification", "create", data={"message": "x"})
    assert action(call, house({"trigger": "persistent_notification"})) is Action.APPROVE


def test_what_waits_for_one_timer_is_not_started_by_another():
    home = house({"trigger": "event", "event_type": "timer.finished", "event_data": {"entity_id": "timer.egg"}})
    assert action(ResolvedCall("timer", "start", ("timer.egg",)), home) is Action.APPROVE
    assert action(ResolvedCall("timer", "start", ("timer.tea",)), home) is Action.ALLOW


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"domain": "light"}, Action.APPROVE),
        ({"domain": "light", "service": "turn_off"}, Action.ALLOW),
        ({"domain": "cover"}, Action.ALLOW),
        ({"domain": "{{ x }}"}, Action.APPROVE),
    ],
)
def test_what_waits_for_a_service_is_started_by_that_service(data, expected):
    assert action(ON, house({"trigger": "event", "event_type": "call_service", "event_data": data})) is expected


def test_a_service_that_a_script_calls_is_told_as_well():
    home = house({"trigger": "event", "event_type": "logbook_entry"})
    home.bodies["script.nothing"] = body_of(
        {"sequence": [{"action": "logbook.log", "data": {"name": "a", "message": "b"}}]}
    )
    assert action(ResolvedCall("script", "nothing"), home) is Action.APPROVE


UNTOLD = [
    {"trigger": "template", "value_template": "{{ states('light.' ~ room) == 'on' }}"},
    {"trigger": "template", "value_template": "{{ states.light['hall'].state == 'on' }}"},
    {
        "trigger": "template",
        "value_template": "{{ states.light | selectattr('state', 'eq', 'on') | list | count > 0 }}",
    },
    {"trigger": "template", "value_template": "{{ ['hall'] | map('states') | list }}"},
    {"trigger": "template", "value_template": "{{ area_entities('hall') | select('is_state', 'on') | list }}"},
    {
        "trigger": "numeric_state",
        "entity_id": "sensor.x",
        "value_template": "{{ states('light.' ~ room) }}",
        "above": 5,
    },
    {"trigger": "state", "entity_id": "{{ which }}"},
    [{"trigger": "state", "entity_id": f"light.l{n}"} for n in range(MAX_STARTS + 1)],
]


@pytest.mark.parametrize("trigger", UNTOLD, ids=lambda each: str(each)[:60])
def test_a_trigger_whose_things_cannot_be_told_waits_for_anything(trigger):
    assert action(ON, house(trigger)) is Action.APPROVE


@pytest.mark.parametrize("trigger", UNTOLD, ids=lambda each: str(each)[:60])
def test_a_trigger_that_may_wait_for_anything_makes_nothing_wait_where_its_actions_are_everyday_things(trigger):
    assert action(ON, house(trigger, LAMP)) is Action.ALLOW


@pytest.mark.parametrize(
    "template",
    [
        "{{ states.light | selectattr('state', 'eq', 'on') | list | count == 0 }}",
        "{{ expand(states.light) | list | count }}",
        "{{ states.light['hall'].state }}",
    ],
)
def test_a_template_that_counts_the_things_of_a_domain_waits_for_those_of_no_other(template):
    home = house({"trigger": "template", "value_template": template})
    assert action(ON, home) is Action.APPROVE
    assert action(ResolvedCall("timer", "start", ("timer.egg",)), home) is Action.ALLOW


@pytest.mark.parametrize(
    "template",
    ["{{ states('light.study') == 'on' }}", "{{ is_state('light.study', 'on') and now().hour > 5 }}", "{{ states.light.study.state }}"],
)  # fmt: skip
def test_a_template_whose_things_are_written_out_waits_for_those(template):
    home = house({"trigger": "template", "value_template": template})
    assert action(ON, home) is Action.ALLOW
    assert action(ResolvedCall("light", "turn_on", ("light.study",)), home) is Action.APPROVE


def test_what_only_reads_starts_nothing_that_waits_for_anything():
    assert action(ResolvedCall("todo", "get_items", ("todo.a",)), house(UNTOLD[0])) is Action.ALLOW
