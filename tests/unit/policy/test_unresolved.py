"""A step whose target does not resolve whole is judged by what resolves and by what may be meant, in a script and in what only follows."""

import pytest

from homesteward.home.bodies import body_of
from homesteward.home.calls import ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.model import Area, Device
from homesteward.home.simulation import SimulatedHome
from homesteward.home.starts import Start
from homesteward.policy import Action, Kind, bodies_reached, decide
from homesteward.policy.impact import MAX_TRAIL, judge, reached
from judging import MEMBER, NOON, OWNER, by, ruled

FLAG = ResolvedCall("input_boolean", "turn_on", ("input_boolean.flag",))
RUN = ResolvedCall("script", "turn_on", ("script.opens",))
GONE = ["lock.front", "lock.gone"]
HIDDEN = [
    {"action": "lock.unlock", "entity_id": "all"},
    {"action": "lock.unlock", "target": {"entity_id": "all"}},
    {"action": "lock.unlock", "target": {"entity_id": GONE}},
    {"action": "lock.unlock", "target": {"entity_id": "{{ which }}"}},
    {"action": "lock.unlock", "target": {"entity_id": ["lock.front", "{{ which }}"]}},
    {"action": "lock.unlock", "target": {"entity_id": "lock.front", "area_id": "nowhere"}},
    {"action": "lock.unlock", "target": {"entity_id": "lock.front", "label_id": "nothing"}},
    {"action": "lock.unlock", "target": {"entity_id": ["lock.front", "light.hall"]}},
    {"action": "lock.unlock", "target": {"entity_id": "lock.front"}, "data": "{{ {} }}"},
    {"action": "lock.unlock_all_of_it", "target": {"entity_id": "lock.front"}},
    {"action": '{{ "lock.unlock" }}', "target": {"entity_id": "lock.front"}},
    {"action": "lock.{{ 'unlock' }}", "target": {"entity_id": "lock.front"}},
    {"action": '{{ "lock.unlock" }}', "target": {"area_id": "porch"}},
    {"action": '{{ "lock.unlock" }}', "target": {"entity_id": "{{ which }}"}},
]
ON_DEVICES = [
    {"device_id": "bolt", "domain": "lock", "type": "unlatch"},
    {"device_id": "bolt", "domain": "lock", "type": "unlock", "entity_id": "{{ which }}"},
    {"device_id": "{{ which }}", "domain": "lock", "type": "unlatch"},
    {"device_id": "bolt", "domain": "some_integration", "type": "unlatch"},
]
HIDDEN += ON_DEVICES
ELSEWHERE = [
    {"action": "alarm_control_panel.alarm_disarm", "target": {"entity_id": "all"}},
    {"action": "cover.open_cover", "target": {"entity_id": "all"}},
    {"action": "cover.open_cover", "target": {"entity_id": "{{ which }}"}},
    {"action": "valve.close_valve", "target": {"entity_id": ["valve.water", "valve.gone"]}},
    {"action": "siren.turn_on", "target": {"entity_id": "siren.roof", "label_id": "nothing"}},
    {"action": "camera.turn_off", "target": {"entity_id": "{{ which }}"}},
    {"action": "homeassistant.toggle", "target": {"entity_id": "{{ which }}"}},
    {"action": "script.turn_on", "target": {"entity_id": "{{ which }}"}},
]
HARMLESS = [
    {"action": "light.turn_on", "target": {"entity_id": ["light.hall", "light.gone"]}},
    {"action": "light.turn_on", "target": {"entity_id": "{{ which }}"}},
    {"action": "light.turn_{{ way }}", "target": {"entity_id": "light.hall"}},
    {"action": "light.turn_on", "target": {"entity_id": "all"}},
    {"action": "script.turn_on", "target": {"entity_id": "script.gone"}},
    {"device_id": "bolt", "domain": "light", "type": "never_heard_of"},
]


def house(action, *more: Thing) -> SimulatedHome:
    body = body_of({"sequence": [action]})
    plain = (
        "light.hall",
        "input_boolean.flag",
        "valve.water",
        "siren.roof",
        "alarm_control_panel.house",
        "camera.door",
    )
    return SimulatedHome.build(
        [
            Thing("lock.front", area="porch", device="bolt"),
            *map(Thing, plain),
            Thing("cover.garage", device_class="garage"),
            Thing("script.opens", body=body),
            Thing("automation.opens", body=body, starts=(Start("input_boolean.flag"),), state="on"),
            *more,
        ],
        areas=[Area("porch", "Porch")],
        devices=[Device("bolt", "Bolt")],
    )


@pytest.mark.parametrize("action", [*HIDDEN, *ELSEWHERE], ids=str)
def test_what_only_follows_waits_where_its_target_may_be_what_guards_the_house(action):
    assert decide(FLAG, MEMBER, house(action), by(), NOON).action is Action.APPROVE


