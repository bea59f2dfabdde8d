"""A sign-in under way belongs to one browser, is used once, and is soon forgotten."""

from datetime import UTC, datetime, timedelta

import pytest

from homesteward.core.clock import FrozenClock
from homesteward.faces.web.pending import GOOD_FOR, MOST, PendingSignIns


@pytest.fixture
def clock():
    return FrozenClock(datetime(2026, 11, 30, tzinfo=UTC))


@pytest.fixture
def pending(clock):
    return PendingSignIns(clock)


def test_the_browser_that_began_comes_back_once(pending):
    cookie, begun = pending.begin("http://localhost:8126/", "/actions")
    assert pending.take(cookie, begun.state) == begun
    assert pending.take(cookie, begun.state) is None


def test_another_browser_cannot_finish_it(pending):
    """A sign-in that somebody else began must not become mine: their state comes with my cookie, or with none."""
    mine, _ = pending.begin("http://localhost:8126/", "/")
    _, theirs = pending.begin("http://localhost:8126/", "/")
    assert pending.take(mine, theirs.state) is None
    assert pending.take("", theirs.state) is None


def test_a_wrong_state_ends_it(pending):
    cookie, begun = pending.begin("http://localhost:8126/", "/")
    assert pending.take(cookie, "é") is None
    assert pending.take(cookie, begun.state) is None


def test_it_is_forgotten_after_ten_minutes(pending, clock):
    cookie, begun = pending.begin("http://localhost:8126/", "/")
    clock.advance(GOOD_FOR + timedelta(seconds=1))
    assert pending.take(cookie, begun.state) is None


def test_however_many_begin_no_more_than_the_bound_are_kept(pending):
    first = pending.begin("http://localhost:8126/", "/")
    for _ in range(MOST):
        pending.begin("http://localhost:8126/", "/")
    assert pending.take(first[0], first[1].state) is None
