"""The tool that has things done later, for a model or a client: the gate decides, and nothing is sent now."""

from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request, Route
from homesteward.tools import ToolContext

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI, "owner"), "later")
GUEST = ToolContext(Caller(Role.GUEST, Channel.CLI, "guest"), "later")


async def use(house, context=OWNER, **arguments):
    return await house.registry.call("schedule", arguments, context)


async def test_a_call_is_kept_by_name_listed_and_called_off(house, home):
    added = await use(house, service="light.turn_on", target={"name": "Kitchen light"}, **{"in": 600})
    assert (added.ok, home.calls) == (True, [])
    (listed,) = (await use(house, action="list")).data
    assert listed["call"]["target"] == {"entity_id": ["light.kitchen"]}
    assert 590 <= listed["in_s"] <= 600
    assert (await use(house, GUEST, action="list")).data == []
    assert (await use(house, GUEST, action="cancel", id=listed["id"])).error.code == "not_found"
    assert (await use(house, action="cancel", id=listed["id"])).ok
    assert (await use(house, action="list")).data == []


async def test_flat_arguments_reach_the_call_as_its_data(house):
    """Acceptance 24."""
    await use(house, service="light.turn_on", entity_id="light.kitchen", brightness_pct=40, at="23:59:59")
    (kept,) = await house.schedules.waiting()
    assert dict(kept.call.data) == {"brightness_pct": 40}


async def test_for_a_while_is_one_call_now_and_one_that_is_linked(house, home):
    await use(house, service="light.turn_on", target={"entity_id": "light.kitchen"}, **{"for": 3600})
    (kept,) = await house.schedules.waiting()
    assert [call.id for call in home.calls] == ["light.turn_on"]
    assert (kept.call.id, kept.ends.id) == ("light.turn_off", "light.turn_on")


async def test_what_is_missing_or_no_time_is_said(house, home):
    for arguments, code in (
        ({"in": 600}, "invalid_arguments"),
        ({"service": "light.turn_on", "entity_id": "light.kitchen"}, "bad_time"),
        ({"service": "light.turn_on", "entity_id": "light.kitchen", "in": -5}, "bad_time"),
        ({"action": "cancel"}, "not_found"),
        ({"action": "postpone"}, "invalid_arguments"),
    ):
        assert (await use(house, **arguments)).error.code == code
    assert home.calls == []


async def test_what_was_not_exposed_is_neither_scheduled_nor_asked_about(house):
    result = await use(house, service="light.turn_on", target={"entity_id": "light.cellar"}, **{"in": 600})
    assert not result.ok
    for hidden in ("light.cellar", "light.nowhere", ""):
        given = [{"entity_id": hidden, "state": "on"}]
        result = await use(house, service="light.turn_on", entity_id="light.kitchen", **{"in": 600, "if": given})
        assert not result.ok
    assert await house.schedules.waiting() == ()


async def test_what_is_scheduled_of_things_that_are_not_exposed_is_not_listed(house, home):
    await use(house, service="light.turn_on", entity_id="light.kitchen", **{"in": 600})
    home.expose("light.kitchen", exposed=False)
    assert (await use(house, action="list")).data == []


async def test_a_model_that_uses_it_has_nothing_sent_before_its_time(house, home):
    """E42"""
    tool = {
        "name": "schedule",
        "arguments": {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "in": 60},
    }
    model = ScriptedModel([{"tool_call": tool}, {"text": "Done."}])
    request = Request("turn on the kitchen light in 1 minute", OWNER.caller, route=Route.KERNEL)
    answer = await house.with_model(lambda: model).ask(request)
    assert home.calls == []
    assert answer.reply == "Turning on Kitchen light in 1 minute waits for approval."
    await house.gate.approve(answer.plan.id, OWNER.caller)
    assert len(await house.schedules.waiting()) == 1
    assert home.calls == []
