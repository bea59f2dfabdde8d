"""Reading a home's parts over a connection: each part that can change on its own is one row of a table."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import batched
from typing import Any

from homesteward.core.json import JsonValue
from homesteward.home import wire
from homesteward.home.bodies import BLANK_BODY, Bodies, body_of, scene_body
from homesteward.home.connection import Connection
from homesteward.home.errors import HaError, HaTimeoutError, HomeError, NeedsAdminError
from homesteward.home.live import HomeConfig
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import starts_of

_LOG = logging.getLogger(__name__)

RUNNING_TIMEOUT_S = 300.0  # a Raspberry Pi with a hundred integrations takes minutes to start
RUNNING_POLL_S = 0.2
PLAIN_ID = re.compile(r"[A-Za-z0-9_-]+")  # of a scene, as Home Assistant's editor makes it; nothing else reaches a path
BATCH = 50  # commands on the way at once; HA drops a client that has more than 4,096 answers waiting


@dataclass(frozen=True, slots=True)
class House:
    """Everything about a home but its states, as it was read last."""

    config: HomeConfig = field(default_factory=HomeConfig)
    areas: Mapping[str, Area] = field(default_factory=dict)
    floors: Mapping[str, Floor] = field(default_factory=dict)
    labels: Mapping[str, Label] = field(default_factory=dict)
    devices: Mapping[str, Device] = field(default_factory=dict)
    entities: Mapping[str, Entity] = field(default_factory=dict)
    services: Mapping[str, Service] = field(default_factory=dict)
    exposed: frozenset[str] = frozenset()
    bodies: Bodies = field(default_factory=Bodies)


type States = Mapping[str, State]
type Reader = Callable[[Connection, States], Awaitable[object]]


async def read_parts(connection: Connection, states: States, parts: frozenset[str]) -> dict[str, Any]:
    """Read the named parts of the home, at once, as fields of a House."""
    wanted = sorted(parts)
    found = await asyncio.gather(*(READERS[part](connection, states) for part in wanted))
    return dict(zip(wanted, found, strict=True))


@contextmanager
def as_administrator() -> Iterator[None]:
    """Raise NeedsAdminError, which says what to do, where Home Assistant lets only an administrator read or subscribe."""
    try:
        yield
    except HaError as error:
        if error.code != "unauthorized":
            raise
        raise NeedsAdminError(
            "The access token belongs to a user who is not an administrator.",
            next="Make the token as an administrator: exposure and the bodies of scripts can only be read as one.",
        ) from error


async def wait_running(connection: Connection, timeout_s: float = RUNNING_TIMEOUT_S) -> bool:
    """Return when Home Assistant has started, and whether it had to be waited for.

    Before that it lets us in, but its list of states is not yet the whole house.
    """
    waited = False
    try:
        async with asyncio.timeout(timeout_s):
            while not _running(await connection.send("get_config")):
                waited = True
                await asyncio.sleep(RUNNING_POLL_S)
            return waited
    except TimeoutError as error:
        raise HaTimeoutError(
            f"Home Assistant did not finish starting within {timeout_s:g} s.", next="Look at its log."
        ) from error


def _running(config: JsonValue) -> bool:
    return isinstance(config, Mapping) and config.get("state") == "RUNNING"


def _one(command: str, parse: Callable[[JsonValue], object]) -> Reader:
    """Return the reader of a part that one command gives whole."""

    async def read(connection: Connection, _states: States) -> object:
        return parse(await connection.send(command))

    return read


async def _entities(connection: Connection, _states: States) -> Mapping[str, Entity]:
    """Read the entity registry. Its list leaves the aliases out, so that its rows are asked for by id as well."""
    listed = wire.entities(await connection.send("config/entity_registry/list"))
    if not listed:
        return {}
    rows = await connection.send("config/entity_registry/get_entries", entity_ids=list(listed))
    return wire.entities(_rows(rows))


async def read_entities(
    connection: Connection, entity_ids: Iterable[str]
) -> tuple[Mapping[str, Entity], frozenset[str]]:
    """Read single entries of the entity registry: those that there are, and which of them are exposed."""
    rows = _rows(await connection.send("config/entity_registry/get_entries", entity_ids=list(entity_ids)))
    return wire.entities(rows), wire.exposed_rows(rows)


async def read_bodies(connection: Connection, states: States, entity_ids: Iterable[str]) -> Bodies:
    """Read the bodies of those scripts, automations and scenes among `entity_ids` that there are, and what starts the automations."""
    present = [states[entity_id] for entity_id in entity_ids if entity_id in states]
    bodies = Bodies()
    scenes = [state for state in present if state.domain == "scene"]
    for some in batched(scenes, BATCH, strict=False):
        configs = await asyncio.gather(*(_scene_config(connection, scene) for scene in some))
        bodies |= Bodies({s.entity_id: scene_body(s, config) for s, config in zip(some, configs, strict=True)})
    written = [state.entity_id for state in present if state.domain in {"script", "automation"}]
    for batch in batched(written, BATCH, strict=False):
        for found in await asyncio.gather(*(_body(connection, entity_id) for entity_id in batch)):
            bodies |= found
    return bodies


async def _bodies(connection: Connection, states: States) -> Bodies:
    return await read_bodies(connection, states, list(states))


def _rows(answer: JsonValue) -> list[JsonValue]:
    return [row for row in answer.values() if row] if isinstance(answer, Mapping) else []


async def _body(connection: Connection, entity_id: str) -> Bodies:
    """Read one body; an entity that is not loaded has none to read, which counts as one that could do anything.

    Home Assistant gives that of a blueprint with its inputs filled in.
    """
    try:
        answer = await connection.send(f"{entity_id.partition('.')[0]}/config", entity_id=entity_id)
    except HaError as error:
        if error.code == "unauthorized":
            raise
        return Bodies({entity_id: BLANK_BODY})
    config = answer.get("config") if isinstance(answer, Mapping) else None
    return Bodies({entity_id: body_of(config)}, {entity_id: starts_of(config)})


async def _scene_config(connection: Connection, scene: State) -> JsonValue:
    """Read what a scene sets, which Home Assistant tells over REST alone; None where it has no plain id, is kept elsewhere, or cannot be read now."""
    config_id = scene.attributes.get("id")
    if connection.rest is None or not isinstance(config_id, str) or not PLAIN_ID.fullmatch(config_id):
        return None
    try:
        return await connection.rest.json(f"/config/scene/config/{config_id}")
    except HomeError as error:
        _LOG.debug("What %s sets could not be read: %s", scene.entity_id, error.code)
        return None


READERS: Mapping[str, Reader] = {
    "config": _one("get_config", wire.config),
    "areas": _one("config/area_registry/list", wire.areas),
    "floors": _one("config/floor_registry/list", wire.floors),
    "labels": _one("config/label_registry/list", wire.labels),
    "devices": _one("config/device_registry/list", wire.devices),
    "entities": _entities,
    "services": _one("get_services", wire.services),
    "exposed": _one("homeassistant/expose_entity/list", wire.exposed),
    "bodies": _bodies,
}
# What Home Assistant tells -> the parts to read again. Exposure is kept in the entity registry and has no event of its own.
REFRESHED_BY: Mapping[str, frozenset[str]] = {
    "area_registry_updated": frozenset({"areas"}),
    "floor_registry_updated": frozenset({"floors", "areas"}),
    "label_registry_updated": frozenset({"labels", "areas", "devices", "entities"}),
    "device_registry_updated": frozenset({"devices"}),
    "entity_registry_updated": frozenset({"entities", "exposed"}),
    "service_registered": frozenset({"services"}),
    "service_removed": frozenset({"services"}),
    "core_config_updated": frozenset({"config"}),
    "automation_reloaded": frozenset({"bodies"}),
    "scene_reloaded": frozenset({"bodies"}),
}
EVERYTHING = frozenset(READERS)
