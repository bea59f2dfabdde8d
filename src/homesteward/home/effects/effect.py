"""An effect: what one call should do to one entity, and how to tell from a state whether it did."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from math import isfinite

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import EMPTY, State

# Seconds in which a thing of this domain normally shows that it obeyed. A cover travels, a thermostat asks its radio.
WINDOWS: Mapping[str, float] = {
    "light": 3,
    "switch": 3,
    "input_boolean": 2,
    "fan": 4,
    "cover": 60,
    "valve": 60,
    "lock": 10,
    "climate": 5,
    "humidifier": 5,
    "water_heater": 5,
    "media_player": 5,
    "vacuum": 10,
    "lawn_mower": 10,
    "siren": 3,
    "alarm_control_panel": 65,
    "scene": 3,
    "script": 5,
    "automation": 3,
}
DEFAULT_WINDOW = 5.0
LONGEST_TRANSITION = 6553.0  # seconds; Home Assistant takes a longer one for this
# attribute -> its word, factor and unit for people and models; Home Assistant counts these otherwise than it takes them
MEASURES: Mapping[str, tuple[str, float, str]] = {
    "brightness": ("brightness", 100 / 255, "%"),
    "volume_level": ("volume", 100, "%"),
    "current_position": ("position", 1, "%"),
    "current_tilt_position": ("tilt", 1, "%"),
    "percentage": ("speed", 1, "%"),
    "color_temp_kelvin": ("colour temperature", 1, " K"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """An attribute that should end at `value`, or as near to it as `within`."""

    name: str
    value: JsonValue
    within: float = 0.0

    def met_by(self, state: State) -> bool:
        """Return whether the attribute is where it should be."""
        if self.name == "hs_color":
            return near_colour(state.attributes.get(self.name), self.value, self.within)
        return near(state.attributes.get(self.name), self.value, self.within)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call should do to one entity.

    `accepts` are the states that fulfil it, the first of them the one a simulation writes; empty means that the state does
    not matter. `moved` names what must differ from `before` ("state" or attributes; one of them is enough), for services
    whose end cannot be known. An effect that is not `observable` can neither be seen nor denied.
    """

    expected: str
    window_s: float = DEFAULT_WINDOW
    accepts: tuple[str, ...] = ()
    wanted: tuple[Wanted, ...] = ()
    wrong: frozenset[str] = frozenset()
    moved: tuple[str, ...] = ()
    before: State | None = None
    observable: bool = True
    repeatable: bool = True  # asking for it twice is asking for it once
    also: JsonObject = EMPTY  # what else a simulation writes into the attributes

    def holds(self, state: State) -> bool:
        """Return whether `state` shows that the call had its effect."""
        return (
            self.observable
            and state.available
            and (not self.accepts or state.state in self.accepts)
            and all(want.met_by(state) for want in self.wanted)
            and (not self.moved or self._has_moved(state))
        )

    def contradicted(self, state: State) -> bool:
        """Return whether `state` is final and wrong, such as a lock that jammed; the state before does not count."""
        return state.state in self.wrong and not self._is_before(state)

    def already(self, state: State) -> bool:
        """Return whether the call would change nothing, because it is so and the entity is to be believed."""
        return self.repeatable and not self.moved and trustworthy(state) and self.holds(state)

    def apply(self, state: State, at: datetime) -> State:
        """Return `state` as it is after an obedient thing did as told at the moment `at`."""
        also = {name: value for name, value in self.also.items() if value is not None or name in state.attributes}
        attributes = {**state.attributes, **also, **{want.name: want.value for want in self.wanted}}
        stamp = self.moved[0] if self.moved else ""
        if stamp not in {"", "state", *self.also}:
            attributes[stamp] = at.isoformat()
        value = self._value_after(state, at)
        if value == state.state and attributes == state.attributes:
            return state
        changed = at if value != state.state else state.last_changed
        return replace(state, state=value, attributes=attributes, last_changed=changed, last_updated=at)

    def _value_after(self, state: State, at: datetime) -> str:
        must_move = self.moved[:1] == ("state",)
        if self.accepts:
            return state.state if state.state in self.accepts and not must_move else self.accepts[0]
        return at.isoformat() if must_move else state.state

    def _has_moved(self, state: State) -> bool:
        if self.before is None:
            return True
        return any(
            state.state != self.before.state
            if name == "state"
            else state.attributes.get(name) != self.before.attributes.get(name)
            for name in self.moved
        )

    def _is_before(self, state: State) -> bool:
        before = self.before
        return before is not None and (state.state, state.last_updated) == (before.state, before.last_updated)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a rule looks at: the data of the call and the entity's state before it."""

    domain: str
    data: JsonObject
    before: State

    @property
    def window_s(self) -> float:
        """Return the domain's window, and the transition that was asked for on top."""
        asked = number(self.data.get("transition")) or 0.0
        return WINDOWS.get(self.domain, DEFAULT_WINDOW) + min(max(asked, 0.0), LONGEST_TRANSITION)

    def attribute(self, name: str) -> float | None:
        """Return a numeric attribute of the state before."""
        return number(self.before.attributes.get(name))

    def effect(
        self,
        expected: str,
        *accepts: str,
        wanted: tuple[Wanted, ...] = (),
        wrong: frozenset[str] = frozenset(),
        moved: tuple[str, ...] = (),
        repeatable: bool = True,
        also: JsonObject = EMPTY,
    ) -> Effect:
        """Return an effect with this window and this state before."""
        return Effect(
            expected,
            self.window_s,
            accepts,
            wanted,
            wrong,
            moved,
            self.before,
            repeatable=repeatable,
            also=also,
        )


