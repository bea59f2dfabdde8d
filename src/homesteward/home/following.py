"""Following a home over one connection: subscribed to everything before anything is read, and read again where it is behind."""

import asyncio
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

from homesteward.home import wire
from homesteward.home.behind import MAX_ITEMS, NOTHING, Behind, behind_after, caught_up
from homesteward.home.connection import AsyncUndo, Connection, Event, Handler
from homesteward.home.errors import HaTimeoutError, HomeError, NotConnectedError
from homesteward.home.health import Counts, Lag
from homesteward.home.live import Watcher
from homesteward.home.model import EMPTY, State
from homesteward.home.reading import (
    EVERYTHING,
    REFRESHED_BY,
    House,
    as_administrator,
    read_bodies,
    read_parts,
    wait_running,
)

_LOG = logging.getLogger(__name__)

SETTLE_S = 0.05  # a reload of an integration changes a hundred registry entries in one breath
RETRY_S = 2.0
RETRY_MOST_S = 300.0  # what cannot be read for a reason that stays must not fill the log
FIRST_STATES_S = 30.0
HEAL_S = 3600.0  # what has no event (the exposure of an entity without a registry entry) is found out by then
WRITTEN = ("script.", "automation.", "scene.")  # what has a body, which may change when it comes or goes

STATES = "states"  # read by subscribing to them anew; every other part has its own command

type Refreshed = Callable[[], None]
type Heard = Callable[[str, Event], None]


