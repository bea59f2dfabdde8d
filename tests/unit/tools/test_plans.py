"""The tool `plans`: what exists for the caller is listed and shown, and an undo takes the gate's way as the caller."""

import pytest

from homesteward.actions import Mode
from homesteward.actions.plan import PlanState
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role
from homesteward.tools.tool import ToolContext

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")
GUEST = Caller(Role.GUEST, Channel.CLI, "Kim")


async def ask(house, caller=MEMBER, mode=Mode.AUTO, dry_run=None, **arguments):
    return await house.registry.call("plans", arguments, ToolContext(caller, "undo that", mode=mode, dry_run=dry_run))


async def done(house, service="turn_on", name="light.hall", caller=MEMBER):
    call = Call(name.partition(".")[0], service, Target(entity_id=(name,)))
    (plan,) = await house.gate.submit([call], caller, request="do it")
    return plan


async def test_plans_are_listed_newest_first_and_by_state(house):
    lamp, door = await done(house), await done(house, "unlock", "lock.front_door")
    listed = await ask(house)
    assert [each["plan_id"] for each in listed.data] == [door.id, lamp.id]
    assert listed.data[1]["calls"] == ["light.turn_on light.hall"]
    waiting = await ask(house, state="waiting")
    assert [(each["plan_id"], each["needs"]) for each in waiting.data] == [(door.id, "approve")]


async def test_a_plan_is_shown_with_what_was_seen(house):
    plan = await done(house)
    shown = (await ask(house, action="show", id=plan.id)).data
    assert (shown["state"], shown["steps"][0]["evidence"][0]["observed"]) == ("completed", "on")


async def test_an_undo_is_asked_for_as_the_caller_and_done(house, home):
    plan = await done(house)
    undone = await ask(house, action="undo", id=plan.id)
    assert (undone.ok, home.states["light.hall"].state) == (True, "off")
    assert undone.plans[0].undoes == plan.id


async def test_an_undo_that_opens_a_door_waits(house, home):
    plan = await done(house, "unlock", "lock.front_door")
    await house.gate.approve(plan.id, OWNER)
    lock = await done(house, "lock", "lock.front_door")
    if lock.state is PlanState.WAITING:
        await house.gate.approve(lock.id, OWNER)
    undone = await ask(house, action="undo", id=lock.id)
    assert (undone.plans[0].state, home.states["lock.front_door"].state) == (PlanState.WAITING, "locked")


@pytest.mark.parametrize(
    ("how", "state"), [({"mode": Mode.PLAN}, PlanState.WAITING), ({"dry_run": True}, PlanState.SIMULATED)]
)
async def test_an_undo_is_no_wider_than_its_run(house, home, how, state):
    plan = await done(house)
    undone = await ask(house, action="undo", id=plan.id, **how)
    assert (undone.plans[0].state, home.states["light.hall"].state) == (state, "on")


async def test_what_is_somebody_elses_does_not_exist(house):
    plan = await done(house, caller=OWNER)
    assert (await ask(house, GUEST)).data == []
    for action in ("show", "undo"):
        assert (await ask(house, GUEST, action=action, id=plan.id)).error.code == "unknown_plan"


async def test_no_model_says_yes_or_no_for_a_person(house):
    plan = await done(house, "unlock", "lock.front_door")
    for action in ("approve", "confirm", "reject"):
        assert (await ask(house, OWNER, action=action, id=plan.id)).error.code == "invalid_arguments"
    assert (await house.gate.plan(plan.id)).state is PlanState.WAITING


async def test_without_an_id_nothing_is_taken_back(house):
    assert (await ask(house, action="undo")).error.code == "invalid_arguments"
