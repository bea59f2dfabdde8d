"""One authenticated WebSocket to Home Assistant: commands with one result, subscriptions, and a clean end.

A connection lives once: it is opened, it speaks, it closes and stays closed. Coming back after that is the work of `link`, with
a new connection and everything read afresh.
"""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Protocol, Self

import aiohttp

from homesteward.core import Clock, SystemClock
from homesteward.core.json import JsonValue, dumps, loads
from homesteward.core.redaction import Redactor
from homesteward.home.errors import (
    AuthFailedError,
    ConnectionLostError,
    HaError,
    HaTimeoutError,
    HomeError,
    NotConnectedError,
    UnexpectedAnswerError,
)
from homesteward.home.life import Ending

_LOG = logging.getLogger(__name__)

type Event = Mapping[str, Any]
type Handler = Callable[[Event], None]
type AsyncUndo = Callable[[], Awaitable[None]]

OPEN_TIMEOUT_S = 10.0  # HA itself gives a new socket ten seconds to say who it is
ANSWER_TIMEOUT_S = 30.0
CLOSE_S = 1.0  # a server that hangs answers no goodbye; nobody waits longer for it
MAX_MESSAGE = 64 * 2**20  # the registry of a home with 5,000 entities is 4 MB; aiohttp's own limit is 4 MiB
TRUST = "Name its certificate in ha.ca_file, or set ha.verify_tls to false if nobody else can reach that network."
FEATURES = {"coalesce_messages": 1}  # many events in one frame: three times the rate, and HA's queue lasts longer


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """How a server that hangs without closing is found out: by pings of HA's own, which its whole loop must answer."""

    every_s: float = 10.0  # routers forget a quiet connection after a minute; and a gap begins with the last word heard
    answer_s: float = 15.0  # a small machine that sets up an integration may not answer for some seconds


HEARTBEAT = Heartbeat()


class Reads(Protocol):
    """Reads what a home tells over REST alone."""

    async def json(self, path: str, **query: str) -> JsonValue:
        """Return what `path`, after `/api`, answers; raise a HomeError."""
        ...


