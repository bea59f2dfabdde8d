"""What meters and other sensors showed, in the decimals they have: series of readings, each only where it is new."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from homesteward.demo.past.chance import chance
from homesteward.demo.past.place import DAY, Place
from homesteward.demo.past.rooms import Thing
from homesteward.demo.past.signals import STEP, Climate, Signal, Ticks

type Series = list[tuple[float, float]]
"""When a sensor showed which number."""

JOULES = 3.6e6  # in a kWh

DEADBANDS: Mapping[str, tuple[float, float]] = {
    "carbon_dioxide": (5, 0),
    "illuminance": (2, 0.06),
    "power": (1, 0.03),
    "voltage": (1, 0),
}
"""How much a reading has to change, and as a share of itself; other classes report every decimal they have."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What makes counters count."""

    climate: Climate
    place: Place
    power: Mapping[str, Signal]
    """Watts by device; `""` is the whole house."""

    def of(self, thing: Thing) -> Signal:
        """Return how much a counter grows at each tick, in its own unit."""
        ticks, rng = self.climate.ticks, chance(self.climate.seed, thing.entity_id)
        match thing.device_class:
            case "energy":
                watts = self.power.get(thing.device, self.power.get("", [0.0] * ticks.count))
                scale = STEP / JOULES * (1000 if thing.unit == "Wh" else 1)
                return [value * scale for value in watts]
            case "gas":
                outside = self.climate.weather.temperature
                return [max(0.0, 18 - warm) * 0.45 * STEP / DAY * rng.uniform(0.5, 1.5) for warm in outside]
            case "water":
                people = zip(self.climate.crowd("Bathroom"), self.climate.crowd("Kitchen"), strict=True)
                return [0.016 * bath * rng.random() + 0.003 * sink * rng.random() for bath, sink in people]
            case "precipitation":
                return [
                    max(0.0, rng.gauss(-0.2, 0.35)) if cloud > 0.82 else 0.0 for cloud in self.climate.weather.clouds
                ]
        return [rng.random() * STEP / DAY for _ in range(ticks.count)]


def meter(thing: Thing, growth: Signal, ticks: Ticks, place: Place) -> Signal:
    """Return the readings of a counter that ends at the inventory's number.

    Where more was counted than it shows, it was reset in the meantime: it goes back to nothing, as meters do.
    Rain is counted anew every day.
    """
    if thing.device_class == "precipitation":
        return list(_daily(growth, ticks, place))
    total, end = sum(growth), thing.number or 0.0
    counted = list(accumulate(growth))
    if end >= total:
        return [end - total + value for value in counted]
    reset = next((index for index, value in enumerate(counted) if total - value <= end), len(counted) - 1)
    before = round(1000 + total * 1.4)
    return [before + value if index < reset else max(0.0, end - total + value) for index, value in enumerate(counted)]


def readings(thing: Thing, signal: Signal, ticks: Ticks, rng: random.Random) -> Series:
    """Return what a sensor showed: rounded as in the inventory, reported at its own pace, only when it was new."""
    _, dot, decimals = thing.state.partition(".")
    places = len(decimals) if dot else 0
    least, share = DEADBANDS.get(thing.device_class or "", (0.0, 0.0))
    late = rng.uniform(0, STEP * 0.9)
    found: Series = []
    last: float | None = None
    for index, value in enumerate(signal):
        shown = round(value, places)
        if last is None or (shown != last and abs(shown - last) >= max(least, share * abs(last))):
            found.append((ticks.at(index) + late + rng.uniform(0, 20), shown))
            last = shown
    return found


def shown(thing: Thing, value: float) -> str:
    """Return a number as the sensor's state."""
    return str(value) if "." in thing.state else str(round(value))


def _daily(growth: Signal, ticks: Ticks, place: Place) -> Iterator[float]:
    now, today = 0.0, place.day_of(ticks.start)
    for index, more in enumerate(growth):
        day = place.day_of(ticks.at(index))
        now, today = (more, day) if day != today else (now + more, today)
        yield now


def sums(series: Sequence[tuple[float, float]]) -> Series:
    """Return what was counted in all after each reading of a counter: a drop by a tenth or more begins a new cycle."""
    found: Series = []
    total, last = 0.0, None
    for at, value in series:
        if last is not None:
            total += value if value < 0.9 * last else value - last
        found.append((at, total))
        last = value
    return found
