"""Whatever happens to the house and to the service: nothing scheduled is sent twice, and what was not done is told."""

import asyncio
import shutil
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import small_home
from homesteward.actions import Gate, Mode
from homesteward.actions.schedule import ScheduleState
from homesteward.core import FrozenClock, HomestewardError
from homesteward.home.faults import Refuse
from homesteward.store import Database
from schedules import ANN, BEN, Later, call, open_later

DEEDS = ("ask", "ask", "wait", "wait", "look", "look", "away", "refuse", "cancel", "observe", "restart", "die")
SEQUENCES = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 9)), min_size=6, max_size=20)
TOLD = {
    ScheduleState.MISSED: "schedule_missed",
    ScheduleState.DROPPED: "schedule_dropped",
    ScheduleState.FAILED: "schedule_failed",
}


class Story:
    """A house in which things are asked for ahead of time; each asks for a brightness of its own."""

    def __init__(self, database: Database) -> None:
        self.clock = FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        self.home, self.database, self.asked = small_home(self.clock), database, 0
        self.later: Later

    async def begin(self) -> None:
        async def make(**given: object) -> Gate:
            gate = Gate(
                **{"dispatcher": self.home, "clock": self.clock, "dry_run": False, "window_factor": 0.0, **given}
            )
            await gate.start()
            return gate

        self.later = await open_later(make, self.database, self.home, self.clock)
        await self.later.firing.recover()

    async def ask(self, n: int) -> None:
        self.asked += 1
        light = call(
            "light.turn_on", "light.kitchen", brightness_pct=4 * self.asked
        )  # further apart than what counts as the same
        await self.later.ask(light, (ANN, BEN)[n % 2], f"number {self.asked}", **{"in": 600 * (n + 1)})

    async def wait(self, n: int) -> None:
        self.clock.advance(timedelta(minutes=10 * n))

    async def look(self, _n: int) -> None:
        await self.later.look()

    async def away(self, _n: int) -> None:
        self.home.connected = not self.home.connected

    async def refuse(self, n: int) -> None:
        self.home.faults["light.kitchen"] = Refuse("no")
        if n % 2:
            del self.home.faults["light.kitchen"]

    async def cancel(self, n: int) -> None:
        if waiting := await self.later.store.waiting():
            await self.later.store.cancel(waiting[n % len(waiting)].id, self.clock.now())

    async def observe(self, n: int) -> None:
        self.later.gate.mode = (Mode.OBSERVE, Mode.AUTO)[n % 2]

    async def restart(self, _n: int) -> None:
        await self.later.gate.close()
        await self.begin()

    async def die(self, _n: int) -> None:
        """Be killed right after everything that is due was claimed."""
        for each in await self.later.store.due(self.clock.now()):
            await self.later.store.claim(each.id, self.clock.now())
        await self.restart(0)

    async def judge(self) -> None:
        sent = [each.data["brightness_pct"] for each in self.home.calls]
        assert len(sent) == len(set(sent))
        told = {
            (notice.kind.value, notice.subject)
            for notice in await self.later.notices.list(ANN, settled=True, limit=500)
        }
        for each in await self.later.store.ended(100):
            tried = each.call.data["brightness_pct"] in sent
            assert tried if each.state in {"done", "failed"} else not tried, each
            assert each.state not in TOLD or (TOLD[each.state], each.id) in told
            assert each.state != "done" or each.at <= self.clock.now()


@pytest.fixture(scope="module")
def ready_made(tmp_path_factory) -> Path:
    """A database that has its tables, to be copied."""
    file = tmp_path_factory.mktemp("ready") / "homesteward.db"

    async def made() -> None:
        await (await Database.open(file)).close()

    asyncio.run(made())
    return file


@given(deeds=SEQUENCES)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_nothing_is_sent_twice_and_what_was_not_done_is_told(deeds, ready_made, tmp_path_factory):
    async def told() -> None:
        database = await Database.open(Path(shutil.copy(ready_made, tmp_path_factory.mktemp("story") / "h.db")))
        story = Story(database)
        await story.begin()
        try:
            for deed, n in [*(("ask", n) for n in range(4)), *deeds, ("wait", 1), ("look", 0)]:
                with suppress(HomestewardError):  # refused is an answer too
                    await getattr(story, deed)(n)
            await story.judge()
        finally:
            await story.later.gate.close()
            await database.close()

    asyncio.run(told())
