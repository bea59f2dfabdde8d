"""After every time in which nobody listened: what Home Assistant's own recorder has of it is read, filtered and stored, once.

Reading is slow and may be cut off; it never stands in the way of what is heard meanwhile, and goes on when the home is there again.
What was read before is found in the tables and not stored twice, so that an outage may be read as often as it takes.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from homesteward.chronicle.filter import Filter
from homesteward.chronicle.record import Outage
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.refill import Filled, Refill
from homesteward.chronicle.stored import Stored
from homesteward.chronicle.writer import Writer
from homesteward.core import Clock, HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.errors import NotConnectedError, NotRecordingError
from homesteward.home.health import Gap
from homesteward.home.live import HeardHome, Undo
from homesteward.home.outage import NOT_RUNNING
from homesteward.home.recorder import Line

_LOG = logging.getLogger(__name__)

SETTLE_S = 10.0  # Home Assistant's recorder commits every 5 s
MARGIN = timedelta(seconds=5)  # two clocks are never the same
LONGEST = timedelta(days=31)
RETRY_S = 60.0
ATTEMPTS = 5  # of an outage, until the next start

BEYOND = "Home Assistant's own history no longer has it"
RECORDS_NOTHING = "Home Assistant records nothing"


@dataclass(slots=True)
class Due:
    """An outage to be read, and how far that has come."""

    outage: Outage
    since: datetime
    """Where reading begins: before the outage, where something that was heard may not have been stored."""
    attempts: int = 0
    rows: int = 0
    """How many records were missing, over all attempts."""


class Backfill:
    """Reads every outage afterwards, one after the other, the oldest first."""

    def __init__(
        self,
        home: HeardHome,
        line: Line,
        writer: Writer,
        stored: Stored,
        filter: Filter,  # noqa: A002 - the chronicle's own word for it
        clock: Clock,
        *,
        redaction: Redaction | None = None,
        settle_s: float = SETTLE_S,
    ) -> None:
        """Read over `line` what `home` was like, judge it by the rules of `filter`, and hand it to `writer`."""
        self.rows = 0
        """How many records were read afterwards since the start."""
        self.trouble: str | None = None
        """Why an outage could not be read, as far as that is so now."""
        self._home, self._writer, self._clock, self._settle_s = home, writer, clock, settle_s
        self._refill = Refill(home, line, writer, stored, filter, redaction or Redaction())
        self._due: dict[datetime, Due] = {}
        self._first = True
        self._there, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()

    async def start(self) -> Undo:
        """Begin: with what was left unread before, and with the time in which this service did not run. Raises what the tables raise."""
        for outage in await self._writer.outages(unfilled=True):
            if outage.end is not None and not outage.reason.endswith((BEYOND, RECORDS_NOTHING)):
                self.add(outage)
        undos = [self._home.on_known(self._known), self._writer.watch_overflow(self.add)]
        if self._home.connected:
            self._known(None)
        task = asyncio.create_task(self._go_on(), name="chronicle backfill")

        def undo() -> None:
            for each in undos:
                each()
            task.cancel()

        return undo

    def add(self, outage: Outage, since: datetime | None = None) -> None:
        """Have an outage that is over read, beginning at `since` where that is before it."""
        self._due[outage.start] = Due(outage, min(since or outage.start, outage.start))
        self._idle.clear()
        self._there.set()

    async def idle(self) -> None:
        """Return once nothing is left to be read, or what is left could not be."""
        await self._idle.wait()

    def health(self) -> JsonObject:
        """Return how it is doing, as the status shows it."""
        return {"waiting": len(self._due), "rows": self.rows, "trouble": self.trouble}

    def _known(self, gap: Gap | None) -> None:
        """Take that the home is there (again)."""
        first, self._first = self._first, False
        heard = self._writer.heard_before if first else None
        if gap is not None:
            start = max(gap.start, heard) if heard else gap.start
            self._over(Outage(start, max(start, gap.end), gap.reason), heard)
        elif heard is not None:
            self._over(Outage(heard, max(heard, self._clock.now()), NOT_RUNNING), heard)
        self._there.set()

    def _over(self, outage: Outage, since: datetime | None) -> None:
        self._writer.keep_outage(outage)
        self.add(outage, since)

    async def _go_on(self) -> None:
        while True:
            await self._there.wait()
            self._there.clear()
            while self._due and self._home.connected:
                due = self._due[min(self._due)]
                if not await self._read(due):
                    break
                if self._due.get(due.outage.start) is due:
                    del self._due[due.outage.start]
            if not self._due:
                self._idle.set()

    async def _read(self, due: Due) -> bool:
        """Read one outage; return False where it is to be gone on with once the home is there again."""
        try:
            await self._fill(due)
            self.trouble = None
        except NotConnectedError:
            return False
        except NotRecordingError as error:
            self._give_up(due.outage, RECORDS_NOTHING, error.message)
        except HomestewardError as error:
            return await self._failed(due, error.message)
        except Exception as error:  # noqa: BLE001 - the root of this task: one outage must not cost all others
            _LOG.exception("An outage could not be read afterwards")
            return await self._failed(due, type(error).__name__)
        return True

    async def _failed(self, due: Due, why: str) -> bool:
        self.trouble = why
        due.attempts += 1
        if due.attempts >= ATTEMPTS:
            _LOG.warning("What happened from %s on could not be read afterwards: %s", due.outage.start, why)
            return True
        await asyncio.sleep(RETRY_S)
        self._there.set()
        return False

    def _give_up(self, outage: Outage, why: str, told: str) -> None:
        _LOG.warning("What happened from %s on cannot be read afterwards: %s", outage.start, told)
        self._writer.keep_outage(replace(outage, reason=f"{outage.reason}; {why}"))

    async def _fill(self, due: Due) -> None:
        """Read one outage, once Home Assistant's recorder has written what happened up to its end."""
        end = due.outage.end or self._clock.now()
        left = (end - self._clock.now()).total_seconds() + self._settle_s
        if left > 0:
            await asyncio.sleep(min(left, self._settle_s))
        await self._refill.caught_up()
        filled = Filled()
        try:
            await self._refill.fill(max(due.since - MARGIN, end - LONGEST), end + MARGIN, filled)
        finally:
            due.rows += filled.rows
            self.rows += filled.rows
        self._close(due, end, filled.known_from)

    def _close(self, due: Due, end: datetime, known_from: datetime | None) -> None:
        """Keep how far the outage is known now; what nobody has any more is said, and never asked for again."""
        outage, start = due.outage, due.outage.start
        if known_from is None:
            self._give_up(outage, BEYOND, "its history of that time is empty")
            return
        if known_from > start + MARGIN:
            self._give_up(replace(outage, end=known_from), BEYOND, f"its history begins at {known_from}")
            start = known_from
        self._writer.keep_outage(Outage(start, end, outage.reason, self._clock.now(), due.rows))
        _LOG.info("Read %d records of the time from %s to %s afterwards", due.rows, start, end)
