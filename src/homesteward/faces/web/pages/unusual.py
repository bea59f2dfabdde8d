"""What is unusual in the house now: jammed, open, unlocked, wet, on for long, silent, low, out of reach. One table of kinds, in the order that matters."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.states import Tone, icon_of, state_told
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.home.model import State
from homesteward.home.view import HomeView, area_of, device_class_of
from homesteward.language.names import called
from homesteward.language.states import MEANINGS

MOST_SHOWN = 6  # of one kind; the rest is counted
LONG_ON = timedelta(hours=12)
SILENT = timedelta(hours=24)
SENSITIVE_COVERS = frozenset({"door", "garage", "gate"})
DANGERS = frozenset({"smoke", "gas", "carbon_monoxide", "moisture", "safety", "tamper", "problem"})
OPENINGS = frozenset({"door", "garage_door", "window", "opening"})
LONG = frozenset({"light", "switch", "fan"})  # what somebody forgets to switch off
SPEAKING = frozenset(
    {"temperature", "humidity", "illuminance", "pressure", "carbon_dioxide"}
)  # never the same for a day

type Holds = Callable[[State, str | None, datetime], bool]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way of being unusual."""

    key: str
    label: str
    icon: str
    tone: Tone
    holds: Holds
    domains: frozenset[str] | None = None
    """Of which alone it can hold; None is of everything."""


@dataclass(frozen=True, slots=True)
class Odd:
    """One thing that is unusual."""

    entity_id: str
    name: str
    icon: str
    area: str
    state: str
    since: Moment | None


@dataclass(frozen=True, slots=True)
class Oddity:
    """All that is unusual in one way; `more` are not shown."""

    kind: Kind
    things: tuple[Odd, ...]
    more: int


def _jammed(state: State, _kind: str | None, _now: datetime) -> bool:
    return state.state == "jammed"


def _danger(state: State, kind: str | None, _now: datetime) -> bool:
    if state.domain == "alarm_control_panel":
        return state.state == "triggered"
    return state.domain == "binary_sensor" and state.state == "on" and kind in DANGERS


def _unlocked(state: State, _kind: str | None, _now: datetime) -> bool:
    return state.domain == "lock" and MEANINGS["unlocked"].holds(state)


def _open(state: State, kind: str | None, _now: datetime) -> bool:
    if state.domain == "cover":
        return kind in SENSITIVE_COVERS and state.state in {"open", "opening", "closing"}
    return state.domain == "binary_sensor" and kind in OPENINGS and state.state == "on"


def _long_on(state: State, _kind: str | None, now: datetime) -> bool:
    return state.domain in LONG and state.state == "on" and _older(state.last_changed, LONG_ON, now)


def _low(state: State, kind: str | None, _now: datetime) -> bool:
    if kind != "battery":
        return False
    if state.domain == "binary_sensor":
        return state.state == "on"
    return state.domain == "sensor" and MEANINGS["low"].holds(state)


def _silent(state: State, kind: str | None, now: datetime) -> bool:
    return state.domain == "sensor" and kind in SPEAKING and state.available and _older(state.last_updated, SILENT, now)


def _away(state: State, _kind: str | None, _now: datetime) -> bool:
    return state.state == "unavailable"


KINDS = (
    Kind(
        "danger",
        N_("Needs a look at once"),
        "alert",
        Tone.BAD,
        _danger,
        frozenset({"alarm_control_panel", "binary_sensor"}),
    ),
    Kind("jammed", N_("Jammed"), "alert", Tone.BAD, _jammed),
    Kind("unlocked", N_("Unlocked"), "unlocked", Tone.WAITS, _unlocked, frozenset({"lock"})),
    Kind("open", N_("Open"), "door", Tone.WAITS, _open, frozenset({"cover", "binary_sensor"})),
    Kind("long_on", N_("On for more than 12 hours"), "light", Tone.CALM, _long_on, LONG),
    Kind("low", N_("Low battery"), "battery", Tone.CALM, _low, frozenset({"binary_sensor", "sensor"})),
    Kind("silent", N_("Not heard from for a day"), "expired", Tone.CALM, _silent, frozenset({"sensor"})),
    Kind("away", N_("Out of reach"), "cloud_off", Tone.CALM, _away),
)


def oddities(visit: Visit) -> tuple[Oddity, ...]:
    """Return what is unusual now, each thing once, under the first kind that holds of it."""
    found: dict[str, list[State]] = {}
    for state, kind in _odd(visit.home, visit.now):
        found.setdefault(kind.key, []).append(state)
    return tuple(_oddity(kind, found[kind.key], visit) for kind in KINDS if kind.key in found)


def is_telling(old: State | None, new: State | None) -> bool:
    """Return whether a change may make something unusual, or usual again; cheap, since it is asked at every change."""
    return old is None or new is None or (old.state != new.state and new.domain != "sensor")


def _odd(home: HomeView, now: datetime) -> Iterator[tuple[State, Kind]]:
    for state in home.states.values():
        entity = home.entities.get(state.entity_id)
        if entity and entity.hidden:
            continue
        device_class = device_class_of(home, state.entity_id)
        if entity and entity.category and device_class != "battery":
            continue  # what a device says of itself
        if kind := next((kind for kind in kinds_of(state.domain) if kind.holds(state, device_class, now)), None):
            yield state, kind


@lru_cache(maxsize=256)  # domains of one home
def kinds_of(domain: str) -> tuple[Kind, ...]:
    """Return the kinds that can hold of a thing of this domain."""
    return tuple(kind for kind in KINDS if kind.domains is None or domain in kind.domains)


def _oddity(kind: Kind, states: list[State], visit: Visit) -> Oddity:
    shown = sorted(states, key=lambda state: state.name.casefold())[:MOST_SHOWN]
    return Oddity(kind, tuple(_thing(state, visit) for state in shown), len(states) - len(shown))


def _thing(state: State, visit: Visit) -> Odd:
    area = area_of(visit.home, state.entity_id)
    return Odd(
        state.entity_id,
        called(visit.home, state.entity_id),
        icon_of(visit.home, state.entity_id),
        area.name if area else "",
        state_told(state, visit),
        visit.when(state.last_changed) if state.last_changed else None,
    )


def _older(at: datetime | None, than: timedelta, now: datetime) -> bool:
    return at is not None and now - at > than
