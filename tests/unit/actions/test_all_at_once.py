"""Several sensitive things that were not named one by one are shown before they are moved."""

from homesteward.actions import PlanState
from homesteward.actions.plan import Needs
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, Preset

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
LOCKS = Call("lock", "unlock", Target(entity_id=("lock.front_door", "lock.back_door")))
LAMPS = Call("light", "turn_on", Target(entity_id=("light.kitchen", "light.hall")))


async def test_all_locks_wait_for_a_yes_where_each_would_be_moved_at_once(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.OPEN))
    (plan,) = await gate.submit([LOCKS], OWNER, request="unlock all doors", wide=True)
    assert (plan.state, plan.needs) == (PlanState.WAITING, Needs.CONFIRM)
    assert home.calls == []
    await gate.confirm(plan.id, OWNER)
    assert home.calls[0].entity_ids == ("lock.front_door", "lock.back_door")


async def test_named_one_by_one_they_do_not(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.OPEN))
    await gate.submit([LOCKS], OWNER, request="unlock the front door and the back door")
    assert len(home.calls) == 1


async def test_all_lamps_are_switched_at_once(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.OPEN))
    (plan,) = await gate.submit([LAMPS], OWNER, request="all lights on", wide=True)
    assert plan.state is PlanState.COMPLETED
    assert len(home.calls) == 1


async def test_what_waits_for_an_approval_is_not_asked_about_as_well(make_gate):
    gate = await make_gate(policy=lambda: Policy(Preset.FAMILY))
    (plan,) = await gate.submit([LOCKS], OWNER, request="unlock all doors", wide=True)
    assert plan.needs is Needs.APPROVE
