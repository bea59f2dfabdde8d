"""The routes of notices: what somebody is to be told, that it was seen, and each as it comes."""

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query

from homesteward.actions.notice import Notice, notice_json, notice_visible
from homesteward.actions.notice_words import title_of
from homesteward.actions.notices import Change, Notices, What
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.asking import EVENTS
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.faces.web.streams import EventStream, Streams
from homesteward.people import Caller
from homesteward.steward.runs import RunEvent

MOST_BEHIND = 500  # changes that a stream may be behind; then it ends, and begins anew with what is open

type Language = Annotated[str, Query(max_length=20, description="Of the titles; the home's where none is named.")]


class NoNoticesError(HomestewardError):
    """This Homesteward keeps no notices."""

    code = "not_enabled"


def notifying(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    streams, guard = Streams(rooms.beat_s), Depends(entrance.guard)

    def kept() -> Notices:
        if rooms.notices is None:
            raise NoNoticesError("This service keeps no notices.", next="Run it as 'homesteward run'.")
        return rooms.notices

    def shown(notice: Notice, language: str) -> dict[str, Any]:
        return dict(notice_json(notice, title_of(notice.kind, language or rooms.home.config.language)))

    @router.get("/notices")
    async def notices(
        asker: Annotated[Asker, guard],
        limit: Annotated[int, Query(ge=1, le=500)] = 100,
        language: Language = "",
        *,
        settled: Annotated[bool, Query(description="Also those that are over.")] = False,
    ) -> list[dict[str, Any]]:
        """List what the caller is to be told, the newest first."""
        found = await kept().list(asker.caller, settled=settled, limit=limit)
        return [shown(notice, language) for notice in found]

    @router.post("/notices/{notice_id}/seen")
    async def seen(notice_id: str, asker: Annotated[Asker, guard], language: Language = "") -> dict[str, Any]:
        """Take down that a notice was looked at; one that nothing stands on is over with that."""
        return shown(await kept().seen(notice_id, asker.caller), language)

    streamed = {**EVENTS, **answers(401, 403, 404)}

    @router.get("/notices/events", status_code=200, responses=streamed, response_class=EventStream)
    async def events(
        asker: Annotated[Asker, guard],
        language: Language = "",
        *,
        follow: Annotated[bool, Query(description="Go on with what comes; else it ends with what is open.")] = True,
    ) -> EventStream:
        """Stream what is open, and from then on every change: `notice`, `changed`, `settled`. A stream that begins anew tells all again."""
        told = watched(kept(), asker.caller, follow=follow)

        async def written() -> AsyncIterator[RunEvent]:
            n = 0
            async for change in told:
                n += 1
                yield RunEvent(n, change.what.value, rooms.clock.now(), shown(change.notice, language))

        return streams.open(written(), asker.key, lambda: entrance.still(asker))

    return router


async def watched(notices: Notices, by: Caller, *, follow: bool = True) -> AsyncIterator[Change]:
    """Yield what is open for `by`, the oldest first, then every change as it comes; end where the reader is too far behind."""
    coming: asyncio.Queue[Change | None] = asyncio.Queue(MOST_BEHIND)

    def heard(change: Change) -> None:
        if not notice_visible(change.notice, by):
            return
        if coming.qsize() < MOST_BEHIND - 1:
            coming.put_nowait(change)
        elif not coming.full():
            coming.put_nowait(None)

    undo = notices.subscribe(heard)
    try:
        for notice in reversed(await notices.list(by, limit=MOST_BEHIND)):
            yield Change(What.ADDED, notice)
        while follow and (change := await coming.get()) is not None:
            yield change
    finally:
        undo()
