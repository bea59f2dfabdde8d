"""The home as it changes: what the gate needs beyond reading, met by the mirror of a real home and by a simulated one."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from homesteward.home.health import Gap
from homesteward.home.model import State
from homesteward.home.view import HomeView

type Undo = Callable[[], None]
type Watcher = Callable[[State | None, State | None], None]
"""Called with the state before and after, in order, on the event loop; None where there was or is none. It must be quick."""
type Listener = Callable[[Mapping[str, Any]], None]
"""Called with an event as Home Assistant fires it, in order, on the event loop. It must be quick."""
type Known = Callable[[Gap | None], None]
"""Called when a home is known anew, with the time in which nobody listened to it before. It must be quick."""


@dataclass(frozen=True, slots=True)
class HomeConfig:
    """How a home counts and speaks: the settings of Home Assistant that matter at the edges."""

    name: str = "Home"
    time_zone: str = "UTC"
    language: str = "en"
    country: str | None = None
    currency: str = "EUR"
    temperature_unit: str = "°C"
    length_unit: str = "km"
    version: str = ""


@dataclass(frozen=True, slots=True)
class Dispatched:
    """A call that Home Assistant accepted. `context_id` is the context of what it does; `response` what a service gave back."""

    context_id: str | None = None
    response: object = None


class LiveHome(HomeView, Protocol):
    """A readable home whose changes can be watched."""

    @property
    def home_id(self) -> str:
        """Return the id of this home, the same after every restart."""
        ...

    @property
    def config(self) -> HomeConfig:
        """Return how the home counts and speaks."""
        ...

    @property
    def connected(self) -> bool:
        """Return whether what can be read here is what the home is now."""
        ...

    async def freshen(self, entity_ids: Collection[str]) -> None:
        """Make sure that `bodies` holds what these scripts, scenes and automations do now; raise what reading them raises."""
        ...

    @property
    def as_of(self) -> datetime | None:
        """Return the moment that what can be read here is of: now while connected, None before anything was known."""
        ...

    def watch(self, callback: Watcher, entity_ids: Collection[str] | None = None) -> Undo:
        """Call `callback` at every change of `entity_ids` (None: of every entity) until the returned undo is called."""
        ...


class HeardHome(LiveHome, Protocol):
    """A live home that can be listened to over every connection to it: what the chronicle is written from."""

    async def listen(self, event_type: str, handler: Listener) -> Undo:
        """Call `handler` with every event of this type, over all connections, until the returned undo is called."""
        ...

    def on_known(self, callback: Known) -> Undo:
        """Call `callback` each time the home is known anew, with the gap before it, until the returned undo is called."""
        ...
