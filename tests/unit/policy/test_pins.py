"""Where a rule asks for a PIN: whose yes it takes, and what becomes of the decision on every way to the thing."""

import pytest

from homes import small_home
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, decide, verdicts
from judging import NOON, OWNER, ruled

HOME = small_home()
LOCKS = ruled("rules: [{name: locks, when: {domain: lock}, then: confirm, pin: true}]")
APPROVED = ruled("rules: [{name: locks, when: {domain: lock}, then: approve, by: owner, pin: true}]")


def judged(role, call, *entity_ids, policy=LOCKS, token_id=""):
    domain, service = call.split(".")
    caller = Caller(role, Channel.API, token_id=token_id)
    decision = decide(ResolvedCall(domain, service, entity_ids), caller, HOME, policy, NOON)
    return decision.action, decision.by_owner, decision.pin


@pytest.mark.parametrize(
    ("role", "policy", "expected"),
    [
        (Role.OWNER, LOCKS, (Action.CONFIRM, False, True)),
        (Role.MEMBER, LOCKS, (Action.CONFIRM, False, True)),
        (Role.GUEST, LOCKS, (Action.CONFIRM, False, True)),
        (Role.TOKEN, LOCKS, (Action.APPROVE, False, True)),
        (Role.TRIGGER, LOCKS, (Action.APPROVE, False, True)),  # a machine has no PIN
        (Role.OWNER, APPROVED, (Action.CONFIRM, True, True)),  # could have approved it alone
        (Role.MEMBER, APPROVED, (Action.APPROVE, True, True)),
        (Role.GUEST, APPROVED, (Action.APPROVE, True, True)),
    ],
)
def test_a_lock_takes_a_pin_of_whoever_says_yes(role, policy, expected):
    assert judged(role, "lock.unlock", "lock.front_door", policy=policy) == expected


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


def test_a_weight_may_be_named_instead_of_a_thing():
    sensitive = ruled("rules: [{name: heavy, when: {kind: sensitive}, then: confirm, pin: true}]")
    assert judged(Role.OWNER, "cover.open_cover", "cover.garage_door", policy=sensitive) == (
        Action.CONFIRM,
        False,
        True,
    )
    assert judged(Role.OWNER, "switch.turn_on", "switch.coffee", policy=sensitive) == (Action.ALLOW, False, False)


def test_a_call_is_split_where_a_part_of_it_takes_a_pin():
    switches = ruled("rules: [{name: switches, when: {domain: switch}, then: confirm, pin: true}]")
    call = ResolvedCall("homeassistant", "turn_on", ("light.kitchen", "switch.coffee", "light.hall"))
    parts = verdicts(call, OWNER, HOME, switches, NOON)
    assert [(part.entity_ids, decision.pin) for part, decision in parts] == [
        (("light.kitchen", "light.hall"), False),
        (("switch.coffee",), True),
    ]