@pytest.mark.parametrize("action", [*HIDDEN, *ELSEWHERE], ids=str)
def test_a_script_waits_where_its_target_may_be_what_guards_the_house(action):
    assert decide(RUN, MEMBER, house(action), by(), NOON).action is Action.APPROVE


@pytest.mark.parametrize("action", HARMLESS, ids=str)
def test_what_only_follows_and_can_reach_nothing_but_everyday_things_does_not_wait(action):
    assert decide(FLAG, MEMBER, house(action), by(), NOON).action is Action.ALLOW


@pytest.mark.parametrize("call", [FLAG, RUN], ids=["followed", "run"])
@pytest.mark.parametrize("action", HIDDEN, ids=str)
def test_a_rule_for_the_lock_holds_however_the_target_is_written(action, call):
    rule = ruled("rules: [{name: never, when: {entity: lock.front}, then: deny}]")
    assert decide(call, OWNER, house(action), rule, NOON).rule == "rule never"


@pytest.mark.parametrize("action", HIDDEN[:9], ids=str)
def test_a_rule_for_a_service_holds_however_the_target_is_written(action):
    rule = ruled("rules: [{name: never, when: {service: lock.unlock, area: Porch}, then: deny}]")
    assert decide(RUN, OWNER, house(action), rule, NOON).rule == "rule never"


@pytest.mark.parametrize("caller", [OWNER, MEMBER])
@pytest.mark.parametrize("says", ["approve, by: owner", "approve, pin: true", "approve, by: owner, pin: true"])
@pytest.mark.parametrize("action", HIDDEN, ids=str)
def test_an_owner_s_yes_and_a_pin_are_asked_for_however_the_target_is_written(action, says, caller):
    rule = ruled(f"rules: [{{name: strict, when: {{entity: lock.front}}, then: {says}}}]")
    decision = decide(RUN, caller, house(action), rule, NOON)
    assert (decision.by_owner, decision.pin) == ("by" in says, "pin" in says)
    assert decision.action is Action.APPROVE


def test_a_rule_for_a_lamp_is_asked_where_a_template_says_which_lamp():
    rule = ruled("rules: [{name: never, when: {entity: light.hall}, then: deny}]")
    assert decide(RUN, OWNER, house(HARMLESS[1]), rule, NOON).rule == "rule never"


def test_another_lock_than_the_one_that_is_named_is_not_held_against_it():
    rule = ruled("rules: [{name: never, when: {entity: lock.back}, then: deny}]")
    home = house({"action": "lock.unlock", "target": {"entity_id": GONE}}, Thing("lock.back"))
    assert decide(RUN, OWNER, home, rule, NOON).action is Action.APPROVE


def test_a_forbidden_script_is_no_proof_that_a_templated_one_is_meant():
    wipes = Thing("script.wipes", body=body_of({"sequence": [{"action": "shell_command.wipe"}]}))
    home = house({"action": "script.turn_on", "target": {"entity_id": "{{ which }}"}}, wipes)
    assert judge(RUN, "script.opens", home).kind is Kind.SENSITIVE


def test_a_script_that_cannot_be_read_weighs_where_it_only_follows():
    home = house(
        {"action": "script.turn_on", "target": {"entity_id": "script.unread"}},
        Thing("script.unread", body=body_of(None)),
    )
    assert decide(FLAG, MEMBER, home, by(), NOON).action is Action.APPROVE


def test_what_only_follows_is_brought_up_to_date_although_it_is_known_as_harmless():
    lamp = Thing("script.lamp", body=body_of({"sequence": [HARMLESS[1]]}))
    home = house({"action": "script.lamp"}, lamp)
    assert {"automation.opens", "script.lamp"} <= bodies_reached(FLAG, home)


def test_what_lies_deeper_than_is_looked_is_sensitive():
    chain = [
        Thing(f"script.s{n}", body=body_of({"sequence": [{"action": f"script.s{n + 1}"}]}))
        for n in range(MAX_TRAIL + 5)
    ]
    home = house({"action": "script.s0"}, *chain, Thing(f"script.s{MAX_TRAIL + 5}", body=()))
    found = reached(RUN, "script.opens", home)
    assert max(each.kind for each in found) is Kind.SENSITIVE
    assert "goes through more than" in judge(RUN, "script.opens", home).reason
    assert judge(FLAG, "input_boolean.flag", home).kind is Kind.SENSITIVE


def test_a_home_of_a_thousand_things_bounds_what_a_hidden_step_is_held_to():
    lamps = [Thing(f"light.l{n}") for n in range(1500)]
    home = house({"action": "{{ which }}", "target": {"entity_id": "{{ what }}"}}, *lamps)
    assert len(reached(RUN, "script.opens", home)) < 1200
    rule = ruled("rules: [{name: never, when: {entity: lock.front}, then: deny}]")
    assert decide(RUN, OWNER, home, rule, NOON).rule == "rule never"
