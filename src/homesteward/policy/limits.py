"""Hard limits: what a call would set, measured against bounds. A limit looks after every rule has spoken and can only tighten.

What would be set is read from the effects table, so that a step, a toggle and a whole movement are measured like a number. What cannot be known
while a limit asks for it counts as outside of it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_of
from homesteward.home.effects.effect import number, shown
from homesteward.home.model import State
from homesteward.home.view import HomeView
from homesteward.policy.circumstances import ANYTHING, Circumstances
from homesteward.policy.decision import Action
from homesteward.policy.rule import Limit, Range, TemperatureRange
from homesteward.policy.subject import Subject
from homesteward.policy.words import fahrenheit_to_celsius

SETPOINTS = ("temperature", "target_temp_low", "target_temp_high")
SLACK = 1e-6  # of a conversion between units, not of a person
FULL = 255  # Home Assistant's brightness


@dataclass(frozen=True, slots=True)
class Measured:
    """What a call would make of one measure of an entity: the value, or that it cannot be known."""

    value: float | None


def breach(limit: Limit, subject: Subject, home: HomeView, at: Circumstances, temperature_unit: str) -> str:
    """Return in plain words how the call goes beyond `limit`, nothing where it does not. Temperatures of the home are in `temperature_unit`."""
    if subject.entity_id is None or (state := home.states.get(subject.entity_id)) is None:
        return ""
    if (often := limit.every) and at.counts(ANYTHING, subject.entity_id, often.within) >= often.times:
        return f"it was done {often.times} times within {often.within} already"
    if subject.set_by_scene:
        return next(_by_scene(limit, subject, state, temperature_unit), "")
    effect = effect_of(
        ResolvedCall(subject.domain, subject.service, (subject.entity_id,), subject.data), state.entity_id, home
    )
    return next(_breaches(limit, subject, state, effect, temperature_unit), "")


def concerns(limit: Limit, domain: str, subject: Subject) -> bool:
    """Return whether what is done can go beyond `limit` at all, on whichever thing of the domain."""
    if limit.every or subject.set_by_scene:
        return True
    service, data = subject.service, subject.data
    if limit.temperature and service == "set_temperature":
        return True
    if limit.options and domain in SELECTS and service.startswith("select_"):
        return True
    return any(getattr(limit, name) is not None and may(domain, service, data) for name, may in CONCERNS.items())


def action_of(limit: Limit, subject: Subject) -> Action:
    """Return what a breach comes to. Where a stored scene hides what it sets, what holds in every home asks and does not refuse.

    Otherwise no scene with a thermostat in it would work anywhere; an owner who writes the limit gets what is written.
    """
    return Action.APPROVE if not subject.told and limit in STANDARD else Action(limit.then)


def _by_scene(limit: Limit, subject: Subject, state: State, unit: str) -> Iterator[str]:
    """Measure what a scene puts a thing into; of a stored one it cannot be told."""
    domain, data = state.domain, subject.data
    measured: dict[str, object] = {name: getattr(limit, name) for name in IN_SCENES if getattr(limit, name) is not None}
    if not subject.told:
        if any(domain in IN_SCENES[name] for name in measured):
            yield f"it cannot be told what {', '.join(measured)} the scene would set"
        return
    if limit.temperature and domain in IN_SCENES["temperature"]:
        yield from _set_points(limit.temperature, subject, state, unit)
    for name in measured:
        bounds = getattr(limit, name)
        if isinstance(bounds, Range) and domain in IN_SCENES[name] and (found := scene_measure(name, data)):
            yield from _outside(bounds, found, name)
    if limit.options and domain in SELECTS:
        chosen = data.get("option", data.get("state"))
        if chosen not in limit.options:
            yield f"{chosen} is none of {', '.join(limit.options)}"


def scene_measure(name: str, data: JsonObject) -> Measured | None:
    """Return what a member's state and attributes come to in a measure; None where they leave it as it is."""
    state = data.get("state")
    for attribute, factor in ATTRIBUTES[name].items():
        if attribute in data and not (attribute == "state" and state in STANDS_FOR):
            value = number(data[attribute])
            return Measured(None if value is None else value * factor)
    if name == "position" and state in STANDS_FOR:
        return Measured(STANDS_FOR[state])
    if name == "speed":
        return Measured(0 if state == "off" else None)
    return Measured(None) if name == "brightness" and "profile" in data else None


