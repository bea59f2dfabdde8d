"""The detours to a lock or a garage on a real Home Assistant: bodies as it really keeps them, and what a change really starts."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import pytest

from homesteward.actions.plan import PlanState
from homesteward.app import House
from homesteward.demo import DemoHome
from homesteward.home.calls import ResolvedCall, parse_call
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Kind
from homesteward.policy.impact import judge

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
GARAGE = "cover.garage_door"


@asynccontextmanager
async def written(home: DemoHome, house: House, **kept: dict) -> AsyncIterator[None]:
    """Keep scripts and automations in Home Assistant, named `script_x` or `automation_x`, while the test needs them."""
    headers = {"Authorization": f"Bearer {home.address.token}"}
    async with aiohttp.ClientSession(home.address.url, headers=headers) as session:
        paths = {
            f"{kind}.{key}": f"/api/config/{kind}/config/{key}"
            for kind, _, key in (name.partition("_") for name in kept)
        }
        try:
            for (entity_id, path), body in zip(paths.items(), kept.values(), strict=True):
                answer = await session.post(path, json=body)
                assert answer.status == 200, await answer.text()
                assert await house.home.wait_for(entity_id, lambda _: True, 8), entity_id
            await house.home.freshen(list(paths))
            yield
        finally:
            for path in paths.values():
                await session.delete(path)


async def submit(house, **call):
    return await house.gate.submit([parse_call(call)], OWNER, request="do it")


async def test_a_button_that_an_automation_waits_for_is_as_sensitive_as_the_lock_behind_it(house, recorder):
    call = {"service": "input_button.press", "target": {"entity_id": "input_button.arrival"}}
    (plan,) = await submit(house, **call)
    assert (plan.state, recorder.calls) == (PlanState.WAITING, [])
    assert plan.decision.path == (
        "input_button.press",
        "input_button.arrival",
        "automation.arrival_button",
        "script.arrive",
        "script.coming_home",
        "scene.welcome_home",
        "lock.front_door",
    )


async def test_a_helper_starts_what_waits_for_the_state_that_it_gets_and_nothing_else(house, recorder):
    on, off = [
        await submit(house, service=f"input_boolean.{name}", target={"entity_id": "input_boolean.house_empty"})
        for name in ("turn_on", "turn_off")
    ]
    assert on[0].decision.path[-1] == "alarm_control_panel.house_alarm"
    assert (on[0].state, off[0].state) == (PlanState.WAITING, PlanState.COMPLETED)


async def test_an_action_on_a_device_is_followed_to_the_entity_that_home_assistant_acts_on(
    house, recorder, socket, demo_home
):
    """The editor writes the entity's registry id, and Home Assistant looks at that alone."""
    entry = await socket.ask("config/entity_registry/get", entity_id=GARAGE)
    lamp = await socket.ask("config/entity_registry/get", entity_id="light.hall_light")
    opens = {"device_id": lamp["device_id"], "domain": "cover", "type": "open", "entity_id": entry["id"]}
    async with written(demo_home, house, script_by_device={"alias": "By device", "sequence": [opens]}):
        (plan,) = await submit(house, service="script.turn_on", target={"entity_id": "script.by_device"})
        assert (plan.state, recorder.calls) == (PlanState.WAITING, [])
        assert plan.decision.path[-1] == GARAGE
        await socket.watch()
        approved = await house.gate.approve(plan.id, OWNER)
        assert approved.state is PlanState.COMPLETED
        await socket.until(GARAGE, lambda state: state["state"] in {"opening", "open"})


async def test_an_event_reaches_the_automation_that_listens(house, recorder, demo_home):
    listens = {
        "alias": "Listens",
        "triggers": [{"trigger": "event", "event_type": "open_sesame"}],
        "actions": [{"action": "cover.open_cover", "target": {"entity_id": GARAGE}}],
    }
    async with written(
        demo_home,
        house,
        automation_listens=listens,
        script_fires={"alias": "Fires", "sequence": [{"event": "open_sesame"}]},
    ):
        (plan,) = await submit(house, service="script.turn_on", target={"entity_id": "script.fires"})
        assert (plan.state, recorder.calls) == (PlanState.WAITING, [])
        assert GARAGE in plan.steps[0].reached.ends


async def test_a_scene_that_was_made_is_judged_by_its_members_when_it_is_turned_on(house, recorder, socket):
    await socket.call("scene", "create", scene_id="made_here", snapshot_entities=["lock.front_door"])
    assert await house.home.wait_for("scene.made_here", lambda _: True, 8)
    (plan,) = await submit(house, service="scene.turn_on", target={"entity_id": "scene.made_here"})
    await socket.call("scene", "delete", "scene.made_here")
    assert (plan.state, recorder.calls, plan.decision.path[-1]) == (PlanState.WAITING, [], "lock.front_door")


async def test_a_script_that_home_assistant_calls_in_capitals_stays_forbidden(house, recorder, demo_home):
    wipes = {"alias": "Wipes", "sequence": [{"action": "Shell_Command.wipe", "data": "{{ {} }}"}]}
    async with written(demo_home, house, script_wipes=wipes):
        (plan,) = await submit(house, service="script.turn_on", target={"entity_id": "script.wipes"})
        assert (plan.state, recorder.calls) == (PlanState.REJECTED, [])
        call = ResolvedCall("script", "turn_on", ("script.wipes",))
        assert judge(call, "script.wipes", house.home).kind is Kind.FORBIDDEN
