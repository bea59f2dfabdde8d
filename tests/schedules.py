"""Schedules for the tests: a gate that knows them, and the hands that carry them out."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from homesteward.actions import Gate, Plan
from homesteward.actions.notices import Notices
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.schedule import Clockwork, Firing, Schedule, ScheduleStore, Scheduling
from homesteward.actions.schedule.alarm import Alarm
from homesteward.actions.schedule.telling import Telling
from homesteward.core import Clock
from homesteward.home.calls import Call, Target
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.store import Database

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")
GUS = Caller(Role.GUEST, Channel.PAGE, "Gus", person_id="gus")


@dataclass
class Later:
    """A gate and its schedules on one database."""

    gate: Gate
    store: ScheduleStore
    clockwork: Clockwork
    notices: Notices
    firing: Firing

    async def ask(self, call: Call, by: Caller = ANN, request: str = "later", **when: object) -> tuple[Plan, ...]:
        """Ask for `call` later: `at`, `in` or `if`; return the plans of that."""
        return await self.gate.submit([schedule(call, **when)], by, request=request, run_id="run_1")

    async def look(self) -> datetime | None:
        """Carry out what is due, to its end, and return when to look next."""
        found = await self.clockwork.look()
        await self.clockwork.idle()
        return found

    async def ended(self) -> list[tuple[str, str]]:
        """Return what is over: the service and the state."""
        return [(each.call.id, each.state.value) for each in await self.store.ended(10)]

    async def one(self) -> Schedule:
        """Return the only schedule that there is."""
        (found,) = (*await self.store.waiting(), *await self.store.ended(10))
        return found

    async def told(self, by: Caller) -> list[tuple[str, str]]:
        """Return what `by` was told."""
        return [(notice.kind.value, notice.text) for notice in await self.notices.list(by)]


def schedule(call: Call, **when: object) -> Call:
    """Return the call that has `call` made later."""
    target = {"entity_id": list(call.target.entity_id)}
    inner = {"domain": call.domain, "service": call.service, "target": target, "data": dict(call.data)}
    return Call("homesteward", "schedule", data={"call": inner, **when})


def call(service: str, *entity_ids: str, **data: object) -> Call:
    """Return a call as somebody asks for it."""
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


async def never(_at: datetime) -> None:
    """Ring at once: the tests look by themselves."""


async def open_later(
    make_gate: Callable[..., object],
    database: Database,
    home: SimulatedHome,
    clock: Clock,
    alarm: Alarm = never,
    **settings: object,
) -> Later:
    """Return a gate with schedules over `home`; `settings` are the gate's."""
    store, notices = ScheduleStore(database, home.home_id), Notices(database, home.home_id, clock)
    changed = asyncio.Event()
    scheduling = Scheduling(store, home, clock, changed.set)
    given = {"home": home, "database": database, "reserved": ReservedCalls(scheduling), **settings}
    gate = await make_gate(**given)
    firing = Firing(gate, store, PlanStore(database, home.home_id), home, clock, Telling(home, notices))
    return Later(gate, store, Clockwork(firing, store, home, clock, alarm, changed), notices, firing)
