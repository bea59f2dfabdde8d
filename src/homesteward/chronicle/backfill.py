"""After every time in which nobody listened: what Home Assistant's own recorder has of it is read, filtered and stored, once.

Reading is slow and may be cut off; it never stands in the way of what is heard meanwhile, and goes on when the home is there again.
What was read before is found in the tables and not stored twice, so that an outage may be read as often as it takes.
"""

import asyncio
import logging
from contextlib import suppress
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
RETRY_S = 60.0  # after the first failure, then twice as long each time
LONGEST_RETRY_S = 3600.0  # a service runs for years, and its Home Assistant may be mended in any of them
DOUBLINGS = 16  # beyond them the longest pause is reached by far

BEYOND = "Home Assistant's own history no longer has it"
RECORDS_NOTHING = "Home Assistant records nothing"
AWAY = "Home Assistant is away"  # until it is back, and known whether it was a restart, a cut or a death


@dataclass(slots=True)
class Due:
    """An outage to be read, and how far that has come."""

    outage: Outage
    since: datetime
    """Where reading begins: before the outage, where something that was heard may not have been stored."""
    attempts: int = 0
    """How often it failed."""
    again: float = 0.0
    """When it is tried the next time, by the clock of the event loop."""
    trouble: str | None = None
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
        self._home, self._writer, self._clock, self._settle_s = home, writer, clock, settle_s
        self._refill = Refill(home, line, writer, stored, filter, redaction or Redaction())
        self._due: dict[datetime, Due] = {}
        self._open: Outage | None = None
        """The outage that goes on."""
        self._first = True
        self._there, self._idle = asyncio.Event(), asyncio.Event()
        self._idle.set()

    async def start(self) -> Undo:
        """Begin: with what was left unread before, and with the time in which this service did not run. Raises what the tables raise."""
        for outage in await self._writer.outages(unfilled=True):
            if outage.end is None:  # it went on when this service ended: what began first is one with what came after
                self._open = self._open or replace(outage, reason=_and_then(outage.reason, NOT_RUNNING))
            elif not outage.reason.endswith((BEYOND, RECORDS_NOTHING)):
                self.add(outage)
        undos = [self._home.on_known(self._known), self._writer.watch_overflow(self.add)]
        if self._home.connected:
            self._known(None)
        else:
            self._begin(self._writer.heard_before, NOT_RUNNING)
        task = asyncio.create_task(self._go_on(), name="chronicle backfill")

        def undo() -> None:
            for each in undos:
                each()
            task.cancel()

        return undo

    def lost(self) -> None:
        """Take that the home went away: that nobody listens is kept from now on, and not only when it is over."""
        if not self._home.connected:
            self._begin(self._home.as_of, AWAY)

    def add(self, outage: Outage, since: datetime | None = None) -> None:
        """Have an outage that is over read, beginning at `since` where that is before it."""
        self._due[outage.start] = Due(outage, min(since or outage.start, outage.start))
        self._idle.clear()
        self._there.set()

    async def idle(self) -> None:
        """Return once nothing is left to be read, or what is left could not be."""
        await self._idle.wait()

    @property
    def trouble(self) -> str | None:
        """Return why an outage could not be read, as far as that is so now."""
        return next((due.trouble for due in self._due.values() if due.trouble), None)

    def health(self) -> JsonObject:
        """Return how it is doing, as the status shows it."""
        return {"waiting": len(self._due), "rows": self.rows, "trouble": self.trouble}

    def _begin(self, start: datetime | None, reason: str) -> None:
        """Keep the outage that goes on, whatever was known of it before; nothing where nobody ever listened."""
        if self._open is None and start is not None:
            self._open = Outage(start, None, reason)
        if self._open is not None:
            self._writer.keep_outage(self._open)

    def _known(self, gap: Gap | None) -> None:
        """Take that the home is there (again)."""
        first, self._first = self._first, False
        heard = self._writer.heard_before if first else None
        went_on, self._open = self._open, None
        end = gap.end if gap else self._clock.now()
        if went_on is not None:
            reason = went_on.reason if gap is None or went_on.reason.endswith(NOT_RUNNING) else gap.reason
            self._over(Outage(went_on.start, max(went_on.start, end), reason), heard)
        elif gap is not None:
            start = max(gap.start, heard) if heard else gap.start
            self._over(Outage(start, max(start, end), gap.reason), heard)
        elif heard is not None:
            self._over(Outage(heard, max(heard, end), NOT_RUNNING), heard)
        for due in self._due.values():
            due.again = 0.0  # what failed may well go now
        self._there.set()

    def _over(self, outage: Outage, since: datetime | None) -> None:
        self._writer.keep_outage(outage)
        self.add(outage, since)

    async def _go_on(self) -> None:
        while True:
            await self._something_to_do()
            while self._home.connected and (due := self._next()):
                if not await self._read(due):
                    break
                if due.trouble is None and self._due.get(due.outage.start) is due:
                    del self._due[due.outage.start]
            if all(due.trouble for due in self._due.values()):
                self._idle.set()

    async def _something_to_do(self) -> None:
        """Wait until the home is there, an outage is added, or one that failed is to be tried again."""
        waits = [due.again for due in self._due.values() if due.trouble] if self._home.connected else []
        with suppress(TimeoutError):
            async with asyncio.timeout_at(min(waits, default=None)):
                await self._there.wait()
        self._there.clear()

    def _next(self) -> Due | None:
        """Return the oldest outage whose turn it is; one that failed keeps none of the others waiting."""
        now = asyncio.get_running_loop().time()
        ready = (due for due in self._due.values() if due.again <= now)
        return min(ready, key=lambda due: due.outage.start, default=None)

    async def _read(self, due: Due) -> bool:
        """Read one outage, or have it tried again later; return False where the home went away meanwhile."""
        try:
            await self._fill(due)
            due.trouble = None
        except NotConnectedError:
            return False
        except NotRecordingError as error:
            due.trouble = None
            self._give_up(due.outage, RECORDS_NOTHING, error.message)
        except HomestewardError as error:
            self._failed(due, error.message)
        except Exception as error:  # noqa: BLE001 - the root of this task: one outage must not cost all others
            _LOG.exception("An outage could not be read afterwards")
            self._failed(due, type(error).__name__)
        return True

    def _failed(self, due: Due, why: str) -> None:
        due.trouble, due.again = why, asyncio.get_running_loop().time() + pause_after(due.attempts)
        due.attempts += 1
        level = logging.WARNING if due.attempts == 1 else logging.DEBUG
        _LOG.log(level, "What happened from %s on cannot be read afterwards yet: %s", due.outage.start, why)

    def _give_up(self, outage: Outage, why: str, told: str) -> None:
        _LOG.warning("What happened from %s on cannot be read afterwards: %s", outage.start, told)
        self._writer.keep_outage(replace(outage, reason=f"{outage.reason}; {why}"))

    async def _fill(self, due: Due) -> None:
        """Read one outage, once Home Assistant's recorder has written what happened up to its end."""
        end = due.outage.end or self._clock.now()
        await self._committed(end)
        filled = Filled()
        try:
            await self._refill.fill(max(due.since - MARGIN, end - LONGEST), end + MARGIN, filled)
        finally:
            due.rows += filled.rows
            self.rows += filled.rows
        self._close(due, end, filled.known_from)

    async def _committed(self, end: datetime) -> None:
        """Wait until what the recorder took in up to `end` can be read.

        While Home Assistant starts, its recorder only queues; once the queue is empty the next commit has what was in it.
        """
        waited = await self._refill.caught_up()
        left = self._settle_s if waited else (end - self._clock.now()).total_seconds() + self._settle_s
        if left > 0:
            await asyncio.sleep(min(left, self._settle_s))
            await self._refill.caught_up()  # a commit that is late stands in the queue

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


def pause_after(failures: int) -> float:
    """Return how many seconds an outage waits for its next attempt, after so many before the one that failed now."""
    return min(RETRY_S * 2.0 ** min(failures, DOUBLINGS), LONGEST_RETRY_S)


def _and_then(first: str, then: str) -> str:
    """Return the reason of an outage that began with one and went on with another."""
    return first if first.endswith(then) else f"{first}; then {then}"
