"""The clockwork: one task that sleeps until the next thing is due, and is woken by what changes that."""

import asyncio
import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from homesteward.actions.schedule.alarm import Alarm
from homesteward.actions.schedule.firing import Firing
from homesteward.actions.schedule.holding import Held
from homesteward.actions.schedule.schedule import Schedule
from homesteward.actions.schedule.store import AT_ONCE, ScheduleStore
from homesteward.core import Clock
from homesteward.home.live import HeardHome
from homesteward.home.view import leaves_of

_LOG = logging.getLogger(__name__)

type Undo = Callable[[], None]

MOST_AT_ONCE = 8  # that are carried out beside each other
AGAIN_S = 5.0  # after a database that could not be read, or a clock that could not be waited for
MOMENT = timedelta(milliseconds=1)


class Clockwork:
    """Have everything carried out when it is due, while it runs."""

    def __init__(
        self, firing: Firing, store: ScheduleStore, home: HeardHome, clock: Clock, alarm: Alarm, changed: asyncio.Event
    ) -> None:
        """Wait by `alarm`, or for `changed`, which is set when something was scheduled or cancelled.

        What is due while `home` cannot be reached waits for it.
        """
        self._firing, self._store, self._home = firing, store, home
        self._clock, self._alarm = clock, alarm
        self._woken = changed
        self._busy: dict[asyncio.Task[None], frozenset[str]] = {}
        """What is being carried out, each with the things that it is about."""
        self._room = asyncio.Semaphore(MOST_AT_ONCE)

    def start(self) -> Undo:
        """End what a process that died left, and begin; the returned undo ends it, and leaves what is under way as it is."""
        forget = self._home.on_known(lambda _gap: self._woken.set())
        task = asyncio.create_task(self._work(), name="schedules")

        def undo() -> None:
            forget()
            for each in (task, *self._busy):
                each.cancel()

        return undo

    async def look(self) -> datetime | None:
        """End what was left behind, begin on everything that is due, and return when to look next; None where nothing is to come."""
        left = await self._firing.recover()
        now = self._clock.now()
        due = await self._store.due(now)
        held = [schedule for schedule in due if not await self._begun(schedule)]
        nexts = [schedule.latest + MOMENT for schedule in held if schedule.latest >= now]
        nexts += [left] if left is not None else []
        if len(due) == AT_ONCE and len(held) < len(due):
            nexts.append(now)  # there may be more
        if (ahead := await self._store.next_at(now)) is not None:
            nexts.append(ahead)
        return min(nexts, default=None)

    async def idle(self) -> None:
        """Wait until what was begun has come to its end."""
        while self._busy:
            await asyncio.gather(*self._busy, return_exceptions=True)

    async def _begun(self, schedule: Schedule) -> bool:
        """Return whether the schedule waits no more: this hand has it, or another."""
        if not self._home.connected and self._clock.now() <= schedule.latest:
            return False
        if (held := await self._firing.claim(schedule)) is not None:
            ids = held.now.call.entity_ids
            things = frozenset((*ids, *leaves_of(self._home, ids)))
            before = [task for task, others in self._busy.items() if things & others]
            task = asyncio.create_task(self._carried_out(held, before), name=schedule.id)
            self._busy[task] = things
            task.add_done_callback(lambda over: self._busy.pop(over, None))
        return True

    async def _carried_out(self, held: Held, before: Collection[asyncio.Task[None]]) -> None:
        """Carry it out, after everything about the same things that was due before it: what is late stays in its order."""
        try:
            with held.beating():
                if before:
                    await asyncio.wait(before)
                async with self._room:
                    if not await self._firing.carry_out(held):
                        self._woken.set()  # the home may be back already
        except Exception:  # noqa: BLE001 - the root of a task: what became of it is told once it is taken for left behind
            _LOG.exception("How schedule %s ended could not be put down", held.now.id)
        finally:
            self._firing.let_go(held)

    async def _work(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._until(await self.look())
            except Exception:  # noqa: BLE001 - the root of this task: a database that is away for a minute ends nothing
                _LOG.exception("What is scheduled could not be looked at")
                await asyncio.sleep(AGAIN_S)

    async def _until(self, at: datetime | None) -> None:
        """Wait for the moment, or to be woken; raise what the alarm raises."""
        waits: list[asyncio.Future[object]] = [asyncio.ensure_future(self._woken.wait())]
        if at is not None:
            waits.append(asyncio.ensure_future(self._alarm(at)))
        try:
            done, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in waits:
                each.cancel()
        for each in done:
            each.result()
