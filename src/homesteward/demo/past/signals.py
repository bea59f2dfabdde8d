"""What sensors measured: weather, rooms that are heated and lived in, batteries, power and meters.

A signal is one value per `STEP`, from the first hour of the statistics to the end of the past. It ends where the
inventory has it, so that what Home Assistant shows after its start goes on from there.
"""

import math
import random
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import accumulate

from homesteward.demo.past.chance import chance
from homesteward.demo.past.household import Load
from homesteward.demo.past.people import MINUTE, Stay, occupied
from homesteward.demo.past.place import DAY, Place
from homesteward.demo.past.rooms import House, Thing

STEP = 600.0
BRIDGE = 24 * 3600.0  # the last day leads every signal to where the inventory has it
OUTSIDE = {"Garden", "Веранда"}
UNHEATED = {"Loft", "Garage"}

type Signal = list[float]


@dataclass(frozen=True, slots=True)
class Ticks:
    """The moments that signals have values for."""

    start: float
    count: int

    @classmethod
    def between(cls, start: float, end: float) -> Ticks:
        """Return the ticks from `start` on and before `end`, on whole steps."""
        first = math.ceil(start / STEP)
        return cls(first * STEP, math.ceil(end / STEP) - first)

    def at(self, index: int) -> float:
        """Return the moment of a tick."""
        return self.start + index * STEP

    def index(self, at: float) -> int:
        """Return the first tick from a moment on, within what there is."""
        return max(0, min(self.count, math.ceil((at - self.start) / STEP)))


class Weather:
    """The days' weather, each drawn from the seed and its date."""

    def __init__(self, place: Place, seed: int, ticks: Ticks) -> None:
        """Draw the weather for all `ticks`."""
        self._seed = seed
        self._warmth: Callable[[date], float] = cache(self._warmth_of)
        self._cloudy: Callable[[date], float] = cache(self._cloudy_of)
        self.temperature: Signal = []
        self.light: Signal = []
        self.clouds: Signal = []
        for index in range(ticks.count):
            at = ticks.at(index)
            day, hour = place.day_of(at), place.hour_of(at)
            clouds = self._between(day, hour, self._cloudy)
            warmth = self._between(day, hour, self._warmth) + (3.2 - 2.4 * clouds) * math.cos(
                (hour - 15) / 24 * math.tau
            )
            self.clouds.append(clouds)
            self.temperature.append(warmth)
            self.light.append(_light(place.sun(at), clouds))

    def _between(self, day: date, hour: float, of: Callable[[date], float]) -> float:
        """Return a value that is a day's own at noon and slides to the next one's."""
        other = day + timedelta(days=1 if hour >= 12 else -1)
        share = abs(hour - 12) / 24
        return of(day) * (1 - share) + of(other) * share

    def _warmth_of(self, day: date) -> float:
        season = 10.5 - 8 * math.cos((day.timetuple().tm_yday - 20) / 365 * math.tau)
        near = [chance(self._seed, "warmth", day + timedelta(days=off)).gauss(0, 4) for off in (-1, 0, 1)]
        return season + sum(near) / 2

    def _cloudy_of(self, day: date) -> float:
        return chance(self._seed, "clouds", day).betavariate(1.6, 1.0)


def _light(height: float, clouds: float) -> float:
    strength = (
        420 + 62_000 * math.pow(math.sin(math.radians(height)), 1.2) if height > 0 else 420 * math.exp(height / 1.3)
    )
    return (1 - 0.78 * clouds) * strength


