"""A whole Homesteward over a simulated home: the real rooms, wired as in the service; only the home is in this process."""

from collections.abc import AsyncIterator

import pytest

from homes import small_home
from homesteward.app import House, wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller
from homesteward.people.still import StillThere
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings


@pytest.fixture
def home() -> SimulatedHome:
    """The small home of `homes.py`, as it starts."""
    return small_home()


@pytest.fixture
async def house(home, tmp_path) -> AsyncIterator[House]:
    """A Homesteward over `home`: preset family, acting for real, watching a hundredth as long."""
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    async with wire(
        Settings(policy=policy, data=tmp_path), home, home, tmp_path, SystemClock(), Redactor(), remember=False
    ) as built:
        yield built


@pytest.fixture
def let_in(monkeypatch) -> None:
    """Take every caller for who they say they are: a test that makes one up is not about who is on record."""

    async def holds(_self: StillThere, _caller: Caller) -> bool:
        return True

    monkeypatch.setattr(StillThere, "holds", holds)


BUILT = frozenset(
    {"house", "household", "guarded", "open_guarded", "make_gate", "database", "open_database", "new_place", "desk"}
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a database or builds a house: it is no unit any more, and takes most of the time."""
    for item in items:
        if BUILT & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.house)
