"""Ways round a lock that were once open, tried on a real Home Assistant: a script is judged by what it does when it is called."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

import aiohttp
import pytest

from hass.raw import RawError
from homesteward.actions import PlanState
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
LIGHT = {"action": "light.turn_on", "target": {"entity_id": "light.kitchen_ceiling_light"}}

type Write = Callable[[str, list[dict]], Awaitable[None]]


@pytest.fixture
async def write(demo_home, house, socket) -> AsyncIterator[Write]:
    """Write a script as Home Assistant's editor does, and wait until it runs so; each is removed afterwards."""
    written: list[str] = []
    headers = {"Authorization": f"Bearer {demo_home.address.token}"}
    async with aiohttp.ClientSession(demo_home.address.url, headers=headers) as session:

        async def save(name: str, sequence: list[dict]) -> None:
            body = {"alias": name, "sequence": sequence}
            async with session.post(f"/api/config/script/config/{name}", json=body) as answer:
                answer.raise_for_status()
            written.append(name)
            await house.home.wait_for(f"script.{name}", lambda state: state.state in {"on", "off"}, 10)
            async with asyncio.timeout(10):
                while await loaded(name) != sequence:  # the editor is answered before the script is loaded
                    await house.home.wait_for(f"script.{name}", lambda _state: True, 1)

        async def loaded(name: str) -> list[dict]:
            try:
                return (await socket.ask("script/config", entity_id=f"script.{name}"))["config"]["sequence"]
            except RawError:
                return []

        yield save
        for name in dict.fromkeys(written):
            async with session.delete(f"/api/config/script/config/{name}") as answer:
                answer.raise_for_status()


async def run(house, name):
    (plan,) = await house.gate.submit(
        [Call("script", "turn_on", Target(entity_id=(f"script.{name}",)))], OWNER, request=""
    )
    return plan


async def test_a_harmless_script_edited_to_unlock_the_door_waits_from_that_moment_on(house, recorder, write):
    await write("evening", [LIGHT])
    assert (await run(house, "evening")).state is PlanState.COMPLETED
    recorder.calls.clear()
    await write("evening", [UNLOCK])
    assert (await run(house, "evening")).state is PlanState.WAITING
    assert recorder.calls == []


async def test_a_script_edited_between_the_verdict_and_the_act_is_stopped(house, recorder, write, monkeypatch):
    await write("evening", [LIGHT])
    freshen, looks = house.home.freshen, 0

    async def edited_after_the_first_look(entity_ids):
        nonlocal looks
        looks += 1
        if looks == 2:
            await write("evening", [UNLOCK])
        await freshen(entity_ids)

    monkeypatch.setattr(type(house.home), "freshen", lambda _self, ids: edited_after_the_first_look(ids))
    plan = await run(house, "evening")
    assert (plan.state, recorder.calls) == (PlanState.FAILED, [])
    assert "more than was decided" in plan.steps[0].error


@pytest.mark.parametrize(
    "sequence",
    [
        [{"action": "scene.apply", "data": {"entities": "{{ {'lock.front_door': 'unlocked'} }}"}}],
        [
            {"variables": {"e": {"lock.front_door": "unlocked"}}},
            {"action": "scene.apply", "data": {"entities": "{{ e }}"}},
        ],
        [{"action": "lock.unlock", "target": {"entity_id": "{{ 'lock.front_door' }}"}}],
        [{"action": "{{ 'lock.unlock' }}", "target": {"entity_id": "lock.front_door"}}],
        [{"choose": [{"conditions": "{{ true }}", "sequence": [{"repeat": {"count": 1, "sequence": [UNLOCK]}}]}]}],
    ],
)
async def test_a_lock_hidden_in_a_script_waits(house, recorder, write, sequence):
    await write("sneaky", sequence)
    assert (await run(house, "sneaky")).state is PlanState.WAITING
    assert recorder.calls == []


async def test_a_script_named_like_a_services_word_is_judged_by_its_body(house, recorder, write):
    await write("apply", [UNLOCK])
    await write("wrapper", [{"action": "script.apply"}])
    assert (await run(house, "wrapper")).state is PlanState.WAITING
    assert recorder.calls == []
