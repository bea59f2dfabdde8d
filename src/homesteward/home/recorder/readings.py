"""What a state reads as a number, and how much a meter counted between two of them."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from homesteward.home.model import State
from homesteward.home.recorder.units import converted

COUNTING = frozenset({"total", "total_increasing"})
RESET = (
    0.9  # a counter that shows less than this share of what it showed was reset; a smaller dip is taken off, as HA does
)


@dataclass(frozen=True, slots=True)
class Reading:
    """A state that held from `at` on. `value` is its number in the unit asked for, None where it is none."""

    at: datetime
    text: str
    value: float | None = None
    increasing: bool = True
    """Whether it can only grow, so that less than before is a reset."""
    last_reset: str | None = None


def readings_of(states: Iterable[State], unit: str | None) -> Iterator[Reading]:
    """Yield the states as readings in `unit`; one that only repeats is left out."""
    before: Reading | None = None
    for state in states:
        reading = _reading(state, unit)
        if before is None or _shown(reading) != _shown(before):
            yield reading
            before = reading


def increments(readings: Iterable[Reading]) -> Iterator[tuple[datetime, float]]:
    """Yield what was counted at each reading since the one before, over resets, by the rules of Home Assistant's statistics."""
    before: Reading | None = None
    for reading in readings:
        if reading.value is None or (reading.increasing and reading.value < 0):
            continue
        if before is not None and before.value is not None:
            yield reading.at, reading.value if _was_reset(before, reading) else reading.value - before.value
        before = reading


def _shown(reading: Reading) -> object:
    return reading.text, reading.value, reading.last_reset


def _was_reset(before: Reading, now: Reading) -> bool:
    if now.increasing:
        return now.value is not None and before.value is not None and now.value < RESET * before.value
    return now.last_reset is not None and now.last_reset != before.last_reset


def _reading(state: State, unit: str | None) -> Reading:
    own, last_reset = state.attributes.get("unit_of_measurement"), state.attributes.get("last_reset")
    value = number_of(state.state)
    if value is not None and own is not None:
        value = converted(value, str(own), unit)
    at = state.last_updated or state.last_changed
    assert at is not None  # noqa: S101 - every row of the recorder has its moment
    increasing = state.attributes.get("state_class") != "total"
    return Reading(at, state.state, value, increasing, str(last_reset) if last_reset else None)


def number_of(text: str) -> float | None:
    """Return the finite number that `text` is."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
