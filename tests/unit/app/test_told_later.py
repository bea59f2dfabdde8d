"""What comes to light after the answer reaches the notices of whoever asked: through the whole house."""

import asyncio

from homesteward.home.faults import Hold
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")


async def the_notice(house, kind):
    async with asyncio.timeout(30):
        while not (found := [each for each in await house.notices.list(OWNER) if each.kind == kind]):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return found[0]


async def test_a_light_that_does_not_stay_on_is_told_to_the_owner(house, home):
    answer = await house.steward.ask(Request("turn on the hall light", OWNER))
    home.set_state("light.hall", "off")
    notice = await the_notice(house, "switched_back")

    assert notice.subject == answer.plan.id
    assert notice.text == "“turn on the hall light” did not last: Hall light was on and is off now."


async def test_a_blind_that_opens_after_the_answer_is_told_to_the_owner(house, home):
    home.faults["cover.study_blinds"] = Hold("opening")
    answer = await house.steward.ask(Request("open the study blinds", OWNER))
    assert "not confirmed" in answer.reply
    home.release("cover.study_blinds")
    notice = await the_notice(house, "late_success")

    assert notice.subject == answer.plan.id
    assert (await house.gate.plan(answer.plan.id)).steps[0].state == "done"
