"""Rooms for tests that need a few of them and not the whole house."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from homesteward.actions import Gate
from homesteward.core import SystemClock
from homesteward.home.simulation import SimulatedHome
from homesteward.store import Database


@asynccontextmanager
async def acting_gate(home: SimulatedHome, folder: Path) -> AsyncIterator[Gate]:
    """A gate that acts for real on `home`, with the preset family, and watches a hundredth as long; its data is in `folder`."""
    database = await Database.open(folder / "homesteward.db")
    gate = Gate(home, home, database, clock=SystemClock(), dry_run=False, window_factor=0.01)
    try:
        await gate.start()
        yield gate
    finally:
        await gate.close()
        await database.close()
