"""Meters and statistics count as Home Assistant counts; the sun and the clock of the place are right."""

from datetime import UTC, date, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.demo.past.book import Outage
from homesteward.demo.past.meters import meter, sums
from homesteward.demo.past.place import HOME
from homesteward.demo.past.recorder import fnv1a_32
from homesteward.demo.past.rooms import Thing
from homesteward.demo.past.signals import STEP, Ticks
from homesteward.demo.past.statistics import HOUR, stretches

AT = datetime(2026, 11, 2, tzinfo=UTC).timestamp()


def counter(state: str) -> Thing:
    return Thing("sensor.meter", "Meter", None, "meter", "energy", "kWh", "total_increasing", state)


def thermometer() -> Thing:
    return Thing("sensor.warmth", "Warmth", None, "warmth", "temperature", "°C", "measurement", "20.0")


@given(growth=st.lists(st.floats(0, 5), min_size=2, max_size=60), end=st.floats(0, 100))
def test_a_meter_always_ends_at_its_number_and_drops_only_when_it_is_reset(growth, end):
    end = round(end, 1)
    readings = meter(counter(str(end)), growth, Ticks(AT, len(growth)), HOME)

    drops = [after for before, after in pairwise(readings) if after < before - 1e-6]
    assert readings[-1] == pytest.approx(end, abs=max(growth) + 1e-6)
    assert len(drops) <= 1
    assert all(value >= -1e-9 for value in readings)


def test_what_was_counted_goes_on_over_a_reset():
    assert [total for _, total in sums([(1, 100.0), (2, 103.0), (3, 0.0), (4, 2.5)])] == [0.0, 3.0, 3.0, 5.5]


def test_an_hour_of_a_counter_holds_its_reading_and_what_was_counted_in_all():
    series = [(AT - 60, 100.0), (AT + 600, 103.0), (AT + 3700, 0.0), (AT + 5000, 2.5)]

    hours = list(stretches(counter("2.5"), series, HOUR, AT, AT + 2 * HOUR, None))

    assert [(hour.start - AT, hour.state, hour.sum) for hour in hours] == [(0, 103.0, 3.0), (3600, 2.5, 5.5)]


def test_the_mean_of_an_hour_is_weighted_by_time():
    series = [(AT - 60, 20.0), (AT + 2700, 24.0)]

    (hour,) = stretches(thermometer(), series, HOUR, AT, AT + HOUR, None)

    assert (hour.mean, hour.least, hour.most) == (21.0, 20.0, 24.0)


def test_an_hour_that_is_not_over_and_an_hour_of_darkness_have_no_row():
    series = [(AT - 60, 20.0)]
    dark = Outage(AT + HOUR - 60, AT + 2 * HOUR + 60)

    hours = list(stretches(thermometer(), series, HOUR, AT, AT + 3.5 * HOUR, dark))

    assert [hour.start - AT for hour in hours] == [0, 2 * HOUR]


def test_ticks_end_before_the_past_does():
    ticks = Ticks.between(AT + 1, AT + 3 * STEP)
    assert [ticks.at(index) - AT for index in range(ticks.count)] == [STEP, 2 * STEP]


def test_the_sun_rises_and_sets_when_home_assistant_says():
    day = date(2026, 12, 1)
    assert HOME.rises(day) == pytest.approx(datetime(2026, 12, 1, 7, 28, 3, tzinfo=UTC).timestamp(), abs=120)
    assert HOME.sinks(day) == pytest.approx(datetime(2026, 12, 1, 15, 30, 31, tzinfo=UTC).timestamp(), abs=120)


def test_an_hour_of_the_wall_clock_may_belong_to_the_next_day():
    assert HOME.at(date(2026, 11, 30), 24.5) == HOME.at(date(2026, 12, 1), 0.5)


@pytest.mark.parametrize(("text", "value"), [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968)])
def test_texts_are_hashed_as_the_recorder_hashes_them(text, value):
    assert fnv1a_32(text) == value
