"""Hours and five minutes of every number, made from its readings as Home Assistant makes them from states."""

import math
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from homesteward.demo.past.book import Outage
from homesteward.demo.past.meters import Series, sums
from homesteward.demo.past.rooms import Thing

HOUR, FIVE_MINUTES = 3600, 300


class Stretch(NamedTuple):
    """One row: what a sensor showed in an hour, or in five minutes."""

    start: float
    mean: float | None = None
    least: float | None = None
    most: float | None = None
    state: float | None = None
    sum: float | None = None


def stretches(
    thing: Thing, series: Series, length: int, start: float, end: float, outage: Outage | None
) -> Iterator[Stretch]:
    """Yield the stretches of `length` seconds that lie between `start` and `end` and were not all darkness."""
    counts = thing.state_class != "measurement"
    totals = [total for _, total in sums(series)] if counts else []
    moments = [at for at, _ in series]
    at = math.ceil(start / length) * length
    index = bisect_left(moments, at)
    while at + length <= end:
        after = bisect_left(moments, at + length, lo=index)
        if after > 0 and not (outage and outage.start <= at and at + length <= outage.end):
            if counts:
                yield Stretch(at, state=series[after - 1][1], sum=totals[after - 1])
            else:
                yield _measured(series, max(0, index - 1), after, at, length)
        at, index = at + length, after


def _measured(series: Series, first: int, after: int, start: float, length: int) -> Stretch:
    """Return mean (weighted by time), least and most of the readings that held in one stretch."""
    values = [value for _, value in series[first:after]]
    if len(values) == 1:
        return Stretch(start, values[0], values[0], values[0])
    area, since = 0.0, max(start, series[first][0])
    begin = since
    ends = [*(at for at, _ in series[first + 1 : after]), start + length]
    for end, value in zip(ends, values, strict=True):
        until = max(end, since)
        area += value * (until - since)
        since = until
    return Stretch(start, area / (start + length - begin), min(values), max(values))
