"""A call that changes what an automation waits for starts it: what is sensitive in it counts."""

import pytest

from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.script_syntax import called
from homesteward.home.simulation import SimulatedHome
from homesteward.home.starts import Start
from homesteward.policy import Action, Kind, bodies_reached, decide, verdicts
from homesteward.policy.impact import judge
from judging import NOON, OWNER, by, ruled

UNLOCK = BodyStep(Call("lock", "unlock", Target(entity_id=("lock.front",))), "unlock")
FLAG = BodyStep(Call("input_boolean", "turn_on", Target(entity_id=("input_boolean.flag",))), "raise the flag")
BLANK = BodyStep(None, "a template")


def house(*more: Thing) -> SimulatedHome:
    plain = ("lock.front", "light.hall", "light.study", "input_boolean.flag", "button.bell", "switch.a")
    return SimulatedHome.build([*map(Thing, plain), *more])


def waits(*starts: Start, body=(UNLOCK,), name="automation.opens", state="on") -> Thing:
    return Thing(name, body=body, starts=starts, state=state)


def kind(home, service, entity_id):
    domain, name = service.split(".")
    return judge(ResolvedCall(domain, name, (entity_id,)), entity_id, home).kind


@pytest.mark.parametrize(
    ("service", "entity_id"),
    [
        ("light.turn_on", "light.hall"),
        ("homeassistant.toggle", "light.hall"),
        ("button.press", "button.bell"),
        ("input_boolean.toggle", "input_boolean.flag"),
    ],
)
def test_a_call_that_starts_an_automation_which_unlocks_is_as_sensitive_as_unlocking(service, entity_id):
    home = house(waits(Start(entity_id)))
    decision = decide(ResolvedCall(*service.split("."), (entity_id,)), OWNER, home, by(), NOON)

    assert decision.action is Action.APPROVE
    assert decision.path == (service, entity_id, "automation.opens", "lock.front")


def test_another_lamp_is_as_everyday_as_before():
    assert kind(house(waits(Start("light.hall"))), "light.turn_on", "light.study") is Kind.ROUTINE


def test_lamps_together_get_the_verdict_that_each_gets_alone():
    home = house(waits(Start("light.hall")))
    found = verdicts(ResolvedCall("light", "turn_on", ("light.study", "light.hall")), OWNER, home, by(), NOON)
    assert {part.entity_ids: decision.action for part, decision in found} == {
        ("light.study",): Action.ALLOW,
        ("light.hall",): Action.APPROVE,
    }


@pytest.mark.parametrize(
    ("service", "expected"),
    [("light.turn_on", Kind.SENSITIVE), ("light.turn_off", Kind.ROUTINE), ("light.toggle", Kind.SENSITIVE)],
)
def test_only_the_state_that_is_waited_for_starts_it(service, expected):
    assert kind(house(waits(Start("light.hall", to=("on",)))), service, "light.hall") is expected


def test_an_automation_that_is_off_starts_with_nothing():
    assert kind(house(waits(Start("light.hall"), state="off")), "light.turn_on", "light.hall") is Kind.ROUTINE


def test_a_chain_of_automations_is_followed_to_the_lock():
    first = waits(Start("light.hall"), body=(FLAG,), name="automation.first")
    assert kind(house(first, waits(Start("input_boolean.flag"))), "light.turn_on", "light.hall") is Kind.SENSITIVE


def test_automations_that_start_each_other_end():
    lamp = BodyStep(Call("light", "turn_on", Target(entity_id=("light.hall",))), "light")
    one, two = (
        waits(Start("light.hall"), body=(FLAG,)),
        waits(Start("input_boolean.flag"), body=(lamp,), name="automation.b"),
    )
    assert kind(house(one, two), "light.turn_on", "light.hall") is Kind.ROUTINE


def test_a_script_that_changes_what_is_waited_for_is_judged_by_it():
    home = house(waits(Start("input_boolean.flag")), Thing("script.raise", body=(FLAG,)))
    assert kind(home, "script.turn_on", "script.raise") is Kind.SENSITIVE


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ((BLANK,), Kind.SENSITIVE),
        ((called("light.turn_on", {"target": {"entity_id": "{{ which }}"}}),), Kind.ROUTINE),
        ((called("light.turn_{{ way }}", {"target": {"entity_id": "light.hall"}}),), Kind.ROUTINE),
        ((BodyStep(Call("mqtt", "publish"), "publish"),), Kind.ROUTINE),
        ((BodyStep(Call("never", "heard"), "x"),), Kind.ROUTINE),
        ((BodyStep(Call("shell_command", "wipe"), "wipe"),), Kind.FORBIDDEN),
    ],
)
def test_of_what_only_follows_what_guards_the_house_and_what_is_denied_counts(body, expected):
    """A lamp must not wait because an automation of the household hides which lamp it turns on; it must for what may be a lock."""
    assert kind(house(waits(Start("light.hall"), body=body)), "light.turn_on", "light.hall") is expected


