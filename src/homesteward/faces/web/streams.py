"""Server-sent events: a run's events as they come, a sign of life between them, and an end when whoever watches is signed out."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress

from starlette.responses import StreamingResponse

from homesteward.core.errors import HomestewardError
from homesteward.core.json import dumps
from homesteward.people.leaving import Leaving
from homesteward.steward.runs import RunEvent

BEAT_S = 15.0  # proxies close what is silent for a minute
MOST = 200  # streams at once
MOST_OF_ONE = 20  # of one caller
BEAT = b": still here\n\n"
HEARD_BEAT = b"event: beat\ndata: {}\n\n"  # for a page: a script is never told of a comment, and could not miss it
SIGNED_OUT = b"event: error\ndata: " + dumps({"code": "not_signed_in", "message": "Signed out."}).encode() + b"\n\n"

type Alive = Callable[[], Awaitable[bool]]


class EventStream(StreamingResponse):
    """An answer of server-sent events."""

    media_type = "text/event-stream"

    def __init__(self, content: AsyncIterator[bytes]) -> None:
        """Send `content` as it comes; no proxy may hold it back."""
        super().__init__(content, headers={"x-accel-buffering": "no"})


class TooManyStreamsError(HomestewardError):
    """As many streams are open as may be."""

    code = "too_many_streams"


class Streams:
    """Count the open streams, and give each its beat."""

    def __init__(self, beat_s: float = BEAT_S, leaving: Leaving | None = None, beat: bytes = BEAT) -> None:
        """Say `beat` after every `beat_s` seconds of silence; `leaving` tells when somebody may be out."""
        self._beat = beat
        self._beat_s = beat_s
        self._leaving = leaving or Leaving()
        self._open: dict[str, int] = {}

    def open(self, events: AsyncIterator[RunEvent], of: str, alive: Alive) -> EventStream:
        """Return a stream for the caller `of`, ended as soon as `alive` says no; raise TooManyStreamsError."""
        if sum(self._open.values()) >= MOST or self._open.get(of, 0) >= MOST_OF_ONE:
            raise TooManyStreamsError("Too many streams are open.", retry=True, next="Close some, then try again.")
        return EventStream(self._counted(self._beating(events, alive), of))

    async def _counted(self, content: AsyncIterator[bytes], of: str) -> AsyncIterator[bytes]:
        self._open[of] = self._open.get(of, 0) + 1
        try:
            async for part in content:
                yield part
        finally:
            self._open[of] -= 1
            if not self._open[of]:
                del self._open[of]

    async def _beating(self, events: AsyncIterator[RunEvent], alive: Alive) -> AsyncIterator[bytes]:
        """Yield the events and the beats. Whether the caller is still let in is asked once a beat, and when somebody was put out."""
        loop = asyncio.get_running_loop()
        asked, told = loop.time(), asyncio.Event()
        upcoming: asyncio.Task[RunEvent | None] | None = None
        waiting = asyncio.create_task(told.wait())
        unwatch = self._leaving.watch(told.set)
        try:
            while True:
                upcoming = upcoming or asyncio.create_task(_next(events))
                done, _ = await asyncio.wait(
                    [upcoming, waiting], timeout=self._beat_s, return_when=asyncio.FIRST_COMPLETED
                )
                if told.is_set() or not done or loop.time() - asked >= self._beat_s:
                    asked = loop.time()
                    if told.is_set():
                        told.clear()
                        waiting.cancel()
                        waiting = asyncio.create_task(told.wait())
                    if not await alive():
                        yield SIGNED_OUT
                        return
                if not done:
                    yield self._beat
                if upcoming not in done:
                    continue
                event, upcoming = upcoming.result(), None
                if event is None:
                    return
                yield written(event)
        finally:
            unwatch()
            for task in (waiting, upcoming):
                if task and not task.done():
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task


def written(event: RunEvent) -> bytes:
    """Return the event as it goes over the wire; JSON of ours has no line break in it."""
    return f"event: {event.kind}\ndata: {dumps({'at': event.at, **event.data})}\nid: {event.n}\n\n".encode()


async def _next(events: AsyncIterator[RunEvent]) -> RunEvent | None:
    return await anext(events, None)
