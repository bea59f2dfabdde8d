"""The clockwork: it sleeps until the next thing is due, and is woken by what changes that. No tick."""

import asyncio
import os
import signal
import sys
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

import pytest

from homesteward.actions.schedule.alarm import alarm_of
from homesteward.actions.schedule.clockwork import MOMENT
from homesteward.actions.schedule.holding import STALE
from homesteward.core import FrozenClock, SystemClock
from homesteward.home.errors import NotConnectedError
from schedules import ANN, BEN, call, open_later

LIGHT = call("light.turn_on", "light.kitchen")
SOON = timedelta(minutes=10)


class Bell:
    """An alarm that rings when it is told to, and knows what it was set to."""

    def __init__(self) -> None:
        self.set_to: asyncio.Queue[datetime] = asyncio.Queue()
        self.rung = asyncio.Event()

    async def __call__(self, at: datetime) -> None:
        self.set_to.put_nowait(at)
        await self.rung.wait()
        self.rung.clear()

    async def until_set(self, to: datetime) -> None:
        """Wait until it was set to that moment, however often it is set in between."""
        while await self.set_to.get() != to:
            pass


@pytest.fixture
def bell() -> Bell:
    return Bell()


@pytest.fixture
async def later(make_gate, database, home, clock, bell):
    opened = await open_later(make_gate, database, home, clock, bell)
    undo = opened.clockwork.start()
    yield opened
    undo()
    await opened.clockwork.idle()


@pytest.fixture
def done(home) -> asyncio.Event:
    """Set as soon as the kitchen light has changed."""
    changed = asyncio.Event()
    home.watch(lambda *_: changed.set(), ["light.kitchen"])
    return changed


async def test_it_sleeps_until_the_next_is_due_and_then_does_it(later, done, clock, bell):
    await later.ask(LIGHT, **{"in": SOON.total_seconds()})
    await bell.until_set(clock.now() + SOON)
    clock.advance(SOON)
    bell.rung.set()
    await done.wait()


async def test_something_sooner_wakes_it_and_so_does_a_cancellation(later, clock, bell):
    await later.ask(LIGHT, **{"in": 600})
    await bell.until_set(clock.now() + SOON)
    await later.ask(LIGHT, **{"in": 60})
    await bell.until_set(clock.now() + timedelta(minutes=1))
    soonest = (await later.store.waiting())[0]
    cancelling = call("homesteward.unschedule", id=soonest.id)
    await later.gate.submit([cancelling], ANN, request="")
    await bell.until_set(clock.now() + SOON)


async def test_it_is_woken_by_a_clock_that_was_set_and_sleeps_on_where_nothing_is_due(later, home, clock, bell):
    await later.ask(LIGHT, **{"in": SOON.total_seconds()})
    due = clock.now() + SOON
    await bell.until_set(due)
    bell.rung.set()  # the kernel says: the clock was set; it is not time yet
    await bell.until_set(due)
    assert home.calls == []


async def test_a_home_that_is_back_wakes_it(later, home, done, clock, bell):
    await later.ask(LIGHT, **{"in": SOON.total_seconds()})
    await bell.until_set(clock.now() + SOON)
    home.connected = False
    clock.advance(SOON)
    bell.rung.set()
    await bell.until_set((await later.one()).latest + MOMENT)
    home.reconnect()
    await done.wait()


async def test_a_home_that_goes_away_just_before_it_is_sent_is_waited_for_and_may_be_back_at_once(
    later, done, clock, bell, monkeypatch
):
    real, tries = later.gate.submit, []

    async def away_once(*calls, **more):
        tries.append(calls)
        if len(tries) == 1:
            raise NotConnectedError
        return await real(*calls, **more)

    await later.ask(LIGHT, **{"in": SOON.total_seconds()})
    await bell.until_set(clock.now() + SOON)
    monkeypatch.setattr(later.gate, "submit", away_once)
    clock.advance(SOON)
    bell.rung.set()
    await done.wait()
    assert len(tries) == 2


async def test_more_than_can_be_read_at_once_are_all_done(make_gate, database, home, clock):
    later = await open_later(make_gate, database, home, clock)
    inner = {"service": "light.turn_on", "entity_id": "light.kitchen"}
    for by in (ANN, BEN):
        calls = [call("homesteward.schedule", call=inner, **{"in": 60 + n}) for n in range(30)]
        await later.gate.submit(calls, by, request="")
    clock.advance(timedelta(minutes=3))
    assert await later.look() == clock.now()
    assert await later.look() is None
    assert {each.state.value for each in await later.store.ended(100)} == {"done"}
    assert await later.store.waiting() == ()


