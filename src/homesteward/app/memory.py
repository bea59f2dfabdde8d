"""The house's memory, wired: its chronicle over the home, and Home Assistant's own recorder beside it."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import cast

from sqlalchemy.exc import DBAPIError

from homesteward.actions.windows import Windows
from homesteward.chronicle.chronicle import CHRONICLE_FILE, Chronicle
from homesteward.chronicle.delivery import ChronicleStuckError
from homesteward.chronicle.history import History
from homesteward.chronicle.record import Act
from homesteward.chronicle.taking import Took, effects_seen
from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.home.life import Phase
from homesteward.home.link import HomeLink
from homesteward.home.live import HeardHome
from homesteward.home.recorder import Line, Recorder
from homesteward.people.desk import FrontDesk
from homesteward.people.looking import Lookout
from homesteward.settings import Settings

TIDY_S = 24 * 3600.0
AGAIN_S = 60.0
PASSING = frozenset(
    {"database_busy", "disk_full", "disk_failing", "database_unreachable", "database_refused", "commit_unknown"}
)
"""Failures that may be over by themselves, or once somebody saw to the machine; a damaged or a newer file stays what it is."""
_LOG = logging.getLogger(__name__)


class Memory:
    """What is remembered, and what can be read of Home Assistant's own memory; each None where there is none."""

    def __init__(self, chronicle: Chronicle | None = None, recorder: Recorder | None = None) -> None:
        """Have what there is from the beginning."""
        self.chronicle = chronicle
        """Where it should be and cannot be had yet, whoever asks it is answered with `problem`."""
        self.recorder = recorder
        self.problem: HomestewardError | None = None
        """Why nothing is remembered at present, where something should be."""
        self._history = chronicle.history if chronicle else None
        self._opened = chronicle

    @property
    def rooms(self) -> tuple[History | None, Recorder | None]:
        """Return what tools ask about the past."""
        return (self._history, self.recorder)

    def health(self) -> JsonObject:
        """Return how the memory is doing, as the status shows it."""
        if self._opened:
            return self._opened.health()
        problem = self.problem
        return {
            "ok": problem is None,
            "failure": problem.message if problem else None,
            "next": problem.next if problem else None,
        }

    def record(self, act: Act) -> None:
        """Keep an act of ours; without a chronicle it is kept in its plan alone."""
        if self._opened:
            self._opened.record(act)

    def lost(self) -> None:
        """Take that Home Assistant went away."""
        if self._opened:
            self._opened.lost()

    def lacks(self, problem: HomestewardError) -> None:
        """Take that there is no chronicle yet, and why."""
        if self.problem is None or self.problem.code != problem.code:
            _LOG.error("%s Nothing that happens is remembered until then. %s", problem.message, problem.next)
        self.problem = problem
        self.chronicle = cast("Chronicle", _Awaited(self._present))
        self._history = cast("History", _Awaited(lambda: self._present().history))

    def opens(self, chronicle: Chronicle) -> None:
        """Take that it is there."""
        if self.problem:
            _LOG.warning("The chronicle could be opened: what happens is remembered again")
        self.problem, self._opened = None, chronicle
        if self.chronicle is None:
            self.chronicle, self._history = chronicle, chronicle.history

    def _present(self) -> Chronicle:
        """Return the chronicle that is open; raise why there is none."""
        if self._opened is None:
            raise self.problem or HomestewardError("Nothing is remembered.", next="Look at the service's log.")
        return self._opened


class _Awaited:
    """Stands where a room will be, once it can be had: the tools and routes that ask it are made before, and only once."""

    def __init__(self, present: Callable[[], object]) -> None:
        self._present = present

    def __getattr__(self, name: str) -> object:
        return getattr(self._present(), name)


@asynccontextmanager
async def open_memory(
    settings: Settings, home: HeardHome, folder: Path, clock: Clock, redactor: Redactor, link: HomeLink | None
) -> AsyncIterator[Memory]:
    """Open the chronicle and begin to listen; close it at the end.

    A chronicle that cannot be opened keeps the house from nothing: it runs without a memory, says so and why, and tries again every
    minute where that may pass by itself.
    """
    recorder = Recorder(link, clock) if link else None
    memory = Memory(None, recorder)

    async def opened() -> Chronicle:
        return await Chronicle.open(
            settings.store.url.get_secret_value() or folder,
            home,
            settings.chronicle,
            clock,
            line=link,
            traces=recorder,
            redactor=redactor,
        )

    async with AsyncExitStack() as undo:
        if not await _try(memory, opened, undo):
            retrying = asyncio.create_task(_go_on_trying(memory, opened, undo), name="chronicle opening")
            undo.push_async_callback(_ended, retrying)
        if link:
            undo.callback(link.life.watch(partial(_hear_loss, memory)))
        yield memory


def windows_of(memory: Memory, home: HeardHome, clock: Clock) -> Windows:
    """Return what learns from this memory how long things take; without a memory it learns nothing."""

    async def seen(since: datetime) -> tuple[Took, ...]:
        history, _ = memory.rooms
        return await effects_seen(history, home, since) if history else ()

    return Windows(home, seen, clock)


def _hear_loss(memory: Memory, phase: Phase) -> None:
    """Tell of each phase in which nobody listens any more; of those that follow one another only the first counts."""
    if phase is Phase.COOLING_DOWN:
        memory.lost()


async def _try(memory: Memory, opened: Callable[[], Awaitable[Chronicle]], undo: AsyncExitStack) -> bool:
    """Open the chronicle; return whether there is no more to try, because it is there or nothing but a person can help."""
    try:
        chronicle = await opened()
    except HomestewardError as error:
        memory.lacks(error)
        return error.code not in PASSING
    except (OSError, DBAPIError) as error:
        memory.lacks(_unopened(error))
        return False
    undo.push_async_callback(chronicle.close)
    memory.opens(chronicle)
    return True


async def _go_on_trying(memory: Memory, opened: Callable[[], Awaitable[Chronicle]], undo: AsyncExitStack) -> None:
    while True:
        await asyncio.sleep(AGAIN_S)
        if await _try(memory, opened, undo):
            return


async def _ended(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait([task])


def _unopened(error: Exception) -> ChronicleStuckError:
    return ChronicleStuckError(
        f"The chronicle cannot be opened ({type(error).__name__}).", retry=True, next="Look at the service's log."
    )


def chronicle_file(settings: Settings) -> Path | None:
    """Return where the chronicle lies, None where it is in PostgreSQL."""
    return None if settings.store.url.get_secret_value() else settings.data / CHRONICLE_FILE


@asynccontextmanager
async def looking_after(home: HeardHome, line: Line, desk: FrontDesk) -> AsyncIterator[None]:
    """Follow what becomes of Home Assistant's users, and once a day put away what is over."""
    end = await Lookout(home, line, desk.people).start()
    tidying = asyncio.create_task(_tidy(desk), name="tidy")
    try:
        yield
    finally:
        tidying.cancel()
        await end()


async def _tidy(desk: FrontDesk) -> None:
    while True:
        try:
            await desk.tidy()
        except Exception:  # noqa: BLE001 - the root of this task: tomorrow is another day
            _LOG.exception("What is over could not be put away")
        await asyncio.sleep(TIDY_S)
