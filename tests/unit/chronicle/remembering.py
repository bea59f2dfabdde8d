"""A house with a Home Assistant that records, and a chronicle of it that comes and goes: for tests of what nobody heard."""

from datetime import UTC, datetime, timedelta

from sqlalchemy import select

from homesteward.chronicle.backfill import Backfill
from homesteward.chronicle.filter import Filter
from homesteward.chronicle.filter_rules import OwnerRules
from homesteward.chronicle.intake import Intake
from homesteward.chronicle.memory import Memory
from homesteward.chronicle.record import Source
from homesteward.chronicle.stored import Stored
from homesteward.chronicle.tables import state_changes
from homesteward.chronicle.writer import Writer
from homesteward.core import FrozenClock
from homesteward.home.health import Gap
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.store import Database
from unit.chronicle.far_past import FarPast

START = datetime(2026, 11, 30, 10, tzinfo=UTC)
WATT = {"unit_of_measurement": "W", "device_class": "power"}


def at(minutes: float) -> datetime:
    """Return the moment so many minutes after the house came into being."""
    return START + timedelta(minutes=minutes)


class Remembering:
    """A house, what its Home Assistant recorded, and a chronicle of it that comes and goes."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.clock = FrozenClock(START)
        self.past = FarPast()
        things = [Thing("light.a"), Thing("light.b"), Thing("lock.door", state="locked"), Thing("scene.cosy", "Cosy"), Thing("script.s"),
                  Thing("automation.x"), Thing("sensor.power", state="100", attributes=WATT), Thing("sensor.x_rssi", state="1")]  # fmt: skip
        self.home = SimulatedHome.build(things, clock=self.clock, areas=["Hall"])
        self.rules = OwnerRules()
        for thing in self.home.states.values():
            self.past.tell(thing.entity_id, START, thing.state, **thing.attributes)

    async def begin(self) -> None:
        """Start the chronicle of it."""
        self.writer = await Writer.start(self.database, self.home.home_id, lambda: self.home.as_of)
        self.stored = Stored(self.database, self.home.home_id)
        self.filter = Filter(self.rules, Memory(await self.stored.last()))
        self.undos = [await Intake(self.home, self.writer.put, self.filter, self.clock).start()]
        self.backfill = Backfill(self.home, self.past, self.writer, self.stored, self.filter, self.clock, settle_s=0)
        self.undos.append(await self.backfill.start())
        await self.settled()

    async def end(self) -> None:
        for undo in self.undos:
            undo()
        self.undos = []
        await self.writer.close()

    async def settled(self) -> None:
        """Wait until all is read afterwards, and all is stored."""
        await self.backfill.idle()
        await self.writer.flush()

    def goes_on(self, minutes: float) -> None:
        """Let time pass up to a minute since the start."""
        self.clock.advance(at(minutes) - self.clock.now())

    def change(self, minutes: float, entity_id: str, state: str, *, heard: bool = False, **more) -> None:
        """Let something change at a minute, heard by the chronicle or not; the recorder has it either way."""
        self.goes_on(minutes)
        watchers = self.home._watchers
        if not heard:
            self.home._watchers = type(watchers)()
        self.home.set_state(entity_id, state, **more)
        self.home._watchers = watchers
        self.past.tell(entity_id, at(minutes), state, **self.home.states[entity_id].attributes)

    def goes_away(self, minutes: float) -> None:
        """Be out of reach from a minute on."""
        self.goes_on(minutes)
        self.home.connected, self.home.lost_at = False, at(minutes)
        self.backfill.lost()

    async def comes_back(self, lost: float, minutes: float, reason: str = "cut") -> None:
        """Be there again at a minute, after nobody listened since another."""
        self.goes_on(minutes)
        self.home.reconnect(Gap(at(lost), at(minutes), reason, 0))
        await self.settled()

    async def rows(self, *entity_ids: str) -> list[tuple[float, str, str | None, str]]:
        """Return what is stored: minute, entity, state and source, in the order of time."""
        found = []
        for entity_id, states in (await self.stored.states(entity_ids or ("light.a",), at(-1e6), at(1e6))).items():
            for logged in states:
                source = await self._source(logged.at)
                found.append((round((logged.at - START).total_seconds() / 60, 3), entity_id, logged.state, source))
        return sorted(found)

    async def _source(self, moment) -> str:
        query = select(state_changes.c.source).where(state_changes.c.at == moment)
        return Source(await self.database.read(lambda connection: connection.scalar(query))).word

    async def count(self, table) -> int:
        return len(await self.database.read(lambda connection: connection.execute(select(table)).all()))
