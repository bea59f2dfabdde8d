"""Something is asked for later: judged now, kept once it is agreed to, listed, and cancelled."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions import PlanState
from homesteward.actions.errors import GateError
from homesteward.actions.schedule.store import MOST_OF_ONE, TooManyScheduledError
from homesteward.core import HomestewardError
from homesteward.home.calls import Call
from homesteward.people import Caller, Channel, Reach, Role, Scope
from schedules import ANN, BEN, GUS, Later, call, open_later, schedule

LIGHT = call("light.turn_on", "light.kitchen")
UNLOCK = call("lock.unlock", "lock.front_door")
SHELL = call("shell_command.backup")


@pytest.fixture
async def later(make_gate, database, home, clock) -> Later:
    return await open_later(make_gate, database, home, clock)


async def cancel(later: Later, by: Caller = ANN) -> str:
    (plan,) = await later.gate.submit([unschedule((await later.one()).id)], by, request="cancel that")
    return plan.state.value


def unschedule(schedule_id: str) -> Call:
    return Call("homesteward", "unschedule", data={"id": schedule_id})


async def test_what_is_allowed_is_kept_at_once_and_nothing_is_sent_yet(later, home, clock):
    (plan,) = await later.ask(LIGHT, **{"in": {"minutes": 10}})

    kept = await later.one()
    assert plan.state is PlanState.COMPLETED
    assert home.calls == []
    assert (kept.call.id, kept.call.entity_ids) == ("light.turn_on", ("light.kitchen",))
    assert kept.at == clock.now() + timedelta(minutes=10)
    assert (kept.agreed.action.value, kept.agreed.by, kept.plan_id) == ("allow", "", plan.id)


async def test_what_is_refused_now_is_not_kept_for_later(later):
    (plan,) = await later.ask(SHELL, at="13:00")
    assert plan.state is PlanState.REJECTED
    assert await later.store.waiting() == ()


async def test_what_needs_an_approval_waits_with_its_making_and_keeps_whose_yes_it_has(later):
    (plan,) = await later.ask(UNLOCK, BEN, at="13:00")
    assert (plan.state, await later.store.waiting()) == (PlanState.WAITING, ())

    await later.gate.approve(plan.id, ANN)

    kept = await later.one()
    assert (kept.agreed.action.value, kept.agreed.by, kept.agreed.person_id) == ("approve", "Ann as owner", "ann")
    assert kept.caller.person == "Ben"


async def test_an_approval_that_comes_after_the_time_keeps_nothing(later, clock):
    (plan,) = await later.ask(UNLOCK, at="13:00")
    clock.advance(timedelta(hours=2))
    done = await later.gate.approve(plan.id, ANN)
    assert done.state is PlanState.FAILED
    assert "13:00) is past" in done.steps[0].error
    assert await later.store.waiting() == ()


@pytest.mark.parametrize(
    "when",
    [
        {"in": 0},
        {"in": -5},
        {"in": {"days": 31}},
        {"in": "soon"},
        {"in": {"fortnights": 1}},
        {"in": {"days": 1e300}},
        {"at": "25:00"},
        {"at": "2026-02-28T12:00"},
        {"at": "2027-01-01T12:00"},
        {"at": "13:00", "in": 60},
        {},
        {"at": "13:00", "if": {"entity_id": "light.hall"}},
        {"at": "13:00", "if": {"entity_id": "light.hall", "state": "on", "for": 5}},
    ],
)
async def test_a_time_that_is_none_or_past_or_too_far_is_an_error(later, when):
    with pytest.raises(HomestewardError) as refused:
        await later.ask(LIGHT, **when)
    assert refused.value.code in {"bad_time", "invalid_call"}
    assert await later.store.waiting() == ()


async def test_flat_arguments_are_kept_as_nested_data(later):
    flat = {"service": "light.turn_on", "entity_id": "light.kitchen", "brightness_pct": 40}
    await later.gate.submit([Call("homesteward", "schedule", data={"call": flat, "in": 60})], ANN, request="")
    assert dict((await later.one()).call.data) == {"brightness_pct": 40}


@pytest.mark.parametrize(
    "inner",
    [
        call("light.turn_on", "light.nowhere"),
        Call("homesteward", "schedule", data={"call": {}}),
        Call("ha_config", "write", data={"kind": "automation"}),
        call("alarm_control_panel.alarm_disarm", "alarm_control_panel.house", code="1234"),
    ],
)
async def test_what_does_not_fit_is_an_error_and_no_code_is_kept(later, home, inner):
    home.set_state("alarm_control_panel.house", "armed_away")
    with pytest.raises(HomestewardError):
        await later.ask(inner, **{"in": 60})
    assert await later.gate.plans() == ()


async def test_somebody_who_reaches_a_part_schedules_nothing_beyond_it(later, home):
    token = Caller(
        Role.TOKEN, Channel.API, "Panel", token_id="t", scopes=frozenset({Scope.ACT}), reach=Reach.of(["kitchen"])
    )
    with pytest.raises(HomestewardError):
        await later.ask(call("light.turn_on", "light.hall"), token, at="13:00")
    with pytest.raises(HomestewardError):
        await later.ask(LIGHT, token, at="13:00", **{"if": {"entity_id": "light.hall", "state": "on"}})


async def test_the_soonest_is_listed_first(later):
    """Acceptance 24."""
    for minutes in (30, 10, 20):
        await later.gate.submit([schedule(LIGHT, **{"in": 60 * minutes})], ANN, request=f"{minutes}")
    assert [each.request for each in await later.store.waiting()] == ["10", "20", "30"]


async def test_one_asker_has_only_so_many_and_keeps_nobody_else_from_asking(later):
    calls = [schedule(LIGHT, **{"in": 60 + n}) for n in range(MOST_OF_ONE)]
    await later.gate.submit(calls, ANN, request="")
    (plan,) = await later.ask(LIGHT, **{"in": 5})
    assert plan.state is PlanState.FAILED
    assert f"{MOST_OF_ONE} things are scheduled" in plan.steps[0].error
    (other,) = await later.ask(LIGHT, BEN, **{"in": 5})
    assert other.state is PlanState.COMPLETED
    assert TooManyScheduledError.code == "too_many_scheduled"


async def test_whoever_asked_cancels_it_and_so_does_an_owner_and_nobody_else(later):
    await later.ask(LIGHT, BEN, at="13:00")
    with pytest.raises(GateError) as unknown:
        await cancel(later, GUS)
    assert unknown.value.code == "not_found"
    assert await cancel(later, BEN) == "completed"
    assert (await later.one()).state.value == "cancelled"


async def test_cancelling_what_is_not_there_or_over_is_not_found(later):
    """Acceptance 24."""
    await later.ask(LIGHT, at="13:00")
    await cancel(later)
    for schedule_id in ("schedule_none", (await later.one()).id):
        with pytest.raises(GateError) as unknown:
            await later.gate.submit([unschedule(schedule_id)], ANN, request="")
        assert unknown.value.code == "not_found"


async def test_it_can_be_cancelled_while_the_home_is_out_of_reach(later, home):
    await later.ask(LIGHT, at="13:00")
    home.connected = False
    assert await cancel(later) == "completed"
    assert (await later.one()).state.value == "cancelled"


async def test_to_undo_the_asking_is_to_cancel_it_and_to_undo_that_schedules_it_again(later):
    (plan,) = await later.ask(LIGHT, at="13:00")
    undone = await later.gate.undo(plan.id, ANN)
    assert [each.state.value for each in undone.plans] == ["completed"]
    assert await later.store.waiting() == ()
    await later.gate.undo(undone.plans[0].id, ANN)
    assert [(each.call, each.at.hour) for each in await later.store.waiting()] == [
        (each.call, each.at.hour) for each in await later.store.ended(1)
    ]


async def test_a_token_that_may_only_propose_schedules_nothing_by_itself(later):
    token = Caller(Role.TOKEN, Channel.API, "Bot", token_id="t", scopes=frozenset({Scope.PROPOSE}))
    (plan,) = await later.ask(LIGHT, token, at="13:00")
    assert (plan.state, await later.store.waiting()) == (PlanState.WAITING, ())


async def test_a_dry_run_keeps_nothing(make_gate, database, home, clock):
    later = await open_later(make_gate, database, home, clock, dry_run=True)
    (plan,) = await later.ask(LIGHT, at="13:00")
    assert (plan.state, await later.store.waiting()) == (PlanState.SIMULATED, ())


async def test_the_same_step_made_twice_is_one_schedule(later, clock):
    await later.ask(LIGHT, at="13:00")
    kept = await later.one()
    await later.store.add(replace(kept, at=clock.now() + timedelta(days=1)))
    assert await later.one() == kept