def _breaches(limit: Limit, subject: Subject, state: State, effect: Effect, unit: str) -> Iterator[str]:
    if limit.temperature:
        yield from _temperature(limit.temperature, subject, state, unit)
    for name, measure in MEASURES.items():
        bounds: Range | None = getattr(limit, name)
        found = measure(subject, state, effect) if bounds else None
        if bounds and found:
            yield from _outside(bounds, found, name)
    if limit.options and (chosen := _option(subject, state, effect)) is not None and chosen not in limit.options:
        yield f"{chosen or 'an option that cannot be told beforehand'} is none of {', '.join(limit.options)}"


def _outside(bounds: Range, found: Measured, name: str) -> Iterator[str]:
    word, unit = WORDS[name]
    if found.value is None:
        yield f"it cannot be told what {word} it would set"
    elif bounds.min is not None and found.value < bounds.min - SLACK:
        yield f"{word} {shown(round(found.value, 2))}{unit} is below {shown(bounds.min)}{unit}"
    elif bounds.max is not None and found.value > bounds.max + SLACK:
        yield f"{word} {shown(round(found.value, 2))}{unit} is above {shown(bounds.max)}{unit}"


def _temperature(bounds: TemperatureRange, subject: Subject, state: State, unit: str) -> Iterator[str]:
    if subject.service == "set_temperature":
        yield from _set_points(bounds, subject, state, unit)


def _set_points(bounds: TemperatureRange, subject: Subject, state: State, unit: str) -> Iterator[str]:
    for name in SETPOINTS:
        if name not in subject.data:
            continue
        wanted = _celsius(subject.data[name], unit)
        now = _set_now(state, name, wanted, unit)
        if wanted is None:
            yield f"it cannot be told what temperature {subject.data[name]!r} is"
        elif bounds.min is not None and wanted < bounds.min - SLACK:
            yield f"{_degrees(wanted)} is below {_degrees(bounds.min)}"
        elif bounds.max is not None and wanted > bounds.max + SLACK:
            yield f"{_degrees(wanted)} is above {_degrees(bounds.max)}"
        elif bounds.step is not None and now is None:
            yield "the set-point there is now is not known, so that it cannot be told how far this goes from it"
        elif bounds.step is not None and now is not None and abs(wanted - now) > bounds.step + SLACK:
            yield f"{_degrees(wanted)} is more than {shown(bounds.step)} K from {_degrees(now)}"


def _set_now(state: State, name: str, wanted: float | None, unit: str) -> float | None:
    """Return the set-point that there is now; where another mode has others, the one of them that is nearest to `wanted`."""
    known = {each: _celsius(state.attributes.get(each), unit) for each in SETPOINTS}
    others = [value for value in known.values() if value is not None]
    if (own := known[name]) is not None or wanted is None or not others:
        return own
    return min(others, key=lambda value: abs(value - wanted))


def _celsius(value: object, unit: str) -> float | None:
    degrees = number(value)
    return fahrenheit_to_celsius(degrees) if degrees is not None and unit == "°F" else degrees


def _degrees(celsius: float) -> str:
    return f"{shown(round(celsius, 1))} °C"


def _wanted(effect: Effect, name: str) -> float | None:
    """Return what the effect makes of a numeric attribute, None where it says nothing of it."""
    for want in effect.wanted:
        if want.name == name:
            return number(want.value)
    return number(effect.also.get(name))


def _brightness(subject: Subject, state: State, effect: Effect) -> Measured | None:
    if not CONCERNS["brightness"](state.domain, subject.service, subject.data):
        return None
    if effect.accepts[:1] == ("off",):
        return Measured(0)
    level = next((want.value for want in effect.wanted if want.name == "brightness"), subject.data.get("white"))
    value = number(level)
    return Measured(None if value is None else value * 100 / FULL)


def _volume(subject: Subject, state: State, effect: Effect) -> Measured | None:
    return (
        volume_of(subject, state, effect) if CONCERNS["volume"](state.domain, subject.service, subject.data) else None
    )


def volume_of(subject: Subject, state: State, effect: Effect) -> Measured:
    """Return the volume in percent that a player is set to, also by a step; from where it is not known, a step leads nobody knows where."""
    known = subject.service == "volume_set" or number(state.attributes.get("volume_level")) is not None
    level = _wanted(effect, "volume_level") if known else None
    return Measured(None if level is None else level * 100)


