"""How often something was done counts for limits and rules, in groups, for a day, and over a restart."""

from datetime import timedelta

from homesteward.actions.frequency import Frequency
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.policy import Action
from judging import OWNER, ruled

HOUR = timedelta(hours=1)
RARELY = """
limits:
- {name: Nothing flaps, when: {domain: switch}, every: 2 per hour, then: approve}
"""


def switch(service="turn_on"):
    return Call("switch", service, Target(entity_id=("switch.coffee",)))


def test_what_was_sent_to_a_group_counts_for_its_members(home, clock):
    often = Frequency(clock)
    often.sent(ResolvedCall("light", "turn_on", ("light.upstairs",)), home)
    assert [often.count("light.turn_on", each, HOUR) for each in ("light.upstairs", "light.study", "light.hall")] == [
        1,
        1,
        0,
    ]


def test_a_generic_service_counts_as_that_of_the_thing(home, clock):
    often = Frequency(clock)
    often.sent(ResolvedCall("homeassistant", "turn_on", ("switch.coffee",)), home)
    assert often.count("switch.turn_on", "switch.coffee", HOUR) == 1


def test_a_day_later_nothing_is_left_of_it(home, clock):
    often = Frequency(clock)
    often.sent(ResolvedCall("switch", "turn_on", ("switch.coffee",)), home)
    clock.advance(timedelta(days=1, seconds=1))
    assert often.count("switch.turn_on", "switch.coffee", timedelta(days=30)) == 0
    often.sent(ResolvedCall("light", "turn_on", ("light.hall",)), home)
    assert set(often._sent) == {("light.turn_on", "light.hall")}


async def test_a_limit_against_flapping_holds_over_a_restart(make_gate, home, clock):
    policy = ruled(RARELY)
    first = await make_gate(policy=lambda: policy)
    for service in ("turn_on", "turn_off", "turn_on"):
        await first.submit([switch(service)], OWNER, request="test")
        clock.advance(timedelta(minutes=5))
    await first.close()

    second = await make_gate(policy=lambda: policy)
    decided = {service: (await second.explain(switch(service), OWNER))[0][1] for service in ("turn_on", "turn_off")}
    assert decided["turn_on"].action is Action.APPROVE
    assert decided["turn_on"].rule == "limit Nothing flaps"
    assert decided["turn_off"].action is Action.ALLOW


async def test_what_was_never_sent_does_not_count_after_a_restart(make_gate, home, clock):
    policy = ruled(RARELY)
    first = await make_gate(policy=lambda: policy, dry_run=True)
    for _ in range(3):
        await first.submit([switch()], OWNER, request="test")
    second = await make_gate(policy=lambda: policy)
    assert (await second.explain(switch(), OWNER))[0][1].action is Action.ALLOW


async def test_an_hour_after_a_restart_an_hours_limit_is_open_again(make_gate, home, clock):
    policy = ruled(RARELY)
    first = await make_gate(policy=lambda: policy)
    for service in ("turn_on", "turn_off", "turn_on"):
        await first.submit([switch(service)], OWNER, request="test")
    await first.close()
    clock.advance(HOUR)
    second = await make_gate(policy=lambda: policy)
    assert (await second.explain(switch(), OWNER))[0][1].action is Action.ALLOW
