"""The whole table on a real Home Assistant: every way to every thing that guards the furnished house, for everybody, and nothing goes out.

Two of the six things are tried with the other tests; HOMESTEWARD_SOAK=1 tries all of them.
"""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
import pytest

from hass.raw import RawSocket
from homesteward.actions import Mode
from homesteward.actions.plan import PlanState
from homesteward.app import House
from homesteward.core import HomestewardError
from homesteward.demo import DemoHome
from homesteward.home.calls import parse_call
from homesteward.policy import Action
from routes import CALLERS, End

pytestmark = pytest.mark.hass

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))
GUARDS = {
    "lock": End("lock", "lock.front_door", "lock.unlock", "unlocked"),
    "garage cover": End("garage cover", "cover.garage_door", "cover.open_cover", "open"),
    "alarm": End("alarm", "alarm_control_panel.house_alarm", "alarm_control_panel.alarm_arm_away", "armed_away"),
    "valve": End("valve", "valve.lawn_sprinkler", "valve.open_valve", "open"),
    "siren": End("siren", "siren.house_alarm_siren", "siren.turn_on", "on"),
    "camera": End("camera", "camera.doorbell", "camera.turn_off", "off"),
}
TRIED = [*GUARDS] if SOAKING else ["lock", "garage cover"]
DEVICE_TYPES = {"lock": "unlock", "garage cover": "open", "alarm": "arm_away"}
BUTTON = "input_button.detour"


@dataclass(frozen=True, slots=True)
class Site:
    """A thing with the entry that Home Assistant has of it."""

    end: End
    entry: dict[str, Any]
    area_id: str
    floor_id: str | None

    def bodies(self) -> dict[str, dict[str, Any]]:
        """Return what is kept in Home Assistant for the test: `kind/id` -> its configuration."""
        acts, listens = self.end.action(), {"trigger": "event", "event_type": "detour"}
        pressed = {"trigger": "state", "entity_id": BUTTON}
        kept: dict[str, dict[str, Any]] = {
            "script/detour": {"alias": "Detour", "sequence": [acts]},
            "script/detour_twice": {"alias": "Detour twice", "sequence": [{"action": "script.detour"}]},
            "script/detour_thrice": {"alias": "Detour thrice", "sequence": [_deep({"action": "script.detour_twice"})]},
            "script/detour_hidden": {"alias": "Detour hidden", "sequence": [{**acts, "action": "{{ which }}"}]},
            "script/detour_event": {"alias": "Detour event", "sequence": [{"event": "detour"}]},
            "scene/detour": {"id": "detour", "name": "Detour", "entities": {self.end.entity_id: self.end.scene}},
            "script/detour_scene": {"alias": "Detour scene", "sequence": [{"scene": "scene.detour"}]},
            "automation/detour": {"alias": "Detour", "triggers": [listens, pressed], "actions": [acts]},
        }
        if kind := DEVICE_TYPES.get(self.end.name):
            device = {"device_id": self.entry["device_id"], "domain": self.end.domain, "type": kind}
            sequence = [{**device, "entity_id": self.entry["id"]}]
            kept["script/detour_device"] = {"alias": "Detour device", "sequence": sequence}
        return kept

    def calls(self) -> dict[str, dict[str, Any]]:
        """Return every way there, as a call."""
        end, own = self.end, self.end.service
        found: dict[str, dict[str, Any]] = {
            "itself": {"service": own, "target": {"entity_id": end.entity_id}},
            "in the data": {"service": own, "data": {"entity_id": end.entity_id}},
            "area": {"service": own, "target": {"area_id": self.area_id}},
            "device": {"service": own, "target": {"device_id": self.entry["device_id"]}},
            "scene": {"service": "scene.turn_on", "target": {"entity_id": "scene.detour"}},
            "scene.apply": {"service": "scene.apply", "data": {"entities": {end.entity_id: end.scene}}},
            "scene.create": {"service": "scene.create", "data": {"scene_id": "x", "snapshot_entities": [end.entity_id]}},
            "automation": {"service": "automation.trigger", "target": {"entity_id": "automation.detour"}},
            "button": {"service": "input_button.press", "target": {"entity_id": BUTTON}},
            "schedule": {"service": "homesteward.schedule", "data": {"call": {"service": own, "target": {"entity_id": end.entity_id}}, "in": 600}},
            "written": {"service": "ha_config.write", "data": {"kind": "script", "id": "new", "config": {"alias": "New", "sequence": [end.action()]}}},
            **{
                name: {"service": "script.turn_on", "target": {"entity_id": f"script.{key.partition('/')[2]}"}}
                for key in self.bodies()
                if (name := key).startswith("script/")
            },
        }  # fmt: skip
        if self.floor_id:
            found["floor"] = {"service": own, "target": {"floor_id": self.floor_id}}
        if end.name in {"garage cover", "valve", "siren"}:
            found["toggle"] = {"service": "homeassistant.toggle", "target": {"entity_id": end.entity_id}}
        if end.name == "garage cover":
            found["position"] = {"service": "cover.set_cover_position", "target": {"entity_id": end.entity_id}, "data": {"position": 100}}  # fmt: skip
        return found


