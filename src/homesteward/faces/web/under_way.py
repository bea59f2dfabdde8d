"""What people have under way, ended when they are put out: an answer that is still thought about is thought about for nobody."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from homesteward.faces.web.asker import Asker
from homesteward.people.errors import NobodyError
from homesteward.people.leaving import Leaving

type Still = Callable[[Asker], Awaitable[bool]]


class UnderWay:
    """Hold the work of each asker, and cancel what belongs to somebody who is not let in any more."""

    def __init__(self, leaving: Leaving | None, still: Still) -> None:
        """Look who is `still` let in whenever `leaving` tells that somebody may not be; without it nobody can be put out."""
        self._leaving, self._still = leaving, still
        self._held: dict[asyncio.Task[Any], Asker] = {}
        self._looking: set[asyncio.Task[None]] = set()
        self._unwatch: Callable[[], None] | None = None

    def hold(self, asker: Asker, task: asyncio.Task[Any]) -> None:
        """Cancel the task if the asker is put out before it has ended."""
        if self._leaving and self._unwatch is None:
            self._unwatch = self._leaving.watch(self._look)
        self._held[task] = asker
        task.add_done_callback(self._let_go)

    def hold_run(self, asker: Asker, run_id: str) -> None:
        """Hold what carries out the run, which the steward names by the run's id."""
        for task in asyncio.all_tasks():
            if task.get_name() == run_id:
                self.hold(asker, task)

    def end_run(self, run_id: str) -> bool:
        """Cancel the run if it is held here; return whether it was on its way."""
        held = [task for task in self._held if task.get_name() == run_id and not task.done()]
        for task in held:
            task.cancel()
        return bool(held)

    async def awaited[T](self, asker: Asker, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work returns; raise NobodyError where the asker was put out before."""
        task = asyncio.create_task(work)
        self.hold(asker, task)
        try:
            return await task
        except asyncio.CancelledError:
            if task.cancelled() and not await self._still(asker):
                raise NobodyError("You are not signed in any more.", next="Sign in again.") from None
            raise
        finally:
            task.cancel()  # whoever waited has left

    def _let_go(self, task: asyncio.Task[Any]) -> None:
        self._held.pop(task, None)
        if not self._held and self._unwatch:
            self._unwatch()
            self._unwatch = None

    def _look(self) -> None:
        looking = asyncio.create_task(self._end_what_is_nobodys(), name="put out")
        self._looking.add(looking)
        looking.add_done_callback(self._looking.discard)

    async def _end_what_is_nobodys(self) -> None:
        for task, asker in list(self._held.items()):
            if not await self._still(asker):
                task.cancel()
