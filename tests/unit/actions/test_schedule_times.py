"""Times as people say them, by the home's own clock, also on the two nights on which it is set."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.actions.schedule.moments import LONGEST, BadTimeError, moment_of, moments

VIENNA = ZoneInfo("Europe/Vienna")
NOON = datetime(2026, 3, 1, 11, tzinfo=UTC)  # 12:00 in Vienna


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("17:00", utc(2026, 3, 1, 16)),
        ("9:30", utc(2026, 3, 2, 8, 30)),
        ("12:00", utc(2026, 3, 2, 11)),
        ("12:00:01", utc(2026, 3, 1, 11, 0, 1)),
        ("2026-03-05T08:00", utc(2026, 3, 5, 7)),
        ("2026-03-05 08:00", utc(2026, 3, 5, 7)),
        ("2026-03-05T08:00Z", utc(2026, 3, 5, 8)),
        ("2026-03-05T08:00+05:30", utc(2026, 3, 5, 2, 30)),
    ],
)
def test_a_time_is_by_the_clock_of_the_home_and_a_time_of_day_is_the_next_there_is(text, at):
    assert moment_of(text, NOON, VIENNA) == at


def test_a_time_that_does_not_exist_is_the_moment_at_which_it_would_have_been():
    """On 29 March at 2:00 the clock in Vienna goes to 3:00: half past two is half past three."""
    night = utc(2026, 3, 28, 20)
    assert moment_of("02:30", night, VIENNA) == utc(2026, 3, 29, 1, 30)
    assert moment_of("2026-03-29T02:30", night, VIENNA) == utc(2026, 3, 29, 1, 30)
    assert moment_of("03:00", night, VIENNA) == utc(2026, 3, 29, 1)


def test_of_a_time_that_exists_twice_it_is_the_first_that_is_still_to_come():
    """On 25 October at 3:00 the clock in Vienna goes back to 2:00."""
    night, between = utc(2026, 10, 24, 20), utc(2026, 10, 25, 0, 45)
    for text in ("02:30", "2026-10-25T02:30"):
        assert moment_of(text, night, VIENNA) == utc(2026, 10, 25, 0, 30)
        assert moment_of(text, between, VIENNA) == utc(2026, 10, 25, 1, 30)


def test_a_while_is_a_while_across_the_night_on_which_the_clock_is_set():
    (before,), (after,) = (moments(datetime.fromisoformat(f"2026-03-{day}T12:00"), VIENNA) for day in (28, 29))
    assert after - before == timedelta(hours=23)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "noon",
        "24:00",
        "7",
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59-14:00",
        "2026-03-05",
        "2026-W10-4",
        "2026-13-01T00:00",
        "2026-02-28T12:00",
        "2026-04-02T12:00",
        "NaN",
    ],
)
def test_what_is_no_time_or_past_or_too_far_ahead_is_refused(text):
    with pytest.raises(BadTimeError):
        moment_of(text, NOON, VIENNA)


ZONES = st.sampled_from(
    ["UTC", "Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia"]
)
NOWS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)).map(lambda each: each.replace(tzinfo=UTC))  # noqa: DTZ001


@given(now=NOWS, of_day=st.times(), zone=ZONES.map(ZoneInfo))
def test_a_time_of_day_is_always_still_to_come_soon_and_what_the_clock_then_shows(now, of_day, zone):
    text = of_day.strftime("%H:%M:%S")
    at = moment_of(text, now, zone)
    assert now < at <= now + timedelta(days=2) <= now + LONGEST
    shown = at.astimezone(zone)
    assert (
        shown.strftime("%H:%M:%S") == text
        or len({shown.utcoffset(), (at - timedelta(hours=3)).astimezone(zone).utcoffset()}) == 2
    )