def test_an_automation_that_is_triggered_itself_counts_whole():
    assert kind(house(waits(body=(BLANK,))), "automation.trigger", "automation.opens") is Kind.SENSITIVE


def test_an_event_in_a_script_reaches_what_listens_to_it():
    fires = Thing("script.fires", body=(BodyStep(None, "fires the event ring", event="ring"),))
    home = house(fires, waits(Start(event="ring"), body=(BodyStep(Call("shell_command", "wipe"), "wipe"),)))
    assert kind(home, "script.turn_on", "script.fires") is Kind.FORBIDDEN


def test_an_event_to_which_nothing_is_known_to_listen_is_sensitive():
    fires = Thing("script.fires", body=(BodyStep(None, "fires the event ring", event="ring"),))
    assert kind(house(fires), "script.turn_on", "script.fires") is Kind.SENSITIVE


def test_what_a_call_starts_is_brought_up_to_date_before_it_is_judged():
    inner = Thing("script.inner", body=(UNLOCK,))
    runs = waits(Start("light.hall"), body=(BodyStep(Call("script", "inner"), "runs it"),))
    found = bodies_reached(ResolvedCall("light", "turn_on", ("light.hall",)), house(inner, runs))
    assert found == {"automation.opens", "script.inner"}


@pytest.mark.parametrize("platform", ["template", "command_line", "universal"])
def test_a_thing_that_is_what_somebody_wrote_and_nobody_is_told_is_sensitive(platform):
    home = house(Thing("switch.gate", platform=platform))
    assert kind(home, "switch.turn_on", "switch.gate") is Kind.SENSITIVE


def test_a_rule_that_names_the_automation_says_that_it_is_all_right():
    policy = ruled("rules: [{name: mine, when: {through: automation.opens}, then: allow}]")
    call = ResolvedCall("light", "turn_on", ("light.hall",))
    assert decide(call, OWNER, house(waits(Start("light.hall"))), policy, NOON).action is Action.ALLOW


def test_a_rule_that_names_a_template_light_says_that_it_may_be_used():
    policy = ruled("rules: [{name: mine, when: {entity: light.of_mine}, then: allow}]")
    call = ResolvedCall("light", "turn_on", ("light.of_mine",))
    assert decide(call, OWNER, house(Thing("light.of_mine", platform="template")), policy, NOON).action is Action.ALLOW


def test_what_reaches_more_than_can_be_followed_is_sensitive():
    lamps = [Thing(f"light.l{n}") for n in range(40)]
    steps = tuple(
        BodyStep(Call("light", "turn_on", Target(entity_id=tuple(t.entity_id for t in lamps)), {"brightness": n}), "x")
        for n in range(200)
    )
    home = SimulatedHome.build([*lamps, Thing("script.storm", body=steps)])
    assert kind(home, "script.turn_on", "script.storm") is Kind.SENSITIVE


def shown(entity_id, **more):
    return Thing(entity_id, platform="switch_as_x", device="relay", **more)


@pytest.mark.parametrize(
    ("front", "expected"),
    [
        (shown("lock.gate"), Kind.SENSITIVE),
        (shown("cover.gate", device_class="garage"), Kind.SENSITIVE),
        (shown("light.gate"), Kind.ROUTINE),
        (Thing("lock.gate", device="relay"), Kind.ROUTINE),
    ],
)
def test_a_switch_that_is_shown_as_a_lock_is_as_sensitive_as_the_lock(front, expected):
    home = house(Thing("switch.relay", device="relay", hidden=True), front)
    assert kind(home, "switch.turn_on", "switch.relay") is expected


def test_switches_together_get_the_verdict_that_each_gets_alone():
    home = house(Thing("switch.relay", device="relay", hidden=True), shown("lock.gate"))
    found = verdicts(ResolvedCall("switch", "turn_on", ("switch.a", "switch.relay")), OWNER, home, by(), NOON)
    assert {part.entity_ids: decision.action for part, decision in found} == {
        ("switch.a",): Action.ALLOW,
        ("switch.relay",): Action.APPROVE,
    }
