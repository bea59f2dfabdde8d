"""How often something was done counts for limits and rules, in groups, for a day, and over a restart."""

from datetime import timedelta

from homesteward.actions.frequency import Frequency, with_asked
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
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
    assert set(often._sent) == {("light.turn_on", "light.hall"), ("*", "light.hall")}


async def test_a_limit_against_flapping_holds_over_a_restart(make_gate, home, clock):
    policy = ruled(RARELY)
    first = await make_gate(policy=lambda: policy)
    for service in ("turn_on", "turn_off"):
        await first.submit([switch(service)], OWNER, request="test")
        clock.advance(timedelta(minutes=5))
    await first.close()

    second = await make_gate(policy=lambda: policy)
    for service in ("turn_on", "turn_off", "toggle"):  # on and off and on again is what flapping is
        decision = (await second.explain(switch(service), OWNER))[0][1]
        assert (decision.action, decision.rule) == (Action.APPROVE, "limit Nothing flaps")


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


def test_what_a_scene_or_a_script_reaches_counts_as_done_to_it(clock):
    step = BodyStep(Call("switch", "toggle", Target(entity_id=("switch.a",))), "flip")
    house = SimulatedHome.build(
        [
            Thing("switch.a"),
            Thing("script.flip", body=(step,)),
            Thing("scene.a", body=(BodyStep(None, "sets it", member="switch.a"),)),
        ]
    )
    often = Frequency(clock)
    often.sent(ResolvedCall("script", "turn_on", ("script.flip",)), house)
    often.sent(ResolvedCall("scene", "turn_on", ("scene.a",)), house)
    often.sent(ResolvedCall("scene", "apply", (), {"entities": {"switch.a": "on"}}), house)
    assert often.count("*", "switch.a", HOUR) == 3
    assert often.count("switch.toggle", "switch.a", HOUR) == 1


def test_asking_for_a_state_again_is_not_done_to_anything(home, clock):
    often = Frequency(clock)
    often.sent(ResolvedCall("homeassistant", "update_entity", ("switch.coffee",)), home)
    assert often.count("*", "switch.coffee", HOUR) == 0


def test_of_many_calls_in_one_request_each_counts(home, clock):
    often = Frequency(clock)
    toggle = ResolvedCall("switch", "toggle", ("switch.coffee",))
    often.sent(toggle, home)
    counts = with_asked(often.count, [toggle] * 20, home)
    assert counts("*", "switch.coffee", HOUR) == 21
    assert counts("*", "light.hall", HOUR) == 0
