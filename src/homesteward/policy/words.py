"""How an owner writes amounts and times in a rule: `2h`, `22:00-06:00`, `5 per hour`, `75 °F`. Each has one reading and is refused otherwise."""

import re
import sys
from dataclasses import dataclass
from datetime import time, timedelta

UNITS = {
    "s": 1,
    "sec": 1,
    "min": 60,
    "m": 60,
    "h": 3600,
    "hour": 3600,
    "hours": 3600,
    "d": 86400,
    "day": 86400,
    "days": 86400,
}
DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|sec|min|m|h|hours?|d|days?)")
SPAN = re.compile(r"(\d{1,2}):(\d{2})\s*(?:-|\u2013|to)\s*(\d{1,2}):(\d{2})")
RATE = re.compile(r"(\d+)\s*(?:per|/|in)\s*(?:(\d+(?:\.\d+)?)\s*)?(s|sec|min|m|minute|h|hour|hours|d|day|days)")
TEMPERATURE = re.compile(r"(-?\d+(?:\.\d+)?)\s*°?\s*([CFcf])")
MINUTE = {"minute": 60}
HOTTEST = 10_000  # °C; beyond it is a slip of the hand
YEAR = 366 * 86400
MOST_TIMES = 200  # that often something is counted per service and entity, and no further
LONGEST_RATE = timedelta(days=1)  # and for as long: a rule beyond either would be kept and never hold
MAX_WRITTEN = 60  # characters; no amount takes more, and none is repeated at greater length


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the day in the home's own time; one that ends before it begins goes over midnight, one of no length is all day."""

    start: time
    end: time

    def holds(self, at: time) -> bool:
        """Return whether the time of day `at` lies within; the end does not."""
        if self.start == self.end:
            return True
        if self.start < self.end:
            return self.start <= at < self.end
        return at >= self.start or at < self.end


@dataclass(frozen=True, slots=True)
class Rate:
    """So many times within a period."""

    times: int
    within: timedelta


def duration(text: object) -> timedelta:
    """Return `2h`, `30 min` or `90s` as a duration; raise ValueError for anything else, for none at all, and for more than a year."""
    found = DURATION.fullmatch(_written(text).lower())
    if not found:
        raise ValueError(f"{_shown(text)} is no duration; write it like 30s, 10 min, 2h or 1d")
    return _within_a_year(float(found[1]) * UNITS[found[2]], text)


def span(text: object) -> Span:
    """Return `22:00-06:00` as a stretch of the day; raise ValueError for anything else."""
    found = SPAN.fullmatch(_written(text))
    try:
        if found:
            start, end = _clock(found[1], found[2]), _clock(found[3], found[4])
            return Span(start, end)
    except ValueError:
        pass
    raise ValueError(f"{_shown(text)} is no time of day; write it like 22:00-06:00, in quotes")


def rate(text: object) -> Rate:
    """Return `5 per hour` or `3 in 10 min` as a rate; raise ValueError for anything else, and for one that is not counted that far."""
    found = RATE.fullmatch(_written(text).lower())
    if not found:
        raise ValueError(f"{_shown(text)} is no rate; write it like 5 per hour or 3 in 10 min")
    times, within = int(found[1]), _within_a_year(float(found[2] or 1) * (UNITS | MINUTE)[found[3]], text)
    if times > MOST_TIMES:
        raise ValueError(f"{_shown(text)} never holds: no more than {MOST_TIMES} times are counted")
    if within > LONGEST_RATE:
        raise ValueError(f"{_shown(text)} never holds: what was done is counted for a day, and no longer")
    return Rate(times, within)


def celsius(value: object) -> float:
    """Return a temperature in °C: a number is taken as that, a text names its unit; raise ValueError for anything else."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if abs(value) > HOTTEST:
            raise ValueError(f"{_shown(value)} is no temperature")
        return float(value)
    found = TEMPERATURE.fullmatch(_written(value))
    if not found:
        raise ValueError(f"{_shown(value)} is no temperature; write 21, 21 °C or 70 °F")
    degrees = float(found[1])
    return degrees if found[2] in "cC" else fahrenheit_to_celsius(degrees)


def fahrenheit_to_celsius(degrees: float) -> float:
    """Return °F as °C."""
    return (degrees - 32) * 5 / 9


def _clock(hours: str, minutes: str) -> time:
    return time(0) if (hours, minutes) == ("24", "00") else time(int(hours), int(minutes))


def _within_a_year(seconds: float, text: object) -> timedelta:
    if not 0 < seconds <= YEAR:
        raise ValueError(f"{_shown(text)} is no time between nothing and a year")
    return timedelta(seconds=seconds)


def _written(value: object) -> str:
    """Return one word as it was written, empty for what is none: lists within lists are never spelled out."""
    if not isinstance(value, str | int | float) or (isinstance(value, int) and abs(value) > sys.maxsize):
        return ""
    text = str(value).strip()
    return text if len(text) <= MAX_WRITTEN else ""


def _shown(value: object) -> str:
    return repr(_written(value)) if _written(value) else "that"
