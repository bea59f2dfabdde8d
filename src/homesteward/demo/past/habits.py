"""What somebody does by hand, most days, that the house could do: the truth that a search for habits is measured by."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal

from homesteward.demo.past.chance import chance
from homesteward.demo.past.people import Day, Who

MINUTE = 60.0

type Days = Literal["workdays", "free days", "every day"]


@dataclass(frozen=True, slots=True)
class Act:
    """One service call of a habit, `after` some seconds, shaken by up to `shake` of that."""

    service: str
    entity_id: str
    after: float = 0
    data: Mapping[str, Any] | None = None
    shake: float = 0.4


@dataclass(frozen=True, slots=True)
class Habit:
    """A thing done by hand after the same cue."""

    id: str
    what: str
    who: Who
    days: Days
    cue: str
    """What comes before it: a name in `CUES`."""
    acts: tuple[Act, ...]
    keeps: float
    """How likely it is done when the cue comes."""
    ends: float = 1.0
    """The part of the past after which it was given up."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """One time that the cue of a habit came, and whether it was followed."""

    habit: str
    day: date
    cue_at: float
    kept: bool
    why: str
    """Why not: `forgot`, `ill`, `overslept`, `given up`, `outage`; empty where it was kept."""


HABITS: tuple[Habit, ...] = (
    Habit(
        "morning_coffee",
        "Kitchen light and coffee maker on, a few minutes after getting up on a working day (06:45, give or take 8)",
        Who.OWNER,
        "workdays",
        "owner_up",
        (
            Act("light.turn_on", "light.kitchen_ceiling_light", 5 * MINUTE),
            Act("switch.turn_on", "switch.coffee_maker", 6.5 * MINUTE),
        ),
        keeps=0.92,
    ),
    Habit(
        "blinds_at_dusk",
        "Living room blinds closed at dusk, give or take ten minutes, when somebody is home",
        Who.MEMBER,
        "every day",
        "dusk_at_home",
        (Act("cover.close_cover", "cover.living_room_blinds", 5 * MINUTE, shake=0.9),),
        keeps=0.88,
    ),
    Habit(
        "heating_down",
        "Living room thermostat to 16.5 degrees a few minutes after the last person has left",
        Who.MEMBER,
        "every day",
        "last_leaves",
        (Act("climate.set_temperature", "climate.living_room", 4 * MINUTE, {"temperature": 16.5}, shake=0.7),),
        keeps=0.8,
    ),
    Habit(
        "heating_up",
        "Living room thermostat back to 20 degrees when the first person comes home",
        Who.MEMBER,
        "every day",
        "first_returns",
        (Act("climate.set_temperature", "climate.living_room", 5 * MINUTE, {"temperature": 20.0}, shake=0.6),),
        keeps=0.9,
    ),
    Habit(
        "good_night",
        "The script Good night started by hand when the last person goes to bed",
        Who.OWNER,
        "every day",
        "bedtime",
        (Act("script.good_night", "script.good_night", 2 * MINUTE, shake=0.9),),
        keeps=0.85,
    ),
    Habit(
        "evening_television",
        "TV backlight on and ceiling light off soon after the television goes on in the evening",
        Who.MEMBER,
        "every day",
        "television_on",
        (
            Act("light.turn_on", "light.living_room_tv_backlight", 1.5 * MINUTE),
            Act("light.turn_off", "light.living_room_ceiling_light", 2 * MINUTE),
        ),
        keeps=0.75,
    ),
    Habit(
        "fan_at_bedtime",
        "Bedroom fan on at bedtime; given up half-way through",
        Who.MEMBER,
        "every day",
        "bedtime",
        (Act("fan.turn_on", "fan.bedroom_fan", 6 * MINUTE, {"percentage": 30}, shake=0.6),),
        keeps=0.9,
        ends=0.5,
    ),
)
"""Each needs its things; one whose first thing is not in the house does not exist."""


def occasions(
    seed: int,
    days: Sequence[Day],
    cues: Mapping[str, Callable[[Day], float | None]],
    ends: Mapping[str, date],
) -> Iterator[Occasion]:
    """Yield every occasion of every habit on `days`; `ends` names the day from which one is given up."""
    for habit in HABITS:
        for day in days:
            if habit.days != "every day" and day.workday != (habit.days == "workdays"):
                continue
            cue_at = cues[habit.cue](day)
            if cue_at is not None:
                why = _excuse(chance(seed, habit.id, day.date), habit, day, ends)
                yield Occasion(habit.id, day.date, cue_at, not why, why)


def _excuse(rng: random.Random, habit: Habit, day: Day, ends: Mapping[str, date]) -> str:
    if habit.id in ends and day.date >= ends[habit.id]:
        return "given up"
    if day.ill and habit.who is Who.OWNER:
        return "ill"
    if day.people[habit.who].late and habit.cue == "owner_up":
        return "overslept"
    return "" if rng.random() < habit.keeps else "forgot"