@dataclass(frozen=True, slots=True)
class Climate:
    """What the rooms' signals come from."""

    house: House
    ticks: Ticks
    weather: Weather
    stays: Sequence[Stay]
    wanted: Mapping[str, Signal]
    """The temperature that the thermostat of an area was set to; `""` for rooms without one."""
    seed: int

    def measure(self, thing: Thing) -> Signal | None:
        """Return the signal of a sensor, or None where it is not one that this knows how to make."""
        if thing.number is None or thing.state_class != "measurement":
            return None
        rng = chance(self.seed, thing.entity_id)
        make = MEASURES.get(thing.device_class or "", _wanders)
        signal = make(self, thing, thing.number, rng)
        if thing.device_class in AS_THEY_ARE:
            return signal
        return _led_to(signal, thing.number)

    def wet(self, area: str) -> list[tuple[float, float]]:
        """Return when there was steam in an area, with how much: showers and pans."""
        times = {"Bathroom": (12 * MINUTE, 26.0), "Kitchen": (20 * MINUTE, 9.0)}
        shortest, strength = times.get(area, (0.0, 0.0))
        return [(start, strength) for start, end in occupied(self.stays, area) if strength and end - start > shortest]

    def crowd(self, area: str | None) -> list[int]:
        """Return how many people are in an area, per tick."""
        counts = [0] * (self.ticks.count + 1)
        for stay in self.stays:
            if stay.area == area:
                counts[self.ticks.index(stay.start)] += 1
                counts[self.ticks.index(stay.end)] -= 1
        return list(accumulate(counts))[:-1]


def _temperature(climate: Climate, thing: Thing, base: float, rng: random.Random) -> Signal:
    if base < 16 and thing.area not in {*OUTSIDE, *UNHEATED}:
        phase = rng.uniform(0, 9)  # it cools: warmer until its compressor starts, and again
        return [
            base + 0.6 * (((index + phase) % 5) / 2.5 - 1) + rng.gauss(0, 0.08) for index in range(climate.ticks.count)
        ]
    if base > 26:
        return _wanders(climate, thing, base, rng)
    outside = climate.weather.temperature
    if thing.area in OUTSIDE:
        return [value + rng.gauss(0, 0.06) for value in outside]
    if thing.area in UNHEATED:
        return _follows([value * 0.6 + 7 for value in outside], 0.03)
    return _heated(climate, thing, rng)


def _heated(climate: Climate, thing: Thing, rng: random.Random) -> Signal:
    wanted = climate.wanted.get(thing.area or "", climate.wanted[""])
    people = climate.crowd(thing.area)
    now, found, heating = wanted[0], [], False
    for goal, outside, count in zip(wanted, climate.weather.temperature, people, strict=True):
        heating = now < goal - 0.2 or (heating and now < goal + 0.2)
        now += (0.22 if heating else 0.0) - (now - outside) * 0.0035 + 0.015 * count + rng.gauss(0, 0.012)
        found.append(now)
    return found


def _humidity(climate: Climate, thing: Thing, base: float, rng: random.Random) -> Signal:
    if thing.area in OUTSIDE:
        weather = climate.weather
        return [
            max(38.0, min(99.0, 92 - 1.6 * (warm - 4) + 10 * cloud - 8 + rng.gauss(0, 0.4)))
            for warm, cloud in zip(weather.temperature, weather.clouds, strict=True)
        ]
    steam = [0.0] * (climate.ticks.count + 1)
    for at, strength in climate.wet(thing.area or ""):
        steam[climate.ticks.index(at)] += strength * rng.uniform(0.7, 1.1)
    found, left, drift = [], 0.0, 0.0
    for puff in steam[:-1]:
        left = left * 0.8 + puff
        drift = drift * 0.995 + rng.gauss(0, 0.12)
        found.append(max(20.0, min(98.0, base + drift + left)))
    return found


def _lux(climate: Climate, thing: Thing, _base: float, rng: random.Random) -> Signal:
    share = 1.0 if thing.area in OUTSIDE else 0.012
    lamps = [0] * climate.ticks.count if thing.area in OUTSIDE else climate.crowd(thing.area)
    light = climate.weather.light
    return [
        value * share * rng.uniform(0.97, 1.03) + (90 if count and value < 300 else 0)
        for value, count in zip(light, lamps, strict=True)
    ]


