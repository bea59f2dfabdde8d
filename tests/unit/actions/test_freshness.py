"""A body edited a moment ago is the one that is judged: Home Assistant tells nobody that a script was edited."""

import pytest

from homesteward.actions import PlanState
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.errors import NotConnectedError
from homesteward.people import Caller, Channel, Role

OWNER = Caller(Role.OWNER, Channel.CLI)
UNLOCK = (BodyStep(Call("lock", "unlock", Target(entity_id=("lock.front_door",))), "unlock the front door"),)
WELCOME = Call("script", "turn_on", Target(entity_id=("script.welcome",)))


def edited(home, bodies):
    """Let `bodies` be what Home Assistant has, which the view only sees when it looks again."""

    async def freshen(entity_ids):
        home.bodies.update({entity_id: bodies[entity_id] for entity_id in entity_ids if entity_id in bodies})

    home.freshen = freshen


async def test_a_script_edited_to_unlock_the_door_waits(gate, home):
    edited(home, {"script.welcome": UNLOCK})
    (plan,) = await gate.submit([WELCOME], OWNER, request="welcome")
    assert (plan.state, home.calls) == ("waiting", [])


async def test_what_the_edit_itself_calls_is_looked_up_too(gate, home):
    calls_another = (BodyStep(Call("script", "let_in"), "calls script.let_in"),)
    edited(home, {"script.welcome": calls_another, "script.let_in": UNLOCK})
    (plan,) = await gate.submit([WELCOME], OWNER, request="welcome")
    assert (plan.state, home.calls) == ("waiting", [])


async def test_a_body_that_cannot_be_read_again_stops_the_call(gate, home):
    async def freshen(_entity_ids):
        raise NotConnectedError

    home.freshen = freshen
    with pytest.raises(NotConnectedError):
        await gate.submit([WELCOME], OWNER, request="welcome")
    assert home.calls == []


async def test_an_interrupted_plan_can_be_given_up_by_a_person(make_gate, home):
    gate = await make_gate()
    (plan,) = await gate.submit([Call("lock", "unlock", Target(entity_id=("lock.front_door",)))], OWNER, request="")
    await gate._store.advance(plan.id, (PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING))
    await gate._store.interrupt_stale()
    given_up = await gate.reject(plan.id, OWNER)
    assert (given_up.state, home.calls) == ("failed", [])
