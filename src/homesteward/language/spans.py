"""Stretches of time as people name them, in the home's own days."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

DAY = timedelta(days=1)
DUSK, DAWN = 20, 6  # hours: "last night" is between them
type Stretch = tuple[datetime, datetime]


def span_of(name: str, now: datetime) -> Stretch:
    """Return the stretch that `name` means at `now` (in the home's zone) as two moments in UTC; a name that is none means today."""
    since, until = SPANS.get(name, _today)(now)
    return since.astimezone(UTC), until.astimezone(UTC)


def midnight(now: datetime, days: int = 0) -> datetime:
    """Return when the day so many days from today begins."""
    day = now.date() + timedelta(days=days)
    return datetime(day.year, day.month, day.day, tzinfo=now.tzinfo)


def _today(now: datetime) -> Stretch:
    return midnight(now), midnight(now, 1)


def _night(now: datetime) -> Stretch:
    return midnight(now, -1).replace(hour=DUSK), min(midnight(now).replace(hour=DAWN), now)


def _week(now: datetime, weeks: int = 0) -> Stretch:
    monday = 7 * weeks - now.weekday()
    return midnight(now, monday), midnight(now, monday + 7)


SPANS: Mapping[str, Callable[[datetime], Stretch]] = {
    "today": _today,
    "now": _today,
    "yesterday": lambda now: (midnight(now, -1), midnight(now)),
    "tomorrow": lambda now: (midnight(now, 1), midnight(now, 2)),
    "night": _night,
    "week": _week,
    "last_week": lambda now: _week(now, -1),
    "next_week": lambda now: _week(now, 1),
}
