"""The far end of a connection, scripted: what Home Assistant would send, without a socket."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

import aiohttp

from homesteward.core.json import dumps, loads

type Answer = Callable[[dict[str, Any]], object]


class FarEnd:
    """A socket to a Home Assistant that answers by a script: command type -> result, None to stay silent."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.answers: dict[str, Answer] = {}
        self.silent: set[str] = set()
        self.breaks_on: set[str] = set()
        self.close_code = 1006
        self._incoming: asyncio.Queue[str | None] = asyncio.Queue()

    def say(self, message: object) -> None:
        """Send a message, or a frame of several, to the client."""
        self._incoming.put_nowait(dumps(message))

    def tell(self, command: str, event: object, **fields: object) -> None:
        """Send an event to every subscription made by `command` with these fields."""
        for message in self.sent:
            if message["type"] == command and fields.items() <= message.items():
                self.say({"id": message["id"], "type": "event", "event": event})

    def end(self, code: int = 1006) -> None:
        """End the connection: 1000 is a goodbye, 1006 is none at all."""
        self.close_code = code
        self._incoming.put_nowait(None)

    async def send_str(self, text: str) -> None:
        message = cast("dict[str, Any]", loads(text))
        self.sent.append(message)
        kind = message["type"]
        if kind in self.breaks_on:
            self.end()
        elif kind not in self.silent:
            self.say(self._reply(message))

    def exception(self) -> BaseException | None:
        return None

    async def close(self) -> None:
        self.end()

    async def __aiter__(self) -> AsyncIterator[aiohttp.WSMessage]:
        while (text := await self._incoming.get()) is not None:
            yield aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, text, None)

    def _reply(self, message: dict[str, Any]) -> dict[str, Any]:
        result = self.answers.get(message["type"], lambda _message: None)(message)
        if isinstance(result, Exception):
            code, text = result.args
            return {"id": message["id"], "type": "result", "success": False, "error": {"code": code, "message": text}}
        return {"id": message["id"], "type": "result", "success": True, "result": result}
