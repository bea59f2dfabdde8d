"""The house's memory, wired: its chronicle over the home, and Home Assistant's own recorder beside it."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from homesteward.actions.ties import Record
from homesteward.chronicle.chronicle import CHRONICLE_FILE, Chronicle
from homesteward.chronicle.history import History
from homesteward.chronicle.record import Act
from homesteward.core import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.json import JsonObject
from homesteward.core.redaction import Redactor
from homesteward.home.live import HeardHome
from homesteward.home.recorder import Line, Recorder
from homesteward.people.desk import FrontDesk
from homesteward.people.looking import Lookout
from homesteward.settings import Settings
from homesteward.store.failures import DatabaseUnreadableError

TIDY_S = 24 * 3600.0
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered, and what can be read of Home Assistant's own memory; each None where there is none."""

    chronicle: Chronicle | None = None
    recorder: Recorder | None = None
    problem: HomestewardError | None = None
    """Why there is no chronicle, where there should be one."""

    @property
    def rooms(self) -> tuple[History | None, Recorder | None]:
        """Return what tools ask about the past."""
        return (self.chronicle.history if self.chronicle else None, self.recorder)

    def health(self) -> JsonObject:
        """Return how the memory is doing, as the status shows it."""
        if self.chronicle:
            return self.chronicle.health()
        return {"ok": self.problem is None, "failure": self.problem.message if self.problem else None}

    @property
    def record(self) -> Record:
        """Return what keeps an act of ours; without a chronicle it is kept in its plan alone."""
        return self.chronicle.record if self.chronicle else _not_kept


def _not_kept(_act: Act) -> None:
    """Keep nothing."""


@asynccontextmanager
async def open_memory(
    settings: Settings, home: HeardHome, folder: Path, clock: Clock, redactor: Redactor, line: Line | None
) -> AsyncIterator[Memory]:
    """Open the chronicle and begin to listen; close it at the end.

    A chronicle that cannot be read keeps the house from nothing: it runs without a memory, and says so until that is mended.
    """
    recorder = Recorder(line, clock) if line else None
    async with AsyncExitStack() as undo:
        try:
            chronicle = await Chronicle.open(
                settings.store.url.get_secret_value() or folder,
                home,
                settings.chronicle,
                clock,
                line=line,
                traces=recorder,
                redactor=redactor,
            )
        except DatabaseUnreadableError as error:
            _LOG.error("%s Nothing that happens is remembered until then. %s", error.message, error.next)
            yield Memory(None, recorder, error)
            return
        undo.push_async_callback(chronicle.close)
        yield Memory(chronicle, recorder)


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
