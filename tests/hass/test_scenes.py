"""What a stored scene sets, on a real Home Assistant: measured before it is used, and no longer agreed to once it was saved anew."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from homesteward.actions import Mode, PlanState
from homesteward.actions.errors import PlanChangedError
from homesteward.core.json import JsonObject
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "owner")
RELAX = Call("scene", "turn_on", Target(("scene.relax",)))
LAMP, CEILING = "light.living_room_floor_lamp", "light.living_room_ceiling_light"
type Save = Callable[[JsonObject], Awaitable[None]]


@pytest.fixture
async def save(demo_home, house) -> AsyncIterator[Save]:
    """Save the scene "Relax" anew, as Home Assistant's own editor does; in the end it is as it was."""
    url = f"{demo_home.address.url}/api/config/scene/config/relax"
    headers = {"Authorization": f"Bearer {demo_home.address.token}"}
    async with aiohttp.ClientSession(headers=headers) as session:
        async with session.get(url) as answer:
            before = await answer.json()

        async def saved(entities: JsonObject) -> None:
            reloaded = asyncio.Event()
            undo = await house.home.listen("scene_reloaded", lambda _event: reloaded.set())
            async with session.post(url, json={**before, "entities": entities}) as answer:
                assert answer.status == 200, await answer.text()
            await reloaded.wait()
            undo()

        yield saved
        await saved(before["entities"])


def sets(house) -> dict[str, object]:
    """Return what the scene sets each member to, as far as the house knows."""
    steps = house.home.bodies["scene.relax"]
    return {step.member: step.call.data["entities"][step.member] if step.call else None for step in steps}


async def test_what_a_scene_sets_is_known_and_one_saved_anew_is_not_what_was_approved(house, recorder, save):
    assert sets(house) == {LAMP: {"state": "on", "brightness": 90}, CEILING: {"state": "off"}}
    (plan,) = await house.gate.submit([RELAX], OWNER, request="relax", mode=Mode.PLAN)
    assert plan.state is PlanState.WAITING

    await save({LAMP: {"state": "on", "brightness": 255}, CEILING: {"state": "off"}})  # the same members
    with pytest.raises(PlanChangedError):
        await house.gate.approve(plan.id, OWNER)
    assert sets(house)[LAMP] == {"state": "on", "brightness": 255}
    assert recorder.calls == []

    (again,) = await house.gate.submit([RELAX], OWNER, request="relax", mode=Mode.PLAN)
    done = await house.gate.approve(again.id, OWNER)
    assert done.state is PlanState.COMPLETED
    assert house.home.states[LAMP].attributes["brightness"] == 255