type Rule = Callable[[Asked], Effect]


def trustworthy(state: State) -> bool:
    """Return whether the entity really knows its state; one that only assumes it proves nothing."""
    return not state.attributes.get("assumed_state")


def unobservable(expected: str, before: State | None = None) -> Effect:
    """Return the effect of a call whose result cannot be seen in a state."""
    return Effect(expected, 0.0, before=before, observable=False, repeatable=False)


def number(value: object) -> float | None:
    """Return `value` as a number, also where it is written as text; None if it is none, not finite, or larger than any."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        found = float(value)
    except ValueError, OverflowError:
        return None
    return found if isfinite(found) else None


def near(found: object, wanted: object, within: float) -> bool:
    """Return whether two attribute values are the same, numbers (and lists of them) as near as `within`."""
    if isinstance(wanted, list | tuple) and isinstance(found, list | tuple):
        return len(wanted) == len(found) and all(near(a, b, within) for a, b in zip(found, wanted, strict=True))
    if isinstance(wanted, bool) or (left := number(found)) is None or (right := number(wanted)) is None:
        return found == wanted
    return abs(left - right) <= within + 1e-6


def near_colour(found: object, wanted: object, within: float) -> bool:
    """Compare hue and saturation; hue is a circle, and says nothing where there is hardly any colour."""
    here, there = _pair(found), _pair(wanted)
    if here is None or there is None:
        return False
    hue, saturation = abs(here[0] - there[0]) % 360, abs(here[1] - there[1])
    return saturation <= within and (min(hue, 360 - hue) <= within or there[1] <= within)


def worded(name: str, value: object) -> str:
    """Return an attribute as a person reads it: brightness and volume in percent, as they are asked for, each with its unit."""
    word, factor, unit = MEASURES.get(name, (name, 1.0, ""))
    amount = number(value)
    if value is None:
        return f"no {word}"
    if amount is None or not unit:
        return f"{word} {shown(value)}"
    return f"{word} {amount * factor:.0f}{unit}"


def shown(value: object) -> str:
    """Return a number without needless decimals, anything else as it is."""
    amount = None if isinstance(value, str) else number(value)
    return f"{amount:g}" if amount is not None else str(value)


def _pair(value: object) -> tuple[float, float] | None:
    """Return a list of two numbers, None for anything else."""
    numbers = [number(part) for part in value] if isinstance(value, list | tuple) else []
    match numbers:
        case [float() as one, float() as other]:
            return one, other
        case _:
            return None