class Connection:
    """An authenticated WebSocket. Handlers of subscriptions are called in the order of the events, and must be quick."""

    def __init__(
        self,
        socket: aiohttp.ClientWebSocketResponse,
        url: str,
        session: aiohttp.ClientSession | None,
        *,
        heartbeat: Heartbeat = HEARTBEAT,
        clock: Clock | None = None,
    ) -> None:
        """Speak over `socket`, which is authenticated; close `session` at the end, if it is ours."""
        self.url = url
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.ending = Ending.BROKEN
        """How it ended, once it has."""
        self.rest: Reads | None = None
        """How the same home is asked for what it does not tell over a socket, where that is known."""
        self.frames = 0
        self.round_trip_ms = 0.0
        """How long the last ping took."""
        self._clock = clock or SystemClock()
        self.heard: datetime = self._clock.now()
        """When the other end said something for the last time: what is known of it is known up to then."""
        self._socket = socket
        self._session = session
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[JsonValue]] = {}
        self._handlers: dict[int, Handler] = {}
        self._reader = asyncio.create_task(self._read(), name="home assistant reader")
        self._heart = asyncio.create_task(self._beat(heartbeat), name="home assistant heartbeat")

    @classmethod
    async def open(
        cls,
        url: str,
        token: str,
        *,
        session: aiohttp.ClientSession | None = None,
        redactor: Redactor | None = None,
        tls: ssl.SSLContext | bool = True,
        heartbeat: Heartbeat = HEARTBEAT,
        clock: Clock | None = None,
        opened: Callable[[], object] = lambda: None,
    ) -> Self:
        """Connect to Home Assistant at `url` (http, https, ws or wss) with a long-lived access token.

        Raises NotConnectedError if nobody answers there, and AuthFailedError if the token is not accepted. The token is
        registered with `redactor` before anything is sent. `tls` is whom a secure address must prove itself to, False: to nobody;
        `opened` is called when the socket is open and the token about to be looked at.
        """
        if redactor:
            redactor.add(token)
        chosen = session or aiohttp.ClientSession()
        own = None if session else chosen
        try:
            socket = await _authenticated(chosen, url, token, tls=tls, opened=opened)
        except BaseException:
            if own:
                await own.close()
            raise
        connection = cls(socket, url, own, heartbeat=heartbeat, clock=clock)
        try:
            await connection.send("supported_features", features=FEATURES)
        except BaseException:
            await connection.close()
            raise
        return connection

    async def send(self, kind: str, /, *, timeout_s: float = ANSWER_TIMEOUT_S, **fields: object) -> JsonValue:
        """Send one command and return its result.

        Raises HaError with Home Assistant's own code, NotConnectedError if nothing was sent, ConnectionLostError if the
        connection ended before the answer, and HaTimeoutError after `timeout_s`.
        """
        message_id = self._new_id()
        return await self._ask(message_id, kind, fields, timeout_s)

    async def subscribe(self, kind: str, handler: Handler, /, **fields: object) -> AsyncUndo:
        """Send a subscribing command and call `handler` with every event of it, until the returned undo is awaited.

        Raises as `send` does. The undo does nothing on a connection that has closed.
        """
        message_id = self._new_id()
        self._handlers[message_id] = handler  # before the command: its first event may come with the answer
        try:
            await self._ask(message_id, kind, fields, ANSWER_TIMEOUT_S)
        except BaseException:
            self._handlers.pop(message_id, None)
            raise

        async def undo() -> None:
            if self._handlers.pop(message_id, None) and not self.closed.done():
                await self.send("unsubscribe_events", subscription=message_id)

        return undo

    async def close(self) -> None:
        """End the connection; what still waits for an answer gets ConnectionLostError. Closing twice is closing once."""
        self._end("closed by us", Ending.CLOSED)
        await self._socket.close()
        self._heart.cancel()
        await asyncio.wait([self._reader, self._heart])
        if self._session:
            await self._session.close()

    def _new_id(self) -> int:
        """Return the next id. HA wants them rising as they arrive, so none may be awaited between this and the sending."""
        if self.closed.done():
            raise NotConnectedError(self.closed.result())
        self._last_id += 1
        return self._last_id

    async def _ask(self, message_id: int, kind: str, fields: Mapping[str, object], timeout_s: float) -> JsonValue:
        answer: asyncio.Future[JsonValue] = asyncio.get_running_loop().create_future()
        self._waiting[message_id] = answer
        try:
            async with asyncio.timeout(timeout_s):
                await self._socket.send_str(dumps({"id": message_id, "type": kind, **fields}))
                return await answer
        except TimeoutError as error:
            raise HaTimeoutError(
                f"Home Assistant did not answer {kind} within {timeout_s:g} s.",
                next="Look at Home Assistant's log; it may be busy or hang.",
            ) from error
        except (ConnectionError, aiohttp.ClientError) as error:
            raise ConnectionLostError(str(error)) from error
        finally:
            self._waiting.pop(message_id, None)

    async def _read(self) -> None:
        """Hand on every message until the socket ends; this task waits for nobody's work."""
        reason, ending = "the connection was cut", Ending.BROKEN
        try:
            async for message in self._socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    self._take(message.data)
            if failure := self._socket.exception():
                reason = f"the connection failed ({type(failure).__name__})"
            elif self._socket.close_code == aiohttp.WSCloseCode.OK:
                reason, ending = "Home Assistant closed the connection", Ending.GOODBYE
        except Exception as error:  # noqa: BLE001 - the root of this task: whatever it was, nobody may go on waiting
            _LOG.exception("Reading from Home Assistant failed")
            reason = f"the connection failed ({type(error).__name__})"
        finally:
            self._end(reason, ending)

    async def _beat(self, heartbeat: Heartbeat) -> None:
        while not self.closed.done():
            await asyncio.sleep(heartbeat.every_s)
            began = self._clock.monotonic()
            try:
                await self.send("ping", timeout_s=heartbeat.answer_s)
            except HaTimeoutError:
                self._end(f"Home Assistant did not answer a ping for {heartbeat.answer_s:g} s", Ending.HUNG)
            except HomeError:
                return
            self.round_trip_ms = (self._clock.monotonic() - began) * 1000

    def _take(self, text: str) -> None:
        self.heard = self._clock.now()
        self.frames += 1
        parsed: Any = loads(text)
        for message in parsed if isinstance(parsed, list) else (parsed,):
            match message.get("type"):
                case "event":
                    self._hand_on(message["id"], message["event"])
                case "result":
                    self._answer(message)
                case "pong":
                    self._answer({"success": True, **message})
                case _:
                    _LOG.debug("Message of type %s is not used", message.get("type"))

    def _hand_on(self, message_id: int, event: Event) -> None:
        handler = self._handlers.get(message_id)
        if handler is None:
            return  # an event that was on its way when its subscription ended
        try:
            handler(event)
        except Exception:  # noqa: BLE001 - one handler's mistake must not end the connection for all
            _LOG.exception("The handler of subscription %s failed", message_id)

    def _answer(self, message: Event) -> None:
        waiting = self._waiting.get(message["id"])
        if waiting is None or waiting.done():
            return
        if message.get("success"):
            waiting.set_result(message.get("result"))
        else:
            error = message.get("error") or {}
            waiting.set_exception(HaError(str(error.get("code", "unknown_error")), str(error.get("message", ""))))

    def _end(self, reason: str, ending: Ending) -> None:
        if self.closed.done():
            return
        self.ending = ending
        self.closed.set_result(reason)
        if self._heart is not asyncio.current_task():
            self._heart.cancel()
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(ConnectionLostError(reason))
        self._handlers.clear()


