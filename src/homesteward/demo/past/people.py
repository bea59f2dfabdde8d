"""Who is where: the days of two people, from waking to sleeping, room by room.

A workday begins within eight minutes of the same time, a weekend does not. One day in the past somebody is ill.
"""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise

from homesteward.demo.past.chance import chance
from homesteward.demo.past.place import Place, working

AWAY = ""
WEDNESDAY, SATURDAY, SUNDAY = 2, 5, 6
MINUTE = 60.0


class Who(StrEnum):
    """The two people who live here."""

    OWNER = "owner"
    MEMBER = "member"


@dataclass(frozen=True, slots=True)
class Resident:
    """One of them, as Home Assistant knows them."""

    who: Who
    person: str
    """The id of the person entity."""
    name: str
    user: str
    """The user id: 32 hex digits."""
    trackers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stay:
    """A time that somebody spent in one area, or `AWAY`."""

    who: Who
    area: str
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class PersonDay:
    """One person's day."""

    wakes: float
    trips: tuple[tuple[float, float], ...]
    """When they left and came back."""
    sleeps: float
    stays: tuple[Stay, ...]
    late: bool = False
    """Overslept."""


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the household."""

    date: date
    ill: bool
    people: dict[Who, PersonDay]

    @property
    def workday(self) -> bool:
        """Return whether it is a working day, ill or not."""
        return working(self.date)

    @property
    def empty(self) -> tuple[tuple[float, float], ...]:
        """Return when nobody was home, in order."""
        owner, member = (self.people[who].trips for who in Who)
        both = [(max(a, c), min(b, d)) for a, b in owner for c, d in member]
        return tuple(sorted((left, back) for left, back in both if back - left > 10 * MINUTE))


type Way = Sequence[tuple[str, float]]

# Rooms and how long, in minutes; stretched to the time there is.
MORNING: dict[Who, Way] = {
    Who.OWNER: (("Bedroom", 4), ("Landing", 1), ("Kitchen", 24), ("Landing", 1), ("Bathroom", 18), ("Hallway", 4)),
    Who.MEMBER: (("Bedroom", 9), ("Landing", 1), ("Bathroom", 19), ("Landing", 1), ("Kitchen", 23), ("Hallway", 4)),
}
EVENING: dict[Who, Way] = {
    Who.OWNER: (
        ("Hallway", 3),
        ("Kitchen", 45),
        ("Dining room", 35),
        ("Study", 40),
        ("Living room", 110),
        ("Landing", 1),
        ("Bathroom", 11),
        ("Bedroom", 15),
    ),
    Who.MEMBER: (
        ("Hallway", 3),
        ("Living room", 40),
        ("Kitchen", 30),
        ("Dining room", 35),
        ("Utility room", 8),
        ("Living room", 150),
        ("Landing", 1),
        ("Bathroom", 12),
        ("Bedroom", 20),
    ),
}
SLOW_MORNING: Way = (("Bedroom", 12), ("Landing", 1), ("Kitchen", 40), ("Landing", 1), ("Bathroom", 25))
AT_HOME: Way = (("Living room", 70), ("Study", 80), ("Loft", 15), ("Kitchen", 45), ("Garden", 20), ("Living room", 80))
SICK_BED: Way = (("Bedroom", 150), ("Kitchen", 20), ("Bathroom", 15), ("Living room", 120), ("Bedroom", 60))


def live(place: Place, seed: int, day: date, *, ill: bool = False) -> Day:
    """Return how the household spent `day`; when `ill`, the owner stays in bed on a working day."""
    together = chance(seed, "together", day)
    outing = together.uniform(-0.5, 0.5) if day.weekday() == SUNDAY and together.random() < 0.7 else None
    people = {}
    for who in Who:
        rng = chance(seed, who, day)
        if working(day) and not (ill and who is Who.OWNER):
            people[who] = _workday(place, rng, who, day)
        else:
            people[who] = _free_day(place, rng, who, day, _outings(rng, who, day, outing))
    return Day(day, ill, people)


def occupied(stays: Iterable[Stay], area: str, gap: float = 2 * MINUTE) -> list[tuple[float, float]]:
    """Return when anybody was in `area`, stays closer than `gap` taken together."""
    found: list[tuple[float, float]] = []
    for start, end in sorted((stay.start, stay.end) for stay in stays if stay.area == area):
        if found and start - found[-1][1] <= gap:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _workday(place: Place, rng: random.Random, who: Who, day: date) -> PersonDay:
    owner = who is Who.OWNER
    late = owner and rng.random() < 0.05
    wakes = (6.75 if owner else 7.3) + _within(rng, 8 if owner else 15) + (rng.uniform(0.6, 0.9) if late else 0)
    leaves = max(wakes + 0.7, (7.8 if owner else 8.4) + _within(rng, 8))
    returns = (17.6 if owner else 16.8) + _within(rng, 25)
    sleeps = 22.8 + _within(rng, 30)
    morning = place.at(day, wakes), place.at(day, leaves)
    if who is Who.MEMBER and day.weekday() == WEDNESDAY:  # works at home
        noon = place.at(day, 12.6)
        stays = [
            *_walk(rng, who, MORNING[who][:-1], *morning),
            *_walk(rng, who, (("Study", 220), ("Kitchen", 30)), morning[1], noon),
            *_walk(rng, who, (("Study", 200), ("Living room", 20)), noon, place.at(day, returns)),
            *_walk(rng, who, EVENING[who][1:], place.at(day, returns), place.at(day, sleeps)),
        ]
        return PersonDay(morning[0], (), place.at(day, sleeps), tuple(stays))
    trip = (morning[1], place.at(day, returns))
    stays = [
        *_walk(rng, who, MORNING[who], *morning),
        Stay(who, AWAY, *trip),
        *_walk(rng, who, EVENING[who], trip[1], place.at(day, sleeps)),
    ]
    return PersonDay(morning[0], (trip,), place.at(day, sleeps), tuple(stays), late)


type Trips = list[tuple[float, float]]


def _free_day(place: Place, rng: random.Random, who: Who, day: date, trips: Trips) -> PersonDay:
    wakes = 8.7 + _within(rng, 40)
    up = wakes + 1.4
    sleeps = 23.3 + _within(rng, 35)
    marks = [up, *(hour for trip in trips for hour in trip), 18.0, sleeps]
    stays = _walk(rng, who, SLOW_MORNING, place.at(day, wakes), place.at(day, up))
    for start, end in pairwise(marks):
        begin, finish = place.at(day, start), place.at(day, end)
        if (start, end) in trips:
            stays.append(Stay(who, AWAY, begin, finish))
        else:
            way = EVENING[who][1:] if start == 18.0 else SICK_BED if working(day) else AT_HOME
            stays.extend(_walk(rng, who, way, begin, finish))
    away = tuple((stay.start, stay.end) for stay in stays if stay.area == AWAY)
    return PersonDay(place.at(day, wakes), away, place.at(day, sleeps), tuple(stays))


def _outings(rng: random.Random, who: Who, day: date, outing: float | None) -> Trips:
    if outing is not None:  # on most Sundays they go out together
        return [(13.6 + _within(rng, 4), 16.2 + outing)]
    if day.weekday() == SATURDAY and who is Who.OWNER:
        return [(11.2 + _within(rng, 20), 12.8 + _within(rng, 20))]
    return []


def _walk(rng: random.Random, who: Who, way: Way, start: float, end: float) -> list[Stay]:
    weights = [minutes * rng.uniform(0.75, 1.3) for _, minutes in way]
    scale = (end - start) / sum(weights)
    stays = []
    for (area, _), weight in zip(way, weights, strict=True):
        stays.append(Stay(who, area, start, start + weight * scale))
        start += weight * scale
    return stays


def _within(rng: random.Random, minutes: float) -> float:
    """Return hours that stay within `minutes` of nothing, mostly near it."""
    return max(-1.0, min(1.0, rng.gauss(0, 0.45))) * minutes / 60
