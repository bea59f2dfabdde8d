import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from homesteward.actions import Gate, Mode, Needs, Plan, PlanState
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, Target
from homesteward.home.faults import Hold
from homesteward.people import SYSTEM, Caller, Channel, Role
from homesteward.policy import Policy, Preset
from homesteward.store.tables import plans, steps

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
MEMBER = Caller(Role.MEMBER, Channel.API, "ben")
GUEST = Caller(Role.GUEST, Channel.API, "gus")
OTHER_GUEST = Caller(Role.GUEST, Channel.API, "gil")
TOKEN = Caller(Role.TOKEN, Channel.API)
TRIGGER = Caller(Role.TRIGGER, Channel.API)

UNLOCK = Call("lock", "unlock", Target(entity_id=("lock.front_door",)))
OPEN = Call("cover", "open_cover", Target(entity_id=("cover.garage_door",)))
LIGHT = Call("light", "turn_on", Target(entity_id=("light.kitchen",)))


async def waiting(gate: Gate, *calls: Call, caller: Caller = OWNER) -> Plan:
    (plan,) = await gate.submit(calls or (UNLOCK,), caller, request="unlock the front door")
    assert plan.state is PlanState.WAITING
    return plan


async def refusal(work) -> str:
    with pytest.raises(HomestewardError) as refused:
        await work
    return refused.value.code


async def test_an_approved_plan_makes_exactly_one_call(gate, home):
    plan = await waiting(gate)
    done = await gate.approve(plan.id, MEMBER)

    assert (done.state, done.decided_by, done.steps[0].state) == ("completed", "ben as member", "done")
    assert [call.id for call in home.calls] == ["lock.unlock"]
    assert home.states["lock.front_door"].state == "unlocked"
    assert done == await gate.plan(plan.id)


async def test_a_plan_approved_twice_at_once_acts_once(gate, home):
    home.faults["lock.front_door"] = Hold()
    plan = await waiting(gate)

    first, second = await asyncio.gather(gate.approve(plan.id, OWNER), gate.approve(plan.id, MEMBER))

    assert len(home.calls) == 1
    assert {first.id, second.id} == {plan.id}
    assert PlanState.EXECUTING in {first.state, second.state}


async def test_two_gates_on_one_database_act_once(make_gate, home, open_database, place):
    other_door = await open_database(place=place)
    one, other = await make_gate(), await make_gate(database=other_door)
    plan = await waiting(one)

    await asyncio.gather(*(gate.approve(plan.id, OWNER) for gate in [one, other] * 10))

    assert len(home.calls) == 1
    assert (await other.plan(plan.id)).state is PlanState.COMPLETED


async def test_approving_again_later_returns_the_stored_result(gate, home):
    plan = await waiting(gate)
    done = await gate.approve(plan.id, OWNER)

    assert await gate.approve(plan.id, MEMBER) == done
    assert len(home.calls) == 1


@pytest.mark.parametrize("by", [GUEST, TOKEN, TRIGGER, SYSTEM], ids=lambda caller: caller.role)
async def test_only_the_household_approves(gate, home, by):
    plan = await waiting(gate)

    assert await refusal(gate.approve(plan.id, by)) == "not_allowed"
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_where_an_owner_is_asked_for_a_member_is_not_enough(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.CAUTIOUS))
    plan = await waiting(gate)

    assert await refusal(gate.approve(plan.id, MEMBER)) == "not_allowed"
    assert home.calls == []
    assert (await gate.approve(plan.id, OWNER)).state is PlanState.COMPLETED


async def test_an_owner_may_approve_a_plan_of_his_own(gate):
    plan = await waiting(gate, caller=OWNER)
    assert (await gate.approve(plan.id, OWNER)).state is PlanState.COMPLETED


async def test_a_yes_in_the_conversation_is_not_an_approval(gate, home):
    plan = await waiting(gate)

    assert await refusal(gate.confirm(plan.id, OWNER)) == "not_allowed"
    assert home.calls == []


async def test_a_guest_confirms_what_he_asked_for_and_nobody_elses(gate, home):
    plan = await waiting(gate, LIGHT, caller=GUEST)
    assert plan.needs is Needs.CONFIRM

    assert await refusal(gate.confirm(plan.id, OTHER_GUEST)) == "not_allowed"
    assert home.calls == []
    assert (await gate.confirm(plan.id, GUEST)).state is PlanState.COMPLETED


async def test_a_token_cannot_say_yes_to_itself(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.CAUTIOUS))
    plan = await waiting(gate, LIGHT, caller=TOKEN)

    assert await refusal(gate.confirm(plan.id, TOKEN)) == "not_allowed"
    assert home.calls == []


async def test_a_rejected_plan_never_runs(gate, home):
    plan = await waiting(gate)
    rejected = await gate.reject(plan.id, MEMBER)

    assert (rejected.state, rejected.decided_by, rejected.steps[0].note) == ("rejected", "ben as member", "rejected")
    assert await gate.reject(plan.id, OWNER) == rejected
    assert await refusal(gate.approve(plan.id, OWNER)) == "already_decided"
    assert home.calls == []


