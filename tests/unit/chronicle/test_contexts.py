from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chronicles import START, after, ulid
from homesteward.chronicle.contexts import ALPHABET, MAX_ID, own_id, own_of, own_span, pack, unpack
from homesteward.chronicle.stamps import micros

ULID = "01KB8Z0000ABCDEFGHJKMNPQRS"

ids = (
    st.text(ALPHABET, min_size=26, max_size=26)
    | st.text(max_size=MAX_ID)
    | st.text("abc0123", min_size=14, max_size=17)
)
moments = st.datetimes(datetime(1971, 1, 1), datetime(9999, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds are naive


def test_a_ulid_takes_sixteen_bytes():
    assert len(pack(ULID)) == 16
    assert unpack(pack(ULID)) == ULID


@given(ids)
def test_any_id_comes_back_as_it_was(context_id):
    assert unpack(pack(context_id)) == context_id


@given(ids, ids)
def test_two_ids_are_never_taken_for_one(one, other):
    assert (pack(one) == pack(other)) == (one == other)


@given(st.text())
def test_only_a_ulid_is_sixteen_bytes_long(text):
    packed = pack(text)

    assert len(packed) != 16 or (len(text) == 26 and set(text) <= set(ALPHABET))


@pytest.mark.parametrize(
    "text",
    [ULID.lower(), "8" + ULID[1:], "O" + ULID[1:], ULID[:25] + "U", ULID[:24] + "é", f" {ULID[1:]}", "+" + ULID[1:]],
)
def test_what_is_no_canonical_ulid_is_kept_as_text(text):
    assert len(pack(text)) != 16
    assert unpack(pack(text)) == text


def test_an_id_beyond_every_measure_is_cut():
    assert unpack(pack("x" * 1_000_000)) == "x" * MAX_ID


@given(moments, st.integers())
def test_the_context_of_a_change_is_known_by_the_change_and_ten_bytes(at, seed):
    context_id = ulid(at, Random(seed))

    own = own_of(context_id, micros(at))

    assert own is not None
    assert len(own) == 10
    assert own_id(own, at) == context_id


@given(moments)
def test_where_such_a_change_would_be_is_told_by_its_id(at):
    context_id = ulid(at, Random(1))

    start, end, own = own_span(context_id)

    assert start <= at < end
    assert end - start == timedelta(milliseconds=1)
    assert own == own_of(context_id, micros(at))


@pytest.mark.parametrize("late", [0.001, 1, -1, 86_400])
def test_a_context_of_another_millisecond_is_not_the_changes_own(late):
    assert own_of(ulid(START, Random(1)), micros(after(late))) is None


@pytest.mark.parametrize("text", ["", "automation", ULID.lower(), "x" * 26])
def test_an_id_that_is_no_ulid_is_never_the_changes_own(text):
    assert own_of(text, micros(START)) is None
    assert own_span(text) is None


def test_an_id_of_the_far_future_is_nowhere():
    assert own_span("7" + "Z" * 25) is None
