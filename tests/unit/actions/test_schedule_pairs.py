"""Something is done for a while: now, and the end of it later; the end comes only after the beginning, and leaves alone what others changed."""

from datetime import timedelta

import pytest

from homesteward.actions import PlanState, Ties
from homesteward.actions.schedule import timed
from homesteward.actions.schedule.pairs import CannotEndError, taking_back
from homesteward.home.calls import ResolvedCall
from homesteward.home.faults import Jam, Refuse
from homesteward.policy import Policy
from judging import ruled
from schedules import ANN, BEN, Later, call, open_later

HOUR = timedelta(hours=1)
ON = call("light.turn_on", "light.kitchen")
UNLOCK = call("lock.unlock", "lock.front_door")


@pytest.fixture
async def waiting(make_gate, database, home, clock) -> Later:
    return await open_later(make_gate, database, home, clock)


def sent(home) -> list[str]:
    return [f"{each.id} {','.join(each.entity_ids)}" for each in home.calls]


async def for_an_hour(waiting: Later, home, clock, *calls, by=ANN):
    """Ask for the calls now, and for their end in an hour."""
    both = timed(calls, home, by, until=clock.now() + HOUR)
    return await waiting.gate.submit(both, by, request="for an hour", run_id="run_1")


async def test_on_for_an_hour_is_one_call_now_and_one_that_is_linked_to_it(waiting, home, clock):
    """Acceptance 24."""
    await for_an_hour(waiting, home, clock, ON)
    assert sent(home) == ["light.turn_on light.kitchen"]
    kept = await waiting.one()
    assert (kept.call.id, kept.ends.id, kept.at) == ("light.turn_off", "light.turn_on", clock.now() + HOUR)

    clock.advance(HOUR)
    await waiting.look()
    assert sent(home)[1:] == ["light.turn_off light.kitchen"]


async def test_what_it_goes_back_to_is_how_it_was_before(home):
    home.set_state("light.kitchen", "on", brightness=200)
    home.set_state("climate.thermostat", "heat", temperature=19.0)
    dim = ResolvedCall("light", "turn_on", ("light.kitchen",), {"brightness_pct": 20})
    warm = ResolvedCall("climate", "set_temperature", ("climate.thermostat",), {"temperature": 23})
    assert [(each.id, dict(each.data)) for each in (*taking_back(dim, home), *taking_back(warm, home))] == [
        ("light.turn_on", {"brightness": 200}),
        ("climate.set_temperature", {"temperature": 19.0}),
    ]


async def test_what_is_on_already_ends_all_the_same(waiting, home, clock):
    home.set_state("light.kitchen", "on")
    await for_an_hour(waiting, home, clock, ON)
    clock.advance(HOUR)
    await waiting.look()
    assert sent(home) == ["light.turn_off light.kitchen"]


async def test_several_things_go_back_each_to_how_it_was(waiting, home, clock):
    home.set_state("light.study", "on", brightness=90, color_mode="color_temp")
    await for_an_hour(waiting, home, clock, call("light.turn_off", "light.study"), ON)
    clock.advance(HOUR)
    await waiting.look()
    assert sorted(sent(home)[2:]) == ["light.turn_off light.kitchen", "light.turn_on light.study"]


async def test_what_nothing_takes_back_is_not_begun(home, clock):
    home.set_state("button.bell", "unknown")
    with pytest.raises(CannotEndError):
        timed([call("button.press", "button.bell")], home, ANN, until=clock.now() + HOUR)


async def test_after_a_first_half_that_failed_the_second_never_comes(waiting, home, clock):
    home.faults["light.kitchen"] = Refuse("no")
    plans = await for_an_hour(waiting, home, clock, ON)
    home.faults.clear()
    clock.advance(HOUR)
    await waiting.look()
    assert [plan.state for plan in plans] == [PlanState.FAILED]
    assert sent(home) == ["light.turn_on light.kitchen"]
    assert await waiting.store.waiting() == ()


async def test_a_door_unlocked_for_a_while_waits_with_its_end_for_one_yes(waiting, home, clock):
    (plan,) = await for_an_hour(waiting, home, clock, UNLOCK, by=BEN)
    assert [step.call.id for step in plan.steps] == ["lock.unlock", "homesteward.schedule"]
    await waiting.gate.approve(plan.id, ANN)
    clock.advance(HOUR)
    await waiting.look()
    assert sent(home) == ["lock.unlock lock.front_door", "lock.lock lock.front_door"]


