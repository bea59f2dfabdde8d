"""What a meter counted: exact where it can be known, a gap where it cannot, never a guess."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core import FrozenClock
from homesteward.home.errors import BadWindowError, NotCountedError, NothingRecordedError, NotRecordingError
from homesteward.home.recorder import Recorder
from unit.home.far_recorder import EPOCH, HOUR, FarMeter, FarRecorder, counting

METER = "sensor.meter"
NOW = EPOCH + timedelta(days=3, minutes=17)


def recorder_of(meter: FarMeter, **more) -> Recorder:
    return Recorder(FarRecorder({METER: meter}, NOW, **more), FrozenClock(NOW))


def at(minutes: float):
    return EPOCH + timedelta(minutes=minutes)


async def test_a_reset_begins_a_new_count_and_loses_nothing():
    meter = counting((1, 100), (50, 103), (70, 0.5), (200, 2))
    total = await recorder_of(meter).total(METER, at(2), at(240))
    assert (total.value, total.unit, total.exact) == (5.0, "kWh", True)


async def test_a_small_dip_is_taken_off_and_no_reset():
    total = await recorder_of(counting((1, 100), (70, 99), (130, 104))).total(METER, at(60), at(240))
    assert total.value == 4.0


async def test_a_window_of_minutes_is_counted_by_states():
    meter = counting((1, 100), (62, 101), (64, 102.5), (66, 104))
    total = await recorder_of(meter).total(METER, at(63), at(65))
    assert (total.value, total.sources, total.exact) == (1.5, ("states", "5minute"), True)


async def test_an_edge_within_an_hour_of_which_only_the_hour_is_left_is_left_out_and_bounded():
    meter = counting(*((minute, minute) for minute in range(1, 600, 7)))
    total = await recorder_of(meter, states_from=at(2000)).total(METER, at(90), at(330))
    whole = await recorder_of(meter).total(METER, at(90), at(330))
    assert [(gap.since, gap.until) for gap in total.gaps] == [(at(90), at(120)), (at(300), at(330))]
    assert total.value < whole.value <= total.value + sum(gap.up_to for gap in total.gaps)


async def test_what_was_counted_while_nobody_recorded_is_in_the_number_and_said():
    meter = counting((1, 100), (59, 101), (600, 107), (700, 108))
    recorder = recorder_of(meter, off=(at(60), at(600)))
    total = await recorder.total(METER, at(300), at(720))
    (gap,) = total.gaps
    assert (total.value, gap.since, gap.until, gap.up_to) == (7.0, at(60), at(660), 6.0)
    assert "nobody recorded" in gap.why


async def test_a_window_in_which_nobody_recorded_has_no_number():
    meter = counting((1, 100), (59, 101), (600, 107))
    with pytest.raises(NothingRecordedError):
        await recorder_of(meter, off=(at(60), at(600))).total(METER, at(200), at(400))


async def test_a_meter_that_is_gone_counts_nothing_new():
    """Not zero: nobody knows."""
    meter = FarMeter([(at(1), "5"), (at(100), "7"), (at(110), "unavailable")])
    with pytest.raises(NothingRecordedError):
        await recorder_of(meter).total(METER, at(1000), at(1200))


async def test_a_meter_that_stands_still_has_counted_nothing_and_that_is_known():
    total = await recorder_of(counting((1, 100), (59, 101))).total(METER, at(1000), at(1203))
    assert (total.value, total.exact) == (0.0, True)


async def test_a_window_that_begins_before_the_meter_did_says_so():
    total = await recorder_of(counting((125, 100), (400, 103))).total(METER, at(0), at(480))
    assert (total.value, [gap.until for gap in total.gaps]) == (3.0, [at(120)])  # its first hour


async def test_a_meter_without_statistics_is_counted_by_its_states():
    meter = counting((100, 5), (200, 6), (300, 0.5))
    meter.statistics = False
    total = await recorder_of(meter).total(METER, at(0), at(480))
    assert (total.value, total.sources, [gap.since for gap in total.gaps]) == (1.5, ("states",), [at(0)])


async def test_a_thermometer_is_not_counted():
    warmth = FarMeter([(at(1), "20.5")], "°C", "measurement")
    for statistics in (True, False):
        warmth.statistics = statistics
        with pytest.raises(NotCountedError):
            await recorder_of(warmth).total(METER, at(0), at(60))


async def test_without_the_recorder_the_answer_says_what_to_switch_on():
    line = FarRecorder({}, NOW, missing=frozenset({"recorder/get_statistics_metadata"}))
    with pytest.raises(NotRecordingError) as told:
        await Recorder(line, FrozenClock(NOW)).total(METER, at(0), at(60))
    assert (told.value.code, "recorder:" in told.value.next) == ("recorder_not_loaded", True)


async def test_a_window_must_have_begun_and_run_forwards():
    recorder = recorder_of(counting((1, 100)))
    with pytest.raises(BadWindowError, match="has not come yet"):
        await recorder.total(METER, NOW + HOUR, NOW + 2 * HOUR)
    with pytest.raises(BadWindowError, match="before it begins"):
        await recorder.total(METER, at(60), at(30))
    with pytest.raises(BadWindowError, match="offset"):
        await recorder.total(METER, at(60).replace(tzinfo=None), at(90))


readings = st.lists(st.tuples(st.integers(1, 5), st.floats(0, 3)), min_size=3, max_size=120)
windows = st.tuples(st.integers(0, 3000), st.integers(1, 1300)).map(lambda pair: (pair[0], pair[0] + pair[1]))


def growing(steps, resets):
    """A meter that grows in steps and is reset at some of them."""
    minute, value, shown = 3.0, 50.0, []
    for index, (minutes, more) in enumerate(steps):
        minute += minutes * 7
        value = more if index in resets else value + more
        shown.append((at(minute), f"{value:.3f}"))
    return FarMeter(shown)


@given(readings, st.sets(st.integers(1, 100), max_size=3), windows)
async def test_with_all_states_kept_a_total_is_what_was_counted(steps, resets, window):
    meter = growing(steps, resets)
    since, until = max(at(window[0]), meter.shown[0][0] + timedelta(seconds=1)), at(window[1] + 600)
    total = await recorder_of(meter).total(METER, since, until)
    assert total.value == pytest.approx(meter.counted(until) - meter.counted(since), abs=1e-6)
    assert total.exact


@given(readings, st.sets(st.integers(1, 100), max_size=3), windows, st.integers(0, 4000))
async def test_whatever_was_purged_a_total_is_off_by_no_more_than_its_gaps_say(steps, resets, window, purged):
    meter = growing(steps, resets)
    since, until = max(at(window[0]), meter.shown[0][0] + timedelta(hours=1)), at(window[1] + 800)
    total = await recorder_of(meter, states_from=at(purged)).total(METER, since, until)
    truth = meter.counted(until) - meter.counted(since)
    assert total.value - 1e-6 <= truth <= total.value + sum(gap.up_to or 0 for gap in total.gaps) + 1e-6


@given(readings, windows, st.integers(0, 4000), st.integers(0, 3500), st.integers(1, 900))
async def test_whenever_nobody_recorded_a_total_is_still_off_by_no_more_than_its_gaps_say(
    steps, window, purged, went, stayed
):
    meter = growing(steps, set())
    since, until = max(at(window[0]), meter.shown[0][0] + timedelta(hours=1)), at(window[1] + 800)
    recorder = recorder_of(meter, states_from=at(purged), off=(at(went), at(went + stayed)))
    try:
        total = await recorder.total(METER, since, until)
    except NothingRecordedError:
        return
    truth = meter.counted(until) - meter.counted(since)
    unbounded = any(gap.up_to is None for gap in total.gaps)
    doubt = sum(gap.up_to or 0 for gap in total.gaps) + 1e-6
    assert unbounded or abs(total.value - truth) <= doubt
