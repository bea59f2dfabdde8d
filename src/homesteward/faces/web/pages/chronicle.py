"""Chronicle: what happened, the newest first, in words and drawn in lanes; with filters, and each row leading to why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from homesteward.chronicle.among import links_among
from homesteward.chronicle.query import Page
from homesteward.chronicle.recent import in_words
from homesteward.chronicle.record import Act, Call, Kind
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Sight
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.pages.drawn import Drawing, drawn
from homesteward.faces.web.pages.past_questions import KINDS, Field, fields_in, form_of
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.states import icon_of
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.pages.worded import asked_words
from homesteward.faces.web.remembering import visible_to
from homesteward.home.calls import ResolvedCall

NOTHING = Page(())
KIND_ICONS = {
    Kind.ACT: "chat",
    Kind.CALL: "tool",
    Kind.AUTOMATION: "robot",
    Kind.SCRIPT: "script",
    Kind.SCENE: "scene",
}


@dataclass(frozen=True, slots=True)
class Told:
    """One row in words."""

    ref: str
    clock: str
    iso: str
    words: str
    by: str
    icon: str
    plan_id: str


@dataclass(frozen=True, slots=True)
class Day:
    """The rows of one day."""

    name: str
    rows: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class ChroniclePage:
    """One page of what happened. `trouble` says what is wrong with the question; `short`: so far was looked, and no further."""

    tab: str
    remembers: bool
    fields: Field
    kinds: tuple[tuple[str, str], ...]
    areas: tuple[tuple[str, str], ...]
    days: tuple[Day, ...]
    drawing: Drawing | None
    older: str
    newest: str
    export: str
    short: bool
    trouble: str = ""


def chronicle_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/chronicle")
    async def chronicle(request: Request, visit: Annotated[Visit, Depends(stage.visitor())]) -> Response:
        """Show what happened."""
        return await stage.page(visit, "chronicle", await _view(stage, visit, request), here="chronicle")

    return router


async def _view(stage: Stage, visit: Visit, request: Request) -> ChroniclePage:
    fields = fields_in(request)
    try:
        page, trouble = await _page(stage, visit, request), ""
    except HomestewardError as error:
        page, trouble = NOTHING, f"{error.message} {error.next}".strip()
    told = told_rows(stage, visit, page.rows)
    return ChroniclePage(
        tab="timeline",
        remembers=stage.rooms.chronicle is not None,
        fields=fields,
        kinds=tuple((kind.value, visit.say(label)) for kind, label in KINDS.items()),
        areas=areas_of(visit),
        days=tuple(_days(page.rows, told, visit)),
        drawing=_drawing(page.rows, told, visit),
        older=fields.query(cursor=page.cursor or "") if page.truncated else "",
        newest=fields.query() if request.query_params.get("cursor") else "",
        export=fields.query(format="csv"),
        short=page.truncated and not page.rows,
        trouble=trouble,
    )


async def _page(stage: Stage, visit: Visit, request: Request) -> Page:
    if (kept := stage.rooms.chronicle) is None:
        return NOTHING
    form, past = form_of(request, visit), kept.history
    query = replace(form.query(past), limit=form.limit, cursor=form.cursor)
    return await past.rows(query, visible_to(visit.caller, stage.rooms.home))


def told_rows(stage: Stage, visit: Visit, rows: Sequence[Row]) -> tuple[Told, ...]:
    """Return rows in words, in their order."""
    if (kept := stage.rooms.chronicle) is None:
        return ()
    teller = kept.history.teller(visit.language, Sight(visible_to(visit.caller, stage.rooms.home)))
    lines = in_words(Page(tuple(rows)), teller).lines
    return tuple(
        Told(
            row.ref,
            line.clock,
            row.at.isoformat(),
            _asked(row.record, visit) or line.words,
            line.by,
            KIND_ICONS.get(row.kind) or icon_of(visit.home, row.subject),
            row.record.plan_id if isinstance(row.record, Act) else "",
        )
        for row, line in zip(rows, lines, strict=True)
    )


def _asked(record: object, visit: Visit) -> str:
    """Return in words what was asked for and how it ended; empty for what only happened."""
    if not isinstance(record, Act | Call):
        return ""
    words = asked_words(ResolvedCall(record.domain, record.service, record.entity_ids, record.data), visit)
    outcome = OUTCOMES.get(record.outcome, "") if isinstance(record, Act) else ""
    return f"{words}: {visit.say(outcome)}" if outcome else words


OUTCOMES = {
    "done": N_("done"),
    "failed": N_("not as it should be"),
    "uncertain": N_("sent, not confirmed"),
}


def areas_of(visit: Visit) -> tuple[tuple[str, str], ...]:
    """Return the areas that can be chosen, by name."""
    return tuple(sorted(((area.area_id, area.name) for area in visit.home.areas.values()), key=lambda each: each[1]))


def _drawing(rows: Sequence[Row], told: Sequence[Told], visit: Visit) -> Drawing | None:
    if not rows:
        return None
    said = {each.ref: f"{each.clock} {each.words}" for each in told}
    return drawn(rows, links_among(rows, visit.home), said, visit)


def _days(rows: Sequence[Row], told: Sequence[Told], visit: Visit) -> Iterator[Day]:
    for name, pairs in groupby(zip(rows, told, strict=True), key=lambda pair: visit.local.day(pair[0].at)):
        yield Day(name, tuple(each for _, each in pairs))
