"""A store that takes nothing for a while: what was sent is told as it was seen, nothing is said to be repeated, and no plan is forgotten."""

import logging

import pytest

from homesteward.actions import PlanState, Ties
from homesteward.actions.plan import StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role
from homesteward.store.failures import full

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
HALL, FAN = (
    Call(name, "turn_on", Target(entity_id=(what,))) for name, what in (("light", "light.hall"), ("fan", "fan.ceiling"))
)


class Full:
    """Lets the store take nothing of what `which` says, from the moment something was sent and until `over` is set."""

    def __init__(self, home, monkeypatch, *which):
        self.over = False
        for name in which:
            monkeypatch.setattr(PlanStore, name, self.refusing(getattr(PlanStore, name), home))

    def refusing(self, real, home):
        async def store(*given, **more):
            if home.calls and not self.over:
                raise full("The store")
            return await real(*given, **more)

        return store


@pytest.mark.parametrize("which", [("save",), ("decide",), ("save", "decide"), ("save", "decide", "get")], ids="+".join)
async def test_what_was_sent_is_told_as_it_was_seen_whatever_the_store_takes(gate, home, monkeypatch, caplog, which):
    store = Full(home, monkeypatch, *which)
    with caplog.at_level(logging.ERROR):
        (plan,) = await gate.submit([HALL], OWNER, request="hall light on")

    assert (plan.state, plan.steps[0].state, home.states["light.hall"].state) == ("completed", "done", "on")
    assert "could not be kept" in caplog.text
    store.over = True
    (kept,) = await gate.plans()
    assert (kept.state, kept.steps) == (plan.state, plan.steps)


async def test_a_step_that_cannot_be_written_down_before_is_not_sent(gate, home, monkeypatch):
    Full(home, monkeypatch, "save")
    (plan,) = await gate.submit([HALL, FAN], OWNER, request="light and fan")

    assert (plan.state, [step.state for step in plan.steps]) == ("partial", ["done", "failed"])
    assert [call.id for call in home.calls] == ["light.turn_on"]
    assert "not begun" in plan.steps[1].error


async def test_an_approval_whose_end_is_not_kept_is_no_error(gate, home, monkeypatch):
    (waiting,) = await gate.submit([Call("lock", "unlock", Target(entity_id=("lock.front_door",)))], OWNER, request="")
    store = Full(home, monkeypatch, "save", "decide")
    approved = await gate.approve(waiting.id, OWNER)

    assert (approved.state, home.states["lock.front_door"].state) == ("completed", "unlocked")
    store.over = True
    assert (await gate.approve(waiting.id, OWNER)).state is PlanState.COMPLETED
    assert len(home.calls) == 1


async def test_a_plan_that_broke_off_while_the_store_failed_is_interrupted_once_it_writes_again(
    make_gate, home, monkeypatch
):
    told = []

    class Breaking:
        async def call(self, sent):
            await home.call(sent)
            raise ZeroDivisionError

    gate = await make_gate(dispatcher=Breaking(), ties=Ties(tell=lambda *notice: told.append(notice)))
    store = Full(home, monkeypatch, "save", "decide", "get")
    (plan,) = await gate.submit([HALL], OWNER, request="hall light on")
    assert (plan.state, plan.steps[0].state, told) == ("interrupted", StepState.UNCERTAIN, [])

    store.over = True
    (kept,) = await gate.plans()
    assert (kept.state, kept.steps[0].state) == ("interrupted", "uncertain")
    assert [(kind, subject) for kind, subject, _, _ in told] == [("plan_interrupted", plan.id)]
    assert (await gate.reject(plan.id, OWNER)).state is PlanState.FAILED
