"""From a sentence to a verified change, on a real Home Assistant: what is sent, what is seen, what is told."""

import asyncio

import pytest

from homesteward.actions.plan import PlanState, Status
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")


async def ask(house, text, **rest):
    return await house.steward.ask(Request(text, OWNER, **rest))


async def ask_model(house, text, *calls):
    model = ScriptedModel([*({"tool_call": {"arguments": call}} for call in calls), {"text": "Done."}])
    return await house.with_model(lambda: model).ask(Request(text, OWNER, route=Route.KERNEL))


async def state_in_ha(socket, entity_id):
    return next(state["state"] for state in await socket.ask("get_states") if state["entity_id"] == entity_id)


def sent(recorder):
    return [(call.id, call.entity_ids) for call in recorder.calls]


async def test_a_sentence_turns_the_light_on_and_home_assistant_shows_it(house, recorder, socket):
    answer = await ask(house, "turn on the kitchen light")
    assert answer.outcome is Outcome.ACTED
    assert answer.plan.steps[0].evidence[0].status is Status.VERIFIED
    assert answer.plan.steps[0].context_id
    assert await state_in_ha(socket, "light.kitchen_ceiling_light") == "on"
    recorder.calls.clear()
    again = await ask(house, "turn on the kitchen light")
    assert sent(recorder) == []
    assert "already on" in again.reply


async def test_a_scripted_model_makes_the_same_plan_with_the_same_evidence(house, recorder):
    call = {"domain": "light", "service": "turn_on", "target": {"entity_id": "light.kitchen_ceiling_light"}}
    answer = await ask_model(house, "turn on the kitchen light", call)
    assert answer.outcome is Outcome.ACTED
    assert sent(recorder) == [("light.turn_on", ("light.kitchen_ceiling_light",))]
    assert answer.plan.steps[0].evidence[0].status is Status.VERIFIED


async def test_a_lock_waits_until_it_is_approved_and_then_opens_once(house, recorder, socket):
    answer = await ask(house, "unlock the front door")
    assert (answer.outcome, sent(recorder)) == (Outcome.WAITING, [])
    assert await state_in_ha(socket, "lock.front_door") == "locked"
    plan = await house.gate.approve(answer.plan.id, OWNER)
    assert plan.state is PlanState.COMPLETED
    assert plan.steps[0].evidence[0].status is Status.VERIFIED
    assert sent(recorder) == [("lock.unlock", ("lock.front_door",))]
    assert await state_in_ha(socket, "lock.front_door") == "unlocked"


async def test_a_plan_approved_twice_at_once_acts_once(house, recorder):
    answer = await ask(house, "unlock the front door")
    both = await asyncio.gather(*(house.gate.approve(answer.plan.id, OWNER) for _ in range(2)), return_exceptions=True)
    assert len(recorder.calls) == 1
    assert any(getattr(plan, "state", None) is PlanState.COMPLETED for plan in both)


async def test_the_jamming_lock_ends_mismatched(house):
    answer = await ask(house, "unlock the back door")
    plan = await house.gate.approve(answer.plan.id, OWNER)
    assert plan.state is PlanState.FAILED
    assert (plan.steps[0].evidence[0].status, plan.steps[0].evidence[0].observed) == (Status.MISMATCHED, "jammed")


# Every way round to a lock or the garage ends at the same verdict. The first word is how it gets there.
ROUTES = {
    "group": {"service": "lock.unlock", "target": {"entity_id": "group.night_security"}},
    "group toggled": {"service": "homeassistant.toggle", "target": {"entity_id": "group.night_security"}},
    "cover.toggle": {"service": "cover.toggle", "target": {"entity_id": "cover.garage_door"}},
    "area": {"service": "lock.unlock", "target": {"area_id": "hallway"}},
    "label": {"service": "lock.unlock", "target": {"label_id": "security"}},
    "scene": {"service": "scene.turn_on", "target": {"entity_id": "scene.welcome_home"}},
    "script": {"service": "script.turn_on", "target": {"entity_id": "script.let_the_dog_out"}},
    "script by its own service": {"service": "script.let_the_dog_out"},
    "automation": {"service": "automation.trigger", "target": {"entity_id": "automation.open_up_in_the_morning"}},
    "homeassistant.toggle": {"service": "homeassistant.toggle", "target": {"entity_id": "cover.garage_door"}},
    "lock.open": {"service": "lock.open", "target": {"entity_id": "lock.front_door"}},
    "position": {
        "service": "cover.set_cover_position",
        "target": {"entity_id": "cover.garage_door"},
        "data": {"position": 100},
    },
    "target in the data": {"service": "lock.unlock", "data": {"entity_id": "lock.front_door"}},
}