async def _authenticated(
    session: aiohttp.ClientSession, url: str, token: str, *, tls: ssl.SSLContext | bool, opened: Callable[[], object]
) -> aiohttp.ClientWebSocketResponse:
    """Return an open socket on which Home Assistant has accepted `token`."""
    closing = aiohttp.ClientWSTimeout(ws_close=CLOSE_S)
    try:
        async with asyncio.timeout(OPEN_TIMEOUT_S):
            socket = await session.ws_connect(socket_url(url), max_msg_size=MAX_MESSAGE, timeout=closing, ssl=tls)
            opened()
            try:
                await _introduce(socket, token)
            except BaseException:
                await socket.close()
                raise
    except TimeoutError as error:
        raise NotConnectedError(f"{url} did not answer within {OPEN_TIMEOUT_S:g} s") from error
    except (aiohttp.ClientConnectorCertificateError, aiohttp.ClientConnectorSSLError) as error:
        raise NotConnectedError(f"{url} does not prove who it is ({type(error).__name__})", next=TRUST) from error
    except (OSError, aiohttp.ClientError, ValueError) as error:
        raise NotConnectedError(f"{url} cannot be reached ({type(error).__name__})") from error
    return socket


async def _introduce(socket: aiohttp.ClientWebSocketResponse, token: str) -> None:
    first = await _message(socket)
    if first.get("type") != "auth_required":
        raise UnexpectedAnswerError("This is not a Home Assistant.", next="Check the address.")
    await socket.send_str(dumps({"type": "auth", "access_token": token}))
    answer = await _message(socket)
    if answer.get("type") != "auth_ok":
        raise AuthFailedError(str(answer.get("message", "")))


async def _message(socket: aiohttp.ClientWebSocketResponse) -> Event:
    message = await socket.receive()
    if message.type is not aiohttp.WSMsgType.TEXT:
        raise NotConnectedError("the connection ended while signing in")
    parsed: Any = loads(message.data)
    return parsed if isinstance(parsed, dict) else MappingProxyType({})


def socket_url(url: str) -> str:
    """Return the address of the WebSocket behind the address that a person types."""
    base = url.rstrip("/")
    scheme, _, rest = base.partition("://")
    if not rest:
        raise ValueError(url)
    secure = {"http": "ws", "https": "wss"}.get(scheme, scheme)
    return f"{secure}://{rest}" if rest.endswith("/websocket") else f"{secure}://{rest}/api/websocket"
