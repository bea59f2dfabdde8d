"""Moments as the whole microseconds since 1970 that the tables keep, and the months that partitions are made of."""

from datetime import UTC, datetime, timedelta

from homesteward.store.tables import EPOCH

SECOND = 1_000_000  # in microseconds
DAY = 86_400 * SECOND


def micros(at: datetime) -> int:
    """Return the aware moment in microseconds since 1970."""
    since = at - EPOCH
    return since.days * DAY + since.seconds * SECOND + since.microseconds


def moment(stamp: int) -> datetime:
    """Return the moment of `micros`, in UTC."""
    return EPOCH + timedelta(microseconds=stamp)


def month_of(stamp: int) -> tuple[int, int]:
    """Return the year and month, in UTC, that the moment is in."""
    at = moment(stamp)
    return at.year, at.month


def month_span(year: int, month: int) -> tuple[int, int]:
    """Return the first microsecond of the month and that of the next one."""
    start = datetime(year, month, 1, tzinfo=UTC)
    end = datetime(year + month // 12, month % 12 + 1, 1, tzinfo=UTC)
    return micros(start), micros(end)
