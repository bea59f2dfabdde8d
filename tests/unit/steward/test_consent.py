"""One word to several plans: what keeps one from it keeps no other, and what was done is told beside what failed."""

import pytest

from homesteward.actions import PlanState
from homesteward.actions.errors import PlanChangedError
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request
from homesteward.steward.consent import Consent
from homesteward.store.failures import full

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
DOORS = ("lock.front_door", "lock.back_door")


@pytest.fixture
async def waiting(house, home):
    """Two plans that wait, of which a yes to the second or to the first is refused by the test."""
    home.faults.clear()
    return [
        (await house.gate.submit([Call("lock", "unlock", Target(entity_id=(door,)))], OWNER, request="x"))[0]
        for door in DOORS
    ]


@pytest.mark.parametrize("fails", [0, 1])
async def test_a_yes_that_fails_for_one_is_carried_out_for_the_other_and_both_are_told(
    house, home, waiting, monkeypatch, fails
):
    async def confirm(plan_id, by):
        if plan_id == waiting[fails].id:
            raise PlanChangedError("It is otherwise now.", next="Ask again.")
        return await house.gate.approve(plan_id, by)

    monkeypatch.setattr(house.gate, "confirm", confirm)
    plans, error = await Consent(house.gate, None).say_yes([plan.id for plan in waiting], OWNER, None, "c")

    assert [plan.id for plan in plans] == [plan.id for plan in waiting]
    assert [plan.state for plan in plans if plan.id != waiting[fails].id] == [PlanState.COMPLETED]
    assert (plans[fails].state, error.code, len(home.calls)) == (PlanState.WAITING, "plan_changed", 1)


async def test_a_no_that_fails_for_one_is_a_no_to_the_other(house, waiting):
    await house.gate.approve(waiting[0].id, OWNER)
    plans, error = await Consent(house.gate, None).say_no([plan.id for plan in waiting], OWNER)

    assert ([plan.state for plan in plans], error.code) == (
        [PlanState.COMPLETED, PlanState.REJECTED],
        "already_decided",
    )


async def test_a_plan_that_cannot_even_be_read_keeps_nobody_from_the_other(house, waiting):
    plans, error = await Consent(house.gate, None).say_no(["plan_none", waiting[1].id], OWNER)
    assert ([plan.state for plan in plans], error.code) == ([PlanState.REJECTED], "unknown_plan")


@pytest.mark.parametrize("failure", [full("The store"), RuntimeError("not that either")])
async def test_an_answer_that_cannot_be_kept_is_an_answer_all_the_same(house, home, monkeypatch, failure, caplog):
    async def keep(_run):
        raise failure

    monkeypatch.setattr(house.steward._store, "keep", keep)
    answer = await house.steward.ask(Request("turn on the kitchen light", OWNER))
    assert (answer.outcome, answer.error, home.states["light.kitchen"].state) == (Outcome.ACTED, None, "on")
    assert "could not be kept" in caplog.text

    watched = house.steward.start(Request("turn off the kitchen light", OWNER))
    while not watched.done:
        await watched.changed.wait()
    assert (watched.events[-1].kind, watched.events[-1].data["outcome"]) == ("done", "acted")
    assert (await house.steward.answer_of(watched.id))["outcome"] == "acted"