async def test_the_alarm_of_the_machine_rings_at_its_moment_and_at_once_for_one_that_is_past():
    ring, clock = alarm_of(SystemClock()), SystemClock()
    began = time.monotonic()
    await ring(clock.now() - timedelta(seconds=5))
    at = clock.now() + timedelta(seconds=0.2)
    async with asyncio.timeout(20):
        await ring(at)
    assert clock.now() >= at
    assert time.monotonic() - began >= 0.2


async def test_the_alarm_of_a_clock_that_shows_another_time_does_not_ring_before_it():
    behind = FrozenClock(datetime(2020, 1, 1, tzinfo=UTC))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await alarm_of(behind)(behind.now() + timedelta(hours=1))


async def test_an_alarm_that_is_given_up_leaves_nothing_open():
    ring, clock = alarm_of(SystemClock()), SystemClock()
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - a count is all that is wanted
    for _ in range(5):
        with suppress(TimeoutError):
            async with asyncio.timeout(0.001):
                await ring(clock.now() + timedelta(hours=1))
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208 - as above


# Schedules an unlocking, and is killed at the point that it is told while that comes to its time.
DIES = """
import asyncio, os, pathlib, signal, sys
from datetime import timedelta
from homes import small_home
from schedules import ANN, call, open_later
from homesteward.actions import Gate
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.schedule.store import ScheduleStore
from homesteward.core import FrozenClock
from homesteward.store import Database
from datetime import datetime, UTC

place, world, point = sys.argv[1:]

def die_at(here):
    if here == point:
        os.kill(os.getpid(), signal.SIGKILL)

class Home:
    def __init__(self, home):
        self.home = home

    async def call(self, sent):
        die_at("dispatch")
        with open(world, "a") as file:
            file.write(f"{sent.id}\\n")
        done = await self.home.call(sent)
        die_at("answer")
        return done

class Store(PlanStore):
    async def add(self, new, *rest):
        new = list(new)
        stored = await super().add(new, *rest)
        if new[0][0].schedule:
            die_at("plan")
        return stored

class Schedules(ScheduleStore):
    async def claim(self, schedule_id, now):
        found = await super().claim(schedule_id, now)
        die_at("claim")
        return found

    async def end(self, *rest):
        die_at("end")
        return await super().end(*rest)

async def main():
    import homesteward.actions.gate as gates
    import schedules
    gates.PlanStore, schedules.ScheduleStore = Store, Schedules
    clock = FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    home = small_home(clock)
    database = await Database.open(place if place.startswith("postgresql:") else pathlib.Path(place))
    async def make(**given):
        gate = Gate(**{"dispatcher": Home(home), "clock": clock, "dry_run": False, "window_factor": 0.01, **given})
        await gate.start()
        return gate
    later = await open_later(make, database, home, clock)
    await later.ask(call("light.turn_on", "light.kitchen"), **{"in": 600})
    clock.advance(timedelta(minutes=10))
    await later.look()
    sys.exit(7)

asyncio.run(main())
"""


@pytest.mark.parametrize(
    ("point", "state", "sent", "said"),
    [
        ("claim", "missed", 0, "nothing was sent"),
        ("plan", "failed", 0, "nobody knows"),
        ("dispatch", "failed", 0, "nobody knows"),
        ("answer", "failed", 1, "nobody knows"),
        ("end", "done", 1, ""),
    ],
)
async def test_killed_at_any_point_it_is_not_done_twice_and_the_asker_is_told(
    make_gate, database, place, home, clock, tmp_path, point, state, sent, said
):
    world = tmp_path / "world"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    dying = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, str(place), str(world), point, env=env)
    assert await dying.wait() == -signal.SIGKILL

    clock.advance(SOON + STALE)
    again = await open_later(make_gate, database, home, clock)
    await again.firing.recover()
    await again.look()

    assert len(world.read_text().splitlines() if world.exists() else []) == sent
    assert home.calls == []
    assert await again.ended() == [("light.turn_on", state)]
    told = [text for kind, text in await again.told(ANN) if kind.startswith("schedule_")]
    assert [said in text for text in told] == ([True] if said else [])
