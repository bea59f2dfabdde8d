"""The few words that starting a demo home needs to say to it. Everything else speaks to Home Assistant through `home`."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from homesteward.demo.errors import DemoError


class SetupSocket:
    """A WebSocket that asks one thing at a time."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        """Use an open socket that has been let in."""
        self._socket = socket
        self._last_id = 0

    async def ask(self, kind: str, **fields: Any) -> Any:  # noqa: ANN401 - whatever JSON the command takes and gives
        """Send a command and return its result."""
        self._last_id += 1
        await self._socket.send_json({"id": self._last_id, "type": kind, **fields})
        answer = await self._socket.receive_json()
        if not answer["success"]:
            raise DemoError(f"Home Assistant refused {kind}: {answer['error']['message']}")
        return answer["result"]


@asynccontextmanager
async def setup_socket(url: str, token: str) -> AsyncIterator[SetupSocket]:
    """Connect to the home at `url`."""
    timeout = aiohttp.ClientTimeout(total=None, sock_connect=5)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.ws_connect(f"{url}/api/websocket", max_msg_size=0) as socket,
    ):
        await socket.receive_json()
        await socket.send_json({"type": "auth", "access_token": token})
        answer = await socket.receive_json()
        if answer["type"] != "auth_ok":
            raise DemoError(f"Home Assistant does not take the seeded token: {answer.get('message')}")
        yield SetupSocket(socket)
