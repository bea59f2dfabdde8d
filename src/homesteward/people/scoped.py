"""The home as far as a caller reaches: whatever reads or resolves for a token is handed this view, and there is nothing else in it.

It is for reading, and for finding what a name means. What a call would *do* is judged on the home itself, every single entity
that it ends at: a group in reach may have members beyond it, and a script in reach may do things elsewhere.

The view hides what is beyond reach by id, in every attribute. What an entity in reach says in words of its own stays as it is.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import cast

from homesteward.home.calls import BodyStep
from homesteward.home.live import HomeConfig, LiveHome, Undo, Watcher
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import Start
from homesteward.people.beyond import Beyond
from homesteward.people.caller import Caller
from homesteward.people.extent import Extent, extent_of
from homesteward.people.reach import Reach

VIEWS = 64  # views kept ready: one per reach, not one per request


def scoped(home: LiveHome, caller: Caller) -> LiveHome:
    """Return `home` as far as `caller` reaches: itself where nothing is beyond reach."""
    return home if caller.reach is None else _view(cast("Hashable", home), caller.reach)


class ScopedHome:
    """A LiveHome with only what a reach holds. What is in it is found anew whenever the home's revision is another."""

    def __init__(self, home: LiveHome, reach: Reach) -> None:
        """See `home` as far as `reach`."""
        self._home = home
        self._reach = reach
        self._found: tuple[tuple[int, int], Extent] | None = None
        self._states = _States(self)

    @property
    def home_id(self) -> str:
        """Return the id of the home."""
        return self._home.home_id

    @property
    def config(self) -> HomeConfig:
        """Return how the home counts and speaks."""
        return self._home.config

    @property
    def connected(self) -> bool:
        """Return whether what can be read here is what the home is now."""
        return self._home.connected

    @property
    def as_of(self) -> datetime | None:
        """Return the moment that what can be read here is of."""
        return self._home.as_of

    @property
    def revision(self) -> int:
        """Return the home's revision: this view is another whenever the home is."""
        return self._home.revision

    @property
    def states(self) -> Mapping[str, State]:
        """Return the states in reach, without what they say of entities beyond it."""
        return self._states

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Return the registry entries in reach."""
        return self.extent.entities

    @property
    def devices(self) -> Mapping[str, Device]:
        """Return the devices of entities in reach."""
        return self.extent.devices

    @property
    def areas(self) -> Mapping[str, Area]:
        """Return the areas in reach, and those that entities in reach are in."""
        return self.extent.areas

    @property
    def floors(self) -> Mapping[str, Floor]:
        """Return the floors of those areas."""
        return self.extent.floors

    @property
    def labels(self) -> Mapping[str, Label]:
        """Return the labels that entities in reach carry."""
        return self.extent.labels

    @property
    def services(self) -> Mapping[str, Service]:
        """Return the catalogue, without the services that scripts beyond reach have for themselves."""
        return self.extent.services

    @property
    def exposed(self) -> frozenset[str]:
        """Return the entities in reach that are exposed to HA's assistant."""
        return self.extent.exposed

    @property
    def bodies(self) -> Mapping[str, tuple[BodyStep, ...]]:
        """Return the bodies in reach; a step that has to do with something beyond it is blank, so that no rule takes it for harmless."""
        extent, beyond, bodies = self.extent, self.beyond, self._home.bodies
        return {key: tuple(map(beyond.step, bodies[key])) for key in extent.held & bodies.keys()}

    @property
    def starts(self) -> Mapping[str, tuple[Start, ...]]:
        """Return what the triggers of the automations in reach name, as far as that is in reach itself; an event is never shown."""
        held = self.extent.held
        seen = {key: self._home.starts[key] for key in held & self._home.starts.keys()}
        return {key: tuple(start for start in starts if start.entity_id in held) for key, starts in seen.items()}

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Make sure that `bodies` holds what those of these in reach do now; raise what reading them raises."""
        await self._home.freshen([entity_id for entity_id in entity_ids if entity_id in self.extent.held])

    def watch(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Call `callback` at every change in reach until the returned undo is called. What leaves the reach is told as gone."""
        seen = set(self.extent.held)

        def tell(old: State | None, new: State | None) -> None:
            changed = new or old
            if changed is None:
                return
            if new is not None and changed.entity_id in self.extent.held:
                before = old if changed.entity_id in seen else None
                seen.add(changed.entity_id)
                callback(self._cleaned(before), self._cleaned(new))
            elif changed.entity_id in seen:
                seen.discard(changed.entity_id)
                callback(self._cleaned(old), None)

        return self._home.watch(tell, entity_ids)

    @property
    def extent(self) -> Extent:
        """Return what is in reach now."""
        now = (self._home.revision, len(self._home.states))
        if self._found is None or self._found[0] != now:
            self._found = (now, extent_of(self._home, self._reach))
            self._states.forget()
        return self._found[1]

    @property
    def beyond(self) -> Beyond:
        """Return what tells, and takes out, what is beyond reach."""
        return Beyond(self._home, self.extent)

    def _cleaned(self, state: State | None) -> State | None:
        return None if state is None else self.beyond.state(state)


class _States(Mapping[str, State]):
    """The states in reach, each cleaned once until it is another."""

    def __init__(self, view: ScopedHome) -> None:
        self._view = view
        self._cleaned: dict[str, tuple[State, State]] = {}

    def __getitem__(self, entity_id: str) -> State:
        if entity_id not in self._view.extent.held:
            raise KeyError(entity_id)
        state = self._view._home.states[entity_id]  # noqa: SLF001 - one thing in two classes
        known = self._cleaned.get(entity_id)
        if known is None or known[0] is not state:
            known = self._cleaned[entity_id] = (state, self._view.beyond.state(state))
        return known[1]

    def __iter__(self) -> Iterator[str]:
        held = self._view.extent.held
        return (entity_id for entity_id in self._view._home.states if entity_id in held)  # noqa: SLF001 - as above

    def __len__(self) -> int:
        return len(self._view.extent.held & self._view._home.states.keys())  # noqa: SLF001 - as above

    def __contains__(self, entity_id: object) -> bool:
        return entity_id in self._view.extent.held and entity_id in self._view._home.states  # noqa: SLF001 - as above

    def forget(self) -> None:
        """Clean every state anew when it is asked for: what is beyond reach is another now."""
        self._cleaned.clear()


@lru_cache(maxsize=VIEWS)
def _view(home: Hashable, reach: Reach) -> ScopedHome:
    return ScopedHome(cast("LiveHome", home), reach)
