"""What is done later, wired: asking for it through the gate, and the clockwork that hands it to the gate at its time."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from homesteward.actions import Gate
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.schedule import Clockwork, Firing, ScheduleStore, Scheduling
from homesteward.actions.schedule.alarm import alarm_of
from homesteward.actions.schedule.telling import Telling
from homesteward.app.entry import Entry
from homesteward.core import Clock
from homesteward.home.live import HeardHome
from homesteward.store import Database


@dataclass(frozen=True, slots=True)
class Later:
    """What is to be done later, before there is a gate to hand it to."""

    home: HeardHome
    database: Database
    clock: Clock
    store: ScheduleStore
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def of(cls, home: HeardHome, database: Database, clock: Clock, reserved: ReservedCalls) -> Later:
        """Return it, with the calls that ask for it among the reserved ones."""
        later = cls(home, database, clock, ScheduleStore(database, home.home_id))
        reserved.add(Scheduling(later.store, home, clock, later.changed.set))
        return later

    @asynccontextmanager
    async def running(self, gate: Gate, entry: Entry, language: Callable[[], str]) -> AsyncIterator[None]:
        """Have what is due carried out through `gate`, as long as this is open."""
        telling = Telling(self.home, entry.notices, entry.witness, language)
        plans = PlanStore(self.database, self.home.home_id)
        firing = Firing(gate, self.store, plans, self.home, self.clock, telling)
        clockwork = Clockwork(firing, self.store, self.home, self.clock, alarm_of(self.clock), self.changed)
        undo = clockwork.start()
        try:
            yield
        finally:
            undo()
            await clockwork.idle()
