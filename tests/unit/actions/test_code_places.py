"""Codes under other names than a code's: what a script uses as one, what a lock's template holds, what a helper begins with."""

import pytest

from homesteward.actions import PlanState, plan_json
from homesteward.actions.codes import without_codes
from homesteward.home.bodies import body_of
from homesteward.home.calls import ResolvedCall
from judging import OWNER
from schedules import call

OPENS = {
    "sequence": [{"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}, "data": {"code": "{{ x }}"}}]
}


async def test_what_a_script_uses_as_a_code_is_not_kept_and_is_sent(make_gate, home):
    home.bodies["script.let_in"] = body_of(OPENS)
    gate = await make_gate()
    (plan,) = await gate.submit(
        [call("script.turn_on", "script.let_in", variables={"x": "4711"})], OWNER, request="let them in with 4711"
    )
    assert "4711" not in f"{plan}{plan_json(plan)}"
    done = plan if plan.state is PlanState.COMPLETED else await gate.approve(plan.id, OWNER)
    assert "4711" not in f"{done}"
    assert home.calls[0].data == {"variables": {"x": "4711"}}


async def test_after_a_restart_what_a_script_uses_as_a_code_has_to_be_given_anew(make_gate, home):
    home.bodies["script.let_in"] = body_of(OPENS)
    gate = await make_gate()
    (plan,) = await gate.submit(
        [call("script.turn_on", "script.let_in", variables={"x": "4711"})], OWNER, request="let them in"
    )
    assert plan.state is PlanState.WAITING
    again = await make_gate()
    done = await again.approve(plan.id, OWNER)
    assert (done.state, home.calls) == (PlanState.FAILED, [])
    assert "no longer known" in done.steps[0].error


@pytest.mark.parametrize(
    "data",
    [
        {"kind": "automation", "config": {"variables": {"x": "4711"}, "actions": OPENS["sequence"]}},
        {"kind": "automation", "config": {"actions": [{"action": "lock.unlock", "data": "{{ {'code': 4711} }}"}]}},
        {"kind": "helper", "id": "input_text.door_code", "config": {"name": "Door", "initial": "4711"}},
    ],
)
def test_a_configuration_is_stored_without_codes_wherever_they_stand(data):
    stored = without_codes(ResolvedCall("ha_config", "write", data=data))
    assert "4711" not in str(stored)


def test_numbers_that_are_no_codes_stay():
    data = {"variables": {"x": 4711, "brightness": 1000}}
    asked = ResolvedCall("script", "turn_on", ("script.a",), data)
    assert without_codes(asked).data == data