def _position(subject: Subject, state: State, effect: Effect) -> Measured | None:
    if not CONCERNS["position"](state.domain, subject.service, subject.data):
        return None
    if (level := _wanted(effect, "current_position")) is not None:
        return Measured(level)
    return Measured({"open": 100.0, "closed": 0.0}.get(effect.accepts[0]) if effect.accepts else None)


def _speed(subject: Subject, state: State, effect: Effect) -> Measured | None:
    if not CONCERNS["speed"](state.domain, subject.service, subject.data):
        return None
    if effect.accepts[:1] == ("off",):
        return Measured(0)
    return Measured(_wanted(effect, "percentage"))


def _humidity(subject: Subject, _state: State, _effect: Effect) -> Measured | None:
    return Measured(number(subject.data.get("humidity"))) if subject.service == "set_humidity" else None


def _value(subject: Subject, state: State, effect: Effect) -> Measured | None:
    if not CONCERNS["value"](state.domain, subject.service, subject.data):
        return None
    return Measured(number(effect.accepts[0]) if effect.accepts else None)


def _option(subject: Subject, state: State, effect: Effect) -> str | None:
    """Return the option that would be chosen, empty where it cannot be told, None where none is."""
    if state.domain not in SELECTS or not subject.service.startswith("select_"):
        return None
    return effect.accepts[0] if effect.accepts else ""


# The domains that a scene can set a measure of, and by which attributes, each with its factor.
IN_SCENES: Mapping[str, frozenset[str]] = {
    "temperature": frozenset({"climate", "water_heater"}),
    "brightness": frozenset({"light"}),
    "volume": frozenset({"media_player"}),
    "position": frozenset({"cover", "valve"}),
    "speed": frozenset({"fan"}),
    "humidity": frozenset({"humidifier", "climate"}),
    "value": frozenset({"number", "input_number", "counter"}),
    "options": frozenset({"select", "input_select"}),
}
ATTRIBUTES: Mapping[str, Mapping[str, float]] = {
    "brightness": {"brightness": 100 / FULL, "brightness_pct": 1, "white": 100 / FULL},
    "volume": {"volume_level": 100},
    "position": {"current_position": 1, "position": 1},
    "speed": {"percentage": 1},
    "humidity": {"humidity": 1},
    "value": {"value": 1, "state": 1},
}
STANDS_FOR: Mapping[object, float] = {"open": 100, "opening": 100, "closed": 0, "closing": 0}
SELECTS = frozenset({"select", "input_select"})
BRIGHT = frozenset({"brightness", "brightness_pct", "brightness_step", "brightness_step_pct", "white", "profile"})
SPEEDS = frozenset({"turn_on", "toggle", "set_percentage", "increase_speed", "decrease_speed"})
# What a call must be like to set a measure: its thing's domain, its service and its data.
CONCERNS: Mapping[str, Callable[[str, str, JsonObject], bool]] = {
    "brightness": lambda domain, _service, data: domain == "light" and not BRIGHT.isdisjoint(data),
    "volume": lambda domain, service, _data: domain == "media_player" and service in {"volume_set", "volume_up"},
    "position": lambda domain, service, _data: (
        domain in {"cover", "valve"} and "tilt" not in service and not service.startswith("stop")
    ),
    "speed": lambda domain, service, _data: domain == "fan" and service in SPEEDS,
    "humidity": lambda _domain, service, _data: service == "set_humidity",
    "value": lambda domain, _service, _data: domain in {"number", "input_number", "counter"},
}

type Measure = Callable[[Subject, State, Effect], Measured | None]
MEASURES: Mapping[str, Measure] = {
    "brightness": _brightness,
    "volume": _volume,
    "position": _position,
    "speed": _speed,
    "humidity": _humidity,
    "value": _value,
}
WORDS: Mapping[str, tuple[str, str]] = {
    "brightness": ("brightness", " %"),
    "volume": ("volume", " %"),
    "position": ("position", " %"),
    "speed": ("speed", " %"),
    "humidity": ("humidity", " %"),
    "value": ("value", ""),
}

# What holds in every home, whatever its rules say, until the owner gives a limit of the same name.
STANDARD: tuple[Limit, ...] = tuple(
    map(
        Limit.model_validate,
        (
            {"name": "room temperature", "when": {"domain": "climate"}, "temperature": {"min": 5, "max": 32}},
            {
                "name": "room temperature step",
                "when": {"domain": "climate"},
                "temperature": {"step": 10},
                "then": "approve",
            },
            {"name": "water temperature", "when": {"domain": "water_heater"}, "temperature": {"min": 5, "max": 70}},
        ),
    )
)
