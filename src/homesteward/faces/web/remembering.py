"""The routes of the chronicle: what happened, why, how the house was; and for an owner what is kept and for how long."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from fnmatch import fnmatchcase
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Response
from fastapi import Query as Parameters
from pydantic import AfterValidator, Field
from starlette.background import BackgroundTask
from starlette.responses import FileResponse, StreamingResponse

from homesteward.chronicle.chains import MAX_DEPTH, USUAL_DEPTH, Direction, Start
from homesteward.chronicle.chronicle import Chronicle
from homesteward.chronicle.export import ExportFormat
from homesteward.chronicle.history import History
from homesteward.chronicle.query import MAX_LIMIT, USUAL_LIMIT, Query
from homesteward.chronicle.record import Kind
from homesteward.chronicle.sight import Visible
from homesteward.chronicle.storable import is_storable
from homesteward.core.json import plain
from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forgetting import NoChronicleError, chronicle_of, forgotten
from homesteward.faces.web.forms import Form, PurgeForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.home.view import HomeView
from homesteward.people import Caller
from homesteward.store.audit import Audit

CURSOR = "x-homesteward-cursor"  # in an answer: leads to the rows that are older than these
ZONE = "x-homesteward-time-zone"  # in an answer: the home's, in which people read its times
NOTES = "x-homesteward-notes"  # in an answer: how what was asked was understood, where that is not plain
MEDIA = {ExportFormat.CSV: "text/csv", ExportFormat.PARQUET: "application/vnd.apache.parquet"}
FILES: dict[int | str, dict[str, Any]] = {
    200: {"description": "The rows, the oldest first.", "content": {media: {} for media in MEDIA.values()}}
}


def _sayable(text: str) -> str:
    """Return the text; raise ValueError for one that no database can hold, such as one with a NUL in it."""
    if not is_storable(text):
        raise ValueError("it holds a character that no text has")
    return text


Said = AfterValidator(_sayable)
Words = Annotated[list[Annotated[str, Field(max_length=255), Said]], Field(max_length=100)]
Time = Annotated[str, Field(max_length=100), Said]


class WhatForm(Form):
    """What is asked for. Times are as people write them, in the home's time; patterns of entities take `*` and `?`."""

    entity: Words = Field(default_factory=list)
    domain: Words = Field(default_factory=list)
    area: Words = Field(default_factory=list)
    state: Words = Field(default_factory=list)
    user: Words = Field(default_factory=list)
    kind: list[Kind] = Field(default_factory=list, max_length=len(Kind))
    text: Annotated[str, Field(max_length=200), Said] = ""
    since: Time = ""
    until: Time = ""

    def query(self, past: History) -> Query:
        """Return it as the chronicle is asked; raise BadTimeError."""
        return Query(
            entities=tuple(self.entity),
            domains=tuple(self.domain),
            areas=tuple(self.area),
            states=tuple(self.state),
            users=tuple(self.user),
            kinds=frozenset(self.kind),
            text=self.text,
            since=_moment(past, self.since),
            until=_moment(past, self.until),
        )


class HistoryForm(WhatForm):
    """One page of it."""

    limit: int = Field(USUAL_LIMIT, ge=1, le=MAX_LIMIT)
    cursor: Annotated[str, Field(max_length=200), Said] = ""


class RecentForm(HistoryForm):
    """One page of it in words, in a language; the home's where none is named."""

    language: Annotated[str, Field(max_length=20), Said] = ""


class MomentForm(Form):
    """The house at a moment, all of it or some entities; patterns take `*` and `?`."""

    at: Time
    compare: Time = ""
    entity: Words = Field(default_factory=list)

    def among(self, visible: Visible | None) -> Visible | None:
        """Return what may be seen of what is asked for."""
        wanted = [each.strip().casefold() for each in self.entity]
        if not wanted:
            return visible

        def asked(entity_id: str) -> bool:
            return (visible is None or visible(entity_id)) and any(fnmatchcase(entity_id, each) for each in wanted)

        return asked


class ExportForm(WhatForm):
    """All of it, as a file."""

    format: ExportFormat = ExportFormat.CSV


def remembering(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403, 404))
    guard = Depends(entrance.guard)

    def kept(response: Response) -> Chronicle:
        chronicle = chronicle_of(rooms)
        response.headers[ZONE] = chronicle.history.zone.key
        return chronicle

    def sight(caller: Caller) -> Visible | None:
        return visible_to(caller, rooms.home)

    _asked(router, guard, Depends(kept), sight)
    _looked_after(router, guard, Depends(kept), rooms.audit)
    _learned(router, guard, rooms)
    _exported(router, guard, Depends(kept), sight)
    return router


def visible_to(caller: Caller, home: HomeView) -> Visible | None:
    """Return whether an entity exists for the caller; None where all do."""
    reach = caller.reach
    return None if reach is None else lambda entity_id: reach.holds(home, entity_id)


