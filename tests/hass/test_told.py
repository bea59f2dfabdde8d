"""A phone of a real Home Assistant hears of what waits, through the gate; and a keypad lock is opened with a code that is nowhere."""

import asyncio
from pathlib import Path

import pytest

from hass.raw import RawSocket
from homesteward.actions.notice import NoticeKind
from homesteward.app import open_house
from homesteward.demo import DemoHome, inventory
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request
from homesteward.trial.homes import settled

pytestmark = pytest.mark.hass
OWNER = Caller(Role.OWNER, Channel.PAGE, "Ann")
PHONE = min(entity_id for entity_id in inventory().entities if entity_id.startswith("notify."))


async def test_the_owners_phone_is_told_of_what_waits_with_the_way_to_it(
    demo_home: DemoHome, socket: RawSocket, tmp_path: Path
):
    """E53: the notice is there when the answer is, and on the phone within two seconds of it."""
    address = demo_home.address
    overrides = {
        "ha": {"url": address.url, "token": address.token},
        "policy": {"dry_run": False},
        "notices": {"target": PHONE, "link": "https://house.example"},
        "data": tmp_path,
    }
    async with open_house(None, overrides) as house:
        gone_out = asyncio.Event()
        undo = house.notices.subscribe(lambda change: gone_out.set() if change.notice.sent else None)
        answer = await house.steward.ask(Request("unlock the front door", OWNER, language="en"))
        (notice,) = await house.notices.list(OWNER)
        assert (answer.outcome, notice.kind, notice.subject) == (
            Outcome.WAITING,
            NoticeKind.PLAN_WAITS,
            answer.plan.id,
        )
        async with asyncio.timeout(30):
            await gone_out.wait()
        undo()
        states = {state["entity_id"]: state for state in await socket.ask("get_states")}
        (message,) = states[PHONE]["attributes"]["messages"]
        assert message["message"].startswith("Waits for approval: Ann asks: “unlock the front door”.")
        assert message["message"].endswith(" https://house.example/")
        (notice,) = await house.notices.list(OWNER)
        assert notice.sent
        assert notice.problem == ""


ALARM, CODE = "alarm_control_panel.house_alarm", "1234"


@pytest.mark.parametrize(("kept", "state"), [(CODE, "disarmed"), ("9876", "armed_away")], ids=["right", "wrong"])
async def test_an_alarm_is_disarmed_with_the_code_that_is_kept_and_a_wrong_one_is_told(
    demo_home: DemoHome, socket: RawSocket, tmp_path: Path, kept: str, state: str
):
    address = demo_home.address
    await socket.call("alarm_control_panel", "alarm_arm_away", ALARM, code=CODE)
    overrides = {"ha": {"url": address.url, "token": address.token}, "policy": {"dry_run": False}, "data": tmp_path}
    async with open_house(None, overrides) as house:
        await settled(house.home, {ALARM: "armed_away"})
        await house.strongbox.put(OWNER, ALARM, kept)
        asked = await house.steward.ask(Request("disarm the house alarm", OWNER, language="en"))
        plan = await house.gate.approve(asked.plan.id, OWNER)
        assert house.home.states[ALARM].state == state, plan.steps[0].error
        assert (plan.state == "completed") is (state == "disarmed")
        said = f"{plan} {await house.audit.entries(limit=1000)}"
        assert f"'{kept}'" not in said
        assert f" {kept}" not in said
