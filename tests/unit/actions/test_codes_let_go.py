"""Codes that came with a request are in memory for as long as its plan may need them, and no longer."""

import pytest

from homesteward.actions import Mode, PlanState, Ties
from homesteward.actions.editing import edit
from homesteward.actions.errors import GateError, NotAllowedError
from homesteward.actions.plan_store import PlanStore
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, Preset
from homesteward.store.failures import full

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
UNLOCK = Call("lock", "unlock", Target(entity_id=("lock.front_door",)), {"code": "83519264"})


def known(gate) -> str:
    return str(gate._codes._data)


@pytest.mark.parametrize(
    ("settings", "state"),
    [
        ({"mode": Mode.OBSERVE}, PlanState.REJECTED),
        ({"policy": lambda: Policy(Preset.READ_ONLY)}, PlanState.REJECTED),
        ({"dry_run": True}, PlanState.SIMULATED),
        ({"policy": lambda: Policy(Preset.OPEN)}, PlanState.COMPLETED),
    ],
    ids=["observe", "refused", "dry run", "done"],
)
async def test_the_code_of_a_plan_that_is_over_is_forgotten(make_gate, settings, state):
    gate = await make_gate(**settings)
    (plan,) = await gate.submit([UNLOCK], OWNER, request="")
    assert (plan.state, "83519264" in known(gate)) == (state, False)


async def test_the_code_of_a_plan_that_waits_is_known_until_it_is_decided(gate):
    (plan,) = await gate.submit([UNLOCK], OWNER, request="")
    assert "83519264" in known(gate)
    await gate.reject(plan.id, OWNER)
    assert "83519264" not in known(gate)


async def test_the_code_of_a_plan_that_is_only_simulated_on_a_yes_is_forgotten(gate):
    (plan,) = await gate.submit([UNLOCK], OWNER, request="")
    gate.dry_run = True
    assert (await gate.approve(plan.id, OWNER)).state is PlanState.SIMULATED
    assert "83519264" not in known(gate)


async def test_the_code_of_a_plan_that_was_edited_is_forgotten(gate):
    (plan,) = await gate.submit([UNLOCK], OWNER, request="")
    await edit(gate, plan.id, [Call("lock", "unlock", Target(entity_id=("lock.front_door",)))], OWNER)
    assert "83519264" not in known(gate)


@pytest.mark.parametrize(
    "failure", [full("The store"), ZeroDivisionError(), GateError("no")], ids=["full", "ours", "refused"]
)
async def test_the_code_of_a_plan_that_could_not_be_stored_is_forgotten(gate, monkeypatch, failure):
    async def add(*_given):
        raise failure

    monkeypatch.setattr(PlanStore, "add", add)
    with pytest.raises(type(failure)):
        await gate.submit([UNLOCK], OWNER, request="")
    assert "83519264" not in known(gate)


@pytest.mark.parametrize("deed", ["resume", "undo", "reject"])
async def test_whoever_was_put_out_since_they_came_in_does_nothing_with_a_plan(make_gate, home, deed):
    out = False

    async def still(_caller):
        if out:
            raise NotAllowedError("You are not let in any more.")

    class Breaking:
        async def call(self, _sent):
            raise ZeroDivisionError

    broken = deed == "resume"
    gate = await make_gate(ties=Ties(still=still), **({"dispatcher": Breaking()} if broken else {}))
    light = Call("light", "turn_on", Target(entity_id=("light.hall",)))
    (plan,) = await gate.submit([UNLOCK if deed == "reject" else light], OWNER, request="")
    home.calls.clear()
    out = True

    with pytest.raises(NotAllowedError, match="not let in"):
        await getattr(gate, deed)(plan.id, OWNER)
    assert ((await gate.plan(plan.id)).state, home.calls) == (plan.state, [])