@pytest.mark.parametrize("route", ROUTES)
async def test_every_route_to_a_lock_or_the_garage_waits_for_approval_and_sends_nothing(house, recorder, route):
    answer = await ask_model(house, "do it", ROUTES[route])
    assert sent(recorder) == []
    assert answer.outcome is Outcome.WAITING
    assert {step.decision.action.value for plan in answer.plans for step in plan.steps} == {"approve"}


@pytest.mark.parametrize("entity_id", ["lock.front_door", "cover.garage_door", "group.night_security"])
async def test_the_general_turn_on_that_does_nothing_there_is_refused_and_names_the_service_that_does(
    house, recorder, entity_id
):
    """E19: one of the four routes to a garage is homeassistant.turn_on."""
    answer = await ask_model(house, "do it", {"service": "homeassistant.turn_on", "target": {"entity_id": entity_id}})
    assert sent(recorder) == []
    assert answer.error.code == "wrong_service"
    assert "cover.open_cover" in answer.reply or "lock.unlock" in answer.reply


async def test_open_all_covers_moves_the_blinds_and_leaves_the_garage_waiting(house, recorder, socket):
    """E19: "open all covers" also opened the garage door."""
    await socket.call("homesteward_demo", "set_state", entity_id="cover.bedroom_blinds", state="closed")
    answer = await ask(house, "open all covers")
    reached = {entity for _, ids in sent(recorder) for entity in ids}
    assert "cover.bedroom_blinds" in reached
    assert not reached & {"cover.garage_door", "cover.driveway_gate"}
    assert answer.outcome is Outcome.WAITING
    assert "garage door" in answer.reply.casefold()
    assert "blinds" in answer.reply.casefold()


@pytest.mark.parametrize(
    "text",
    [
        "don't open the garage",
        "if it rains close the windows",
        "is the gate open?",
        "which lights are on?",
    ],
)
async def test_what_does_not_ask_for_something_now_acts_on_nothing(house, recorder, text):
    answer = await ask(house, text)
    assert sent(recorder) == []
    assert answer.plans == ()
    if text.endswith("?"):
        assert answer.outcome is Outcome.ANSWERED


async def test_the_bulb_that_does_nothing_is_never_called_done(house, recorder):
    answer = await ask(house, "turn on the old bulb")
    assert len(recorder.calls) == 1
    assert answer.outcome is Outcome.FAILED
    assert answer.plan.steps[0].evidence[0].status in {Status.MISMATCHED, Status.UNCERTAIN}


async def test_the_unavailable_light_is_named_as_such(house, recorder):
    answer = await ask(house, "turn on the flaky bulb")
    assert sent(recorder) == []
    assert "flaky bulb" in answer.reply.casefold()
    assert "unavailable" in answer.reply.casefold()


@pytest.mark.parametrize(
    ("call", "code", "neighbour"),
    [
        ({"service": "light.turn_on", "target": {"entity_id": "light.kitchen_celing_light"}}, "unknown_entity", "light.kitchen_ceiling_light"),
        ({"service": "light.turn_onn", "target": {"entity_id": "light.kitchen_ceiling_light"}}, "unknown_service", "light.turn_on"),
        ({"service": "light.turn_on", "target": {"area_id": "kitchn"}}, "unknown_area", "Kitchen"),
    ],
)  # fmt: skip
async def test_what_does_not_exist_is_an_error_that_names_its_neighbours(house, recorder, call, code, neighbour):
    answer = await ask_model(house, "turn on the light", call)
    assert sent(recorder) == []
    assert answer.error.code == code
    assert neighbour.casefold() in (answer.error.message + answer.error.next).casefold()


async def test_two_lamps_of_one_name_are_asked_about(house, recorder):
    asked = await ask(house, "turn on the reading lamp")
    assert sent(recorder) == []
    assert {option.entity_id for option in asked.question.options} == {"light.bedroom_lamp", "light.study_lamp"}
    answer = await ask(house, "the one in the bedroom", conversation_id=asked.conversation_id)
    assert answer.outcome is Outcome.ACTED
    assert sent(recorder) == [("light.turn_on", ("light.bedroom_lamp",))]
    assert "Reading lamp (Bedroom)" in answer.reply


async def test_an_entity_that_is_not_exposed_is_out_of_reach(house, recorder):
    answer = await ask(house, "turn on the utility service light")
    assert sent(recorder) == []
    assert answer.outcome is Outcome.FAILED
