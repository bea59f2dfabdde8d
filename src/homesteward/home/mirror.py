"""A real home as it is now, or as it was when it was heard of last: one copy that outlives every connection it comes over."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Self
from uuid import NAMESPACE_URL, uuid5

from homesteward.core import Clock, SystemClock
from homesteward.core.json import JsonObject
from homesteward.home.calls import BodyStep
from homesteward.home.connection import Connection, Event, Handler
from homesteward.home.errors import NotConnectedError
from homesteward.home.following import Following
from homesteward.home.health import MAX_GAPS, SHOWN_GAPS, Counts, Gap
from homesteward.home.live import HomeConfig, Known, Undo, Watcher
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.reading import House
from homesteward.home.starts import Start
from homesteward.home.watchers import Watchers

_LOG = logging.getLogger(__name__)


def id_of(url: str) -> str:
    """Return an id made from the address `url`: Home Assistant tells its own id to nobody over this interface."""
    return f"home_{uuid5(NAMESPACE_URL, url.rstrip('/')).hex}"


@dataclass(frozen=True, slots=True)
class Remembered:
    """A home as it was at a moment."""

    as_of: datetime
    states: Mapping[str, State]
    house: House


class Mirror:
    """A live copy of a home (a LiveHome). Between two connections it stays as it was; `connected` and `as_of` say so.

    Between an event and the reading that follows it, registries may be behind by a few tens of milliseconds. Every call is
    checked again before it runs.
    """

    def __init__(self, home_id: str, clock: Clock | None = None) -> None:
        """Mirror the home that is known by `home_id`; `follow` brings it to life."""
        self.home_id = home_id
        self.revision = 0
        self.counts = Counts()
        self._clock = clock or SystemClock()
        self._house = House()
        self._states: dict[str, State] = {}
        self._watchers = Watchers()
        self._listeners: dict[str, dict[int, Handler]] = {}
        self._next_listener = 0
        self._knowing: dict[int, Known] = {}
        self._gaps: deque[Gap] = deque(maxlen=MAX_GAPS)
        self._gaps_ever = 0
        self._following: Following | None = None
        self.was_live = False
        """Whether it was connected since the start: what it shows is more than what was kept."""
        self._as_of: datetime | None = None

    @classmethod
    async def start(cls, connection: Connection, home_id: str = "") -> Self:
        """Wait until Home Assistant runs, read the whole home over this one connection and follow it from then on.

        `home_id` is the id the home is known by; empty makes one from its address. Raises as `follow` does.
        """
        mirror = cls(home_id or id_of(connection.url))
        await mirror.follow(connection)
        return mirror

    @property
    def connected(self) -> bool:
        """Return whether what can be read here is what the home is now."""
        return self._following is not None and self._following.live

    @property
    def as_of(self) -> datetime | None:
        """Return the moment that what can be read here is of: now while connected, None before anything was known."""
        if self._following is None:
            return self._as_of
        return self._clock.now() if self.connected else self._following.connection.heard

    @property
    def gaps(self) -> tuple[Gap, ...]:
        """Return the latest times in which nobody listened, the oldest first."""
        return tuple(self._gaps)

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
        return self._house.bodies.steps

    @property
    def starts(self) -> Mapping[str, tuple[Start, ...]]:
        """Return, per automation, what its triggers name."""
        return self._house.bodies.starts

    @property
    def exposed(self) -> frozenset[str]:
        """Return the entities exposed to HA's assistant `conversation`; one whose default HA never worked out is not."""
        return self._house.exposed

    @property
    def remembered(self) -> Remembered | None:
        """Return the home as it is known, to be kept; None before anything was known."""
        as_of = self.as_of
        return Remembered(as_of, dict(self._states), self._house) if as_of else None

    def restore(self, known: Remembered) -> None:
        """Show the home as it was known when it was kept, until it is followed. Nobody is told of a change."""
        self._states, self._house, self._as_of = dict(known.states), known.house, known.as_of
        self.revision += 1

    def watch(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Call `callback` at every change of `entity_ids` (None: of every entity) until the returned undo is called.

        A change that happened while nobody listened is told when the home is followed again. That a home is known for the
        first time since the start is no change.
        """
        return self._watchers.add(callback, entity_ids)

    async def listen(self, event_type: str, handler: Handler) -> Undo:
        """Call `handler` with every event of this type, over this connection and all later ones, until the returned undo is called.

        Raises as Connection.subscribe does; `handler` must be quick.
        """
        self._next_listener += 1
        key, of_type = self._next_listener, self._listeners.setdefault(event_type, {})
        of_type[key] = handler
        if self._following:
            await self._following.want(event_type)

        def undo() -> None:
            of_type.pop(key, None)

        return undo

    def on_known(self, callback: Known) -> Undo:
        """Call `callback` each time the home is known anew, with the gap before it, until the returned undo is called.

        It is called before the differences are told to whoever watches; None where nothing was known before.
        """
        self._next_listener += 1
        key = self._next_listener
        self._knowing[key] = callback

        def undo() -> None:
            self._knowing.pop(key, None)

        return undo

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

    async def follow(self, connection: Connection, why: Callable[[bool], str] = lambda _waited: "cut") -> None:
        """Read the whole home over `connection` and be it from then on.

        What is different from what was known before is told to whoever watches, and the gap is kept with the reason that `why`
        gives, which is asked with whether Home Assistant was still starting.
        Raises NeedsAdminError for a token that may not read all of it, and what Connection.send raises; then all stays as it was.
        """
        following = Following(connection, tuple(self._listeners), self._hear, self.counts)
        try:
            await following.begin()
        except BaseException:
            await following.end()
            raise
        await self._leave()
        self._adopt(following, why(following.waited))

    async def refresh(self) -> None:
        """Read everything but the states again, which come by themselves."""
        if self._following:
            await self._following.refresh()

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Read the bodies of these scripts, scenes and automations again, now: HA tells nobody that a script was edited."""
        if self._following is None:
            raise NotConnectedError
        await self._following.freshen(entity_ids)

    async def close(self) -> None:
        """Stop following the home. The connection stays open: it belongs to whoever opened it."""
        await self._leave()

    def health(self) -> JsonObject:
        """Return how well the home is known, as the status shows it."""
        as_of, counts, following, now = self.as_of, self.counts, self._following, self._clock.now()
        return {
            "as_of": as_of.isoformat() if as_of else None,
            "age_s": round((now - as_of).total_seconds(), 1) if as_of else None,
            "heard_s": round((now - following.connection.heard).total_seconds(), 1) if following else None,
            "changes": counts.changes,
            "frames": counts.frames,
            "refreshed": counts.refreshed,
            "whole_refreshes": counts.whole,
            "dropped": counts.dropped,
            "healed": counts.healed,
            "lag_ms": following.lag.as_json() if following else {},
            "ping_ms": round(following.connection.round_trip_ms, 1) if following else None,
            "gaps": [gap.as_json() for gap in list(self._gaps)[-SHOWN_GAPS:]],
            "gaps_total": self._gaps_ever,
        }

    async def _leave(self) -> None:
        if self._following:
            following, self._as_of, self._following = self._following, self.as_of, None
            await following.end()

    def _adopt(self, following: Following, why: str) -> None:
        """Become what was gathered, all at once, and only then tell what is different."""
        before, known_until = dict(self._states), self._as_of
        self._states.clear()
        self._states.update(following.states)
        self._house = following.house
        self.revision += 1
        self._following = following
        following.go_live(self._states, self._changed, self._refreshed)
        different, gap = _differences(before, self._states), None
        if known_until:
            until = max(known_until, self._clock.now())  # a clock may be set back meanwhile
            gap = Gap(known_until, until, why, len(different))
            self._keep_gap(gap)
        self._tell_known(gap)
        was_live, self.was_live = self.was_live, True
        if was_live:
            for old, new in different:
                self._watchers.tell(old, new)

    def _tell_known(self, gap: Gap | None) -> None:
        for callback in list(self._knowing.values()):
            try:
                callback(gap)
            except Exception:  # noqa: BLE001 - a foreign callback must never keep the home from being followed
                _LOG.exception("Somebody who waited for the home failed")

    def _keep_gap(self, gap: Gap) -> None:
        self._gaps.append(gap)
        self._gaps_ever += 1

    def _refreshed(self) -> None:
        if self._following:
            self._house = self._following.house
            self.revision += 1

    def _changed(self, old: State | None, new: State | None) -> None:
        if old is None or new is None or _renamed(old, new):
            self.revision += 1
        self._watchers.tell(old, new)

    def _hear(self, event_type: str, event: Event) -> None:
        for handler in list(self._listeners.get(event_type, {}).values()):
            try:
                handler(event)
            except Exception:  # noqa: BLE001 - a foreign callback must never stop the reader of events
                _LOG.exception("A listener for %s failed", event_type)


def _renamed(old: State, new: State) -> bool:
    """Return whether the name is another; attributes that are the same object were not touched at all."""
    name = "friendly_name"
    return old.attributes is not new.attributes and old.attributes.get(name) != new.attributes.get(name)


def _differences(
    before: Mapping[str, State], now: Mapping[str, State]
) -> tuple[tuple[State | None, State | None], ...]:
    """Return each entity that is there, gone or other than before. A new stamp alone is none: a restart gives one to every state."""
    ids = dict.fromkeys((*before, *now))
    pairs = ((before.get(entity_id), now.get(entity_id)) for entity_id in ids)
    return tuple((old, new) for old, new in pairs if _shows(old) != _shows(new))


def _shows(state: State | None) -> object:
    return state and (state.state, state.attributes)
