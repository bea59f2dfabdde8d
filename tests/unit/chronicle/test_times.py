"""How moments are written: in home time where none is said, on the days when clocks change, and never by a guess."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.times import BadTimeError, in_zone, moment, rendered, span

BERLIN = ZoneInfo("Europe/Berlin")
KOLKATA = ZoneInfo("Asia/Kolkata")
LORD_HOWE = ZoneInfo("Australia/Lord_Howe")
NOW = datetime(2026, 11, 30, 21, 10, tzinfo=UTC)  # a Monday, 22:10 in Berlin


@pytest.mark.parametrize(
    ("text", "local"),
    [
        ("NOW", "2026-11-30 22:10"),
        ("NOW-2h", "2026-11-30 20:10"),
        ("now - 1h30m", "2026-11-30 20:40"),
        ("-90m", "2026-11-30 20:40"),
        ("2 hours ago", "2026-11-30 20:10"),
        ("vor 2 Stunden", "2026-11-30 20:10"),
        ("yesterday 18:00", "2026-11-29 18:00"),
        ("Yesterday at 6pm", "2026-11-29 18:00"),
        ("gestern um 18 Uhr", "2026-11-29 18:00"),
        ("day before yesterday", "2026-11-28 00:00"),
        ("today 6:30", "2026-11-30 06:30"),
        ("today 23:00", "2026-11-30 23:00"),
        ("monday", "2026-11-30 00:00"),
        ("monday 23:00", "2026-11-23 23:00"),
        ("last monday 7am", "2026-11-23 07:00"),
        ("letzten Montag 7:00", "2026-11-23 07:00"),
        ("friday", "2026-11-27 00:00"),
        ("2026-11-03", "2026-11-03 00:00"),
        ("2026-11-03 18:02", "2026-11-03 18:02"),
        ("2026-11-03T18:02:07.5", "2026-11-03 18:02:07.500000"),
        ("18:02", "2026-11-30 18:02"),
        ("23:02", "2026-11-29 23:02"),
        ("noon", "2026-11-30 12:00"),
        ("12am", "2026-11-30 00:00"),
    ],
)
def test_a_moment_is_understood_in_the_homes_time(text, local):
    assert moment(text, NOW, BERLIN).at == datetime.fromisoformat(local).replace(tzinfo=BERLIN)


@pytest.mark.parametrize("text", ["2026-11-03T18:02:00+01:00", "2026-11-03 17:02z", "2026-11-03T17:02:00+0000"])
def test_an_offset_that_is_written_counts(text):
    assert moment(text, NOW, KOLKATA).at == datetime(2026, 11, 3, 17, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "soon", "nan", "inf", "None", "0000-00-00", "0000-01-01", "0001-01-01", "1969-12-31", "9999-12-31",
        "2036-01-01", "2026-02-30", "25:00", "18:60", "13pm", "0am", "-", "now-", "NOW-2", "NOW-2x", "now+2h", "tomorrow",
        "NOW-999999999w", "1764540000", "18", "2026-11-03 18", "yesterday evening", "last", "last 7am", "2026-11-03T18:02+99:00",
        "2026-W10-1", "x" * 5000, "٣:٠٠ o'clock", "-90", "monday tuesday",
    ],
)  # fmt: skip
def test_nonsense_is_an_error_that_says_what_is_taken(text):
    with pytest.raises(BadTimeError) as caught:
        moment(text, NOW, BERLIN)

    assert caught.value.code == "bad_time"
    assert "yesterday 18:00" in caught.value.next
    assert len(caught.value.message) < 200


def test_an_hour_that_comes_twice_is_its_first_and_that_is_said():
    found = moment("2026-10-25 02:30", NOW, BERLIN)

    assert found.at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert "twice" in found.note


def test_an_hour_that_is_skipped_is_counted_with_the_offset_before_and_that_is_said():
    found = moment("2026-03-29 02:30", NOW, BERLIN)

    assert found.at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    assert "03:30" in found.note


def test_yesterday_on_the_day_after_the_clocks_changed_is_the_clock_time_and_not_24_hours_back():
    now = datetime(2026, 10, 25, 20, 0, tzinfo=UTC)

    assert moment("yesterday 21:00", now, BERLIN).at == datetime(2026, 10, 24, 19, 0, tzinfo=UTC)
    assert moment("NOW-1d", now, BERLIN).at == now - timedelta(days=1)


def test_a_zone_of_a_half_hour_is_counted_with_its_half_hour():
    assert moment("18:00", NOW, KOLKATA).at == datetime(2026, 11, 30, 12, 30, tzinfo=UTC)


def test_a_half_hour_change_of_the_clocks_makes_half_an_hour_twice():
    found = moment("2026-04-05 01:45", NOW, LORD_HOWE)

    assert found.at == datetime(2026, 4, 4, 14, 45, tzinfo=UTC)
    assert "twice" in found.note
    assert not moment("2026-04-05 02:15", NOW, LORD_HOWE).note


def test_a_home_that_moved_to_another_zone_asks_and_reads_in_its_new_one():
    at = moment("2026-11-03 18:02", NOW, BERLIN).at

    assert rendered(at, KOLKATA) == "2026-11-03T22:32:00+05:30"
    assert moment(rendered(at, KOLKATA), NOW, BERLIN).at == at


def test_a_span_that_ends_before_it_begins_is_an_error():
    with pytest.raises(BadTimeError, match="before it begins"):
        span("18:00", "17:00", NOW, BERLIN)


def test_an_open_end_stays_open():
    assert span(None, "17:00", NOW, BERLIN)[0] is None


LONG_AGO = NOW.replace(year=1975, tzinfo=None)
MOMENTS = st.datetimes(LONG_AGO, NOW.replace(tzinfo=None), timezones=st.just(UTC))
ZONES = st.sampled_from([BERLIN, KOLKATA, LORD_HOWE, ZoneInfo("America/St_Johns"), ZoneInfo("UTC")])


@given(MOMENTS, ZONES, ZONES)
def test_a_rendered_moment_is_read_back_as_the_same(at, written, read):
    assert moment(rendered(at, written), NOW, read).at == at


@given(st.datetimes(LONG_AGO, NOW.replace(tzinfo=None)), ZONES)
def test_a_clock_time_of_a_zone_is_shown_again_as_it_was_or_its_note_says_why_not(local, zone):
    found = in_zone(local, zone)

    assert found.at.astimezone(zone).replace(tzinfo=None) == local or "skipped" in found.note


@given(st.text(max_size=40))
def test_any_text_is_a_moment_or_a_bad_time(text):
    try:
        found = moment(text, NOW, BERLIN)
    except BadTimeError:
        return
    assert found.at.tzinfo is UTC