def _deep(action: dict[str, Any]) -> dict[str, Any]:
    return {"choose": [{"conditions": [], "sequence": [{"parallel": [{"sequence": [action]}]}]}]}


@asynccontextmanager
async def detours(home: DemoHome, house: House, socket: RawSocket, end: End) -> AsyncIterator[Site]:
    """Keep all the ways to `end` in Home Assistant while the test needs them."""
    entry = await socket.ask("config/entity_registry/get", entity_id=end.entity_id)
    devices = {device["id"]: device for device in await socket.ask("config/device_registry/list")}
    areas = {area["area_id"]: area for area in await socket.ask("config/area_registry/list")}
    area_id = entry["area_id"] or devices[entry["device_id"]]["area_id"]
    site = Site(end, entry, area_id, areas[area_id]["floor_id"])
    headers = {"Authorization": f"Bearer {home.address.token}"}
    await socket.ask("input_button/create", name="Detour")
    async with aiohttp.ClientSession(home.address.url, headers=headers) as session:
        try:
            for key, body in site.bodies().items():
                kind, _, name = key.partition("/")
                answer = await session.post(f"/api/config/{kind}/config/{name}", json=body)
                assert answer.status == 200, await answer.text()
                assert await house.home.wait_for(f"{kind}.{name}", lambda _: True, 8), key
            await house.home.freshen([key.replace("/", ".") for key in site.bodies()])
            yield site
        finally:
            for key in site.bodies():
                kind, _, name = key.partition("/")
                await session.delete(f"/api/config/{kind}/config/{name}")
            await socket.ask("input_button/delete", input_button_id="detour")


@pytest.mark.parametrize("name", TRIED)
async def test_every_way_gets_the_verdict_of_its_effect_and_nothing_goes_out(house, recorder, socket, demo_home, name):
    wrong: list[str] = []
    async with detours(demo_home, house, socket, GUARDS[name]) as site:
        for way, raw in site.calls().items():
            for who, caller in CALLERS.items():
                for mode in (Mode.PLAN, Mode.AUTO):
                    try:
                        plans = await house.gate.submit([parse_call(raw)], caller, request="do it", mode=mode)
                    except HomestewardError as error:
                        if (way, who, error.code) == ("written", "guest", "not_allowed"):
                            continue  # a guest is not even told what is there
                        wrong.append(f"{way} for {who} in {mode}: {error.code} {error.message}")
                        continue
                    decisions = [step.decision for plan in plans for step in plan.steps]
                    found = max(decisions, key=lambda decision: decision.strictness)
                    wanted = Action.DENY if who == "guest" else Action.APPROVE
                    by_owner = way == "written" and who != "guest"
                    if (found.action, found.by_owner) != (wanted, by_owner):
                        wrong.append(f"{way} for {who} in {mode}: {found.action} {found.reason}")
                    for plan in plans:
                        if plan.state is PlanState.WAITING:
                            await house.gate.reject(plan.id, CALLERS["owner"])
    assert wrong == []
    assert recorder.calls == []
