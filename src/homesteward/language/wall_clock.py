"""A time of day as people say it, and the next moment at which the clock on the wall shows it, over every change of the clock."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum

HALF_DAY, DAY = 12 * 60, 24 * 60
DAWN = 6 * 60  # up to here "at night" is after midnight


class Part(StrEnum):
    """Which half of the day is meant. A night goes over midnight."""

    ANY = ""
    AM = "am"
    PM = "pm"
    NIGHT = "night"


@dataclass(frozen=True, slots=True)
class TimeOfDay:
    """Minutes after midnight. `exact` leaves no doubt which half of the day is meant; `part` says it in words."""

    minutes: int
    part: Part = Part.ANY
    exact: bool = False

    @classmethod
    def of(cls, minutes: int, part: Part = Part.ANY, *, exact: bool = False) -> TimeOfDay | None:
        """Return the time of day, None for minutes that no day has."""
        return cls(minutes, part, exact) if 0 <= minutes <= DAY else None

    def within(self, part: Part) -> TimeOfDay:
        """Return the time within this part of the day, unless it had one of its own."""
        return self if self.part is not Part.ANY or part is Part.ANY else replace(self, part=part)

    def minutes_meant(self) -> tuple[int, ...]:
        """Return the minutes after midnight that may be meant; beyond a day's end is the night after it."""
        early, late = self.minutes % HALF_DAY, self.minutes % HALF_DAY + HALF_DAY
        if self.part is Part.NIGHT and not self.exact:
            return (early + DAY,) if early < DAWN else (late,)
        if self.exact:
            return (self.minutes,)
        return {Part.AM: (early,), Part.PM: (late,)}.get(self.part, (early, late))


def next_at(time: TimeOfDay, after: datetime, day: date | None = None) -> datetime | None:
    """Return the first moment after `after` (in the home's zone) at which it is that time, on `day` if one is given; None if it is over.

    A time that the clock skips is as much later as the clock was put forward; one that it shows twice is the first that is to come.
    """
    days = (day,) if day else (after.date() - timedelta(days=1), after.date(), after.date() + timedelta(days=1))
    moments = (moment for each in days for moment in _moments(time, each, after) if moment > after)
    return min(moments, default=None)


def _moments(time: TimeOfDay, day: date, after: datetime) -> Iterator[datetime]:
    for minutes in time.minutes_meant():
        ahead, rest = divmod(minutes, DAY)
        on = day + timedelta(days=ahead)
        for fold in (0, 1):
            wall = datetime(on.year, on.month, on.day, rest // 60, rest % 60, tzinfo=after.tzinfo, fold=fold)
            moment = wall.astimezone(UTC)
            shown = moment.astimezone(after.tzinfo).replace(tzinfo=None) == wall.replace(tzinfo=None)
            if shown or not fold:
                yield moment
