"""A real home as it is now: its states as they come, its registries read again whenever Home Assistant says that they changed."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Self
from uuid import NAMESPACE_URL, uuid5

from homesteward.home import wire
from homesteward.home.calls import BodyStep
from homesteward.home.connection import AsyncUndo, Connection, Event, Handler
from homesteward.home.errors import HaTimeoutError, HomeError, NotConnectedError
from homesteward.home.live import HomeConfig, Undo, Watcher
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.reading import (
    EVERYTHING,
    REFRESHED_BY,
    House,
    as_administrator,
    bodies_of,
    read_parts,
    wait_running,
)
from homesteward.home.watchers import Watchers

_LOG = logging.getLogger(__name__)

SETTLE_S = 0.05  # a reload of an integration changes a hundred registry entries in one breath
RETRY_S = 2.0
FIRST_STATES_S = 30.0
WRITTEN = frozenset({"script", "automation", "scene"})  # what has a body, which may change when it comes or goes


def id_of(url: str) -> str:
    """Return an id made from the address `url`: Home Assistant tells its own id to nobody over this interface."""
    return f"home_{uuid5(NAMESPACE_URL, url.rstrip('/')).hex}"


class Mirror:
    """A live copy of a home (a LiveHome). After the connection has closed it stays as it was, and `connected` says so.

    Between an event and the reading that follows it, registries may be behind by a few tens of milliseconds. Every call is
    checked again before it runs.
    """

    def __init__(self, connection: Connection, home_id: str = "") -> None:
        """Mirror the home behind `connection`; use `start`."""
        self.home_id = home_id or id_of(connection.url)
        self.revision = 0
        self._connection = connection
        self._house = House()
        self._states: dict[str, State] = {}
        self._watchers = Watchers()
        self._first_states = asyncio.Event()
        self._stale: set[str] = set()
        self._stale_now = asyncio.Event()
        self._undos: list[AsyncUndo] = []
        self._task: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, connection: Connection, home_id: str = "") -> Self:
        """Wait until Home Assistant runs, read the whole home and follow it from then on.

        `home_id` is the id the home is known by; empty makes one from its address.

        Raises NeedsAdminError for a token that may not read all of it, and what Connection.send raises.
        """
        mirror = cls(connection, home_id)
        await wait_running(connection)
        try:
            with as_administrator():
                await mirror._follow()
                await mirror.refresh()
        except BaseException:
            await mirror.close()
            raise
        mirror._task = asyncio.create_task(mirror._keep_fresh(), name="home mirror")
        return mirror

    @property
    def connected(self) -> bool:
        """Return whether what can be read here is what the home is now."""
        return not self._connection.closed.done()

    @property
    def config(self) -> HomeConfig:
        """Return how the home counts and speaks."""
        return self._house.config

    @property
    def states(self) -> Mapping[str, State]:
        """Return every state by entity id."""
        return self._states

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Return the entity registry by entity id."""
        return self._house.entities

    @property
    def devices(self) -> Mapping[str, Device]:
        """Return the device registry by device id."""
        return self._house.devices

    @property
    def areas(self) -> Mapping[str, Area]:
        """Return the area registry by area id."""
        return self._house.areas

    @property
    def floors(self) -> Mapping[str, Floor]:
        """Return the floor registry by floor id."""
        return self._house.floors

    @property
    def labels(self) -> Mapping[str, Label]:
        """Return the label registry by label id."""
        return self._house.labels

    @property
    def services(self) -> Mapping[str, Service]:
        """Return the catalogue of services by `domain.service`."""
        return self._house.services

    @property
    def bodies(self) -> Mapping[str, tuple[BodyStep, ...]]:
        """Return, per script, scene and automation entity, the calls its body makes."""
        return self._house.bodies

    @property
    def exposed(self) -> frozenset[str]:
        """Return the entities exposed to HA's assistant `conversation`; one whose default HA never worked out is not."""
        return self._house.exposed

    def watch(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Call `callback` at every change of `entity_ids` (None: of every entity) until the returned undo is called."""
        return self._watchers.add(callback, entity_ids)

    async def wait_for(self, entity_id: str, predicate: Callable[[State], bool], timeout_s: float) -> State | None:
        """Return the first state of the entity, the present one included, for which `predicate` is true; None after `timeout_s`."""
        present = self._states.get(entity_id)
        if present is not None and predicate(present):
            return present
        found: asyncio.Future[State] = asyncio.get_running_loop().create_future()

        def look(_old: State | None, new: State | None) -> None:
            if new is not None and not found.done() and predicate(new):
                found.set_result(new)

        undo = self.watch(look, [entity_id])
        try:
            async with asyncio.timeout(timeout_s):
                return await found
        except TimeoutError:
            return None
        finally:
            undo()

    async def refresh(self) -> None:
        """Read everything but the states again, which come by themselves."""
        await self._read(EVERYTHING)

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Read the bodies of these scripts, scenes and automations again, now: HA tells nobody that a script was edited."""
        states = {entity_id: self._states[entity_id] for entity_id in entity_ids if entity_id in self._states}
        bodies = await bodies_of(self._connection, states)
        self._house = replace(self._house, bodies={**self._house.bodies, **bodies})

    async def close(self) -> None:
        """Stop following the home. The connection stays open: it belongs to whoever opened it."""
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        while self._undos:
            undo = self._undos.pop()
            try:
                await undo()
            except HomeError as error:
                _LOG.debug("A subscription ended with the connection: %s", error.message)

    async def _follow(self) -> None:
        """Subscribe to changes before anything is read, so that none falls between."""
        for event_type, parts in REFRESHED_BY.items():
            self._undos.append(
                await self._connection.subscribe("subscribe_events", self._marker(parts), event_type=event_type)
            )
        self._undos.append(await self._connection.subscribe("subscribe_entities", self._take_states))
        try:
            async with asyncio.timeout(FIRST_STATES_S):
                await self._first_states.wait()
        except TimeoutError as error:
            raise HaTimeoutError("Home Assistant sent no states.", next="Look at its log.") from error

    def _marker(self, parts: frozenset[str]) -> Handler:
        return lambda _event: self._mark(parts)

    def _mark(self, parts: Collection[str]) -> None:
        self._stale.update(parts)
        self._stale_now.set()

    async def _keep_fresh(self) -> None:
        """Read again what was said to have changed, in one go for a burst of changes."""
        while self.connected:
            await self._stale_now.wait()
            await asyncio.sleep(SETTLE_S)
            parts = frozenset(self._stale)
            self._stale.clear()
            self._stale_now.clear()
            try:
                await self._read(parts)
            except NotConnectedError:
                return  # `connected` says it, and whoever holds the connection acts on it
            except HomeError as error:
                _LOG.warning("Could not read %s again, trying once more: %s", ", ".join(sorted(parts)), error.message)
                self._mark(parts)
                await asyncio.sleep(RETRY_S)

    async def _read(self, parts: frozenset[str]) -> None:
        self._house = replace(self._house, **await read_parts(self._connection, self._states, parts))
        self.revision += 1

    def _take_states(self, event: Event) -> None:
        """Apply one message of `subscribe_entities`: a = added, c = changed, r = removed."""
        for entity_id, raw in (event.get("a") or {}).items():
            self._change(entity_id, wire.added_state(entity_id, raw))
        for entity_id, diff in (event.get("c") or {}).items():
            self._change_by(entity_id, diff)
        for entity_id in event.get("r") or ():
            self._change(entity_id, None)
        self._first_states.set()

    def _change_by(self, entity_id: str, diff: Mapping[str, Any]) -> None:
        old = self._states.get(entity_id)
        if old is not None:
            self._change(entity_id, wire.changed_state(old, diff))

    def _change(self, entity_id: str, new: State | None) -> None:
        old = self._states.pop(entity_id, None) if new is None else self._states.get(entity_id)
        if new is not None:
            self._states[entity_id] = new
        if old is None or new is None:
            self._came_or_went(entity_id)
        elif old.attributes is not new.attributes:
            self._look_at_attributes(old, new)
        self._watchers.tell(old, new)

    def _came_or_went(self, entity_id: str) -> None:
        self.revision += 1
        if entity_id.partition(".")[0] in WRITTEN and self._first_states.is_set():
            self._mark({"bodies"})

    def _look_at_attributes(self, old: State, new: State) -> None:
        """Notice a new name, and a scene with other members."""
        if old.attributes.get("friendly_name") != new.attributes.get("friendly_name"):
            self.revision += 1
        if new.domain == "scene" and old.attributes.get("entity_id") != new.attributes.get("entity_id"):
            self._mark({"bodies"})
