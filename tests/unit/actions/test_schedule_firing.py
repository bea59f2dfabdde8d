"""A schedule comes to its time: once, or not at all, and then with a word to whoever asked."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions import Mode, PlanState, Ties
from homesteward.actions.errors import NotAllowedError
from homesteward.actions.schedule.holding import STALE
from homesteward.core import FrozenClock
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.faults import Refuse
from homesteward.policy import Policy, Preset
from homesteward.store.tables import schedules
from judging import ruled
from schedules import ANN, BEN, Later, call, open_later

LIGHT = call("light.turn_on", "light.kitchen")
LOCK = call("lock.lock", "lock.front_door")
UNLOCK = call("lock.unlock", "lock.front_door")
SOON = timedelta(minutes=10)


@pytest.fixture
async def later(make_gate, database, home, clock) -> Later:
    return await open_later(make_gate, database, home, clock)


def sent(home) -> list[str]:
    return [f"{each.id} {','.join(each.entity_ids)}" for each in home.calls]


async def soon(later: Later, what=LIGHT, by=ANN, **more: object) -> None:
    """Ask for something in ten minutes, and have it agreed to where that is needed."""
    for plan in await later.ask(what, by, "the usual", **{"in": SOON.total_seconds(), **more}):
        if plan.state is PlanState.WAITING:
            await later.gate.approve(plan.id, ANN)


async def test_it_is_done_at_its_time_and_not_before_and_only_once(later, home, clock):
    await soon(later)
    clock.advance(SOON - timedelta(seconds=1))
    assert (await later.look(), sent(home)) == (clock.now() + timedelta(seconds=1), [])
    clock.advance(timedelta(seconds=1))
    for _ in range(2):
        assert await later.look() is None
    assert sent(home) == ["light.turn_on light.kitchen"]
    assert await later.ended() == [("light.turn_on", "done")]


async def test_the_plan_that_it_makes_names_the_schedule_who_asked_and_by_which_yes(later, home, clock):
    """E42"""
    await soon(later, UNLOCK, BEN)
    clock.advance(SOON)
    await later.look()

    kept = await later.one()
    (made,) = [plan for plan in await later.gate.plans() if plan.schedule]
    assert sent(home) == ["lock.unlock lock.front_door"]
    assert (made.schedule, made.caller.person_id, made.caller.channel.value) == (kept.id, "ben", "trigger")
    assert (made.request, made.decided_by, made.decided_person_id) == ("the usual", "Ann as owner", "ann")


async def test_it_survives_a_restart(later, make_gate, database, home, clock):
    await soon(later)
    await later.gate.close()
    again = await open_later(make_gate, database, home, clock)
    clock.advance(SOON)
    await again.look()
    assert sent(home) == ["light.turn_on light.kitchen"]


async def test_two_workers_on_one_database_fire_once(later, make_gate, open_database, place, home, clock):
    other = await open_later(make_gate, await open_database(place=place), home, clock)
    things = ("light.kitchen", "light.hall", "light.study", "light.reading_lamp_study", "fan.ceiling")
    for thing in things:
        await soon(later, call(f"{thing.partition('.')[0]}.toggle", thing))
    clock.advance(SOON + timedelta(minutes=1))
    await asyncio.gather(*(each.look() for each in (later, other) * 3))
    assert sorted(each.entity_ids[0] for each in home.calls) == sorted(things)
    assert {state for _, state in await later.ended()} == {"done"}


async def test_what_is_late_together_is_done_in_its_order(later, home, clock):
    on, off = call("light.turn_on", "light.kitchen"), call("light.turn_off", "light.kitchen")
    for n, what in enumerate((on, off, on)):
        await soon(later, what, **{"in": 600 + 60 * n})
    clock.advance(timedelta(minutes=30))
    await later.look()
    assert [each.service for each in home.calls] == ["turn_on", "turn_off", "turn_on"]
    assert {state for _, state in await later.ended()} == {"done"}


async def test_a_home_out_of_reach_is_waited_for(later, home, clock):
    """Acceptance 24."""
    await soon(later)
    home.connected = False
    clock.advance(SOON)
    kept = await later.one()
    assert await later.look() > kept.latest
    assert (await later.one()).state.value == "waiting"

    home.connected = True
    await later.look()
    assert sent(home) == ["light.turn_on light.kitchen"]


async def test_a_home_that_stays_away_past_the_limit_is_reported_at_that_moment(later, home, clock):
    """Acceptance 24."""
    await soon(later, LIGHT, BEN)
    home.connected = False
    clock.advance(SOON)
    next_look = await later.look()
    clock.advance(next_look - clock.now())
    assert await later.look() is None
    home.connected = True
    await later.look()

    assert sent(home) == []
    assert await later.ended() == [("light.turn_on", "missed")]
    for who in (BEN, ANN):
        ((kind, text),) = await later.told(who)
        assert (kind, "Home Assistant could not be reached" in text) == ("schedule_missed", True)


@pytest.mark.parametrize(
    ("what", "late", "done"),
    [
        (LIGHT, timedelta(minutes=50), True),
        (LIGHT, timedelta(hours=6), False),
        (UNLOCK, timedelta(minutes=1), True),
        (UNLOCK, timedelta(minutes=3), False),
        (LOCK, timedelta(minutes=50), True),
        (call("cover.open_cover", "cover.garage_door"), timedelta(minutes=30), False),
        (call("climate.set_hvac_mode", "climate.thermostat", hvac_mode="heat"), timedelta(hours=1), False),
        (call("scene.turn_on", "scene.leaving"), timedelta(hours=6), False),
    ],
)
async def test_how_late_an_act_may_be_hangs_on_what_it_is(later, home, clock, what, late, done):
    home.set_state("scene.leaving", "unknown")
    if what is LOCK:
        home.set_state("lock.front_door", "unlocked")
    await soon(later, what)
    clock.advance(SOON + late)
    await later.look()
    assert (len(sent(home)), await later.ended()) == (int(done), [(what.id, "done" if done else "missed")])


async def test_what_is_decided_more_strictly_than_was_agreed_is_not_done_and_told(make_gate, database, home, clock):
    rules = [Policy()]
    later = await open_later(make_gate, database, home, clock, policy=lambda: rules[0])
    await soon(later)
    rules[0] = ruled("""
        rules:
          - name: ask about the kitchen
            when: {entity: light.kitchen}
            then: approve
    """)
    clock.advance(SOON)
    await later.look()

    assert sent(home) == []
    assert await later.ended() == [("light.turn_on", "dropped")]
    ((kind, text),) = await later.told(ANN)
    assert (kind, "more strictly" in text) == ("schedule_dropped", True)
    assert await later.gate.plans(PlanState.WAITING) == ()


async def test_a_yes_that_was_given_carries_what_needs_one_still_and_what_needs_none(make_gate, database, home, clock):
    rules = [Policy()]
    later = await open_later(make_gate, database, home, clock, policy=lambda: rules[0])
    for preset in (Preset.FAMILY, Preset.OPEN):
        rules[0] = Policy()
        await soon(later, UNLOCK)
        rules[0] = Policy(preset)
        clock.advance(SOON)
        await later.look()
        home.set_state("lock.front_door", "locked")
    assert sent(home) == ["lock.unlock lock.front_door"] * 2


@pytest.mark.parametrize("mode", [Mode.OBSERVE, Mode.PLAN])
async def test_a_mode_that_acts_no_more_keeps_it_from_being_done(later, home, clock, mode):
    await soon(later)
    later.gate.mode = mode
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("light.turn_on", "dropped")])


async def test_whoever_was_put_out_meanwhile_has_nothing_done_for_them(make_gate, database, home, clock):
    gone = []

    async def still(caller):
        if caller.person_id in gone:
            raise NotAllowedError("Whoever asked for this is not let in any more.")

    later = await open_later(make_gate, database, home, clock, ties=Ties(still=still))
    await soon(later, LIGHT, BEN)
    gone.append("ben")
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("light.turn_on", "dropped")])
    assert "not let in" in (await later.told(ANN))[0][1]


async def test_it_is_tried_once_even_where_home_assistant_refuses_and_the_asker_is_told(later, home, clock):
    """Acceptance 24."""
    await soon(later, LIGHT, BEN)
    home.faults["light.kitchen"] = Refuse("no such mode")
    clock.advance(SOON)
    for _ in range(2):
        await later.look()
    assert sent(home) == ["light.turn_on light.kitchen"]
    assert await later.ended() == [("light.turn_on", "failed")]
    ((kind, text),) = await later.told(BEN)
    assert (kind, "no such mode" in text) == ("schedule_failed", True)


async def test_what_was_changed_in_the_database_is_not_what_was_agreed_to(later, home, clock, database):
    await soon(later)
    other = {"domain": "light", "service": "turn_on", "target": {"entity_id": ["light.hall"]}, "data": {}}
    await database.write(lambda connection: connection.execute(schedules.update().values(call=other)))
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("light.turn_on", "dropped")])
    assert "not what was agreed to" in (await later.told(ANN))[0][1]


async def test_a_thing_that_is_gone_is_told(later, home, clock):
    await soon(later)
    home.remove("light.kitchen")
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("light.turn_on", "dropped")])


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ({"entity_id": "light.hall", "state": "off"}, True),
        ({"entity_id": "light.hall", "state": "on"}, False),
        ({"entity_id": "light.hall", "state": ["on", "off"]}, True),
        ({"entity_id": "sensor.study_temperature", "above": 20}, True),
        ({"entity_id": "sensor.study_temperature", "above": 20, "below": 21}, False),
        ({"entity_id": "light.porch", "state": "unavailable"}, False),
        ({"entity_id": "light.hall", "unchanged": True}, True),
    ],
)
async def test_a_condition_is_looked_at_when_the_time_comes(later, home, clock, condition, holds):
    await soon(later, **{"if": condition})
    clock.advance(SOON)
    await later.look()
    assert (len(sent(home)), (await later.one()).state.value) == ((1, "done") if holds else (0, "dropped"))


async def test_still_as_it_was_means_as_it_was_when_it_was_asked_for(later, home, clock):
    await soon(later, **{"if": {"entity_id": "light.hall", "unchanged": True}})
    home.set_state("light.hall", "on")
    clock.advance(SOON)
    await later.look()
    assert sent(home) == []
    ((kind, text),) = await later.told(ANN)
    assert (kind, "light.hall is on, not off" in text) == ("schedule_dropped", True)


@pytest.mark.parametrize("back", [timedelta(hours=3), timedelta(days=400)])
async def test_a_clock_that_is_put_back_fires_nothing_twice(later, make_gate, database, home, clock, back):
    await soon(later)
    clock.advance(SOON)
    await later.look()
    set_back = await open_later(make_gate, database, home, FrozenClock(clock.now() - back))
    await set_back.look()
    assert sent(home) == ["light.turn_on light.kitchen"]


async def test_what_was_claimed_by_a_process_that_died_is_not_done_again_and_told(
    later, make_gate, database, home, clock
):
    await soon(later)
    clock.advance(SOON)
    await later.store.claim((await later.one()).id, clock.now())

    clock.advance(STALE)
    again = await open_later(make_gate, database, home, clock)
    await again.firing.recover()
    await again.look()

    assert (sent(home), await again.ended()) == ([], [("light.turn_on", "missed")])
    assert "nothing was sent" in (await again.told(ANN))[0][1]


async def test_a_second_service_that_starts_leaves_alone_what_another_is_doing(
    later, make_gate, database, home, clock, monkeypatch
):
    """Two services on one database, the second started while the first is at it: once, and done."""
    await soon(later)
    clock.advance(SOON)
    begun, go_on, real = asyncio.Event(), asyncio.Event(), later.gate.submit

    async def slowly(*calls, **more):
        begun.set()
        await go_on.wait()
        return await real(*calls, **more)

    monkeypatch.setattr(later.gate, "submit", slowly)
    doing = asyncio.create_task(later.look())
    await begun.wait()
    again = await open_later(make_gate, database, home, clock)
    assert await again.look() == clock.now() + STALE
    assert [each.state for each in await again.store.waiting()] == ["firing"]

    go_on.set()
    await doing
    assert (sent(home), await again.ended()) == (["light.turn_on light.kitchen"], [("light.turn_on", "done")])
    assert await later.told(ANN) == []


async def test_a_sign_of_life_keeps_what_takes_long(later, make_gate, database, home, clock):
    await soon(later)
    clock.advance(SOON)
    held = await later.firing.claim(await later.one())
    clock.advance(STALE - timedelta(seconds=1))
    await held.beat()
    clock.advance(STALE - timedelta(seconds=1))
    again = await open_later(make_gate, database, home, clock)
    await again.look()
    assert await again.ended() == []


async def test_what_was_taken_for_left_behind_is_not_done_any_more(later, make_gate, database, home, clock):
    await soon(later)
    clock.advance(SOON)
    held = await later.firing.claim(await later.one())
    clock.advance(STALE)
    again = await open_later(make_gate, database, home, clock)
    await again.look()
    assert await later.firing.carry_out(held)
    assert (sent(home), await again.ended()) == ([], [("light.turn_on", "missed")])


async def test_a_script_that_was_changed_meanwhile_is_not_done_and_told(later, home, clock):
    """The light became the heater, and neither needs a yes."""
    await soon(later, call("script.turn_on", "script.welcome"))
    heats = Call("climate", "turn_on", Target(entity_id=("climate.thermostat",)))
    home.bodies["script.welcome"] = (BodyStep(heats, "turn on the heating"),)
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("script.turn_on", "dropped")])
    assert "was changed since it was agreed to" in (await later.told(ANN))[0][1]


async def test_a_group_with_other_members_is_not_done(later, home, clock):
    await soon(later, call("light.turn_on", "light.upstairs"))
    home.states["light.upstairs"] = replace(
        home.states["light.upstairs"], attributes={"entity_id": ["light.kitchen", "light.hall"]}
    )
    clock.advance(SOON)
    await later.look()
    assert (sent(home), await later.ended()) == ([], [("light.turn_on", "dropped")])
