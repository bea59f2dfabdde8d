"""What a run that has read text from outside may still do: the same, or something stricter; at once only what the person named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, Preset, decide, verdicts
from judging import GUEST, MEMBER, OWNER, at, by, ruled

HOME = small_home()
LIGHT = ResolvedCall("light", "turn_on", ("light.kitchen",))
TOKEN = Caller(Role.TOKEN, Channel.API, "program", token_id="t")
TRIGGER = Caller(Role.TRIGGER, Channel.API, "sunset")
CALLERS = (OWNER, MEMBER, GUEST, TOKEN, TRIGGER)
THINGS = sorted(HOME.states)
SERVICES = (
    "light.turn_on",
    "lock.unlock",
    "homeassistant.toggle",
    "cover.open_cover",
    "scene.turn_on",
    "script.turn_on",
    "weather.get_forecasts",
)


def judged(call, caller=OWNER, policy=None, **more):
    return decide(call, caller, HOME, policy or by(), at(**more))


def test_what_the_person_named_is_done_at_once():
    decision = judged(LIGHT, outside=True, named=frozenset({"light.kitchen"}))
    assert (decision.action, decision.outside, decision.unrelated) == (Action.ALLOW, True, False)


def test_what_nobody_named_is_asked_about_once_text_from_outside_was_read():
    decision = judged(LIGHT, outside=True, named=frozenset({"light.hall"}))
    assert (decision.action, decision.rule, decision.unrelated) == (Action.CONFIRM, "outside text", True)
    assert "was not named" in decision.reason


def test_a_rule_of_the_owners_that_allows_it_does_not_allow_it_to_a_text():
    allowed = ruled("rules: [{name: lamps, when: {domain: light}, then: allow}]")
    assert judged(LIGHT, policy=allowed, outside=True).action is Action.CONFIRM


def test_a_rule_of_the_owners_may_say_more_about_runs_that_read_text_from_outside():
    strict = ruled("rules: [{name: no texts, when: {outside: true}, then: deny}]")
    assert judged(LIGHT, policy=strict, outside=True, named=frozenset({"light.kitchen"})).rule == "rule no texts"
    assert judged(LIGHT, policy=strict).action is Action.ALLOW


@pytest.mark.parametrize("caller", [TOKEN, TRIGGER], ids=lambda caller: caller.role)
def test_for_what_cannot_say_yes_in_a_conversation_a_person_has_to_approve(caller):
    assert judged(LIGHT, caller, outside=True).action is Action.APPROVE


def test_looking_stays_free():
    call = ResolvedCall("weather", "get_forecasts", ())
    assert judged(call, outside=True).action is Action.ALLOW


def test_a_group_is_named_by_its_own_name_or_by_all_of_its_members():
    group = ResolvedCall("light", "turn_on", ("light.upstairs",))
    members = {"light.reading_lamp_bedroom", "light.study"}
    for named, action in (
        ({"light.upstairs"}, Action.ALLOW),
        (members, Action.ALLOW),
        ({"light.study"}, Action.CONFIRM),
    ):
        assert judged(group, outside=True, named=frozenset(named)).action is action


def test_a_call_without_a_target_was_named_by_nobody():
    assert judged(ResolvedCall("notify", "phone", (), {"message": "x"}), outside=True).action is Action.CONFIRM


def test_a_thing_hidden_in_the_data_has_to_be_named_as_well():
    call = ResolvedCall("tts", "speak", ("light.kitchen",), {"media_player_entity_id": "media_player.speaker"})
    assert judged(call, outside=True, named=frozenset({"light.kitchen"})).action is not Action.ALLOW


def test_of_several_targets_those_that_were_named_run_and_the_others_wait():
    call = ResolvedCall("light", "turn_on", ("light.kitchen", "light.hall", "light.study"))
    split = verdicts(call, OWNER, HOME, by(), at(outside=True, named=frozenset({"light.kitchen", "light.study"})))
    assert [(part.entity_ids, decision.action) for part, decision in split] == [
        (("light.kitchen", "light.study"), Action.ALLOW),
        (("light.hall",), Action.CONFIRM),
    ]


@given(
    service=st.sampled_from(SERVICES),
    targets=st.lists(st.sampled_from(THINGS), min_size=1, max_size=3, unique=True),
    data=st.dictionaries(st.text(max_size=12), st.text(max_size=40) | st.sampled_from(THINGS), max_size=3),
    caller=st.sampled_from(CALLERS),
    preset=st.sampled_from(list(Preset)),
    named=st.frozensets(st.sampled_from(THINGS)),
)
def test_text_from_outside_never_raises_anything(service, targets, data, caller, preset, named):
    """Whatever it says and whatever was named: nothing gets milder, only `allow` gets stricter, and the impact stays what it is."""
    domain, _, name = service.partition(".")
    for target in targets:
        call = ResolvedCall(domain, name, (target,), data)
        before = decide(call, caller, HOME, by(preset), at())
        after = decide(call, caller, HOME, by(preset), at(outside=True, named=named))
        assert after.strictness >= before.strictness
        assert after.impact.level == before.impact.level
        if before.action is not Action.ALLOW:
            assert (after.action, after.by_owner, after.pin) == (before.action, before.by_owner, before.pin)


@given(
    caller=st.sampled_from(CALLERS), preset=st.sampled_from(list(Preset)), few=st.frozensets(st.sampled_from(THINGS))
)
def test_naming_more_makes_nothing_stricter_and_naming_everything_is_as_before(caller, preset, few):
    call = ResolvedCall("homeassistant", "turn_on", ("light.kitchen", "switch.coffee", "lock.front_door"))
    some = decide(call, caller, HOME, by(preset), at(outside=True, named=few))
    every = decide(call, caller, HOME, by(preset), at(outside=True, named=frozenset(THINGS)))
    assert some.strictness >= every.strictness
    assert every.strictness == decide(call, caller, HOME, by(preset), at()).strictness
