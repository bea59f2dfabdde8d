"""A WebSocket client of a few lines, so that what tests see does not depend on the code that they test."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp


class RawError(Exception):
    """Home Assistant's error answer."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: str = error["code"]


class RawSocket:
    """Ask, subscribe, and wait for a state."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._last_id = 0
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._changed = asyncio.Event()
        self.states: dict[str, dict[str, Any]] = {}
        self.events: list[dict[str, Any]] = []
        self.calls: list[dict[str, Any]] = []
        """Every service call that Home Assistant was asked for, by whomever, since `watch_calls`."""

    async def ask(self, kind: str, **fields: Any) -> Any:
        self._last_id += 1
        answer = self._answers[self._last_id] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": self._last_id, "type": kind, **fields})
        return await answer

    async def call(self, domain: str, service: str, entity_id: str | list[str] | None = None, **data: Any) -> str:
        """Call a service and return its context id."""
        if entity_id is not None:
            data["entity_id"] = entity_id
        answer = await self.ask("call_service", domain=domain, service=service, service_data=data)
        context: str = answer["context"]["id"]
        return context

    async def watch(self) -> None:
        await self.ask("subscribe_events", event_type="state_changed")
        self.states.update({state["entity_id"]: state for state in await self.ask("get_states")})

    async def watch_calls(self) -> None:
        await self.ask("subscribe_events", event_type="call_service")

    async def until_called(self, domain: str, service: str, seconds: float = 8) -> None:
        async with asyncio.timeout(seconds):
            while not self.called(domain, service):
                self._changed.clear()
                await self._changed.wait()

    def called(self, domain: str, service: str) -> int:
        """Return how often a service was called while calls were watched."""
        return sum((call["domain"], call["service"]) == (domain, service) for call in self.calls)

    async def until(
        self, entity_id: str, holds: Callable[[dict[str, Any]], bool], seconds: float = 8
    ) -> dict[str, Any]:
        async with asyncio.timeout(seconds):
            while not holds(self.states[entity_id]):
                self._changed.clear()
                await self._changed.wait()
        return self.states[entity_id]

    def seen(self, entity_id: str) -> list[str]:
        """Return the states that an entity went through while it was watched."""
        return [event["new_state"]["state"] for event in self.events if event["entity_id"] == entity_id]

    def _take(self, event: dict[str, Any]) -> None:
        data = event["data"]
        if event["event_type"] == "call_service":
            self.calls.append(data)
        else:
            self.events.append(data)
            self.states[data["entity_id"]] = data["new_state"]

    async def read(self) -> None:
        async for message in self._socket:
            document = message.json()
            if document["type"] == "event":
                self._take(document["event"])
                self._changed.set()
            elif (answer := self._answers.pop(document["id"])) and not answer.done():
                if document["success"]:
                    answer.set_result(document["result"])
                else:
                    answer.set_exception(RawError(document["error"]))
        for answer in self._answers.values():
            if not answer.done():  # who asked may have given up
                answer.set_exception(ConnectionResetError("closed before the answer"))
                answer.exception()  # nor may there be anybody left to hear of it


@asynccontextmanager
async def raw_socket(url: str, token: str) -> AsyncIterator[RawSocket]:
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}/api/websocket", max_msg_size=0) as opened:
        await opened.receive_json()
        await opened.send_json({"type": "auth", "access_token": token})
        assert (await opened.receive_json())["type"] == "auth_ok"
        socket = RawSocket(opened)
        reader = asyncio.create_task(socket.read())
        try:
            yield socket
        finally:
            await opened.close()
            await reader
