"""Whatever part of a history was heard, reading all of it afterwards leaves what a listener would have written who was never away."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.chronicle.filter import Filter
from homesteward.chronicle.memory import Logged, Memory
from homesteward.chronicle.merging import missing_happenings, missing_states
from homesteward.chronicle.record import Call, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.home.model import State

START = datetime(2026, 11, 30, tzinfo=UTC)
CLEAN = Redaction()
WATT = {"unit_of_measurement": "W", "device_class": "power"}
WORDS = st.lists(st.sampled_from(["on", "off", "unavailable"]), max_size=30)
NUMBERS = st.lists(st.integers(0, 300).map(str) | st.just("unavailable"), max_size=30)


def past(entity_id: str, states: list[str]) -> list[State]:
    moments = [START + timedelta(seconds=number) for number in range(len(states))]
    attributes = WATT if entity_id.startswith("sensor.") else {}
    return [State(entity_id, state, attributes, at, at) for state, at in zip(states, moments, strict=True)]


def uninterrupted(history: list[State]) -> list[tuple[datetime | None, str]]:
    judge = Filter()
    return [(state.last_updated, state.state) for state in history if judge.take(state)]


def stored_by(listener: Filter, history: list[State]) -> list[Logged]:
    """Return what a listener writes who hears this much."""
    return [
        Logged(state.state, kept.attributes, state.last_updated) for state in history if (kept := listener.take(state))
    ]


@given(WORDS, st.integers(0, 30), st.integers(0, 30))
def test_words_are_all_there_however_long_nobody_listened(words, one, other):
    history = past("light.a", words)
    lost, back = sorted((one, other))
    listener = Filter()
    before = stored_by(listener, history[:lost])
    after = stored_by(listener, history[max(lost, back - 1) :])  # the last state of the gap is found when it is over
    memory = Memory({"light.a": before[-1]} if before else {})
    found = list(missing_states(history[lost:], after, Filter(memory=memory), CLEAN))
    written = sorted(
        [(row.at, str(row.state)) for row in before + after if row.at]
        + [(row.at, str(row.new)) for row in found if isinstance(row, StateChange)]
    )
    expected = uninterrupted(history)
    assert Counter(written) >= Counter((at, state) for at, state in expected if at)
    assert len(written) == len(set(written))


@given(WORDS | NUMBERS, st.sampled_from(["light.a", "sensor.a"]))
def test_reading_it_twice_finds_nothing_more(states, entity_id):
    """Acceptance 21: read up afterwards by the same rules, and no duplicates."""
    history = past(entity_id, states)
    first = list(missing_states(history, [], Filter(), CLEAN))
    stored = [Logged(row.new, row.attributes, row.at) for row in first if isinstance(row, StateChange)]
    assert list(missing_states(history, stored, Filter(), CLEAN)) == []
    assert [(row.at, row.new) for row in first if isinstance(row, StateChange)] == uninterrupted(history)


@given(NUMBERS, st.integers(0, 30))
def test_a_reading_in_two_parts_is_the_reading_in_one(states, cut):
    history = past("sensor.a", states)
    judge = Filter()
    parts = [*missing_states(history[:cut], [], judge, CLEAN), *missing_states(history[cut:], [], judge, CLEAN)]
    assert parts == list(missing_states(history, [], Filter(), CLEAN))


def test_each_row_says_what_was_before_it():
    rows = [
        row
        for row in missing_states(past("light.a", ["off", "on", "off"]), [], Filter(), CLEAN)
        if isinstance(row, StateChange)
    ]
    assert [(row.old, row.new) for row in rows] == [(None, "off"), ("off", "on"), ("on", "off")]


@pytest.mark.parametrize("nothing", ["", None])
def test_an_entity_without_a_state_is_gone(nothing):
    history = past("light.a", ["on", nothing, "on"])
    rows = [row for row in missing_states(history, [], Filter(), CLEAN) if isinstance(row, StateChange)]
    assert [(row.old, row.new) for row in rows] == [(None, "on"), ("on", None), (None, "on")]
    stored = [Logged(row.new, row.attributes, row.at) for row in rows]
    assert list(missing_states(history, stored, Filter(), CLEAN)) == []


def test_a_password_in_an_address_does_not_make_it_another_row():
    stream = "rtsp://admin:hunter2@camera.local/live"
    (row,) = missing_states(past("sensor.x", [stream]), [], Filter(), CLEAN)
    assert isinstance(row, StateChange)
    assert row.new
    assert "hunter2" not in row.new
    assert (
        list(missing_states(past("sensor.x", [stream]), [Logged(row.new, row.attributes, row.at)], Filter(), CLEAN))
        == []
    )


def test_of_three_alike_two_that_are_stored_leave_one():
    call = Call(START, "light", "toggle")
    key = ("call", START, "light.toggle")
    assert list(missing_happenings([(key, call)] * 3, Counter({key: 2}))) == [call]
