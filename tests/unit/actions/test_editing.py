"""Editing a plan that waits: the old one is rejected, and what is wanted instead is a plan of its own, judged as asked by whoever edits."""

import asyncio

import pytest

from homesteward.actions.conflicts import ConflictError
from homesteward.actions.crowding import MOST_WAITING
from homesteward.actions.editing import edit
from homesteward.actions.errors import AlreadyDecidedError, NotAllowedError, TooManyWaitingError, UnknownPlanError
from homesteward.actions.plan import PlanState
from homesteward.home.calls import Call, InvalidCallError, Target
from homesteward.home.errors import UnknownEntityError
from homesteward.people import Caller, Channel, Role, Scope

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")
GUEST = Caller(Role.GUEST, Channel.CLI, "Kim")


def unlock(name):
    return Call("lock", "unlock", Target(entity_id=(name,)))


@pytest.fixture
async def waiting(gate):
    (plan,) = await gate.submit([unlock("lock.front_door")], MEMBER, request="unlock the doors")
    assert plan.state is PlanState.WAITING
    return plan


async def test_an_edit_is_a_new_plan_and_the_old_one_is_rejected(gate, waiting, home):
    (new,) = await edit(gate, waiting.id, [unlock("lock.back_door")], OWNER)
    assert ((await gate.plan(waiting.id)).state, new.state) == (PlanState.REJECTED, PlanState.WAITING)
    assert (new.hash != waiting.hash, new.caller.person, waiting.id in new.request) == (True, "Robin", True)
    with pytest.raises(AlreadyDecidedError):
        await gate.approve(waiting.id, OWNER)
    assert home.calls == []


async def test_what_is_edited_in_is_judged_like_anything_else(gate, waiting, home):
    light = Call("light", "turn_on", Target(entity_id=("light.hall",)))
    plans = await edit(gate, waiting.id, [light, unlock("lock.back_door")], OWNER)
    assert [plan.state for plan in plans] == [PlanState.COMPLETED, PlanState.WAITING]
    assert [call.id for call in home.calls] == ["light.turn_on"]


async def test_what_does_not_fit_leaves_the_old_plan_waiting(gate, waiting, home):
    with pytest.raises(UnknownEntityError):
        await edit(
            gate, waiting.id, [Call("light", "turn_on", Target(entity_id=("light.hall",))), unlock("lock.none")], OWNER
        )
    with pytest.raises(InvalidCallError):
        await edit(gate, waiting.id, [], OWNER)
    assert ((await gate.plan(waiting.id)).state, home.calls) == (PlanState.WAITING, [])


async def test_nobody_edits_what_they_may_not_reject_or_see(gate, waiting):
    with pytest.raises(UnknownPlanError):
        await edit(gate, waiting.id, [unlock("lock.back_door")], GUEST)
    reader = Caller(Role.OWNER, Channel.API, "program", token_id="t", scopes=frozenset({Scope.READ}))
    with pytest.raises((UnknownPlanError, NotAllowedError)):
        await edit(gate, waiting.id, [unlock("lock.back_door")], reader)
    assert (await gate.plan(waiting.id)).state is PlanState.WAITING


async def test_what_is_decided_already_cannot_be_edited(gate, waiting):
    await gate.approve(waiting.id, OWNER)
    with pytest.raises(AlreadyDecidedError):
        await edit(gate, waiting.id, [unlock("lock.back_door")], OWNER)


def turned(service):
    return Call("light", service, Target(entity_id=("light.hall",)))


async def test_of_two_edits_at_once_one_is_made_and_the_other_is_told_so(gate, waiting, home):
    both = (edit(gate, waiting.id, [turned("toggle")], by) for by in (OWNER, MEMBER))
    came = await asyncio.gather(*both, return_exceptions=True)
    assert [each.code for each in came if isinstance(each, Exception)] == ["already_decided"]
    assert [call.id for call in home.calls] == ["light.toggle"]


async def test_an_edit_of_a_plan_that_was_rejected_in_the_meantime_is_not_made(gate, waiting, home, monkeypatch):
    submit = gate.submit

    async def after_a_no(*given, **more):
        await gate.reject(waiting.id, MEMBER)
        return await submit(*given, **more)

    monkeypatch.setattr(gate, "submit", after_a_no)
    with pytest.raises(AlreadyDecidedError):
        await edit(gate, waiting.id, [turned("toggle")], OWNER)
    assert (home.calls, len(await gate.plans())) == ([], 1)


async def test_calls_that_exclude_each_other_leave_the_old_plan_waiting(gate, waiting, home):
    with pytest.raises(ConflictError):
        await edit(gate, waiting.id, [turned("turn_on"), turned("turn_off")], OWNER)
    assert ((await gate.plan(waiting.id)).state, home.calls) == (PlanState.WAITING, [])


async def test_too_many_that_wait_leave_the_old_plan_waiting(gate, waiting, home):
    for _ in range(MOST_WAITING):
        await gate.submit([unlock("lock.front_door")], OWNER, request="")
    with pytest.raises(TooManyWaitingError):
        await edit(gate, waiting.id, [unlock("lock.back_door")], OWNER)
    assert ((await gate.plan(waiting.id)).state, home.calls) == (PlanState.WAITING, [])


async def test_an_edit_of_ones_own_plan_takes_its_place_among_those_that_wait(gate, home):
    plans = [(await gate.submit([unlock("lock.front_door")], OWNER, request=""))[0] for _ in range(MOST_WAITING)]
    (new,) = await edit(gate, plans[0].id, [unlock("lock.back_door")], OWNER)
    assert (new.state, home.calls) == (PlanState.WAITING, [])
