"""One entity over time, joined: its states as far back as the recorder has them, hours of statistics before that."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from homesteward.home.errors import NothingRecordedError
from homesteward.home.model import State
from homesteward.home.recorder.asking import Line, Window
from homesteward.home.recorder.history import MAX_ROWS, Past, read_history
from homesteward.home.recorder.readings import COUNTING, Reading, readings_of
from homesteward.home.recorder.statistics import Measure, Period, Row, read_measures, read_statistics

HOURS_UP_TO = timedelta(days=400)  # beyond that, days are told
WITH_NUMBERS = frozenset({"sensor", "number", "input_number", "counter"})  # whose attributes say how to read them


@dataclass(frozen=True, slots=True)
class Series:
    """What is known of an entity in a window, the oldest first: `rows` of statistics up to `states_from`, `readings` from then on.

    `states_from` is None where no state is kept. Where both begin after the window, nothing is known of what was before.
    """

    entity_id: str
    window: Window
    unit: str | None
    counts: bool
    """Whether it is a meter: `change` is what counts, not what it shows."""
    rows: tuple[Row, ...] = ()
    period: Period = Period.HOUR
    readings: tuple[Reading, ...] = ()
    states_from: datetime | None = None
    truncated: bool = False
    """Whether older states are kept, which were too many to read; statistics stand in for them where there are any."""

    @property
    def known_from(self) -> datetime | None:
        """Return when what is known begins."""
        return self.rows[0].start if self.rows else self.states_from

    @property
    def numeric(self) -> bool:
        """Return whether anything in it is a number."""
        return bool(self.rows) or any(reading.value is not None for reading in self.readings)


async def read_series(line: Line, entity_id: str, window: Window, *, limit: int = MAX_ROWS) -> Series:
    """Return the entity's (or a statistic's) series; raises NothingRecordedError where there is nothing, and as `ask` does.

    The border between the two lies at the end of an hour of statistics, so that nothing is told twice. All numbers are in the
    unit that the entity has now.
    """
    measure = (await read_measures(line, [entity_id])).get(entity_id)
    past = await _states(line, entity_id, window, limit)
    rows: tuple[Row, ...] = ()
    period = Period.HOUR if window.until - window.since <= HOURS_UP_TO else Period.DAY
    until = past.known_from or window.until
    # the hour that the window begins within: of a measure its mean holds for its rest, of a meter nobody knows how it was spread
    start = _ceil_hour(window.since) if measure and measure.counts else _floor_hour(window.since)
    if measure and until > start:
        rows = (await read_statistics(line, [entity_id], Window(start, until), period))[entity_id]
    border = max(rows[-1].end, until) if rows and past.known_from else past.known_from
    readings = _from(tuple(readings_of(past.states, _unit(measure, past))), border)
    if not rows and not readings:
        raise nothing_recorded(entity_id, window)
    return Series(
        entity_id,
        window,
        _unit(measure, past),
        measure.counts if measure else _counting(past),
        rows,
        period,
        readings,
        border,
        past.truncated,
    )


def nothing_recorded(entity_id: str, window: Window, more: str = "") -> NothingRecordedError:
    """Return the error that says so, in UTC; `more` says what is known instead."""
    since, until = (moment.isoformat(timespec="minutes") for moment in (window.since, window.until))
    return NothingRecordedError(entity_id, since, until, more)


async def _states(line: Line, entity_id: str, window: Window, limit: int) -> Past:
    domain, dot, _ = entity_id.partition(".")
    if not dot or ":" in entity_id:
        return Past(entity_id)  # a statistic from elsewhere has no states
    found = await read_history(line, [entity_id], window, attributes=domain in WITH_NUMBERS, limit=limit)
    return found[entity_id]


def _unit(measure: Measure | None, past: Past) -> str | None:
    if measure:
        return measure.unit
    units = (state.attributes.get("unit_of_measurement") for state in reversed(past.states))
    return next((str(unit) for unit in units if unit), None)


def _counting(past: Past) -> bool:
    return any(_class(state) in COUNTING for state in past.states[-3:])


def _class(state: State) -> object:
    return state.attributes.get("state_class")


def _from(readings: tuple[Reading, ...], border: datetime | None) -> tuple[Reading, ...]:
    """Return the readings that hold from `border` on; the one that held there begins there."""
    if border is None:
        return ()
    before = [reading for reading in readings if reading.at <= border]
    after = [reading for reading in readings if reading.at > border]
    held = [_at(before[-1], border)] if before else []
    return (*held, *after)


def _at(reading: Reading, at: datetime) -> Reading:
    return Reading(at, reading.text, reading.value, reading.increasing, reading.last_reset)


def _floor_hour(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)


def _ceil_hour(at: datetime) -> datetime:
    floor = _floor_hour(at)
    return floor if floor == at else floor + timedelta(hours=1)
