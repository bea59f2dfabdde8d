"""How much a meter counted in a window: over the purge of its states and over every reset, as Home Assistant's own statistics have it.

A counter's statistics are one running sum, known at the end of every hour for good and at the end of every five minutes for some
days; between two such ends only states can tell. So a total is the sum at the window's end less the sum at its beginning, and each
of the two is found as closely as something is still known. What cannot be known is a `Gap`, never a guess.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.home.errors import NotCountedError
from homesteward.home.recorder.asking import Line, Window
from homesteward.home.recorder.history import Past, read_history
from homesteward.home.recorder.readings import COUNTING, increments, readings_of
from homesteward.home.recorder.series import nothing_recorded
from homesteward.home.recorder.statistics import Measure, Period, Row, read_measures, read_statistics

NEAR = timedelta(hours=26)
FAR = timedelta(days=400)
CLOSE = timedelta(minutes=65)  # five-minute rows worth looking at: an hour's end lies nearer
MOST_LOOKS = 25  # steps of 400 days: further back than Home Assistant has statistics
BEAT = timedelta(minutes=65)  # two ends of rows that lie further apart had nobody recording between them


@dataclass(frozen=True, slots=True)
class Gap:
    """A stretch at an edge of the window of which less is known. `up_to` is the most that could be missing or too much, where known."""

    since: datetime
    until: datetime
    why: str
    up_to: float | None = None


NOT_RECORDED = "nothing is recorded"
ONLY_THE_HOUR = "only the whole hour is known, so this part of it is left out"
COUNTED_AFTERWARDS = "nobody recorded; what was counted meanwhile is in the number"


@dataclass(frozen=True, slots=True)
class Total:
    """What a meter counted in `window`, in `unit`; exact unless there are `gaps`."""

    entity_id: str
    window: Window
    value: float
    unit: str | None
    gaps: tuple[Gap, ...] = ()
    sources: tuple[str, ...] = ()
    """What its two edges were found by: `hour`, `5minute` or `states`."""

    @property
    def exact(self) -> bool:
        """Return whether the number is of exactly this window."""
        return not self.gaps


async def read_total(line: Line, entity_id: str, window: Window) -> Total:
    """Return what `entity_id` (or a statistic) counted in `window`.

    Raises NothingRecordedError where nothing is known, NotCountedError for what does not count, and as `ask` does.
    """
    measure = (await read_measures(line, [entity_id])).get(entity_id)
    if measure is None:
        return await _of_states(line, entity_id, window)
    if not measure.counts:
        raise _not_counted(entity_id)
    begin = await _Edge(line, measure, window, window.since).find()
    end = await _Edge(line, measure, window, window.until).find()
    if begin is None or end is None:
        raise nothing_recorded(entity_id, window)
    if end.at <= begin.at:
        hour = f"{begin.most:g} {measure.unit or ''}".strip() if begin.most is not None else ""
        raise nothing_recorded(entity_id, window, f"The hour around it counted {hour}." if hour else "")
    gaps = tuple(found.gap for found in (begin, end) if found.gap)
    value = round(end.sum - begin.sum, 9)  # a sum in binary shows 0.30000000000109
    return Total(entity_id, window, value, measure.unit, gaps, tuple(dict.fromkeys((begin.source, end.source))))


@dataclass(frozen=True, slots=True)
class _Found:
    """The running sum as near to an edge as it is known: at the moment `at`."""

    at: datetime
    sum: float
    source: str
    gap: Gap | None = None
    most: float | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """An end of a row: the running sum then, and what of."""

    at: datetime
    sum: float
    source: str


class _Edge:
    """One end of the window, and the search for the running sum there."""

    def __init__(self, line: Line, measure: Measure, window: Window, at: datetime) -> None:
        self._line = line
        self._measure = measure
        self._window = window
        self._at = at
        self._begins = at == window.since

    async def find(self) -> _Found | None:
        """Return the sum at this edge, or as near to it inside the window as it is known; None where nothing is."""
        hours = await self._rows(Period.HOUR, self._at - NEAR, self._at + NEAR)
        fives = await self._rows(Period.FIVE_MINUTES, self._at - CLOSE, self._at + CLOSE)
        known = _known(hours, fives)
        below = max((each for each in known if each.at <= self._at), key=lambda each: each.at, default=None)
        above = min((each for each in known if each.at > self._at), key=lambda each: each.at, default=None)
        if below and below.at == self._at:
            return _Found(self._at, below.sum, below.source)
        below = below or await self._far_below()
        if below is None:
            return await self._first((*fives, *hours))
        if self._begins and above is None:
            above = await self._far_above()
        return await self._between(below, above)

    async def _between(self, below: _Known, above: _Known | None) -> _Found | None:
        most = above.sum - below.sum if above else None
        if (above.at if above else self._at) - below.at > BEAT:
            return self._after_silence(below, above, most)
        if (counted := await self._by_states(below.at, self._at)) is not None:
            return _Found(self._at, below.sum + counted, "states", most=most)
        if above and (to_come := await self._by_states(self._at, above.at)) is not None:
            return _Found(self._at, above.sum - to_come, "states", most=most)
        if self._begins:
            if above is None:
                return None
            return _Found(above.at, above.sum, above.source, Gap(self._at, above.at, ONLY_THE_HOUR, most), most)
        return _Found(below.at, below.sum, below.source, Gap(below.at, self._at, ONLY_THE_HOUR, most), most)

    def _after_silence(self, below: _Known, above: _Known | None, most: float | None) -> _Found | None:
        """Nobody recorded around the edge: what was counted meanwhile belongs to whatever comes after the silence."""
        if self._begins:
            if above is None or above.at > self._window.until:
                return None
            return _Found(below.at, below.sum, below.source, Gap(below.at, above.at, COUNTED_AFTERWARDS, most), most)
        if below.at <= self._window.since:
            return None
        return _Found(below.at, below.sum, below.source, Gap(below.at, self._at, NOT_RECORDED, most), most)

    async def _first(self, near: tuple[Row, ...]) -> _Found | None:
        """Return the sum at the very first row, where the window begins before anything is known."""
        rows = (row for row in (*near, *await self._ahead()) if row.sum is not None and row.end > self._at)
        first = next(rows, None)
        if not self._begins or first is None or first.sum is None or first.end > self._window.until:
            return None
        if first.start < self._at:
            if (to_come := await self._by_states(self._at, first.end)) is not None:
                return _Found(self._at, first.sum - to_come, "states")
            gap = Gap(self._at, first.end, ONLY_THE_HOUR, first.change)
            return _Found(first.end, first.sum, "hour", gap, first.change)
        begun = Gap(self._at, first.start, NOT_RECORDED) if first.start > self._at else None
        return _Found(first.start, first.sum - (first.change or 0.0), "hour", begun)

    async def _by_states(self, since: datetime, until: datetime) -> float | None:
        """Return what was counted in between, None where the states of that time are not all kept."""
        if ":" in self._measure.statistic_id:
            return None
        found = await read_history(self._line, [self._measure.statistic_id], Window(since, until))
        past = found[self._measure.statistic_id]
        readings = tuple(readings_of(past.states, self._measure.unit))
        if not past.held or past.truncated or readings[0].value is None:
            return None
        return sum(change for _, change in increments(readings))

    async def _far_below(self) -> _Known | None:
        rows = await self._rows(Period.HOUR, self._at - FAR, self._at - NEAR)
        known = _known(rows, ())
        return known[-1] if known else None

    async def _far_above(self) -> _Known | None:
        return next(iter(_known(await self._ahead(), ())), None)

    async def _ahead(self) -> tuple[Row, ...]:
        """Return the first rows of the window that there are, in steps as long as one request may be."""
        start = self._at
        for _ in range(MOST_LOOKS):
            if start >= self._window.until:
                break
            if rows := await self._rows(Period.HOUR, start, min(start + FAR, self._window.until)):
                return rows
            start += FAR
        return ()

    async def _rows(self, period: Period, since: datetime, until: datetime) -> tuple[Row, ...]:
        name = self._measure.statistic_id
        return (await read_statistics(self._line, [name], Window(since, until), period))[name]


def _known(hours: Iterable[Row], fives: Iterable[Row]) -> list[_Known]:
    """Return the ends of rows in order; an hour's end is also that of its last five minutes."""
    ends = {row.end: _Known(row.end, row.sum, "5minute") for row in fives if row.sum is not None}
    ends |= {row.end: _Known(row.end, row.sum, "hour") for row in hours if row.sum is not None}
    return [ends[at] for at in sorted(ends)]


async def _of_states(line: Line, entity_id: str, window: Window) -> Total:
    """Count a meter that has no statistics, such as one that the recorder was told of only now, from its states alone."""
    past = (await read_history(line, [entity_id], window))[entity_id]
    if past.known_from is None:
        raise nothing_recorded(entity_id, window)
    if not any(state.attributes.get("state_class") in COUNTING for state in past.states):
        raise _not_counted(entity_id)
    unit = _unit(past)
    value = sum(change for _, change in increments(readings_of(past.states, unit)))
    begun = past.known_from > window.since
    gaps = (Gap(window.since, past.known_from, NOT_RECORDED),) if begun else ()
    return Total(entity_id, window, round(value, 9), unit, gaps, ("states",))


def _unit(past: Past) -> str | None:
    units = (state.attributes.get("unit_of_measurement") for state in reversed(past.states))
    return next((str(unit) for unit in units if unit), None)


def _not_counted(entity_id: str) -> NotCountedError:
    return NotCountedError(
        f"{entity_id} does not count anything, so there is no total of it.",
        next="Ask for its series, which has the mean, least and most, or name a meter (energy, gas, water).",
    )
