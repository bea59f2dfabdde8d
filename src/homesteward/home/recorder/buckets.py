"""A series in a few steps of the household's clock: what it was on average, at least and at most, or how much it counted in each."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from homesteward.home.recorder.asking import Window
from homesteward.home.recorder.readings import increments
from homesteward.home.recorder.series import Series

STEPS = tuple(timedelta(minutes=minutes) for minutes in (5, 15, 60, 180, 360, 1440, 7 * 1440, 28 * 1440))
DAY = timedelta(days=1)
MOST = 60


@dataclass(frozen=True, slots=True)
class Bucket:
    """One step. `mean` is weighted by time; `known` is the share of the step of which anything is known, from 0 to 1."""

    start: datetime
    end: datetime
    mean: float | None = None
    min: float | None = None
    max: float | None = None
    change: float | None = None
    known: float = 0.0


def steps(window: Window, zone: ZoneInfo, most: int = MOST) -> tuple[datetime, ...]:
    """Return the edges of at most `most` steps that cover `window`: round times of the clock of `zone`, days on its midnights.

    The first and the last edge are those of the window.
    """
    span = window.until - window.since
    step = next((step for step in STEPS if span / step <= most - 1), STEPS[-1])
    step = max(step, STEPS[-1] * -(-(span // STEPS[-1]) // (most - 1))) if step == STEPS[-1] else step
    inside = _days(window, zone, step // DAY) if step >= DAY else _hours(window, zone, step)
    return (window.since, *inside, window.until)


def in_steps(series: Series, edges: Sequence[datetime]) -> tuple[Bucket, ...]:
    """Return `series` in the steps between `edges`. What a meter counted in all is what its steps counted together."""
    return tuple(_counted(series, edges) if series.counts else _measured(series, edges))


def time_in_states(series: Series, until: datetime) -> dict[str, timedelta]:
    """Return for how long each state held, up to `until` or the window's end, the longest first."""
    end = min(until, series.window.until)
    spent: dict[str, timedelta] = {}
    for reading, after in pairwise([*series.readings, None]):
        assert reading is not None  # noqa: S101 - only the last is None
        held = max(timedelta(), min(after.at if after else end, end) - reading.at)
        spent[reading.text] = spent.get(reading.text, timedelta()) + held
    return dict(sorted(spent.items(), key=lambda item: -item[1]))


@dataclass(frozen=True, slots=True)
class _Stretch:
    start: datetime
    end: datetime
    mean: float
    min: float
    max: float


def _measured(series: Series, edges: Sequence[datetime]) -> Iterator[Bucket]:
    stretches = list(_stretches(series))
    first = 0
    for start, end in pairwise(edges):
        while first < len(stretches) and stretches[first].end <= start:
            first += 1
        inside = []
        for stretch in stretches[first:]:
            if stretch.start >= end:
                break
            inside.append(stretch)
        yield _bucket(start, end, inside)


def _bucket(start: datetime, end: datetime, inside: Sequence[_Stretch]) -> Bucket:
    weights = [(min(each.end, end) - max(each.start, start)).total_seconds() for each in inside]
    seconds = sum(weights)
    if not seconds:
        return Bucket(start, end)
    least, most = min(each.min for each in inside), max(each.max for each in inside)
    mean = sum(each.mean * weight for each, weight in zip(inside, weights, strict=True)) / seconds
    return Bucket(start, end, min(max(mean, least), most), least, most, known=_share(seconds, start, end))


def _stretches(series: Series) -> Iterator[_Stretch]:
    """Yield what held when, as far as it was a number."""
    for row in series.rows:
        if row.mean is not None:
            least, most = row.mean if row.min is None else row.min, row.mean if row.max is None else row.max
            yield _Stretch(row.start, row.end, row.mean, least, most)
    for reading, after in pairwise([*series.readings, None]):
        end = after.at if after else series.window.until
        if reading is not None and reading.value is not None and end > reading.at:
            yield _Stretch(reading.at, end, reading.value, reading.value, reading.value)


def _counted(series: Series, edges: Sequence[datetime]) -> Iterator[Bucket]:
    """Count where each change was seen: an hour's belongs to the step that it begins in, a reading's to the step of its moment."""
    changes = [(max(row.start, series.window.since), row.change) for row in series.rows if row.change is not None]
    changes += list(increments(series.readings))
    known_from = series.known_from or edges[-1]
    index = 0
    for start, end in pairwise(edges):
        known = max(0.0, (end - max(start, known_from)).total_seconds())
        total = 0.0
        while index < len(changes) and changes[index][0] < end:
            total += changes[index][1]
            index += 1
        yield Bucket(start, end, change=round(total, 9) if known else None, known=_share(known, start, end))


def _share(seconds: float, start: datetime, end: datetime) -> float:
    return min(1.0, seconds / (end - start).total_seconds())


def _hours(window: Window, zone: ZoneInfo, step: timedelta) -> Iterator[datetime]:
    """Yield the round times within the window; where the clock is put forward or back, a step is an hour shorter or longer."""
    local = window.since.astimezone(zone)
    at = local.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    last = window.since
    while True:
        moment = at.replace(tzinfo=zone).astimezone(UTC)
        if moment >= window.until:
            return
        if moment > last:
            yield moment
            last = moment
        at += step


def _days(window: Window, zone: ZoneInfo, days: int) -> Iterator[datetime]:
    day = window.since.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    while True:
        day += timedelta(days=days)
        moment = day.replace(tzinfo=zone).astimezone(UTC)
        if moment >= window.until:
            return
        if moment > window.since:
            yield moment
