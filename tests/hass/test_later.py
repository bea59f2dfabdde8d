"""A real Home Assistant: what was asked for ahead of time happens once when its time comes, waits for a home that is away, and not six hours late."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from hass.proxy import proxy_to
from hass.raw import raw_socket
from homesteward.actions.plan import PlanState
from homesteward.actions.schedule import Schedule, timed
from homesteward.app import House, open_house
from homesteward.core import SystemClock
from homesteward.demo import DemoHome
from homesteward.home.calls import Call, Target
from homesteward.home.life import Limits
from homesteward.people import Caller, Channel, Role

pytestmark = pytest.mark.hass

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann")
DOOR, LIGHT, LAMP = "lock.front_door", "light.kitchen_ceiling_light", "light.kitchen_worktop_strip"
SOON = timedelta(seconds=1)


class LaterClock(SystemClock):
    """The machine's clock, put forward."""

    def __init__(self, by: timedelta) -> None:
        self._by = by

    def now(self) -> datetime:
        return datetime.now(UTC) + self._by


def call(service: str, entity_id: str) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=(entity_id,)))


async def ask(house: House, what: Call, **when: timedelta) -> PlanState:
    """Ask for a call, with the moments of `at` and `until` from now; an approval is given at once."""
    moments = {name: datetime.now(UTC) + ahead for name, ahead in when.items()}
    calls = timed([what], house.home, ANN, **moments)
    plans = await house.gate.submit(calls, ANN, request=what.id, run_id="run_1")
    for plan in plans:
        if plan.state is PlanState.WAITING:
            await house.gate.approve(plan.id, ANN)
    return plans[0].state


async def over(house: House, service: str) -> Schedule:
    """Wait until a schedule of this service has come to its end."""
    async with asyncio.timeout(30):
        while True:
            for each in await house.schedules.ended(10):
                if each.call.id == service:
                    return each
            await asyncio.sleep(0.05)  # the database has no event for it


@pytest.mark.timeout(120)
async def test_it_happens_once_at_its_time_and_is_waited_for_but_not_for_ever(tmp_path: Path, demo_home: DemoHome):
    address = demo_home.address
    async with proxy_to(address.url) as way, raw_socket(address.url, address.token) as socket:
        await socket.watch()
        await socket.watch_calls()
        overrides = {
            "ha": {"url": way.url, "token": address.token},
            "policy": {"dry_run": False},
            "data": tmp_path / "data",
        }
        limits = Limits(first_s=0.1, stable_s=0)
        async with open_house(None, overrides, limits=limits) as house:
            # A lock: approved ahead of time, unlocked at it.
            assert await ask(house, call("lock.unlock", DOOR), at=SOON) is PlanState.WAITING
            assert socket.called("lock", "unlock") == 0
            assert (await over(house, "lock.unlock")).state == "done"
            assert socket.called("lock", "unlock") == 1
            made = next(plan for plan in await house.gate.plans() if plan.schedule)
            assert [seen.status for seen in made.steps[0].evidence] == ["verified"]

            # For a while: on now, off later.
            assert await ask(house, call("light.turn_on", LAMP), until=SOON * 3) is PlanState.COMPLETED
            assert (await over(house, "light.turn_off")).state == "done"
            assert socket.called("light", "turn_off") == 1

            # Home Assistant out of reach when the time comes: once, when it is back.
            await ask(house, call("light.turn_on", LIGHT), at=SOON * 2)
            before = socket.called("light", "turn_on")
            there, way.port = way.port, 1  # nobody listens there
            way.cut()
            (waiting,) = await house.schedules.waiting()
            await asyncio.sleep((waiting.at - datetime.now(UTC)).total_seconds() + 0.3)  # its time has to pass
            assert not house.home.connected
            assert [each.state for each in await house.schedules.waiting()] == ["waiting"]
            way.port = there
            assert (await over(house, "light.turn_on")).state == "done"
            assert socket.called("light", "turn_on") == before + 1

            # And one that comes due while nobody is there.
            await ask(house, call("light.turn_off", LIGHT), at=timedelta(minutes=1))
            off = socket.called("light", "turn_off")

        async with open_house(None, overrides, LaterClock(timedelta(hours=6)), limits=limits) as house:
            async with asyncio.timeout(30):
                while await house.schedules.waiting():  # noqa: ASYNC110 - the database has no event for it
                    await asyncio.sleep(0.05)
            newest = (await house.schedules.ended(1))[0]
            assert (newest.call.id, newest.state) == ("light.turn_off", "missed")
            told = [notice.kind for notice in await house.notices.list(ANN)]
            assert "schedule_missed" in told
            assert socket.called("light", "turn_off") == off
