"""What a meter counted from one state to the next, by the rules that Home Assistant's statistics go by."""

from datetime import UTC, datetime, timedelta

import pytest

from homesteward.home.model import State
from homesteward.home.recorder.readings import increments, number_of, readings_of

BEGAN = datetime(2026, 5, 4, tzinfo=UTC)


def states(*shown, unit="kWh", state_class="total_increasing"):
    """States a minute apart; each is a text, or a text and when the meter was last reset."""
    for minute, each in enumerate(shown):
        text, last_reset = each if isinstance(each, tuple) else (each, None)
        attributes = {"unit_of_measurement": unit, "state_class": state_class, "last_reset": last_reset}
        at = BEGAN + timedelta(minutes=minute)
        yield State("sensor.meter", text, attributes, at, at)


def counted(*shown, **more):
    return [round(change, 6) for _, change in increments(readings_of(states(*shown, **more), "kWh"))]


@pytest.mark.parametrize(
    ("shown", "changes"),
    [
        (("10", "12", "12.5"), [2, 0.5]),
        (("10", "unavailable", "13"), [3]),  # what was counted meanwhile belongs to what comes after
        (("10", "9.5", "11"), [-0.5, 1.5]),  # a dip
        (("10", "8", "9"), [8, 1]),  # a reset: less than nine tenths of what it showed
        (("10", "0", "2"), [0, 2]),
        (("10", "-4", "11"), [1]),  # what cannot be
        (("unknown", "nan", "inf"), []),
        (("10",), []),
    ],
)
def test_what_a_meter_that_only_grows_counted(shown, changes):
    assert counted(*shown) == changes


def test_a_meter_that_may_go_down_is_reset_only_when_it_says_so():
    first, second = "2026-05-01T00:00:00+00:00", "2026-05-04T00:02:00+00:00"
    assert counted(("10", first), ("4", first), ("1", second), ("3", second), state_class="total") == [-6, 1, 2]


def test_readings_in_another_unit_are_counted_in_the_one_asked_for():
    readings = list(readings_of(states("1000", "2500", unit="Wh"), "kWh"))
    assert [reading.value for reading in readings] == [1, 2.5]


def test_a_reading_in_a_unit_of_something_else_is_no_number():
    assert [reading.value for reading in readings_of(states("20", unit="°C"), "kWh")] == [None]


@pytest.mark.parametrize(("text", "number"), [("1e3", 1000), (" 5 ", 5), ("on", None), ("", None), ("1,5", None)])
def test_only_what_is_a_number_is_one(text, number):
    assert number_of(text) == number
