"""Rules as an owner writes them: the first that fits decides, whatever way the thing is reached."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, BadRuleFileError, Policy, Preset, decide, parse_rules, verdicts
from judging import GUEST, MEMBER, NOON, OWNER, at, ruled

HOME = small_home()


def call(service: str, *entity_ids: str, **data: object) -> ResolvedCall:
    domain, name = service.split(".")
    return ResolvedCall(domain, name, entity_ids, data)


def action(policy: Policy, asked: ResolvedCall, caller: Caller = MEMBER, home=HOME, moment=NOON) -> Action:
    return decide(asked, caller, home, policy, moment).action


KITCHEN = call("light.turn_on", "light.kitchen")
GARAGE = call("cover.open_cover", "cover.garage_door")


def test_the_first_rule_that_fits_decides():
    policy = ruled("""
        rules:
        - {name: kitchen, when: {area: Kitchen}, then: confirm}
        - {name: lights, when: {domain: light}, then: deny}
    """)
    assert action(policy, KITCHEN) is Action.CONFIRM
    assert action(policy, call("light.turn_on", "light.hall")) is Action.DENY
    assert action(policy, call("fan.turn_on", "fan.ceiling")) is Action.ALLOW


def test_a_rule_names_itself_in_the_decision():
    policy = ruled("rules: [{name: Not the kitchen, when: {area: kitchen}, then: deny}]")
    decision = decide(KITCHEN, MEMBER, HOME, policy, NOON)
    assert decision.rule == "rule Not the kitchen"
    assert "the rule 'Not the kitchen' is about it" in decision.reason


@pytest.mark.parametrize(
    ("when", "moment", "fits"),
    [
        ("{time: '22:00-06:00'}", "2026-11-30 23:59", True),
        ("{time: '22:00-06:00'}", "2026-12-01 05:59", True),
        ("{time: '22:00-06:00'}", "2026-12-01 06:00", False),
        ("{time: ['06:00-07:00', '12:00-13:00']}", "2026-11-30 12:30", True),
        ("{weekday: [sat, sun]}", "2026-11-30 12:00", False),
        ("{weekday: mon}", "2026-11-30 12:00", True),
    ],
)
def test_a_rule_holds_at_its_time_in_the_home(when, moment, fits):
    policy = ruled(f"rules: [{{name: a, when: {when}, then: deny}}]")
    assert (action(policy, KITCHEN, moment=at(moment)) is Action.DENY) is fits


@pytest.mark.parametrize(
    ("when", "fits"),
    [
        ("{role: guest}", True),
        ("{role: [owner, member]}", False),
        ("{person: Ada}", True),
        ("{person: ada}", True),
        ("{person: Bob}", False),
        ("{channel: api}", True),
        ("{token: tok_1}", False),
        ("{not: {role: owner}}", True),
        ("{not: {role: guest}}", False),
    ],
)
def test_a_rule_is_about_who_asks(when, fits):
    policy = ruled(f"rules: [{{name: a, when: {when}, then: deny}}]")
    ada = Caller(Role.GUEST, Channel.API, "Ada")
    assert (action(policy, KITCHEN, ada) is Action.DENY) is fits


@pytest.mark.parametrize(
    ("when", "fits"),
    [
        ("{entity: 'light.kit*'}", True),
        ("{service: turn_on}", True),
        ("{service: 'light.*'}", True),
        ("{service: light.turn_off}", False),
        ("{floor: ground}", True),
        ("{kind: routine}", True),
        ("{kind: sensitive}", False),
        ("{data: {brightness_pct: {above: 80}}}", True),
        ("{data: {brightness_pct: {above: 90}}}", False),
        ("{data: {effect: rainbow}}", False),
        ("{mode: auto}", True),
        ("{outside: true}", False),
        ("{state: {switch.coffee: off}}", True),
        ("{state: {sensor.study_temperature: {above: 21, below: 22}}}", True),
        ("{state: {sensor.not_there: on}}", False),
        ("{sun: up}", False),
        ("{presence: nobody}", False),
    ],
)
def test_a_rule_is_about_the_thing_and_the_moment(when, fits):
    policy = ruled(f"rules: [{{name: a, when: {when}, then: deny}}]")
    bright = call("light.turn_on", "light.kitchen", brightness_pct=90)
    assert (action(policy, bright) is Action.DENY) is fits


def test_sun_and_presence_are_those_of_the_home():
    home = SimulatedHome.build(
        [Thing("light.a"), Thing("sun.sun", state="below_horizon"), Thing("person.x", state="not_home")]
    )
    policy = ruled("rules: [{name: dark and empty, when: {sun: down, presence: nobody}, then: deny}]")
    lamp = call("light.turn_on", "light.a")
    assert action(policy, lamp, home=home) is Action.DENY
    home.states["person.x"] = State("person.x", "home")
    assert action(policy, lamp, home=home) is Action.ALLOW


def test_a_label_of_the_area_reaches_what_is_in_it():
    policy = ruled("rules: [{name: entrance, when: {label: entrance}, then: deny}]")
    assert action(policy, call("light.turn_on", "light.hall")) is Action.DENY
    assert action(policy, KITCHEN) is Action.ALLOW


def test_how_often_it_was_done_decides():
    def counts(service, entity_id, _within):
        return 5 if (service, entity_id) == ("light.turn_on", "light.kitchen") else 0

    policy = ruled("rules: [{name: too often, when: {more_than: 5 per hour}, then: confirm}]")
    moment = replace(NOON, counts=counts)
    assert action(policy, KITCHEN, moment=moment) is Action.CONFIRM
    assert action(policy, call("light.turn_on", "light.hall"), moment=moment) is Action.ALLOW


def test_what_a_rule_says_of_its_effect_is_in_the_decision():
    policy = ruled("""
        rules:
        - {name: garage, when: {device_class: garage}, then: approve, by: owner, expires: 2h, notify: true, window: 90s}
        - {name: kitchen, when: {area: kitchen}, then: confirm, pin: true}
    """)
    garage, kitchen = decide(GARAGE, OWNER, HOME, policy, NOON), decide(KITCHEN, OWNER, HOME, policy, NOON)
    assert (garage.by_owner, garage.expires.total_seconds(), garage.notify, garage.window.total_seconds()) == (
        True,
        7200,
        True,
        90,
    )
    assert (kitchen.action, kitchen.pin) == (Action.CONFIRM, True)


@pytest.mark.parametrize(
    "asked",
    [
        call("cover.open_cover", "cover.garage_door"),
        call("homeassistant.toggle", "cover.garage_door"),
        call("homeassistant.turn_on", "group.ways"),
        call("script.turn_on", "script.way_in"),
        call("script.way_in"),
        call("automation.trigger", "automation.way_in"),
        call("scene.turn_on", "scene.way_in"),
        call("group.set", object_id="x", entities=["cover.garage_door"]),
    ],
)
def test_a_rule_about_a_thing_holds_on_every_way_to_it(asked):
    """Acceptance 9 of the orchestrator's, 3 of the agent's: every road gets the same verdict."""
    step = BodyStep(Call("cover", "open_cover", Target(entity_id=("cover.garage_door",))), "open it")
    home = SimulatedHome.build(
        [
            Thing("cover.garage_door", device_class="garage"),
            Thing("group.ways", members=("cover.garage_door",)),
            Thing("script.way_in", body=(step,)),
            Thing("automation.way_in", body=(step,)),
            Thing("scene.way_in", body=(BodyStep(None, "sets it", member="cover.garage_door"),)),
        ]
    )
    policy = ruled("rules: [{name: never, when: {device_class: garage}, then: deny}]", Preset.OPEN)
    if asked.domain == "group":
        policy = ruled("rules: [{name: never, when: {service: group.set}, then: deny}]", Preset.OPEN)
    assert action(policy, asked, home=home) is Action.DENY


def test_allowing_a_script_does_not_allow_what_it_does():
    policy = ruled("rules: [{name: my script, when: {entity: script.let_in}, then: allow}]")
    assert action(policy, call("script.turn_on", "script.let_in")) is Action.APPROVE


def test_a_thing_can_be_allowed_on_one_way_alone():
    policy = ruled(
        "rules: [{name: by the script, when: {entity: lock.front_door, through: script.let_in}, then: allow}]"
    )
    assert action(policy, call("script.turn_on", "script.let_in")) is Action.ALLOW
    assert action(policy, call("lock.unlock", "lock.front_door")) is Action.APPROVE


def test_no_rule_reaches_what_is_on_the_deny_list():
    policy = ruled("rules: [{name: all, then: allow}, {name: it, when: {service: shell_command.backup}, then: allow}]")
    assert action(policy, call("shell_command.backup"), OWNER) is Action.DENY


def test_a_catch_all_does_not_reach_what_nobody_has_said_anything_about():
    asked = call("some_integration.launch")
    assert action(ruled("rules: [{name: all, then: allow}]"), asked, OWNER) is Action.DENY
    assert (
        action(ruled("rules: [{name: it, when: {service: some_integration.launch}, then: allow}]"), asked, OWNER)
        is Action.ALLOW
    )


def test_a_rule_that_is_switched_off_decides_nothing():
    assert action(ruled("rules: [{name: a, then: deny, enabled: false}]"), KITCHEN) is Action.ALLOW


def test_a_file_that_cannot_be_read_holds_everything_but_looking():
    held = Policy(Preset.OPEN, held="line 3: it is no YAML")
    kitchen = decide(KITCHEN, OWNER, HOME, held, NOON)
    assert (kitchen.action, kitchen.by_owner) == (Action.APPROVE, True)
    assert "line 3" in kitchen.reason
    assert action(held, call("weather.get_forecasts")) is Action.ALLOW
    assert action(held, call("shell_command.backup")) is Action.DENY
    assert action(held, call("some_integration.launch"), OWNER) is Action.DENY


@given(
    service=st.sampled_from(["light.turn_on", "lock.unlock", "update.install", "nobody.knows", "shell_command.x"]),
    caller=st.sampled_from([OWNER, MEMBER, GUEST]),
    preset=st.sampled_from(list(Preset)),
)
def test_rules_that_cannot_be_read_loosen_nothing_that_the_preset_says(service, caller, preset):
    asked = call(service, "lock.front_door" if service.startswith("lock") else "light.kitchen")
    before = decide(asked, caller, HOME, Policy(preset), NOON)
    held = decide(asked, caller, HOME, Policy(preset, held="line 3: it is no YAML"), NOON)
    assert held.strictness >= before.strictness


def test_one_request_may_get_several_verdicts():
    policy = ruled("rules: [{name: kitchen, when: {area: kitchen}, then: confirm}]")
    lights = call("light.turn_on", "light.kitchen", "light.hall", "light.study")
    assert [(part.entity_ids, decision.action) for part, decision in verdicts(lights, MEMBER, HOME, policy, NOON)] == [
        (("light.kitchen",), Action.CONFIRM),
        (("light.hall", "light.study"), Action.ALLOW),
    ]


def test_guests_get_what_a_rule_gives_them():
    policy = ruled("rules: [{name: guests and light, when: {role: guest, domain: light, area: Hall}, then: allow}]")
    assert action(policy, call("light.turn_on", "light.hall"), GUEST) is Action.ALLOW
    assert action(policy, KITCHEN, GUEST) is Action.CONFIRM


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("", 1, "empty"),
        ("version: 2", 1, "version"),
        ("version: 1\nrules:\n  - name: a\n    when: {domian: light}\n    then: deny", 4, "domian"),
        ("version: 1\nrules:\n  - name: a\n    then: deny\n    when: {time: 25:00-26:00}", 5, "no time of day"),
        ("version: 1\nrules:\n  - name: a\n    then: deny\n    pin: true", 3, "PIN"),
        ("version: 1\nrules:\n  - name: a\n    then: allow\n    expires: 2h", 3, "expires"),
        ("version: 1\nrules:\n  - {name: a, then: deny}\n  - {name: a, then: allow}", 1, "two are named 'a'"),
        ("version: 1\nrules:\n  - name: a\n    then: deny\n    then: allow", 5, "given twice"),
        ("version: 1\nrules:\n  - name: a\n    when: {area: []}\n    then: deny", 4, "at least one"),
        ("version: 1\nlimits:\n  - name: a\n    when: {domain: light}", 3, "what is limited"),
        ("version: 1\nlimits:\n  - name: a\n    brightness: {min: 90, max: 10}", 4, "min is above max"),
        ("version: 1\nrules: [", 2, "expected"),
        ("version: 1\nrules:\n  - name: a\n    when: {data: {a: {over: 3}}}\n    then: deny", 4, "over"),
    ],
)
def test_a_mistake_is_told_with_its_line(text, line, part):
    with pytest.raises(BadRuleFileError) as told:
        parse_rules(text)
    assert told.value.mistakes[0].line == line
    assert part in told.value.message


def test_a_file_of_aliases_is_no_bomb():
    text = "version: 1\nx: &a [1]\ny: [" + ", ".join(["*a"] * 200) + "]"
    with pytest.raises(BadRuleFileError, match="aliases"):
        parse_rules(text)


@given(st.text(max_size=200))
def test_whatever_is_written_is_a_policy_or_a_told_mistake(text):
    told = None
    try:
        parse_rules("version: 1\n" + text)
    except BadRuleFileError as error:
        told = error
    assert told is None or told.mistakes


@given(
    then=st.sampled_from(["allow", "confirm", "approve", "deny"]),
    entity=st.sampled_from(sorted(HOME.states)),
    caller=st.sampled_from([OWNER, MEMBER, GUEST]),
    preset=st.sampled_from(list(Preset)),
)
def test_a_limit_never_loosens(then, entity, caller, preset):
    rule = f"rules: [{{name: a, then: {then}}}]"
    limit = "limits: [{name: never, then: deny, every: 0 per day}]"
    asked = call("homeassistant.turn_on", entity)
    plain = decide(asked, caller, HOME, ruled(rule, preset), NOON)
    limited = decide(asked, caller, HOME, ruled(f"{rule}\n{limit}", preset), NOON)
    assert limited.strictness >= plain.strictness


@pytest.mark.parametrize("often", ["201 per hour", "300 per hour", "3 in 7 d", "2 in 25 hours"])
def test_a_rate_that_is_not_counted_that_far_is_refused_with_its_line(often):
    for text in (
        f"limits:\n- {{name: Often, then: deny, every: {often}}}",
        f"rules:\n- {{name: Often, then: deny, when: {{more_than: {often}}}}}",
    ):
        with pytest.raises(BadRuleFileError) as told:
            parse_rules(f"version: 1\n{text}\n")
        assert "never holds" in str(told.value.mistakes)
        assert "3" in str(told.value.mistakes[0])


@pytest.mark.parametrize("often", ["200 per hour", "3 in 24 h", "1 per day"])
def test_a_rate_within_what_is_counted_is_taken(often):
    parse_rules(f"version: 1\nlimits:\n- {{name: Often, then: deny, every: {often}}}\n")