def _carbon_dioxide(climate: Climate, thing: Thing, _base: float, rng: random.Random) -> Signal:
    now, found = 450.0, []
    for count in climate.crowd(thing.area):
        now += 75 * count - (now - 420) * 0.07 + rng.gauss(0, 4)
        found.append(now)
    return found


def _battery(climate: Climate, _thing: Thing, base: float, rng: random.Random) -> Signal:
    loss = rng.uniform(0.08, 0.7) * STEP / DAY  # per cent a day
    values = [base + loss * (climate.ticks.count - 1 - index) for index in range(climate.ticks.count)]
    # One that would have been more than full was changed in the meantime.
    return [value if value <= 100 else max(3.0, value - 97) for value in values]


def _weight(climate: Climate, _thing: Thing, base: float, rng: random.Random) -> Signal:
    """Return what a scale showed: once a day, in the morning."""
    now, found = base, []
    for index in range(climate.ticks.count):
        if climate.ticks.at(index) % DAY == 7 * 3600:
            now = base + rng.gauss(0, 0.35)
        found.append(now)
    return found


def _noisy(spread: float) -> Callable[[Climate, Thing, float, random.Random], Signal]:
    def make(climate: Climate, _thing: Thing, base: float, rng: random.Random) -> Signal:
        return [base + (rng.gauss(0, spread) if index % 3 == 0 else 0) for index in range(climate.ticks.count)]

    return make


def _wanders(climate: Climate, _thing: Thing, base: float, rng: random.Random) -> Signal:
    now, found, spread = 0.0, [], abs(base) * 0.004
    for _ in range(climate.ticks.count):
        now = now * 0.998 + rng.gauss(0, spread)
        found.append(base + now)
    return found


type Measure = Callable[[Climate, Thing, float, random.Random], Signal]

MEASURES: Mapping[str, Measure] = {
    "battery": _battery,
    "carbon_dioxide": _carbon_dioxide,
    "humidity": _humidity,
    "illuminance": _lux,
    "signal_strength": _noisy(1.3),
    "temperature": _temperature,
    "voltage": _noisy(1.2),
    "weight": _weight,
}
AS_THEY_ARE = {"battery", "illuminance", "signal_strength", "voltage", "weight"}
"""Classes whose end needs no bridge: it is right already, or jumps anyway."""


def power(house: House, ticks: Ticks, loads: Sequence[Load], seed: int) -> dict[str, Signal]:
    """Return the signals of the power sensors that loads explain; the one without a switch counts the whole house."""
    found: dict[str, Signal] = {}
    for thing in house.all("sensor", device_class="power"):
        if thing.number is None or thing.follows is not None:
            continue
        rng = chance(seed, thing.entity_id)
        own = house.beside(thing, "switch") is not None
        base = thing.number if own else 190.0
        signal = [
            base + rng.gauss(0, base * 0.02) + (0 if own else 85 * (index % 5 < 2)) for index in range(ticks.count)
        ]
        for load in loads:
            if not own or load.device == thing.device:
                for index in range(ticks.index(load.start), ticks.index(load.end)):
                    signal[index] += load.watts * rng.uniform(0.97, 1.03)
        found[thing.entity_id] = [max(0.0, value) for value in signal]
    return found


def steps(changes: Sequence[tuple[float, float]], ticks: Ticks) -> Signal:
    """Return a signal from the moments at which a value became another; the first holds from the beginning."""
    moments = [at for at, _ in changes]
    return [changes[max(0, bisect_right(moments, ticks.at(index)) - 1)][1] for index in range(ticks.count)]


def _follows(goal: Signal, speed: float) -> Signal:
    now, found = goal[0], []
    for value in goal:
        now += (value - now) * speed
        found.append(now)
    return found


def _led_to(signal: Signal, end: float) -> Signal:
    """Return `signal` with its last day leading to `end`."""
    reach, miss = int(BRIDGE / STEP), end - signal[-1]
    first = len(signal) - reach
    return [value + miss * max(0.0, (index - first + 1) / reach) for index, value in enumerate(signal)]
