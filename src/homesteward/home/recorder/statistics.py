"""The statistics that Home Assistant keeps for good: hours of every measuring or counting sensor, five minutes of the latest days."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from pydantic import BaseModel, TypeAdapter

from homesteward.home.errors import TooMuchAskedError
from homesteward.home.recorder.asking import Line, Read, Window, ask
from homesteward.home.wire import parsed

MAX_IDS = 100
MAX_ROWS = 50_000  # of one request: five years of hours of one sensor


class Period(StrEnum):
    """How long one row is. Days and longer are those of the home's own calendar."""

    FIVE_MINUTES = "5minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


LENGTHS: Mapping[Period, timedelta] = {
    Period.FIVE_MINUTES: timedelta(minutes=5),
    Period.HOUR: timedelta(hours=1),
    Period.DAY: timedelta(days=1),
    Period.WEEK: timedelta(days=7),
    Period.MONTH: timedelta(days=28),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """What is kept under a statistic id: an entity's id, or `source:name` for what comes from elsewhere."""

    statistic_id: str
    unit: str | None
    """The unit that its rows are told in: that of the entity's state, where there is one."""
    counts: bool
    """Whether it counts (its rows have `sum` and `change`); else it measures (`mean`, `min`, `max`)."""
    name: str | None = None
    source: str = "recorder"
    unit_class: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One stretch of a statistic. `change` is what was counted in it, over every reset of the meter; `state` its last reading."""

    start: datetime
    end: datetime
    mean: float | None = None
    min: float | None = None
    max: float | None = None
    state: float | None = None
    sum: float | None = None
    change: float | None = None


async def read_measures(line: Line, statistic_ids: Collection[str] = ()) -> dict[str, Measure]:
    """Return those statistics among `statistic_ids` that are kept, all of them where none is named; raises as `ask` does."""
    fields = {"statistic_ids": list(statistic_ids)} if statistic_ids else {}
    answer = await ask(line, Read.MEASURES, **fields)
    return {
        row.statistic_id: Measure(
            row.statistic_id,
            row.display_unit_of_measurement or row.statistics_unit_of_measurement,
            row.has_sum,
            row.name,
            row.source,
            row.unit_class,
        )
        for row in parsed(_MEASURES, answer)
    }


async def read_statistics(
    line: Line, statistic_ids: Collection[str], window: Window, period: Period = Period.HOUR
) -> dict[str, tuple[Row, ...]]:
    """Return the rows that begin in `window`, the oldest first; one without any has none.

    Days and longer reach over the window's ends. Raises TooMuchAskedError, and as `ask` does.
    """
    if len(statistic_ids) > MAX_IDS:
        raise TooMuchAskedError(
            f"{len(statistic_ids)} statistics are too many for one request.", next=f"Name at most {MAX_IDS}."
        )
    most = MAX_ROWS // max(1, len(statistic_ids))
    if (window.until - window.since) / LENGTHS[period] > most:
        raise TooMuchAskedError(
            f"That is more than {most} rows of {period.value} each.", next="Ask for a shorter time or a longer period."
        )
    if not statistic_ids:
        return {}
    answer = await ask(
        line, Read.STATISTICS, **window.fields, statistic_ids=list(dict.fromkeys(statistic_ids)), period=period.value
    )
    found = parsed(_ROWS, answer)
    return {statistic_id: tuple(map(_row, found.get(statistic_id, ()))) for statistic_id in statistic_ids}


class _MeasureRow(BaseModel):
    statistic_id: str
    display_unit_of_measurement: str | None = None
    statistics_unit_of_measurement: str | None = None
    has_sum: bool
    name: str | None = None
    source: str = "recorder"
    unit_class: str | None = None


class _StatisticRow(BaseModel):
    start: int  # milliseconds
    end: int
    mean: float | None = None
    min: float | None = None
    max: float | None = None
    state: float | None = None
    sum: float | None = None
    change: float | None = None


_MEASURES = TypeAdapter(list[_MeasureRow])
_ROWS = TypeAdapter(dict[str, list[_StatisticRow]])


def _row(raw: _StatisticRow) -> Row:
    start, end = (datetime.fromtimestamp(stamp / 1000, UTC) for stamp in (raw.start, raw.end))
    return Row(start, end, raw.mean, raw.min, raw.max, raw.state, raw.sum, raw.change)
