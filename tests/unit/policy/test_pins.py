"""Where an owner asks for a PIN: by impact or by what is reached, and what becomes of a decision there."""

import pytest

from homes import small_home
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, PinRule, Preset, decide, verdicts

HOME = small_home()
LOCKS = PinRule.of(["lock"])


def judged(role, call, *entity_ids, preset=Preset.FAMILY, pins=LOCKS, token_id=""):
    domain, service = call.split(".")
    caller = Caller(role, Channel.API, token_id=token_id)
    decision = decide(ResolvedCall(domain, service, entity_ids), caller, HOME, preset, pins)
    return decision.action, decision.by_owner, decision.pin


@pytest.mark.parametrize(
    ("role", "preset", "expected"),
    [
        (Role.OWNER, Preset.FAMILY, (Action.CONFIRM, False, True)),  # could have approved it alone
        (Role.MEMBER, Preset.FAMILY, (Action.CONFIRM, False, True)),
        (Role.OWNER, Preset.CAUTIOUS, (Action.CONFIRM, True, True)),
        (Role.MEMBER, Preset.CAUTIOUS, (Action.APPROVE, True, True)),
        (Role.GUEST, Preset.FAMILY, (Action.DENY, False, False)),
        (Role.GUEST, Preset.GUEST_WEEKEND, (Action.APPROVE, True, True)),
        (Role.TOKEN, Preset.FAMILY, (Action.APPROVE, False, True)),
        (Role.TRIGGER, Preset.OPEN, (Action.APPROVE, False, True)),  # a machine has no PIN
        (Role.OWNER, Preset.OPEN, (Action.CONFIRM, False, True)),
        (Role.OWNER, Preset.READ_ONLY, (Action.DENY, False, False)),
    ],
)
def test_a_lock_takes_a_pin_of_whoever_says_yes(role, preset, expected):
    assert judged(role, "lock.unlock", "lock.front_door", preset=preset) == expected


def test_a_token_of_an_owner_is_a_machine_all_the_same():
    assert judged(Role.OWNER, "lock.unlock", "lock.front_door", token_id="t1") == (Action.APPROVE, False, True)


@pytest.mark.parametrize(
    ("call", "entity_id"),
    [
        ("script.turn_on", "script.let_in"),
        ("scene.turn_on", "scene.arrival"),
        ("homeassistant.turn_on", "group.going_out"),
        ("script.let_in", None),
    ],
)
def test_whatever_reaches_a_lock_takes_it_too(call, entity_id):
    assert judged(Role.OWNER, call, *([entity_id] if entity_id else []))[2]


def test_nothing_else_does():
    assert judged(Role.OWNER, "light.turn_on", "light.kitchen") == (Action.ALLOW, False, False)
    assert judged(Role.OWNER, "cover.open_cover", "cover.garage_door") == (Action.APPROVE, False, False)


def test_a_level_of_impact_may_be_named_as_well():
    sensitive = PinRule.of(["sensitive", "light"])
    assert judged(Role.OWNER, "cover.open_cover", "cover.garage_door", pins=sensitive) == (Action.CONFIRM, False, True)
    assert judged(Role.GUEST, "light.turn_on", "light.kitchen", pins=sensitive) == (Action.CONFIRM, False, True)
    assert judged(Role.OWNER, "switch.turn_on", "switch.coffee", pins=sensitive) == (Action.ALLOW, False, False)


def test_looking_takes_none():
    assert judged(Role.OWNER, "weather.get_forecasts", "weather.home", pins=PinRule.of(["read", "weather"]))[2] is False


def test_a_call_is_split_where_a_part_of_it_takes_a_pin():
    call = ResolvedCall("homeassistant", "turn_on", ("light.kitchen", "switch.coffee", "light.hall"))
    parts = verdicts(call, Caller(Role.OWNER, Channel.API), HOME, Preset.FAMILY, PinRule.of(["switch"]))
    assert [(part.entity_ids, decision.pin) for part, decision in parts] == [
        (("light.kitchen", "light.hall"), False),
        (("switch.coffee",), True),
    ]
