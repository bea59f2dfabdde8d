"""A home with its gate, on a database of its own."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime

import pytest

from databases import NewPlace, OpenDatabase, Place
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


@pytest.fixture
async def place(new_place: NewPlace) -> Place:
    """Where the database of the test lies: a file, or an address."""
    return await new_place()


@pytest.fixture
async def database(open_database: OpenDatabase, place: Place) -> Database:
    return await open_database(place=place)


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