def _asked(router: APIRouter, guard: Any, kept: Any, sight: Callable[[Caller], Visible | None]) -> None:  # noqa: ANN401 - FastAPI's own type for a dependency
    @router.get("/history")
    async def history(
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        response: Response,
        form: Annotated[HistoryForm, Parameters()],
    ) -> list[dict[str, Any]]:
        """List what happened, the newest first. Within one field any value will do, and all fields that are given must hold."""
        query = replace(form.query(chronicle.history), limit=form.limit, cursor=form.cursor)
        page = await chronicle.history.rows(query, sight(asker.caller))
        if page.cursor:
            response.headers[CURSOR] = page.cursor
        _note(response, chronicle.history, form.since, form.until, notes=page.notes)
        return [plain(row.as_json()) for row in page.rows]

    @router.get("/why/{entity_id}")
    async def why(
        entity_id: Annotated[str, Said],
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        response: Response,
        at: Time = "",
    ) -> dict[str, Any]:
        """Tell why an entity is as it is, or was at a moment: the chain of causes behind its last change."""
        past = chronicle.history
        _note(response, past, at)
        told = await past.why(entity_id, _moment(past, at), visible=sight(asker.caller))
        return dict(plain(told.as_json()))

    @router.get("/home-at")
    async def home_at(
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        response: Response,
        form: Annotated[MomentForm, Parameters()],
    ) -> dict[str, Any]:
        """Return the house as it was at a moment; with `compare`, what was different at that other one."""
        past, visible = chronicle.history, form.among(sight(asker.caller))
        _note(response, past, form.at, form.compare)
        first = past.moment(form.at).at
        if form.compare:
            return dict(plain((await past.difference(first, past.moment(form.compare).at, visible)).as_json()))
        return dict(plain((await past.home_at(first, visible)).as_json()))

    @router.get("/chain/{start}")
    async def chain(
        start: Annotated[str, Said],
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        direction: Direction = Direction.BOTH,
        depth: Annotated[int, Parameters(ge=1, le=MAX_DEPTH)] = USUAL_DEPTH,
    ) -> dict[str, Any]:
        """Return what led to a context or a row, and what it led to."""
        found = await chronicle.history.chain(Start(start, direction, depth), sight(asker.caller))
        return dict(plain(found.as_json()))

    @router.get("/recent")
    async def recent(
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        form: Annotated[RecentForm, Parameters()],
    ) -> dict[str, Any]:
        """Tell what happened, the oldest first, in words: as text, as Markdown and as rows."""
        query = replace(form.query(chronicle.history), limit=form.limit, cursor=form.cursor)
        told = await chronicle.history.recent(query, language=form.language, visible=sight(asker.caller))
        return {**plain(told.as_json()), "text": told.text, "markdown": told.markdown}


def _looked_after(router: APIRouter, guard: Any, kept: Any, audit: Audit | None) -> None:  # noqa: ANN401 - as above
    @router.get("/chronicle")
    async def stats(_: Annotated[Asker, guard], chronicle: Annotated[Chronicle, kept]) -> dict[str, Any]:
        """Return how much is kept, how far back, and how the writing goes."""
        return dict(plain(await chronicle.stats()))

    @router.get("/chronicle/filter")
    async def filter_of(
        _: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        entity_id: Annotated[str, Parameters(min_length=1, max_length=255), Said],
    ) -> dict[str, Any]:
        """Say whether changes of an entity are kept, and why."""
        return dict(plain(chronicle.explain(entity_id)))

    @router.post("/chronicle/purge")
    async def purge(
        form: PurgeForm, asker: Annotated[Asker, guard], chronicle: Annotated[Chronicle, kept]
    ) -> dict[str, Any]:
        """Forget what is older than a moment, and return how much that was; that it was done stays in the audit."""
        purged = await forgotten(chronicle, audit, asker.caller, form.before)
        return dict(plain(purged.as_json()))


def _learned(router: APIRouter, guard: Any, rooms: Rooms) -> None:  # noqa: ANN401 - as above
    @router.get("/chronicle/windows")
    async def windows(_: Annotated[Asker, guard]) -> list[dict[str, Any]]:
        """Learn anew how long effects of our own acts took, and return for which things and services something is known."""
        if rooms.windows is None:
            raise NoChronicleError("This service remembers nothing.", next="Run it as 'homesteward run'.")
        await rooms.windows.look()
        return [dict(each) for each in rooms.windows.told()]


def _exported(router: APIRouter, guard: Any, kept: Any, sight: Callable[[Caller], Visible | None]) -> None:  # noqa: ANN401 - as above
    streamed = {**FILES, **answers(401, 403, 404)}

    @router.get("/chronicle/export", status_code=200, response_class=Response, responses=streamed)
    async def export(
        asker: Annotated[Asker, guard],
        chronicle: Annotated[Chronicle, kept],
        form: Annotated[ExportForm, Parameters()],
    ) -> Response:
        """Return what happened as a file for other programs, the oldest first."""
        query, visible = form.query(chronicle.history), sight(asker.caller)
        await chronicle.history.rows(
            replace(query, limit=1), visible
        )  # what is wrong is said now, not in the middle of a file
        name = {"content-disposition": f'attachment; filename="homesteward.{form.format}"'}
        if form.format is ExportFormat.CSV:
            return StreamingResponse(chronicle.csv(query, visible), media_type=MEDIA[form.format], headers=name)
        folder = Path(await asyncio.to_thread(mkdtemp))
        gone = BackgroundTask(rmtree, folder)
        try:
            made = await chronicle.export(folder / "export", form.format, query, visible)
        except BaseException:
            await gone()
            raise
        return FileResponse(made.path, media_type=MEDIA[form.format], headers=name, background=gone)


def _note(response: Response, past: History, *texts: str, notes: Sequence[str] = ()) -> None:
    """Say in a header how these moments were understood, where that is not plain."""
    told = [*(note for text in texts if text and (note := past.moment(text).note)), *notes]
    if told:
        response.headers[NOTES] = " ".join(told).encode("ascii", "replace").decode()


def _moment(past: History, text: str) -> datetime | None:
    return past.moment(text).at if text else None
