"""A furnished home and a way to talk to it."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from homes import small_home
from homesteward.core import FrozenClock
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Reading, Understander

type Read = Callable[..., Reading]
NOON = FrozenClock(datetime(2026, 11, 30, 12, tzinfo=UTC))


@pytest.fixture(scope="session")
def furnished() -> SimulatedHome:
    """The small home, for tests that change nothing in it."""
    return small_home(NOON)


@pytest.fixture
def home() -> SimulatedHome:
    return small_home(NOON)


@pytest.fixture(scope="session")
def speaking_to() -> Callable[[SimulatedHome], Read]:
    """Return the way to talk to a home."""

    def to(home: SimulatedHome) -> Read:
        understander = Understander(home, NOON)
        return lambda text, language="en", **where: understander.read(text, language, **where)

    return to


@pytest.fixture(scope="session")
def read(furnished, speaking_to) -> Read:
    return speaking_to(furnished)


@pytest.fixture(scope="session")
def calls() -> Callable[[Reading], list[tuple[str, list[str], dict[str, object]]]]:
    """Return the calls of a reading as plain values, [] for one that does not act."""

    def of(reading: Reading) -> list[tuple[str, list[str], dict[str, object]]]:
        asked = reading.calls if isinstance(reading, Acts) else ()
        return [(call.id, list(call.target.entity_id), dict(call.data)) for call in asked]

    return of
