from datetime import timedelta

import pytest

from homesteward.actions import Mode, PlanState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.states import NoSuchTransitionError
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role

OWNER = Caller(Role.OWNER, Channel.CLI, "ann", "hall")
LIGHT = Call("light", "turn_on", Target(entity_id=("light.kitchen",)), {"brightness_pct": 40})


@pytest.fixture
async def plan(make_gate):
    gate = await make_gate(mode=Mode.PLAN)
    (waiting,) = await gate.submit([LIGHT], OWNER, request="Küchenlicht auf 40 %", run_id="run_1")
    return waiting


@pytest.fixture
def store(database, home):
    return PlanStore(database, home.home_id)


async def test_a_plan_comes_back_as_it_was_stored(store, plan):
    assert await store.get(plan.id) == plan


async def test_a_plan_moves_only_from_the_state_it_is_in(store, plan):
    assert await store.advance(plan.id, (PlanState.APPROVED, PlanState.EXECUTING)) is False
    assert (await store.get(plan.id)).state is PlanState.WAITING


async def test_a_move_that_the_table_lacks_is_not_made(store, plan):
    with pytest.raises(NoSuchTransitionError):
        await store.advance(plan.id, (PlanState.WAITING, PlanState.EXECUTING))

    assert (await store.get(plan.id)).state is PlanState.WAITING


async def test_a_plan_that_has_expired_does_not_move(store, plan):
    path = (PlanState.WAITING, PlanState.APPROVED)
    assert await store.advance(plan.id, path, alive_at=plan.expires) is False
    assert await store.advance(plan.id, path, alive_at=plan.expires - timedelta(seconds=1)) is True


async def test_what_another_home_left_under_way_is_not_touched(store, plan, database):
    await store.advance(plan.id, (PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING))
    other = PlanStore(database, "another")

    assert await other.interrupt_stale() == ()
    assert await other.expire_due(plan.expires) == ()
    assert await other.get(plan.id) is None
    assert await store.interrupt_stale() == (plan.id,)
