"""Reading the past: states as far back as they are kept, statistics before them, in steps of the household's clock."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core import FrozenClock
from homesteward.home.errors import NeedsAdminError, NothingRecordedError, NotRecordingError, TooMuchAskedError
from homesteward.home.recorder import Period, Recorder, Window, in_steps, steps, time_in_states
from homesteward.home.recorder.history import MAX_ENTITIES, read_history
from homesteward.home.recorder.units import KNOWN, converted
from unit.home.far_recorder import EPOCH, FarMeter, FarRecorder, counting

NOW = EPOCH + timedelta(days=40)
BERLIN, KOLKATA = ZoneInfo("Europe/Berlin"), ZoneInfo("Asia/Kolkata")


def at(hours: float) -> datetime:
    return EPOCH + timedelta(hours=hours)


def lamp(*shown: tuple[float, str]) -> FarMeter:
    return FarMeter([(at(hours), state) for hours, state in shown], None, None, statistics=False)


def recorder_of(line: FarRecorder) -> Recorder:
    return Recorder(line, FrozenClock(NOW))


async def test_what_held_before_the_window_leads_its_states():
    line = FarRecorder({"light.hall": lamp((1, "on"), (5, "off"), (9, "on"))}, NOW)
    past = (await recorder_of(line).history(["light.hall"], at(4), at(30)))["light.hall"]
    assert [(state.state, state.last_updated) for state in past.states] == [
        ("on", at(4)),
        ("off", at(5)),
        ("on", at(9)),
    ]
    assert (past.held, past.known_from) == (True, at(4))


async def test_states_are_known_from_the_first_that_is_kept_and_no_earlier():
    line = FarRecorder({"light.hall": lamp((1, "on"), (500, "off"), (600, "on"))}, NOW, states_from=at(400))
    past = (await recorder_of(line).history(["light.hall"], at(0), at(900)))["light.hall"]
    assert ([state.state for state in past.states], past.known_from, past.held) == (["off", "on"], at(500), False)


async def test_reading_stops_where_nothing_older_is_kept():
    line = FarRecorder({"light.hall": lamp((900, "on"), (950, "off"))}, NOW)
    await recorder_of(line).history(["light.hall"], at(0), at(960))
    assert len(line.asked) <= 4


async def test_too_many_states_leave_out_the_oldest_and_say_so():
    busy = FarMeter([(at(minute / 60), str(minute)) for minute in range(20_000)], "W", "measurement")
    past = (await read_history(FarRecorder({"sensor.p": busy}, NOW), ["sensor.p"], Window(at(0), at(340)), limit=500))[
        "sensor.p"
    ]
    assert (past.truncated, past.states[-1].state, past.held) == (True, "19999", True)
    assert 500 <= len(past.states) < 8_000  # a slice more than asked for at most


async def test_too_many_entities_or_rows_are_refused():
    recorder = recorder_of(FarRecorder({}, NOW))
    with pytest.raises(TooMuchAskedError):
        await recorder.history([f"light.l{n}" for n in range(MAX_ENTITIES + 1)], at(0), at(1))
    with pytest.raises(TooMuchAskedError):
        await recorder.statistics(["sensor.x"], at(-24 * 365), at(0), Period.FIVE_MINUTES)


async def test_what_is_not_loaded_or_not_allowed_says_what_to_do():
    line = FarRecorder(
        {}, NOW, missing=frozenset({"history/history_during_period"}), forbidden=frozenset({"trace/list"})
    )
    with pytest.raises(NotRecordingError) as missing:
        await recorder_of(line).history(["light.hall"], at(0), at(1))
    assert "history:" in missing.value.next
    with pytest.raises(NeedsAdminError):
        await recorder_of(line).traces("automation")


async def test_an_entity_of_which_nothing_is_kept_has_no_series():
    with pytest.raises(NothingRecordedError):
        await recorder_of(FarRecorder({}, NOW)).series("sensor.none", at(0), at(5))


async def test_a_series_changes_from_hours_to_states_at_a_full_hour_and_tells_nothing_twice():
    meter = counting(*((minute * 13, minute) for minute in range(1, 600)))
    line = FarRecorder({"sensor.m": meter}, NOW, states_from=at(50.4))
    series = await recorder_of(line).series("sensor.m", at(10), at(100))
    assert (series.rows[0].start, series.rows[-1].end, series.states_from) == (at(10), at(51), at(51))
    assert series.readings[0].at == at(51)
    edges = steps(series.window, KOLKATA, 8)
    counted = sum(bucket.change or 0 for bucket in in_steps(series, edges))
    assert counted == meter.counted(at(100)) - meter.counted(at(10))


async def test_states_in_another_unit_are_told_in_the_present_one():
    line = FarRecorder({"sensor.p": FarMeter([(at(1), "1500"), (at(2), "2500")], "W", "measurement")}, NOW)
    line.meters["sensor.p"].statistics = False
    sent = line._history

    def in_kilowatts_later(fields):
        rows = sent(fields)
        rows["sensor.p"][-1] |= {"s": "2.5", "a": {"unit_of_measurement": "kW", "state_class": "measurement"}}
        return rows

    line._history = in_kilowatts_later
    series = await recorder_of(line).series("sensor.p", at(0), at(5))
    assert (series.unit, [reading.value for reading in series.readings]) == ("kW", [1.5, 2.5])


async def test_a_mean_is_weighted_by_time_and_a_hole_is_not_filled():
    warmth = FarMeter([(at(1), "10"), (at(4), "20"), (at(5), "unavailable")], "°C", "measurement", statistics=False)
    series = await recorder_of(FarRecorder({"sensor.t": warmth}, NOW)).series("sensor.t", at(0), at(8))
    whole, later = in_steps(series, (at(0), at(5), at(8)))
    assert (whole.mean, whole.min, whole.max, whole.known) == (12.5, 10, 20, 0.8)
    assert (later.mean, later.known) == (None, 0)


async def test_for_how_long_a_light_was_on():
    series = await recorder_of(FarRecorder({"light.hall": lamp((1, "on"), (3, "off"), (9, "on"))}, NOW)).series(
        "light.hall", at(2), at(24)
    )
    assert time_in_states(series, at(10)) == {"off": timedelta(hours=6), "on": timedelta(hours=2)}


@pytest.mark.parametrize(
    ("since", "until", "zone", "hours"),
    [
        ("2026-03-28T00:00+01:00", "2026-03-30T00:00+02:00", BERLIN, [24, 23]),
        ("2026-10-24T00:00+02:00", "2026-10-26T00:00+01:00", BERLIN, [24, 25]),
        ("2026-05-04T00:00+05:30", "2026-05-06T12:00+05:30", KOLKATA, [24, 24, 12]),
    ],
)
def test_days_are_those_of_the_household_also_when_clocks_change(since, until, zone, hours):
    edges = steps(Window(datetime.fromisoformat(since), datetime.fromisoformat(until)), zone, 4)
    assert [(end - start) / timedelta(hours=1) for start, end in pairwise(edges)] == hours


spans = st.floats(0.2, 24 * 365 * 6).map(lambda hours: timedelta(hours=hours))
moments = st.integers(1_577_836_800, 1_893_456_000).map(lambda second: datetime.fromtimestamp(second, UTC))


@given(moments, spans, st.sampled_from([BERLIN, KOLKATA, ZoneInfo("Australia/Lord_Howe")]), st.integers(3, 80))
def test_steps_cover_the_window_in_order_and_are_few(since, span, zone, most):
    edges = steps(Window(since, since + span), zone, most)
    assert (edges[0], edges[-1]) == (since, since + span)
    assert all(earlier < later for earlier, later in pairwise(edges))
    assert len(edges) - 1 <= most + 1


values = st.lists(st.tuples(st.floats(0.01, 30), st.floats(-50, 50)), min_size=1, max_size=60)


@given(values, st.integers(3, 30))
async def test_steps_stay_between_the_least_and_the_most_that_was_shown(shown, most):
    hours, states = 0.0, []
    for more, value in shown:
        hours += more
        states.append((at(hours), f"{value:.2f}"))
    meter = FarMeter(states, "°C", "measurement", statistics=False)
    series = await recorder_of(FarRecorder({"sensor.t": meter}, NOW)).series("sensor.t", at(0), min(at(hours + 1), NOW))
    buckets = [each for each in in_steps(series, steps(series.window, BERLIN, most)) if each.mean is not None]
    numbers = [float(text) for _, text in states if text]
    assert (
        min(numbers) <= min(bucket.min for bucket in buckets) <= max(bucket.max for bucket in buckets) <= max(numbers)
    )
    assert all(bucket.min <= bucket.mean <= bucket.max for bucket in buckets)


@given(st.floats(-1e6, 1e6), st.sampled_from(sorted(KNOWN)), st.sampled_from(sorted(KNOWN)))
def test_a_unit_there_and_back_is_the_same_number(value, one, other):
    there = converted(value, one, other)
    if there is not None:
        assert converted(there, other, one) == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("value", "unit", "wanted", "expected"),
    [
        (1, "kWh", "MJ", 3.6),
        (100, "°C", "°F", 212),
        (1, "m³", "L", 1000),
        (36, "km/h", "m/s", 10),
        (1, "kWh", "W", None),
    ],
)
def test_units_are_converted_within_a_quantity_only(value, unit, wanted, expected):
    assert converted(value, unit, wanted) == (expected if expected is None else pytest.approx(expected))