async def test_a_lock_whose_code_is_kept_is_unlocked_for_a_while_and_locked_again(make_gate, database, home, clock):
    """The code stands in neither half, and is put in as each is sent."""

    class Book:
        async def code_of(self, _entity_id):
            return "4711"

        async def has_code(self, _entity_id):
            return True

    waiting = await open_later(make_gate, database, home, clock, ties=Ties(codes=Book()))
    (plan,) = await for_an_hour(waiting, home, clock, UNLOCK)
    await waiting.gate.approve(plan.id, ANN)
    assert "code" not in (await waiting.one()).call.data
    clock.advance(HOUR)
    await waiting.look()
    assert [(each.service, each.data.get("code")) for each in home.calls] == [("unlock", "4711"), ("lock", "4711")]


@pytest.mark.parametrize("what", ["waits", "rejected", "jammed"])
async def test_a_second_half_that_is_kept_already_waits_for_its_first_in_vain(make_gate, database, home, clock, what):
    """The end of it needs no yes here, its beginning does: they are two plans."""
    rules = ruled("""
        rules:
          - name: locking is fine
            when: {service: lock.lock}
            then: allow
    """)
    waiting = await open_later(make_gate, database, home, clock, policy=lambda: rules)
    first, second = await for_an_hour(waiting, home, clock, UNLOCK, by=BEN)
    assert (first.state, second.state) == (PlanState.WAITING, PlanState.COMPLETED)
    if what == "rejected":
        await waiting.gate.reject(first.id, ANN)
    elif what == "jammed":
        home.faults["lock.front_door"] = Jam()
        await waiting.gate.approve(first.id, ANN)
    clock.advance(HOUR)
    await waiting.look()
    assert "lock.lock lock.front_door" not in sent(home)
    assert await waiting.ended() == [("lock.lock", "dropped")]
    for who in (ANN, BEN):
        assert "would have ended was not done" in (await waiting.told(who))[-1][1]


async def test_what_somebody_changed_since_is_left_as_it_is(waiting, home, clock):
    home.set_state("climate.thermostat", "heat", temperature=19.0)
    await for_an_hour(waiting, home, clock, call("climate.set_temperature", "climate.thermostat", temperature=23))
    home.set_state("climate.thermostat", "heat", temperature=17.0)
    clock.advance(HOUR)
    await waiting.look()
    assert len(sent(home)) == 1
    assert await waiting.ended() == [("climate.set_temperature", "dropped")]


async def test_a_light_that_was_only_dimmed_since_still_goes_off(waiting, home, clock):
    await for_an_hour(waiting, home, clock, ON)
    home.set_state("light.kitchen", "on", brightness=20)
    clock.advance(HOUR)
    await waiting.look()
    assert sent(home)[-1] == "light.turn_off light.kitchen"


async def later_pair(waiting: Later, home, clock):
    """Ask for the light in an hour, for an hour."""
    both = timed([ON], home, ANN, at=clock.now() + HOUR, until=clock.now() + 2 * HOUR)
    return await waiting.gate.submit(both, ANN, request="from one to two", run_id="run_1")


async def test_from_one_to_two_is_on_at_one_and_off_at_two(waiting, home, clock):
    await later_pair(waiting, home, clock)
    for _ in range(2):
        clock.advance(HOUR)
        await waiting.look()
    assert sent(home) == ["light.turn_on light.kitchen", "light.turn_off light.kitchen"]


async def test_to_cancel_the_beginning_is_to_cancel_the_end_and_not_the_other_way_round(waiting, home, clock):
    await later_pair(waiting, home, clock)
    first, second = await waiting.store.waiting()
    assert [each.id for each in await waiting.store.cancel(second.id, clock.now())] == [second.id]
    await later_pair(waiting, home, clock)
    first = (await waiting.store.waiting())[-2]
    cancelled = await waiting.store.cancel(first.id, clock.now())
    assert [each.call.id for each in cancelled] == ["light.turn_on", "light.turn_off"]


async def test_a_beginning_that_was_too_late_takes_its_end_along(waiting, home, clock):
    await later_pair(waiting, home, clock)
    home.connected = False
    clock.advance(HOUR + timedelta(hours=1, minutes=30))
    home.connected = True
    await waiting.look()
    assert sent(home) == []
    assert sorted(await waiting.ended()) == [("light.turn_off", "dropped"), ("light.turn_on", "missed")]


async def test_the_end_is_judged_as_what_it_does(make_gate, database, home, clock):
    home.set_state("lock.front_door", "unlocked")
    rules = ruled("""
        rules:
          - name: locking is fine
            when: {service: lock.lock}
            then: allow
    """)
    waiting = await open_later(make_gate, database, home, clock, policy=lambda: rules)
    first, second = await for_an_hour(waiting, home, clock, call("lock.lock", "lock.front_door"))
    assert (first.state, second.state) == (PlanState.COMPLETED, PlanState.WAITING)
    assert second.steps[0].decision.impact.level.word == "sensitive"
    assert isinstance(rules, Policy)
