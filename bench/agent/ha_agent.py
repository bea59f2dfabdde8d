"""Home Assistant's own agent in a process of its own: run by the Python that has Home Assistant, it reads a home and sentences, and prints times.

It is no part of the benches' own program: nothing here is imported by them.
"""

import asyncio
import json
import logging
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from homeassistant import auth, bootstrap, loader
from homeassistant.components import conversation
from homeassistant.components.homeassistant.exposed_entities import async_expose_entity
from homeassistant.config_entries import ConfigEntries
from homeassistant.core import Context, HomeAssistant
from homeassistant.helpers import area_registry, entity_registry, floor_registry
from homeassistant.setup import async_setup_component

DOMAINS = (
    "light",
    "switch",
    "fan",
    "cover",
    "lock",
    "climate",
    "media_player",
    "sensor",
    "binary_sensor",
    "scene",
    "script",
)


async def _home(asked: dict) -> HomeAssistant:
    hass = HomeAssistant(tempfile.mkdtemp())
    hass.config.skip_pip, hass.config.language = True, "en"
    loader.async_setup(hass)
    hass.config_entries = ConfigEntries(hass, {})
    await bootstrap.async_load_base_functionality(hass)
    hass.auth = await auth.auth_manager_from_config(hass, [], [])
    for name in ("homeassistant", "intent", "conversation", *DOMAINS):
        await async_setup_component(hass, name, {})
    for domain, services in hass.services.async_services().items():
        if domain in DOMAINS:
            for service in services:
                hass.services.async_register(domain, service, _taken)
    _furnish(hass, asked)
    await hass.async_block_till_done()
    return hass


async def _taken(call: object) -> None:
    """Accept a call, and do nothing."""


def _furnish(hass: HomeAssistant, asked: dict) -> None:
    areas, floors = area_registry.async_get(hass), floor_registry.async_get(hass)
    floor_ids = {floor["id"]: floors.async_create(floor["name"]).floor_id for floor in asked["floors"]}
    area_ids = {}
    for area in asked["areas"]:
        made = areas.async_create(area["name"], floor_id=floor_ids.get(area["floor"]))
        area_ids[area["id"]] = made.id
    entities = entity_registry.async_get(hass)
    for entity in asked["entities"]:
        domain, _, name = entity["id"].partition(".")
        entry = entities.async_get_or_create(
            domain, "bench", entity["id"], suggested_object_id=name, original_name=entity["name"]
        )
        if entity["area"]:
            entities.async_update_entity(entry.entity_id, area_id=area_ids[entity["area"]])
        hass.states.async_set(entity["id"], entity["state"], {**entity["attributes"], "friendly_name": entity["name"]})
        async_expose_entity(hass, "conversation", entity["id"], True)


async def _times(hass: HomeAssistant, asked: dict) -> dict:
    agent = conversation.async_get_agent(hass)
    found: dict[str, list[float]] = {"matched": [], "unmatched": [], "again": []}
    for lap in range(asked["laps"] + 1):
        for text in asked["sentences"]:
            agent._intent_cache.clear()  # noqa: SLF001 - what it has heard before is measured by itself
            ms, kind = await _ms(hass, text)
            again, _ = await _ms(hass, text)
            if lap:  # the first lap loads what is loaded once
                found["matched" if kind != "error" else "unmatched"].append(ms)
                found["again"].append(again)
    return found


async def _ms(hass: HomeAssistant, text: str) -> tuple[float, str]:
    began = perf_counter()
    result = await conversation.async_converse(hass, text, None, Context(), language="en")
    return (perf_counter() - began) * 1000, result.response.response_type.value


async def _main(asked: dict) -> None:
    hass = await _home(asked)
    print(json.dumps(await _times(hass, asked)), flush=True)
    os._exit(0)  # what Home Assistant still has running is nobody's any more


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    asyncio.run(_main(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))))
