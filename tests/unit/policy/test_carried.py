"""A reserved call is judged by what it carries: what it would have done later, and what it changes about authority."""

import pytest

from homes import small_home
from homesteward.core.json import JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.policy import Action, Kind, Preset, bodies_reached, decide
from homesteward.policy.impact import judge, reached
from judging import GUEST, MEMBER, NOON, OWNER, by, ruled

LOCK = {"entity_id": "lock.front_door"}
UNLOCK: JsonValue = {"action": "lock.unlock", "target": LOCK}
LAMP: JsonValue = {"action": "light.turn_on", "target": {"entity_id": "light.hall"}}
WIPE: JsonValue = {"action": "shell_command.backup"}


def schedule(service: str, **target: JsonValue) -> ResolvedCall:
    domain, name = service.split(".")
    return ResolvedCall(
        "homesteward", "schedule", data={"call": {"domain": domain, "service": name, "target": target}, "in": 600}
    )


def write(kind: str, config: JsonValue, name: str = "arrive") -> ResolvedCall:
    return ResolvedCall("ha_config", "write", data={"kind": kind, "id": name, "config": config})


def decided(call: ResolvedCall, caller=OWNER, policy=None):
    return decide(call, caller, small_home(), policy or by(), NOON)


@pytest.mark.parametrize("caller", [OWNER, MEMBER, GUEST])
@pytest.mark.parametrize(
    ("service", "target"),
    [
        ("lock.unlock", LOCK),
        ("light.turn_on", {"entity_id": "light.hall"}),
        ("light.turn_on", {"area_id": "kitchen"}),
        ("script.let_in", {}),
        ("homeassistant.toggle", {"entity_id": "cover.garage_door"}),
        ("shell_command.backup", {}),
        ("never_heard.of", {}),
    ],
)
def test_a_schedule_gets_the_verdict_of_what_it_would_do(caller, service, target):
    """E41: a gated act is not laundered by asking for it to be done later."""
    domain, name = service.split(".")
    home = small_home()
    if "area_id" in target:
        now = ResolvedCall(domain, name, ("light.kitchen",))
    else:
        now = ResolvedCall(domain, name, tuple(filter(None, (target.get("entity_id"),))))
    assert decided(schedule(service, **target), caller).verdict == decide(now, caller, home, by(), NOON).verdict


def test_a_schedule_is_asked_about_as_the_call_inside_it():
    rule = ruled("rules: [{name: never, when: {service: lock.unlock, entity: lock.front_door}, then: deny}]")
    assert decided(schedule("lock.unlock", **LOCK), policy=rule).rule == "rule never"


def test_the_way_of_a_schedule_ends_at_the_lock():
    assert decided(schedule("lock.unlock", **LOCK)).path == ("homesteward.schedule", "lock.unlock", "lock.front_door")


@pytest.mark.parametrize("inner", [None, "unlock it", {"service": "{{ x }}"}, {}, {"domain": "lock"}])
def test_a_schedule_of_what_cannot_be_read_is_sensitive(inner):
    call = ResolvedCall("homesteward", "schedule", data={"call": inner})
    assert judge(call, None, small_home()).kind is Kind.SENSITIVE


def test_a_schedule_of_a_change_of_the_set_up_is_such_a_change():
    inner = {
        "domain": "ha_config",
        "service": "write",
        "data": {"kind": "script", "id": "x", "config": {"sequence": [WIPE]}},
    }
    call = ResolvedCall("homesteward", "schedule", data={"call": inner})
    assert decided(call).action is Action.DENY


def test_taking_a_schedule_back_is_an_everyday_thing():
    assert decided(ResolvedCall("homesteward", "unschedule", data={"id": "s1"})).action is Action.ALLOW


@pytest.mark.parametrize("name", ["enable_offer", "forget_offer"])
def test_what_changes_homesteward_waits_for_an_owner(name):
    decision = decided(ResolvedCall("homesteward", name), MEMBER)
    assert (decision.action, decision.by_owner) == (Action.APPROVE, True)


@pytest.mark.parametrize("name", ["mcp_garden.water", "homesteward.never_heard_of", "ha_config.never_heard_of"])
def test_a_reserved_call_that_nobody_has_judged_is_refused(name):
    assert decided(ResolvedCall(*name.split("."))).action is Action.DENY


