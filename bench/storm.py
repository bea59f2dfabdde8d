"""A Home Assistant of nothing but sensors, at the wire: `python -m bench.storm PORT SENSORS`. Told to, it sends changes as fast as it can, or at a rate.

It speaks the part of the WebSocket that a mirror uses, as Home Assistant 2026.11 does: `subscribe_entities` with coalesced messages. What is
sent is made before the clock starts, so that the sender's own work is small beside the receiver's.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import batched
from time import time
from typing import Any

from aiohttp import WSMsgType, web

from homesteward.core.json import dumps, loads

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FRAME = 100  # changes in one coalesced message: what Home Assistant sends under load is of this size
VERSION = "2026.11.0"


def sensor(number: int) -> str:
    """Return the entity id of a sensor."""
    return f"sensor.storm_{number:05d}"


def context_at(at: float, number: int) -> str:
    """Return an id as Home Assistant makes it for a change that comes by itself: a ULID of the moment of the change."""
    milliseconds = int(at * 1000)
    head = "".join(CROCKFORD[(milliseconds >> shift) & 31] for shift in range(45, -5, -5))
    tail = number * 0x9E3779B97F4A7C15 % (1 << 80)
    return head + "".join(CROCKFORD[(tail >> shift) & 31] for shift in range(75, -5, -5))


@dataclass(slots=True)
class Storm:
    """The home and its one listener."""

    sensors: int
    socket: web.WebSocketResponse | None = None
    subscription: int = 0
    sent: int = 0
    frames: list[str] = field(default_factory=list)

    def answer(self, message: dict[str, Any]) -> object:
        """Return the result of one command."""
        kind = message["type"]
        if kind == "get_config":
            return {"state": "RUNNING", "location_name": "Storm", "time_zone": "UTC", "version": VERSION}
        if kind == "get_services":
            return {}
        if kind == "homeassistant/expose_entity/list":
            return {"exposed_entities": {}}
        if kind == "config/entity_registry/get_entries":
            return {}
        return []

    def whole(self) -> str:
        """Return the message that holds every state."""
        now = time()
        states = {
            sensor(n): {"s": "0", "a": {"friendly_name": f"Storm {n}"}, "c": context_at(now, n), "lc": now}
            for n in range(self.sensors)
        }
        return dumps({"id": self.subscription, "type": "event", "event": {"a": states}})

    def changes(self, count: int, at: Callable[[int], float]) -> Iterator[str]:
        """Yield `count` changes as events, each to a value that the sensor did not have."""
        for n in range(self.sent, self.sent + count):
            moment = at(n - self.sent)
            value = f"{n % 977}.{n % 10}"
            plus = {"s": value, "c": context_at(moment, n), "lc": moment}
            change = {"c": {sensor(n % self.sensors): {"+": plus}}}
            yield dumps({"id": self.subscription, "type": "event", "event": change})

    def prepare(self, count: int) -> None:
        """Make the frames of `count` changes, each stamped a hundredth of a millisecond after the one before."""
        began = time()
        messages = self.changes(count, lambda n: began + n * 1e-5)
        self.frames = ["[" + ",".join(batch) + "]" for batch in batched(messages, FRAME, strict=False)]
        self.sent += count

    async def burst(self) -> float:
        """Send what was prepared as fast as it is taken; return the seconds that it took."""
        started = asyncio.get_running_loop().time()
        for frame in self.frames:
            await self._say(frame)
        return asyncio.get_running_loop().time() - started

    async def steady(self, rate: int, seconds: float) -> float:
        """Send `rate` changes a second for so long, in ticks of 10 ms; each is stamped with the moment it is sent."""
        loop = asyncio.get_running_loop()
        started, per_tick, done = loop.time(), rate / 100, 0.0
        for tick in range(int(seconds * 100)):
            await asyncio.sleep(max(0.0, started + tick / 100 - loop.time()))
            done += per_tick
            count = int(done)
            done -= count
            now = time()
            messages = list(self.changes(count, partial(_stamped, now)))
            self.sent += count
            if messages:
                await self._say("[" + ",".join(messages) + "]")
        return loop.time() - started

    async def _say(self, text: str) -> None:
        if self.socket is None:
            raise RuntimeError("nobody listens")
        await self.socket.send_str(text)


def _stamped(now: float, _number: int) -> float:
    return now


def application(storm: Storm) -> web.Application:
    """Return the server of one storm."""

    async def socket(request: web.Request) -> web.WebSocketResponse:
        answer = web.WebSocketResponse(max_msg_size=0, compress=False)
        await answer.prepare(request)
        await answer.send_str(dumps({"type": "auth_required", "ha_version": VERSION}))
        await answer.receive()
        await answer.send_str(dumps({"type": "auth_ok", "ha_version": VERSION}))
        storm.socket = answer
        async for message in answer:
            if message.type is WSMsgType.TEXT:
                told: Any = loads(message.data)
                for command in told if isinstance(told, list) else [told]:
                    await _answered(storm, answer, command)
        return answer

    async def prepare(request: web.Request) -> web.Response:
        storm.prepare(int(request.query["count"]))
        return web.json_response({"frames": len(storm.frames)})

    async def burst(_request: web.Request) -> web.Response:
        return web.json_response({"seconds": await storm.burst()})

    async def steady(request: web.Request) -> web.Response:
        rate, seconds = int(request.query["rate"]), float(request.query["seconds"])
        return web.json_response({"seconds": await storm.steady(rate, seconds), "sent": storm.sent})

    async def health(_request: web.Request) -> web.Response:
        return web.json_response({"status": "ok"})

    app = web.Application()
    app.router.add_get("/api/websocket", socket)
    app.router.add_get("/health", health)
    app.router.add_post("/prepare", prepare)
    app.router.add_post("/burst", burst)
    app.router.add_post("/steady", steady)
    return app


async def _answered(storm: Storm, socket: web.WebSocketResponse, command: dict[str, Any]) -> None:
    if command["type"] == "ping":
        await socket.send_str(dumps({"id": command["id"], "type": "pong"}))
        return
    done = {"id": command["id"], "type": "result", "success": True, "result": storm.answer(command)}
    await socket.send_str(dumps(done))
    if command["type"] == "subscribe_entities":
        storm.subscription = command["id"]
        await socket.send_str(storm.whole())


if __name__ == "__main__":
    web.run_app(application(Storm(int(sys.argv[2]))), host="127.0.0.1", port=int(sys.argv[1]), print=None)
