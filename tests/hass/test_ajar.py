"""Arming the alarm of a real Home Assistant while a window stands open: named, asked about once, and never for what opened since."""

import asyncio

import pytest

from homesteward.actions import PlanState
from homesteward.actions.errors import PlanChangedError
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
ALARM, OPEN, OTHER = "alarm_control_panel.house_alarm", "binary_sensor.kitchen_window", "binary_sensor.bedroom_window"


async def seen(house, entity_id, state):
    async with asyncio.timeout(20):
        while house.home.states[entity_id].state != state:  # noqa: ASYNC110 - the mirror hears of it by itself
            await asyncio.sleep(0.02)


async def test_an_open_window_is_named_and_the_yes_is_to_that_one(house, socket, recorder):
    asked = await house.steward.ask(Request("arm the house alarm away", OWNER, language="en"))
    assert (asked.outcome, asked.plan.steps[0].decision.ajar) == (Outcome.WAITING, (OPEN,))
    assert "itchen window" in asked.reply
    await socket.call("homesteward_demo", "set_state", OTHER, state="on")
    await seen(house, OTHER, "on")
    with pytest.raises(PlanChangedError):
        await house.gate.approve(asked.plan.id, OWNER)
    await socket.call("homesteward_demo", "set_state", OTHER, state="off")
    await seen(house, OTHER, "off")
    assert recorder.calls == []
    done = await house.gate.approve(asked.plan.id, OWNER)
    assert (done.state, [call.id for call in recorder.calls]) == (
        PlanState.COMPLETED,
        ["alarm_control_panel.alarm_arm_away"],
    )
    again = await house.steward.ask(Request("arm the house alarm away", OWNER, language="de"))
    assert again.outcome is not Outcome.ACTED