@pytest.mark.parametrize(
    ("kind", "config"),
    [
        ("automation", {"actions": [UNLOCK]}),
        ("automation", {"actions": [{"choose": [{"conditions": [], "sequence": [UNLOCK]}]}]}),
        ("automation", {"actions": [{"action": "script.let_in"}]}),
        ("script", {"sequence": [UNLOCK]}),
        ("scene", {"entities": {"lock.front_door": "unlocked"}}),
        ("dashboard", {"views": [{"cards": [{"tap_action": {"action": "perform-action", "perform_action": "lock.unlock", "target": LOCK}}]}]}),
        ("blueprint", {"yaml": "blueprint: {domain: script}\nsequence: [{action: lock.unlock, target: {entity_id: lock.front_door}}]"}),
    ],
)  # fmt: skip
def test_what_is_written_is_as_sensitive_as_what_it_would_do(kind, config):
    """E41: creating what unlocks the door later is held, and the text shows the unlocking."""
    decision = decided(write(kind, config), MEMBER)
    assert (decision.action, decision.by_owner) == (Action.APPROVE, True)
    assert "lock.front_door is a lock" in decision.reason
    assert (decision.path[0], decision.path[-1]) == ("ha_config.write", "lock.front_door")
    assert "lock.front_door" in {each.at for each in reached(write(kind, config), None, small_home())}


@pytest.mark.parametrize("kind", ["automation", "script", "blueprint"])
def test_what_would_do_a_forbidden_thing_later_is_refused(kind):
    assert decided(write(kind, {"sequence": [WIPE]})).action is Action.DENY


@pytest.mark.parametrize("body", [{"sequence": [WIPE]}, {"sequence": [UNLOCK]}])
def test_a_script_made_from_a_blueprint_is_judged_by_its_filled_in_body(body):
    call = ResolvedCall(
        "ha_config",
        "write",
        data={"kind": "script", "id": "x", "config": {"use_blueprint": {"path": "a.yaml"}}, "body": body},
    )
    assert judge(call, None, small_home()).kind is (
        Kind.FORBIDDEN if body == {"sequence": [WIPE]} else Kind.CONFIGURATION
    )


def test_a_body_beside_what_is_written_out_hides_nothing():
    call = ResolvedCall(
        "ha_config",
        "write",
        data={"kind": "script", "id": "x", "config": {"sequence": [WIPE]}, "body": {"sequence": []}},
    )
    assert judge(call, None, small_home()).kind is Kind.FORBIDDEN


def test_a_rule_about_what_is_written_holds_when_it_is_written():
    rule = ruled("rules: [{name: never, when: {service: lock.unlock}, then: deny}]")
    assert decided(write("automation", {"actions": [UNLOCK]}), policy=rule).rule == "rule never"


def test_a_rule_for_a_script_of_a_name_does_not_fit_one_that_is_only_written():
    """Whoever may run the script may not put into it what it is allowed to do."""
    rule = ruled("rules: [{name: mine, when: {through: 'script.*'}, then: allow}]")
    decision = decided(write("script", {"sequence": [UNLOCK]}, "good_night"), policy=rule)
    assert decision.action is Action.APPROVE


@pytest.mark.parametrize("config", [None, "x", {"use_blueprint": {"path": "a.yaml"}}, {"sequence": [{"new": 1}]}])
def test_what_is_written_and_cannot_be_read_is_told_so(config):
    assert "it cannot be seen what" in decided(write("script", config)).reason


@pytest.mark.parametrize("kind", ["helper", "dashboard", "registry", "exposure", "label", "area", "floor", "person"])
def test_every_other_change_of_the_set_up_waits_for_an_owner(kind):
    decision = decided(write(kind, {}), MEMBER)
    assert (decision.action, decision.by_owner) == (Action.APPROVE, True)
    assert decided(write(kind, {}), GUEST).action is Action.DENY


@pytest.mark.parametrize(
    ("kind", "config", "said"),
    [
        ("exposure", {"should_expose": True}, "within reach of speech and models"),
        ("registry", {"new_entity_id": "lock.other"}, "gives lock.front_door another id"),
        ("registry", {"device_class": "blind"}, "what lock.front_door is taken for"),
        ("registry", {"area_id": "study"}, "rules about areas"),
        ("area", {"labels": ["guests"]}, "what guests may use"),
    ],
)
def test_a_change_that_raises_authority_says_so(kind, config, said):
    assert said in decided(write(kind, config, "lock.front_door")).reason


def test_an_automation_that_the_outside_can_start_says_so():
    config: JsonValue = {"triggers": [{"trigger": "webhook", "webhook_id": "x"}], "actions": [LAMP]}
    assert "whoever knows the address of its webhook can start it" in decided(write("automation", config)).reason


def test_an_open_house_writes_at_once_what_is_not_denied():
    assert decided(write("script", {"sequence": [UNLOCK]}), policy=by(Preset.OPEN)).action is Action.ALLOW


def test_the_scripts_that_a_reserved_call_would_run_are_known_by_name():
    assert bodies_reached(schedule("script.let_in"), small_home()) == {"script.let_in"}
    assert bodies_reached(write("automation", {"actions": [{"action": "script.let_in"}]}), small_home()) == {
        "script.let_in"
    }