class Following:
    """One home over one connection. Until `go_live` it gathers in silence; then whoever took it over hears of each change."""

    def __init__(self, connection: Connection, event_types: Collection[str], heard: Heard, counts: Counts) -> None:
        """Follow over `connection`; pass every event of `event_types` to `heard`."""
        self.connection = connection
        self.states: dict[str, State] = {}
        self.house = House()
        self.waited = False
        """Whether Home Assistant was still starting."""
        self.lag = Lag()
        self._event_types = list(event_types)
        self._heard = heard
        self._counts = counts
        self._changed: Watcher | None = None
        self._refreshed: Refreshed = lambda: None
        self._behind = NOTHING
        self._woken = asyncio.Event()
        self._undos: list[AsyncUndo] = []
        self._states_undo: AsyncUndo | None = None
        self._speaking: Handler | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def live(self) -> bool:
        """Return whether this is the home as it is now."""
        return self._changed is not None and not self.connection.closed.done()

    @property
    def behind(self) -> bool:
        """Return whether something changed that was not read again yet."""
        return bool(self._behind)

    async def begin(self) -> None:
        """Wait until Home Assistant runs, then subscribe and read everything.

        Raises NeedsAdminError for a token that may not read all of it, and what Connection.send raises.
        """
        self.waited = await wait_running(self.connection)
        with as_administrator():
            for event_type in REFRESHED_BY:
                await self._subscribe(event_type, self._marker(event_type))
            for event_type in tuple(self._event_types):
                await self._subscribe(event_type, self._passer(event_type))
            await self._read_states()
            await self.refresh()

    def go_live(self, states: dict[str, State], changed: Watcher, refreshed: Refreshed) -> None:
        """From now on keep `states`, which hold what was gathered, and tell of every change and of every house read again."""
        self.states, self._changed, self._refreshed = states, changed, refreshed
        self._task = asyncio.create_task(self._keep_fresh(), name="home mirror")

    async def want(self, event_type: str) -> None:
        """Have the events of this type as well."""
        if event_type not in self._event_types:
            self._event_types.append(event_type)
            await self._subscribe(event_type, self._passer(event_type))

    async def refresh(self) -> None:
        """Read everything but the states again, which come by themselves."""
        self._take(House(**await read_parts(self.connection, self.states, EVERYTHING)))

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Read the bodies of these scripts, scenes and automations again, now."""
        bodies = await read_bodies(self.connection, self.states, entity_ids)
        self._take(replace(self.house, bodies=self.house.bodies | bodies))

    async def end(self) -> None:
        """Stop following. The connection stays open: it belongs to whoever opened it."""
        self._changed = None
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        undos = [*self._undos, *([self._states_undo] if self._states_undo else [])]
        self._undos, self._states_undo = [], None
        for undo in undos:
            try:
                await undo()
            except HomeError as error:
                _LOG.debug("A subscription ended with the connection: %s", error.message)

    async def _subscribe(self, event_type: str, handler: Handler) -> None:
        self._undos.append(await self.connection.subscribe("subscribe_events", handler, event_type=event_type))

    def _marker(self, event_type: str) -> Handler:
        return lambda event: self._mark(behind_after(event_type, event))

    def _passer(self, event_type: str) -> Handler:
        return lambda event: self._heard(event_type, event)

    def _mark(self, behind: Behind) -> None:
        """Take what is behind. Single items are bounded: beyond that their parts are read whole, which heals all of them."""
        if behind:
            self._behind |= behind
            self._woken.set()
        if self._behind.items > MAX_ITEMS:
            self._behind = self._behind.whole()
            self._counts.whole += 1

    async def _keep_fresh(self) -> None:
        """Read again what was said to have changed, in one go for a burst of changes; now and then, everything."""
        pause = RETRY_S
        while self.live:
            try:
                async with asyncio.timeout(HEAL_S):
                    await self._woken.wait()
            except TimeoutError:
                self._behind |= Behind(EVERYTHING | {STATES})
            await asyncio.sleep(SETTLE_S)
            behind, self._behind = self._behind, NOTHING
            self._woken.clear()
            try:
                await self._catch_up(behind)
                pause = RETRY_S
            except NotConnectedError:
                return  # the connection says so itself, and whoever holds it acts on that
            except Exception as error:  # noqa: BLE001 - the root of this task: it must not end while the mirror is live
                _LOG.warning("Could not read again what changed: %s", error, exc_info=not isinstance(error, HomeError))
                self._mark(behind.whole())
                await asyncio.sleep(pause)
                pause = min(2 * pause, RETRY_MOST_S)

    async def _catch_up(self, behind: Behind) -> None:
        if STATES in behind.parts:
            await self._read_states()
            self._counts.healed += 1
            behind = replace(behind, parts=behind.parts - {STATES})
        self._take(await caught_up(self.connection, self.states, self.house, behind))
        self._counts.refreshed += 1

    def _take(self, house: House) -> None:
        if house != self.house:
            self.house = house
            self._refreshed()

    async def _read_states(self) -> None:
        """Subscribe to the states, whose first message holds every one; the subscription before it is not heard from then on."""
        whole: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def take(event: Event) -> None:
            if not whole.done():
                whole.set_result(None)
                self._speaking = take
                self._take_whole(event)
            elif self._speaking is take:
                self._take_states(event)

        former, self._states_undo = self._states_undo, await self.connection.subscribe("subscribe_entities", take)
        either: list[asyncio.Future[Any]] = [whole, self.connection.closed]
        await asyncio.wait(either, timeout=FIRST_STATES_S, return_when=asyncio.FIRST_COMPLETED)
        if not whole.done():
            if self.connection.closed.done():
                raise NotConnectedError(self.connection.closed.result())
            raise HaTimeoutError("Home Assistant sent no states.", next="Look at its log.")
        if former:
            await former()

    def _take_whole(self, event: Event) -> None:
        """Apply the message that holds every state: what is not in it is gone; a new stamp on what is as it was is no change."""
        added = event.get("a") or {}
        for entity_id in self.states.keys() - added.keys():
            self._change(entity_id, None)
        for entity_id, raw in added.items():
            known = self.states.get(entity_id)
            same = known is not None and (known.state, known.attributes) == (raw.get("s"), raw.get("a") or EMPTY)
            self._apply(entity_id, wire.added_state, raw, silent=same)

    def _take_states(self, event: Event) -> None:
        """Apply one message of `subscribe_entities`: a = added, c = changed, r = removed."""
        self._counts.frames += 1
        for entity_id, raw in (event.get("a") or {}).items():
            self._apply(entity_id, wire.added_state, raw)
        changes = event.get("c") or {}
        for entity_id, diff in changes.items():
            self._apply(entity_id, self._differing, diff)
        for entity_id in event.get("r") or ():
            self._change(entity_id, None)
        if changes and self._changed:
            self._measure(diff)

    def _differing(self, entity_id: str, diff: Mapping[str, Any]) -> State:
        return wire.changed_state(self.states[entity_id], diff)

    def _apply(
        self,
        entity_id: str,
        parse: Callable[[str, Mapping[str, Any]], State],
        raw: Mapping[str, Any],
        *,
        silent: bool = False,
    ) -> None:
        """Apply one change; one that cannot be read is counted, and all states are read again."""
        try:
            new = parse(entity_id, raw)
        except AttributeError, KeyError, TypeError, ValueError:
            _LOG.warning("A change of %s could not be applied; the states are read again", entity_id)
            self._counts.dropped += 1
            self._mark(Behind(frozenset({STATES})))
        else:
            self._change(entity_id, new, silent=silent)

    def _change(self, entity_id: str, new: State | None, *, silent: bool = False) -> None:
        old = self.states.pop(entity_id, None) if new is None else self.states.get(entity_id)
        if new is not None:
            self.states[entity_id] = new
        if self._changed and not silent:
            self._counts.changes += 1
            if entity_id.startswith(WRITTEN):
                self._look_at_body(entity_id, old, new)
            self._changed(old, new)

    def _look_at_body(self, entity_id: str, old: State | None, new: State | None) -> None:
        """Notice what has a body and came or went, and a scene with other members."""
        domain = entity_id.partition(".")[0]
        if new is None:
            self._mark(Behind(gone=frozenset({("bodies", entity_id)})))
        elif old is None or (domain == "scene" and old.attributes.get("entity_id") != new.attributes.get("entity_id")):
            self._mark(Behind(bodies=frozenset({entity_id})))

    def _measure(self, diff: Mapping[str, Any]) -> None:
        """Take how late the last change of a frame is; one sample per frame, since it is asked of every one."""
        plus = diff.get("+", {})
        stamp = plus.get("lu", plus.get("lc"))
        if stamp is not None:
            self.lag.add((self.connection.heard.timestamp() - stamp) * 1000)
