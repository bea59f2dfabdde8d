"""Editing a plan, and approving a part of one, from the command line."""

import pytest

from homesteward.actions import Mode
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role

OWNER = Caller(Role.OWNER, Channel.API, "owner")


@pytest.fixture
async def doors(service, house):
    """A plan of two steps that waits."""
    calls = [Call("lock", "unlock", Target(entity_id=(name,))) for name in ("lock.front_door", "lock.back_door")]
    (plan,) = await house.gate.submit(calls, OWNER, request="unlock the doors")
    return plan


async def test_a_step_is_given_another_target_or_left_out(homesteward, doors, house):
    changed = await homesteward("plans", "edit", doors.id, "--step", "2", "--without", "--json")
    assert (changed.code, changed.json["state"], changed.json["instead_of"]) == (4, "waiting", doors.id)
    assert [step["call"]["target"]["entity_id"] for step in changed.json["steps"]] == [["lock.front_door"]]
    again = await homesteward("plans", "edit", changed.json["id"], "--target", "cover.garage_door", "--json")
    assert (again.code, again.json["error"]["code"]) == (1, "wrong_domain")
    assert (await house.gate.plan(changed.json["id"])).state == "waiting"
    moved = await homesteward("plans", "edit", changed.json["id"], "--target", "lock.back_door", "--json")
    assert moved.json["steps"][0]["call"]["target"]["entity_id"] == ["lock.back_door"]
    assert (await house.gate.plan(doors.id)).state == "rejected"


async def test_the_data_of_a_step_is_set_and_left_out(homesteward, service, house):
    call = Call("light", "turn_on", Target(entity_id=("light.kitchen",)), {"brightness_pct": 80, "transition": 2})
    (plan,) = await house.gate.submit([call], OWNER, request="dim", mode=Mode.PLAN)
    edited = await homesteward("plans", "edit", plan.id, "--set", "brightness_pct=30", "--set", "transition=", "--json")
    assert edited.json["steps"][0]["call"]["data"] == {"brightness_pct": 30}


@pytest.mark.parametrize("wrong", [("--step", "9", "--without"), (), ("--set", "brightness"), ("--set", "=1")])
async def test_an_edit_that_says_nothing_is_no_edit(homesteward, doors, house, wrong):
    assert (await homesteward("plans", "edit", doors.id, *wrong)).code == 2
    assert (await house.gate.plan(doors.id)).state == "waiting"


async def test_what_was_approved_of_a_plan_and_what_was_left_out_is_shown(homesteward, doors):
    assert "--steps" in (await homesteward("plans", "show", doors.id)).out
    approved = await homesteward("plans", "approve", doors.id, "--steps", "1")
    assert "approved: step 1 of 2; left out: step 2" in approved.out
    assert "approved: step 1 of 2; left out: step 2" in (await homesteward("plans", "show", doors.id)).out
