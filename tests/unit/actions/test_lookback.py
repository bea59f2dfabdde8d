"""Rules held against the past: each call at its moment, in the states of then, by whom it was made; what is not known is said."""

from datetime import UTC, datetime, timedelta

import pytest

from chronicles import act
from homesteward.actions.lookback import judge_past
from homesteward.actions.past_calls import HOUSE, OURS, PERSON, PastCall, past_calls
from homesteward.chronicle.moments import HouseAt, Known
from homesteward.chronicle.record import Call, Context, Source
from homesteward.chronicle.rows import Row
from homesteward.home.calls import Call as Asked
from homesteward.home.calls import ResolvedCall, Target
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action
from judging import GUEST, MEMBER, ruled

NOON = datetime(2026, 2, 10, 12, tzinfo=UTC)
SPAN = (NOON - timedelta(days=1), NOON + timedelta(days=1))
LAMP = ResolvedCall("light", "turn_on", ("light.kitchen",))


def past(call=LAMP, at=NOON, caller=MEMBER, **more):
    return PastCall(at, call, caller, **{"by": OURS, "sent": True, **more})


def knowing(**states):
    """A chronicle that remembers these states, written like `light__kitchen="on"`, and nothing else."""
    named = {name.replace("__", "."): state for name, state in states.items()}

    async def then(at, wanted):
        known = {e: Known(s, {}, at, Source.HEARD) for e, s in named.items() if e in wanted}
        return HouseAt(at, known, {})

    return then


async def judged(home, policy, *calls, then=None):
    found = await judge_past(calls, home, policy, then or knowing(), SPAN)
    return [each.now.action if each.now else None for each in found.calls]


async def test_a_call_is_judged_at_its_own_time_in_the_homes_zone(home):
    policy = ruled('rules: [{name: Night, when: {time: "22:00-06:00"}, then: deny}]')
    assert await judged(home, policy, past(), past(at=NOON + timedelta(hours=11))) == [Action.ALLOW, Action.DENY]


async def test_conditions_look_at_the_states_of_then(home):
    policy = ruled("rules: [{name: Locked, when: {state: {lock.front_door: unlocked}}, then: deny}]")
    assert home.states["lock.front_door"].state == "locked"
    assert await judged(home, policy, past(), then=knowing(lock__front_door="unlocked")) == [Action.DENY]
    assert await judged(home, policy, past()) == [Action.ALLOW]


async def test_who_was_home_then_counts(home):
    home.set_state("person.ada", "home")
    policy = ruled("rules: [{name: Empty, when: {presence: nobody}, then: deny}]")
    assert await judged(home, policy, past(), then=knowing(person__ada="not_home")) == [Action.DENY]


async def test_what_is_not_known_of_then_is_taken_from_now_and_named(home):
    found = await judge_past([past()], home, ruled("rules: []"), knowing(), SPAN)
    assert found.calls[0].unknown == ("light.kitchen",)
    found = await judge_past([past()], home, ruled("rules: []"), knowing(light__kitchen="on"), SPAN)
    assert found.calls[0].unknown == ()


async def test_a_thing_that_is_no_more_is_not_judged(home):
    gone = past(ResolvedCall("light", "turn_on", ("light.sold",)))
    found = await judge_past([gone], home, ruled("rules: []"), knowing(), SPAN)
    assert (found.calls[0].now, found.as_json()["not_judged"]) == (None, 1)


async def test_how_often_it_was_done_counts_only_what_was_done_before(home):
    policy = ruled("limits: [{name: Often, when: {domain: light}, every: 2 per hour, then: approve}]")
    calls = [past(at=NOON + timedelta(minutes=10 * n)) for n in range(4)]
    assert await judged(home, policy, *calls) == [Action.ALLOW, Action.ALLOW, Action.APPROVE, Action.APPROVE]


async def test_rules_that_judged_nothing_are_named(home):
    policy = ruled("rules: [{name: A, when: {domain: light}, then: allow}, {name: B, when: {domain: fan}, then: deny}]")
    found = await judge_past([past()], home, policy, knowing(), SPAN)
    assert found.unused == ("B",)


async def test_nothing_of_the_home_or_its_gate_is_changed(home):
    before = dict(home.states)
    await judged(home, ruled("rules: []"), past(), then=knowing(light__kitchen="on"))
    assert (dict(home.states), home.calls) == (before, [])


@pytest.mark.parametrize(
    ("context", "user", "role", "by", "as_"),
    [
        (Context("c", user_id="ha_ben"), "Ben", Role.GUEST, PERSON, Role.GUEST),
        (Context("c", user_id="ha_new"), "New", None, PERSON, Role.MEMBER),
        (Context("c"), None, None, HOUSE, Role.TRIGGER),
        (None, None, None, HOUSE, Role.TRIGGER),
    ],
)
async def test_a_call_of_others_is_judged_as_whoever_made_it(context, user, role, by, as_):
    async def role_of(_user_id):
        return role

    call = Call(NOON, "light", "turn_on", {}, ("light.kitchen",), context)
    (found,) = await past_calls([Row(call, context, user)], (), SPAN, role_of)
    assert (found.by, found.caller.role, found.ours) == (by, as_, False)


async def test_what_we_sent_is_not_counted_again_as_a_call_that_was_heard():
    done = act(0, "light.kitchen", context_id="ours")
    heard = Call(done.at, "light", "turn_on", {}, ("light.kitchen",), Context("ours"))
    found = await past_calls([Row(heard, Context("ours")), Row(done)], (), SPAN, lambda _: None)
    assert [(each.by, each.caller.person) for each in found] == [(OURS, "Ada")]


async def test_what_was_refused_or_never_decided_is_judged_too(gate, home):
    guest = Caller(Role.GUEST, Channel.CLI, "Gil")
    lock = Asked("lock", "unlock", Target(entity_id=("lock.front_door",)))
    refused = await gate.submit([lock], guest, request="let me in")
    waits = await gate.submit([lock], MEMBER, request="let them in")
    span = (refused[0].created - timedelta(hours=1), refused[0].created + timedelta(hours=1))
    calls = await past_calls((), (*refused, *waits), span, lambda _: None)
    assert [(each.became, each.then.action, each.sent) for each in calls] == [
        ("rejected", Action.DENY, False),
        ("waiting", Action.APPROVE, False),
    ]
    found = await judge_past(
        calls, home, ruled("rules: [{name: In, when: {role: guest}, then: approve}]"), knowing(), span
    )
    assert [each.changed for each in found.calls] == [True, False]
    assert found.as_json()["then"] == {"allow": 0, "confirm": 0, "approve": 1, "deny": 1}


async def test_a_guest_is_judged_as_the_guest_that_he_was(home):
    assert await judged(home, ruled("rules: []"), past(caller=GUEST)) == [Action.CONFIRM]
