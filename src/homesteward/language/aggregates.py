"""One answer over many things: the average, the highest, the lowest, the sum of a measure; and what is on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from homesteward.home.model import State
from homesteward.language.states import MEANINGS, MEASURES
from homesteward.language.texts import Texts

LISTED = 12  # names in one answer; more are counted
# A unit -> the one it is brought to, and by what factor, so that a sum is one of like things.
LIKE: Mapping[str, tuple[str, float]] = {
    "kW": ("W", 1000),
    "MW": ("W", 1e6),
    "Wh": ("kWh", 0.001),
    "MWh": ("kWh", 1000),
}
# What people mean by "what is on": things that somebody switched on, not what measures, runs by itself or is a group of others.
EVERYDAY = frozenset(
    {
        "light",
        "switch",
        "fan",
        "media_player",
        "climate",
        "humidifier",
        "water_heater",
        "siren",
        "vacuum",
        "input_boolean",
    }
)
KINDS = frozenset({"average", "highest", "lowest", "total"})


@dataclass(frozen=True, slots=True)
class Value:
    """A number that something shows, with its unit and what it is called."""

    name: str
    number: float
    unit: str


def values_of(measure: str, states: Sequence[State], name_of: Callable[[State], str]) -> tuple[Value, ...]:
    """Return the numbers of a measure, from the first kind of source that has any; all in the unit that most of them have."""
    for source in MEASURES.get(measure, ()):
        found = [
            value
            for state in states
            if state.domain == source.domain
            and (read := source.read(state))
            and (value := _value(read, name_of(state)))
        ]
        if found:
            units = [value.unit for value in found]
            usual = max(dict.fromkeys(units), key=units.count)
            return tuple(value for value in found if value.unit == usual)
    return ()


def aggregate_text(kind: str, values: Sequence[Value], said: Texts) -> str:
    """Return the average, the highest, the lowest or the sum of at least one value."""
    unit, count = values[0].unit, len(values)
    match kind:
        case "average":
            return said("aggregate.average", value=_shown(sum(v.number for v in values) / count, unit), count=count)
        case "total":
            return said("aggregate.total", value=_shown(sum(v.number for v in values), unit), count=count)
        case _:
            one = (max if kind == "highest" else min)(values, key=lambda value: value.number)
            return said(f"aggregate.{kind}", name=one.name, value=_shown(one.number, unit))


def on_text(states: Sequence[State], name_of: Callable[[State], str], said: Texts) -> tuple[str, tuple[str, ...]]:
    """Return what of these everyday things is on, in words and as ids."""
    on = [state for state in states if state.domain in EVERYDAY and state.available and MEANINGS["on"].holds(state)]
    names = [name_of(state) for state in on]
    more = [said("more", count=len(names) - LISTED)] if len(names) > LISTED else []
    text = (
        said("aggregate.whats_on", names=said.joined([*names[:LISTED], *more])) if on else said("aggregate.nothing_on")
    )
    return text, tuple(state.entity_id for state in on)


def _value(read: str, name: str) -> Value | None:
    number, _, unit = read.partition(" ")
    try:
        plain = float(number)
    except ValueError:
        return None
    like, factor = LIKE.get(unit, (unit, 1))
    return Value(name, plain * factor, like)


def _shown(number: float, unit: str) -> str:
    return f"{round(number, 1):g} {unit}".strip()