async def test_a_plan_that_ran_cannot_be_rejected_any_more(gate):
    plan = await waiting(gate)
    await gate.approve(plan.id, OWNER)

    assert await refusal(gate.reject(plan.id, OWNER)) == "already_decided"
    assert (await gate.plan(plan.id)).state is PlanState.COMPLETED


async def test_a_token_cannot_reject_what_a_person_asked_for(gate):
    plan = await waiting(gate)
    assert await refusal(gate.reject(plan.id, TOKEN)) == "not_allowed"


async def test_a_plan_that_nobody_decided_about_expires(gate, home, clock):
    plan = await waiting(gate)
    clock.advance(timedelta(hours=24))

    assert await refusal(gate.approve(plan.id, OWNER)) == "plan_expired"
    assert await refusal(gate.reject(plan.id, OWNER)) == "plan_expired"
    assert [listed.state for listed in await gate.plans()] == ["expired"]
    assert home.calls == []


async def test_a_plan_expires_while_the_service_is_down(make_gate, clock):
    plan = await waiting(await make_gate())
    clock.advance(timedelta(days=2))

    assert (await (await make_gate()).plan(plan.id)).state is PlanState.EXPIRED


async def test_an_approval_holds_only_for_the_steps_that_were_proposed(gate, home, database):
    plan = await waiting(gate)
    await database.write(lambda c: c.execute(update(steps).values(entity_ids=["lock.back_door"])))

    assert await refusal(gate.approve(plan.id, OWNER)) == "plan_changed"
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_only_the_chosen_steps_run(gate, home):
    plan = await waiting(gate, UNLOCK, OPEN)
    done = await gate.approve(plan.id, OWNER, steps=[2])

    assert [(step.state, step.note) for step in done.steps] == [("skipped", "not approved"), ("done", "")]
    assert [call.id for call in home.calls] == ["cover.open_cover"]
    assert done == await gate.plan(plan.id)


@pytest.mark.parametrize("chosen", [[], [0], [1, 3]])
async def test_a_step_that_the_plan_does_not_have_approves_nothing(gate, home, chosen):
    plan = await waiting(gate, UNLOCK, OPEN)

    assert await refusal(gate.approve(plan.id, OWNER, steps=chosen)) == "unknown_step"
    assert home.calls == []


async def test_a_plan_of_another_home_is_unknown_here(make_gate, home):
    plan = await waiting(await make_gate())
    home.home_id = "another"

    assert await refusal((await make_gate()).approve(plan.id, OWNER)) == "unknown_plan"


async def test_in_mode_observe_an_old_plan_cannot_be_approved(make_gate, home):
    plan = await waiting(await make_gate())

    assert await refusal((await make_gate(mode=Mode.OBSERVE)).approve(plan.id, OWNER)) == "not_allowed"
    assert home.calls == []


async def test_approved_in_a_dry_run_a_plan_is_simulated(make_gate, home):
    plan = await waiting(await make_gate())
    done = await (gate := await make_gate(dry_run=True)).approve(plan.id, OWNER)

    assert (done.state, done.steps[0].evidence[0].status, home.calls) == ("simulated", "simulated", [])
    assert await gate.plan(plan.id) == done


async def test_plans_are_listed_newest_first_and_by_state(gate, clock):
    first = await waiting(gate)
    clock.advance(timedelta(minutes=1))
    (second,) = await gate.submit([LIGHT], OWNER, request="")

    assert [plan.id for plan in await gate.plans()] == [second.id, first.id]
    assert await gate.plans(PlanState.WAITING) == (first,)
    assert [plan.id for plan in await gate.plans(limit=1)] == [second.id]


async def test_a_script_that_came_to_reach_a_lock_is_not_run_as_the_everyday_thing_it_was(make_gate, home):
    gate = await make_gate(mode=Mode.PLAN)
    plan = await waiting(gate, Call("script", "turn_on", Target(entity_id=("script.welcome",))))
    home.bodies["script.welcome"] = home.bodies["script.let_in"]

    assert await refusal(gate.approve(plan.id, OWNER)) == "plan_changed"
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_a_code_said_with_the_request_is_nowhere_in_the_database(gate, home, database):
    asked = Call("script", "turn_on", Target(entity_id=("script.let_in",)), {"variables": {"alarm_code": "77731"}})
    (plan,) = await gate.submit([asked], OWNER, request="let me in with 77731")
    rows = await database.read(lambda c: [str(c.execute(select(table)).all()) for table in (plans, steps)])
    assert "77731" not in "".join(rows)
    done = await gate.approve(plan.id, OWNER)
    assert (done.state, home.calls[0].data["variables"]) == ("completed", {"alarm_code": "77731"})
