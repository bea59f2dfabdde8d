"""A past to ask about: a home whose doings a test writes down, and the chronicle's history over them, on either engine."""

from datetime import UTC, datetime, timedelta

import pytest

from homesteward.chronicle.contexts import unpack
from homesteward.chronicle.history import History
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.record import Act, Call, Context, Kind, Outage, Record, Run, Source, StateChange
from homesteward.chronicle.storing import Batch, Storing
from homesteward.core import FrozenClock
from homesteward.core.json import JsonObject
from homesteward.home.inventory import Thing
from homesteward.home.live import HomeConfig
from homesteward.home.model import EMPTY
from homesteward.home.simulation import SimulatedHome
from homesteward.store import Database

EVENING = datetime(2026, 11, 3, 17, 2, tzinfo=UTC)  # 18:02 in the home's time
ANNA = "a" * 32


def after(seconds: float) -> datetime:
    """Return the moment so long after the evening's."""
    return EVENING + timedelta(seconds=seconds)


def ulid(at: datetime, name: str) -> str:
    """Return the context id that Home Assistant would make at a moment; `name` stands for its random part."""
    milliseconds = int(at.timestamp() * 1000)
    return unpack(milliseconds.to_bytes(6) + name.encode().rjust(10, b"\0")[-10:])


def context(at: datetime, name: str, parent: Context | None = None, user: str | None = None) -> Context:
    """Return a context made at a moment."""
    return Context(ulid(at, name), parent.id if parent else None, user)


def change(
    at: datetime,
    entity_id: str,
    old: str | None,
    new: str | None,
    of: Context | None = None,
    attributes: JsonObject = EMPTY,
    source: Source = Source.HEARD,
) -> StateChange:
    """Return a state change; without a context it has one of its own, as everything in Home Assistant."""
    if of is None and source is Source.HEARD:
        of = context(at, entity_id[-10:])
    return StateChange(at, entity_id, old, new, attributes, of, source)


def ran(at: datetime, entity_id: str, of: Context, trigger: str = "", name: str = "", run_id: str = "") -> Run:
    """Return that an automation or a script began to run."""
    kind = Kind(entity_id.partition(".")[0])
    words = trigger.removeprefix("numeric ")  # as Home Assistant writes both
    by = words.removeprefix("state of ") if words.startswith("state of ") else None
    return Run(at, kind, entity_id, name or entity_id, trigger, by, entity_id.partition(".")[2], run_id, of)


def called(at: datetime, service: str, of: Context, *entity_ids: str, **data: object) -> Call:
    """Return a service call."""
    domain, _, name = service.partition(".")
    return Call(at, domain, name, data, entity_ids, of)


def acted(at: datetime, service: str, of: Context | None, *entity_ids: str, seconds: float = 1, **more: str) -> Act:
    """Return a step of a plan of ours."""
    domain, _, name = service.partition(".")
    given = {
        "plan_id": "plan_1", "run_id": "run_1", "person": "Anna", "role": "owner", "channel": "page",
        "rule": "family.routine", "request": "turn on the kitchen light", "outcome": "done",
    } | more  # fmt: skip
    return Act(
        at, at + timedelta(seconds=seconds), given["plan_id"], 1, given["run_id"], given["person"], given["role"], given["channel"],
        given["rule"], given["request"], domain, name, {}, entity_ids, given["outcome"], of.id if of else None,
    )  # fmt: skip


def evening_home() -> SimulatedHome:
    """A home in Berlin with what an evening needs."""
    return SimulatedHome.build(
        [
            Thing("binary_sensor.hall", "Hall sensor", "hall", device_class="motion"),
            Thing("binary_sensor.door", "Front door", "hall", device_class="door"),
            Thing("light.hall", "Hall light", "hall", attributes={"supported_color_modes": ["brightness"]}),
            Thing("light.kitchen", "Kitchen light", "kitchen", attributes={"supported_color_modes": ["brightness"]}),
            Thing("light.porch", "Porch light", "outside"),
            Thing("cover.blinds", "Blinds", "kitchen", device_class="blind"),
            Thing("climate.hall", "Hall heating", "hall"),
            Thing("lock.door", "Door lock", "hall"),
            Thing("sensor.power", "Power", "kitchen", "5", {"unit_of_measurement": "W"}, device_class="power"),
            Thing("input_boolean.guests", "Guests"),
            Thing("automation.hall_motion", "Hall motion"),
            Thing("automation.dusk", "Dusk"),
            Thing("automation.echo", "Echo"),
            Thing("script.evening", "Evening"),
            Thing("scene.cosy", "Cosy"),
        ],
        areas=["hall", "kitchen", "outside"],
        config=HomeConfig(name="Home", time_zone="Europe/Berlin", language="en"),
        clock=FrozenClock(after(3600)),
    )


class Past:
    """A home, its chronicle and its history."""

    def __init__(self, database: Database, home: SimulatedHome) -> None:
        """Use the fixture `past`."""
        self.database, self.home = database, home
        self.clock = FrozenClock(after(3600))
        self._storing = Storing(home.home_id)
        self.history = History(database, home, self.clock)

    async def tell(
        self, *records: Record, users: dict[str, str] | None = None, outages: tuple[Outage, ...] = ()
    ) -> None:
        """Write down what happened."""
        batch = Batch(records, users or {}, list(outages))
        await self.database.write(lambda connection: self._storing.store(connection, batch))


@pytest.fixture
async def past(open_database) -> Past:
    """A past that nothing is written in yet."""
    return Past(await open_database(CHRONICLE), evening_home())
