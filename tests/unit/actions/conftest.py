"""A home with its gate, on a database file of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path
from shutil import copy

import pytest

from homes import small_home
from homesteward.actions import Gate
from homesteward.core import FrozenClock
from homesteward.home.simulation import SimulatedHome
from homesteward.store import Database

type MakeGate = Callable[..., Awaitable[Gate]]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def home(clock: FrozenClock) -> SimulatedHome:
    return small_home(clock)


@pytest.fixture(scope="session")
async def new_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrate one database, to be copied by every test."""
    path = tmp_path_factory.mktemp("store") / "homesteward.db"
    await (await Database.open(path)).close()
    return path


@pytest.fixture
async def database(tmp_path: Path, new_database: Path) -> AsyncIterator[Database]:
    opened = await Database.open(Path(copy(new_database, tmp_path)))
    yield opened
    await opened.close()


@pytest.fixture
async def make_gate(home: SimulatedHome, database: Database, clock: FrozenClock) -> AsyncIterator[MakeGate]:
    """Make a gate of the home; what is not said is as in a home that acts. Windows are as good as over at once."""
    gates: list[Gate] = []

    async def make(**settings: object) -> Gate:
        given = {"home": home, "dispatcher": home, "database": database, "clock": clock}
        gate = Gate(**{"dry_run": False, "window_factor": 0.002, **given, **settings})
        await gate.start()
        gates.append(gate)
        return gate

    yield make
    for gate in gates:
        await gate.close()


@pytest.fixture
async def gate(make_gate: MakeGate) -> Gate:
    return await make_gate()
