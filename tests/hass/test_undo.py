"""A scene of many kinds of things, applied and taken back on a real Home Assistant: as exactly as it can, and the rest is named."""

import asyncio
from contextlib import suppress

import pytest

from homesteward.actions import PlanState
from homesteward.actions.undo import Undone
from homesteward.home.calls import Call, Target
from homesteward.home.effects.material import differing
from homesteward.home.model import State
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
SCENE, BLINDS = "scene.everything_else", "cover.living_room_blinds"
VALVE = "valve.lawn_sprinkler"  # a scene of Home Assistant's passes valves over: it is opened beside it
# Fifteen things of twelve kinds, each set to something that it is not.
EVERYTHING_ELSE = {
    "light.living_room_floor_lamp": {"state": "on", "brightness": 200, "color_mode": "hs", "hs_color": [300, 70]},
    "light.kitchen_ceiling_light": {"state": "on"},
    BLINDS: {"state": "open", "current_position": 30},
    "lock.front_door": {"state": "unlocked"},
    "climate.living_room": {"state": "heat", "temperature": 24},
    "climate.hallway": {"state": "heat", "temperature": 23},  # from two temperatures to one
    "climate.loft_air_conditioner": {"state": "cool", "temperature": 20},
    "fan.bedroom_fan": {"state": "on", "percentage": 66},
    "media_player.kitchen_speaker": {"state": "playing", "volume_level": 0.65},
    "switch.garden_fountain": {"state": "on"},
    "number.car_charger_limit": {"state": "10"},
    "select.coffee_maker_strength": {"state": "strong"},
    VALVE: {"state": "open"},
    "humidifier.bedroom": {"state": "on", "humidity": 55},
    "water_heater.boiler": {"state": "performance", "temperature": 60},
}


async def states(socket) -> dict[str, State]:
    found = {state["entity_id"]: state for state in await socket.ask("get_states")}
    return {name: State(name, found[name]["state"], found[name]["attributes"]) for name in EVERYTHING_ELSE}


async def until(socket, missing, seconds: float = 25):
    """Wait until nothing is `missing` from the states, and return them; what still is fails the test."""
    now = await states(socket)
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while missing(now):
                await asyncio.sleep(0.25)
                now = await states(socket)
    assert not missing(now), {name: (now[name].state, dict(now[name].attributes)) for name in missing(now)}
    return now


async def approved(house, plans):
    return [await house.gate.approve(plan.id, OWNER) if plan.state is PlanState.WAITING else plan for plan in plans]


async def test_a_scene_of_many_things_is_taken_back_as_exactly_as_home_assistant_can(house, socket):
    before = await states(socket)
    await socket.call("scene", "create", scene_id="everything_else", entities=EVERYTHING_ELSE)
    while SCENE not in house.home.states:  # noqa: ASYNC110 - the mirror hears of it by itself
        await asyncio.sleep(0.05)
    activate = Call("scene", "turn_on", Target(entity_id=(SCENE,)))
    open_valve = Call("valve", "open_valve", Target(entity_id=(VALVE,)))
    (done,) = await approved(house, await house.gate.submit([activate, open_valve], OWNER, request="everything else"))
    assert done.state is PlanState.COMPLETED
    assert set(EVERYTHING_ELSE) <= set(done.steps[0].before)
    await until(socket, lambda now: [name for name in EVERYTHING_ELSE if not differing(before[name], now[name])])
    await until(socket, not_at_thirty)

    undone: Undone = await house.gate.undo(done.id, OWNER)
    ended = await approved(house, undone.plans)

    await until(socket, lambda now: otherwise(before, now))
    assert [left.entity_id for left in undone.left] == []
    assert [plan.state for plan in ended] == [PlanState.COMPLETED] * len(ended)
    assert {plan.undoes for plan in ended} == {done.id}
    waited = [step.call.id for plan in undone.plans if plan.state is PlanState.WAITING for step in plan.steps]
    assert set(waited) == {"lock.lock", "valve.close_valve"}


def not_at_thirty(now):
    return [BLINDS] if now[BLINDS].attributes["current_position"] != 30 else []


def otherwise(before, now):
    """Return what is not as it was, thing by thing: the colour a lamp had while it was off is nobody's business."""
    return {name: aspects for name in before if (aspects := differing(before[name], now[name]))}


async def test_undo_that_takes_back_what_was_asked_for_last_in_this_conversation(house, socket):
    await house.steward.ask(Request("turn on the kitchen light", OWNER, conversation_id="one"))
    await house.steward.ask(Request("turn on the garden fountain", OWNER, conversation_id="other"))
    answer = await house.steward.ask(Request("undo that", OWNER, conversation_id="one"))

    assert answer.outcome is Outcome.ACTED
    now = await states(socket)
    assert now["light.kitchen_ceiling_light"].state == "off"
    assert now["switch.garden_fountain"].state == "on"
