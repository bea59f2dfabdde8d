"""What a call says of a field that a rule asks about, in whichever way it was written: percent for levels, a step as where it leads.

The same brightness can be asked for in five ways, and a rule about one of them is about all. What cannot be known beforehand is `UNKNOWN`: a
template, a step from a state that is not known, what a stored scene sets.
"""

from collections.abc import Callable, Iterator, Mapping
from enum import Enum

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import effect_of
from homesteward.home.effects.effect import number
from homesteward.home.effects.light import level_of
from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.policy.limits import (
    BRIGHT,
    FULL,
    IN_SCENES,
    MEASURES,
    SELECTS,
    SETPOINTS,
    scene_measure,
    volume_of,
)
from homesteward.policy.subject import Subject

TEMPLATE = ("{{", "{%", "{#")
STEPS = frozenset({"brightness_step", "brightness_step_pct"})
MIRED = 1_000_000  # kelvin times mired


class Hidden(Enum):
    """The one value of what cannot be known beforehand."""

    UNKNOWN = "unknown"


UNKNOWN = Hidden.UNKNOWN
type Said = JsonValue | Hidden


def said(name: str, subject: Subject, home: HomeView) -> Iterator[Said]:
    """Yield what the call says of the field `name`: as it is written there, and what other ways of writing come to. Nothing where it says nothing."""
    if name in subject.data:
        yield UNKNOWN if _is_template(subject.data[name]) else subject.data[name]
    domain = subject.entity_id.partition(".")[0] if subject.entity_id else ""
    if not subject.told:
        if domain in HIDDEN_IN_SCENES.get(name, ()):
            yield UNKNOWN
        return
    if domain == "light" and name in OF_LIGHTS:
        yield from OF_LIGHTS[name](subject, home)
    elif name not in subject.data and name in LEVELS:
        yield from _level(name, subject, domain, home)
    elif name not in subject.data and name == "option" and domain in SELECTS:
        yield from _option(subject, home)


def _brightness(subject: Subject, home: HomeView) -> Iterator[int | Hidden]:
    """Yield the level from 0 to 255 that is asked for."""
    asked = BRIGHT & subject.data.keys()
    if not asked:
        return
    data: JsonObject = subject.data
    before = _lit(home.states.get(subject.entity_id or ""))
    numbers = {name: number(data[name]) for name in asked}
    if None in numbers.values() or (asked & STEPS and before is None):
        yield UNKNOWN  # a profile's name as well: what it stands for lies in a file of the home's
        return
    if (level := level_of(data, before or 0.0)) is not None:
        yield level
    if (white := numbers.get("white")) is not None:
        yield round(white)


def _lit(state: State | None) -> float | None:
    """Return the brightness that the light has now, 0 where it is off, None where that is not known."""
    if state is None or not state.available:
        return None
    return number(state.attributes.get("brightness")) if state.state == "on" else 0.0


def _percent(subject: Subject, home: HomeView) -> Iterator[int | Hidden]:
    for level in _brightness(subject, home):
        yield level if isinstance(level, Hidden) else round(level * 100 / FULL)


def _kelvin(subject: Subject, _home: HomeView) -> Iterator[int | Hidden]:
    for name in KELVIN & subject.data.keys():
        value = number(subject.data[name])
        if value is None or value < 1:  # no light is of less, and its mired could not be counted
            yield UNKNOWN
        else:
            yield max(1, round(MIRED / value if name == "color_temp" else value))


def _mired(subject: Subject, home: HomeView) -> Iterator[int | Hidden]:
    for kelvin in _kelvin(subject, home):
        yield kelvin if isinstance(kelvin, Hidden) else round(MIRED / kelvin)


KELVIN = frozenset({"color_temp_kelvin", "kelvin", "color_temp"})
OF_LIGHTS: Mapping[str, Callable[[Subject, HomeView], Iterator[int | Hidden]]] = {
    "brightness": _brightness,
    "brightness_pct": _percent,
    "color_temp_kelvin": _kelvin,
    "kelvin": _kelvin,
    "color_temp": _mired,
}


def _level(name: str, subject: Subject, domain: str, home: HomeView) -> Iterator[Said]:
    """Yield where a service leads that sets a level without naming it: a step up, opening, a member of a scene."""
    measure, share, services = LEVELS[name]
    if subject.set_by_scene:
        found = scene_measure(measure, subject.data) if domain in IN_SCENES[measure] else None
    elif (state := home.states.get(subject.entity_id or "")) is not None and _sets(subject.service, services):
        call = ResolvedCall(subject.domain, subject.service, (state.entity_id,), subject.data)
        measured = volume_of if measure == "volume" else MEASURES[measure]  # a limit does not ask about less of it
        found = measured(subject, state, effect_of(call, state.entity_id, home))
    else:
        return
    if found is not None:
        yield UNKNOWN if found.value is None else found.value * share


def _sets(service: str, services: frozenset[str]) -> bool:
    return not services or service in services


# Field -> the measure that it is, its share of that measure's unit, and the services that lead somewhere (none named: all that are measured).
LEVELS: Mapping[str, tuple[str, float, frozenset[str]]] = {
    "volume_level": ("volume", 0.01, frozenset({"volume_set", "volume_up", "volume_down"})),
    "position": ("position", 1, frozenset()),
    "current_position": ("position", 1, frozenset()),
    "percentage": ("speed", 1, frozenset({"set_percentage", "increase_speed", "decrease_speed"})),
    "value": ("value", 1, frozenset()),
}
HIDDEN_IN_SCENES: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(OF_LIGHTS, IN_SCENES["brightness"]),
    **{name: IN_SCENES[measure] for name, (measure, *_) in LEVELS.items()},
    **dict.fromkeys(SETPOINTS, IN_SCENES["temperature"]),
    "humidity": IN_SCENES["humidity"],
    "option": IN_SCENES["options"],
}


def _option(subject: Subject, home: HomeView) -> Iterator[Said]:
    if subject.set_by_scene:
        yield subject.data.get("state", UNKNOWN)
    elif subject.entity_id and subject.service.startswith("select_") and subject.entity_id in home.states:
        call = ResolvedCall(subject.domain, subject.service, (subject.entity_id,), subject.data)
        accepts = effect_of(call, subject.entity_id, home).accepts
        yield accepts[0] if accepts else UNKNOWN


def _is_template(value: JsonValue) -> bool:
    if isinstance(value, list | tuple):
        return any(isinstance(each, str) and _is_template(each) for each in value)
    return isinstance(value, str) and any(mark in value for mark in TEMPLATE)
