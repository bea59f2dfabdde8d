"""A schedule that is being carried out: whoever has it says so again and again, so that no other hand takes it for left behind."""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from homesteward.actions.schedule.schedule import Schedule
from homesteward.actions.schedule.store import ScheduleStore
from homesteward.core import Clock

_LOG = logging.getLogger(__name__)

BEAT_S = 10.0
STALE = timedelta(seconds=60)  # of several beats missed: a database that is slow for a moment is no death


class LostError(Exception):
    """Another hand has taken what was held for left behind, and told so: it is not done any more."""


class Held:
    """One schedule in the hand of this process. `now` is it with its newest sign of life."""

    def __init__(self, claimed: Schedule, store: ScheduleStore, clock: Clock) -> None:
        """Hold what was just claimed."""
        self.now = claimed
        self._store, self._clock = store, clock
        self._one_at_a_time = asyncio.Lock()

    async def beat(self) -> None:
        """Say that it is still held; raise LostError where it is not."""
        async with self._one_at_a_time:
            still = await self._store.beat(self.now, self._clock.now())
            if still is None:
                raise LostError
            self.now = still

    @contextmanager
    def beating(self) -> Iterator[None]:
        """Say so again and again while this is entered."""
        task = asyncio.create_task(self._beat_on(), name=f"beat of {self.now.id}")
        try:
            yield
        finally:
            task.cancel()

    async def _beat_on(self) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            try:
                await self.beat()
            except LostError:
                return  # whoever carries it out finds that too, before anything is sent
            except SQLAlchemyError:
                _LOG.warning("Schedule %s: that it is under way could not be noted", self.now.id)
