"""The link to a home for years: it opens connections one after the other, has the mirror follow over each, and waits in between."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from random import Random

from homesteward.core import Clock, SystemClock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.redaction import Redactor
from homesteward.home.access import Access
from homesteward.home.connection import ANSWER_TIMEOUT_S, HEARTBEAT, Connection, Event, Heartbeat
from homesteward.home.errors import AuthFailedError, HomeError, NeedsAdminError, NotConnectedError
from homesteward.home.life import Ending, Life, Limits, Phase, Turn
from homesteward.home.mirror import Mirror
from homesteward.home.outage import OVERFLOW, Outage
from homesteward.home.rest import Rest
from homesteward.home.tokens import tokens_of

_LOG = logging.getLogger(__name__)

type Opener = Callable[[Callable[[], object]], Awaitable[Connection]]
"""Open a connection, and call what is given as soon as its socket is open; raises as Connection.open does."""

LEAVING = frozenset({("homeassistant", "restart"), ("homeassistant", "stop")})


class HomeLink:
    """Keep `mirror` following one Home Assistant, whatever happens to it, until `close`."""

    def __init__(
        self,
        access: Access,
        mirror: Mirror,
        *,
        limits: Limits | None = None,
        heartbeat: Heartbeat = HEARTBEAT,
        clock: Clock | None = None,
        chance: Random | None = None,
        redactor: Redactor | None = None,
        opener: Opener | None = None,
    ) -> None:
        """Link to the home at `access`; `start` begins. `opener` opens a connection in another way than over the network."""
        self.mirror = mirror
        self.trouble: HomeError | None = None
        """What is wrong at present, with what a person can do about it."""
        self.attempts = 0
        self.reconnects = 0
        self.overflows = 0
        """How often Home Assistant dropped us although it ran: its queue for us had overflowed."""
        self._access = access
        self._heartbeat = heartbeat
        self._clock = clock or SystemClock()
        self._redactor = redactor
        self._open = opener or self._opened
        self.tokens = tokens_of(access, self._clock)
        """What lets us in, for REST as well."""
        self._rest = Rest(access, self.tokens)
        self.life = Life(self._clock)
        self._outage = Outage(limits or Limits(), chance or Random())  # noqa: S311 - it only spreads waits
        self._connection: Connection | None = None
        self._next_at: datetime | None = None
        self._hurry = asyncio.Event()
        self._settled = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to connect, and go on until `close`; `settled` tells how the first attempt went."""
        await self.mirror.listen("call_service", self._look_for_restart)
        self._task = asyncio.create_task(self._go_on(), name="home link")

    async def settled(self, timeout_s: float | None = None) -> None:
        """Return when the home is live, or after `timeout_s`; raise what the first attempt failed with."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._settled.wait()
        except TimeoutError:
            return
        if self.trouble and self.life.phase is not Phase.LIVE:
            raise self.trouble

    def hurry(self) -> None:
        """Make the next attempt now instead of when it would be due."""
        self._hurry.set()

    async def send(self, kind: str, /, *, timeout_s: float = ANSWER_TIMEOUT_S, **fields: object) -> JsonValue:
        """Send one command over the present connection; raises NotConnectedError unless it is live, else as Connection.send."""
        if self._connection is None or self.life.phase is not Phase.LIVE:
            raise NotConnectedError
        return await self._connection.send(kind, timeout_s=timeout_s, **fields)

    async def close(self) -> None:
        """End it for good; what still waits for an answer gets ConnectionLostError."""
        self.life.take(Turn.CLOSE)
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self.mirror.close()
        await self._rest.close()

    def health(self) -> JsonObject:
        """Return where the connection stands, as the status shows it."""
        due = (self._next_at - self._clock.now()).total_seconds() if self._next_at else None
        return {
            "state": self.life.phase.value,
            "since": self.life.since.isoformat(),
            "trouble": self._clean(self.trouble.message) if self.trouble else None,
            "next": self._clean(self.trouble.next) if self.trouble else None,
            "next_attempt_s": None if due is None else round(max(0.0, due), 1),
            "attempts": self.attempts,
            "reconnects": self.reconnects,
            "overflows": self.overflows,
        }

    def _clean(self, text: str) -> str:
        """Return `text` without a secret: a token pasted for the address would be in it."""
        return self._redactor.clean(text) if self._redactor else text

    async def _go_on(self) -> None:
        while True:
            try:
                await self._one_life()
            except Exception:  # noqa: BLE001 - the root of this task: a mistake of ours must not end the link for good
                _LOG.exception("The connection to Home Assistant broke off")
                if self.life.phase is not Phase.COOLING_DOWN:
                    self._fail(Ending.BROKEN, HomeError("Something failed inside Homesteward.", next="See its log."))
            await self._cool_down()

    async def _one_life(self) -> None:
        """Open a connection, be live over it, and return when it has ended or could not be had."""
        self.life.take(Turn.ATTEMPT)
        self._next_at = None
        self.attempts += 1
        self._outage.tried()
        try:
            connection = await self._open(lambda: self.life.take(Turn.OPENED))
        except HomeError as error:
            self._fail(Ending.REFUSED if isinstance(error, AuthFailedError) else Ending.UNREACHABLE, error)
            return
        try:
            await self._live(connection)
        finally:
            self._connection = None
            await connection.close()

    async def _opened(self, opened: Callable[[], object]) -> Connection:
        """Open a connection; a token that is refused is renewed once, before a person is asked for another."""
        token = await self.tokens.current()
        try:
            return await self._opened_with(token, opened)
        except AuthFailedError:
            if self._access.refresh is None:
                raise
            renewed = await self.tokens.renewed(token)
            return await self._opened_with(
                renewed, lambda: None
            )  # it was open before: only the token is looked at again

    async def _opened_with(self, token: str, opened: Callable[[], object]) -> Connection:
        connection = await Connection.open(
            self._access.socket,
            token,
            # a token of half an hour has the shape that the redactor knows anyway; years of them would only slow it down
            redactor=self._redactor if self._access.refresh is None else None,
            tls=self._access.tls,
            heartbeat=self._heartbeat,
            clock=self._clock,
            opened=opened,
        )
        connection.rest = self._rest
        return connection

    async def _live(self, connection: Connection) -> None:
        self.life.take(Turn.ADMITTED)
        try:
            await self.mirror.follow(connection, self._why)
        except HomeError as error:
            self._fail(Ending.REFUSED if isinstance(error, NeedsAdminError) else Ending.UNREACHABLE, error)
            return
        self._connection = connection
        self._came_back()
        began = self._clock.monotonic()
        reason = await connection.closed
        self._lost(connection, reason, self._clock.monotonic() - began)

    def _came_back(self) -> None:
        self.trouble, away = None, self._outage.since
        self._outage.over()
        self.life.take(Turn.SYNCED)
        self._settled.set()
        home = self.mirror
        if away is None:
            _LOG.info("Connected to %r, Home Assistant %s", home.config.name, home.config.version)
            return
        self.reconnects += 1
        spent, gap = (self._clock.now() - away).total_seconds(), home.gaps[-1]
        _LOG.info("Home Assistant is there again after %.1f s (%s); %d differ", spent, gap.reason, gap.changed)

    def _lost(self, connection: Connection, reason: str, lived_s: float) -> None:
        self.trouble = NotConnectedError(reason)
        self._outage.lost(connection.ending, reason, self._clock.now(), lived_s)
        self.life.take(Turn.LOST)

    def _fail(self, ending: Ending, error: HomeError) -> None:
        self.trouble = error
        self._outage.failed(ending, f"{error.message} {error.next}")
        self.life.take(Turn.REFUSED if ending is Ending.REFUSED else Turn.LOST)
        self._settled.set()

    async def _cool_down(self) -> None:
        wait = self._outage.wait(self._clock.now())
        self._next_at = self._clock.now() + timedelta(seconds=wait)
        self._hurry.clear()
        try:
            async with asyncio.timeout(wait):
                await self._hurry.wait()
        except TimeoutError:
            return

    def _look_for_restart(self, event: Event) -> None:
        data = event.get("data") or {}
        if (data.get("domain"), data.get("service")) in LEAVING:
            self._outage.announced(self._clock.now())

    def _why(self, waited: bool) -> str:  # noqa: FBT001 - asked by the mirror
        reason = self._outage.reason(waited=waited)
        self.overflows += reason == OVERFLOW
        return reason
