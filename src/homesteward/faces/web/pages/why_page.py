"""Why: what led to a change and what it led to, as a sentence, as steps one below the other, and drawn in lanes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from homesteward.chronicle.chains import Direction, Start
from homesteward.chronicle.chronicle import Chronicle
from homesteward.chronicle.graph import Certainty, Graph
from homesteward.chronicle.record import Kind
from homesteward.chronicle.rows import Row
from homesteward.chronicle.sight import Visible
from homesteward.chronicle.why import Why
from homesteward.core.errors import HomestewardError
from homesteward.faces.web.forgetting import chronicle_of
from homesteward.faces.web.pages.chronicle import Told, told_rows
from homesteward.faces.web.pages.drawn import SURE_WORDS, Drawing, drawn
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.remembering import visible_to
from homesteward.language.names import called

DEPTH = 5
MOST_DRAWN = 60  # rows of one drawing; a longer chain is told only in its steps
MOST_STEPS = 40


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One row of the chain, and how sure it is that the one before led to it."""

    told: Told
    at: Moment
    sure: str
    word: str


@dataclass(frozen=True, slots=True)
class WhyPage:
    """The answer. `steps` led to it, the first cause first; `after` is what it led to."""

    title: str
    entity_id: str
    text: str
    complete: bool
    cascade: bool
    steps: tuple[ChainStep, ...]
    after: tuple[ChainStep, ...]
    after_more: int
    drawing: Drawing | None
    trouble: str = ""


def why_page(stage: Stage) -> APIRouter:
    """Return the route of the page."""
    router = APIRouter(include_in_schema=False)

    @router.get("/chronicle/why")
    async def why(
        visit: Annotated[Visit, Depends(stage.visitor())],
        entity: Annotated[str, Query(max_length=255)] = "",
        ref: Annotated[str, Query(max_length=100)] = "",
    ) -> Response:
        """Show why an entity is as it is, or why a row came about."""
        view = await Whys(stage, visit).page(entity, ref)
        return await stage.page(visit, "chronicle_why", view, here="chronicle")

    return router


class Whys:
    """Answers to why, for one visit."""

    def __init__(self, stage: Stage, visit: Visit) -> None:
        """Ask the chronicle of `stage` for whoever visits; raise NoChronicleError where there is none."""
        self._stage, self._visit = stage, visit
        self._kept: Chronicle = chronicle_of(stage.rooms)
        self._visible: Visible | None = visible_to(visit.caller, stage.rooms.home)

    async def page(self, entity_id: str, ref: str) -> WhyPage:
        """Return why the row `ref` came about, else why the entity is as it is; what cannot be told is said on the page."""
        try:
            graph = await self._chain(ref) if ref else None
            if graph is None:
                return await self._of_entity(entity_id, None, None)
            row = graph.by_ref[graph.start or ref]
            if row.kind in {Kind.ACT, Kind.CALL}:
                return self._of_row(row, graph)
            return await self._of_entity(row.subject, row.at, graph)
        except HomestewardError as error:
            trouble = f"{error.message} {error.next}".strip()
            name = called(self._visit.home, entity_id) if entity_id else ""
            return WhyPage(name, entity_id, "", False, False, (), (), 0, None, trouble)

    async def why(self, entity_id: str, at: datetime | None = None) -> Why:
        """Return the chronicle's own answer about an entity."""
        return await self._kept.history.why(
            entity_id, at, language=self._visit.language, visible=self._visible, ids=False
        )

    async def _chain(self, ref: str) -> Graph:
        return await self._kept.history.chain(Start(ref, Direction.BOTH, DEPTH), self._visible)

    async def _of_entity(self, entity_id: str, at: datetime | None, graph: Graph | None) -> WhyPage:
        why = await self.why(entity_id, at)
        here = why.chain[-1].ref if why.chain else ""
        whole = graph if graph is not None and here in graph.by_ref else None
        if whole is None and here:
            whole = await self._chain(here)
        return self._made(called(self._visit.home, entity_id), entity_id, why, whole, here)

    def _of_row(self, row: Row, graph: Graph) -> WhyPage:
        [told] = told_rows(self._stage, self._visit, [row])
        why = Why("", "", graph.path(row.ref), graph.complete, graph)
        return self._made(told.words, "", why, graph, row.ref)

    def _made(self, title: str, entity_id: str, why: Why, graph: Graph | None, here: str) -> WhyPage:
        after = [row for row in graph.story if row.ref in _led_to(graph, here)] if graph else []
        return WhyPage(
            title=title,
            entity_id=entity_id,
            text=why.text,
            complete=why.complete,
            cascade=why.cascade is not None,
            steps=self._steps(why.chain[-MOST_STEPS:], why.graph),
            after=self._steps(after[:MOST_STEPS], graph) if graph else (),
            after_more=max(0, len(after) - MOST_STEPS),
            drawing=self._drawing(graph, here) if graph else None,
        )

    def _steps(self, rows: Sequence[Row], graph: Graph) -> tuple[ChainStep, ...]:
        told = told_rows(self._stage, self._visit, rows)
        return tuple(self._step(row, each, graph) for row, each in zip(rows, told, strict=True))

    def _step(self, row: Row, told: Told, graph: Graph) -> ChainStep:
        link = next(iter(graph.causes(row.ref)), None)
        sure = link.certainty if link else None
        word = self._visit.say(SURE_WORDS[sure]) if sure else ""
        return ChainStep(told, self._visit.when(row.at), sure.value if sure else "", word)

    def _drawing(self, graph: Graph, here: str) -> Drawing | None:
        rows = graph.rows
        if not 1 < len(rows) <= MOST_DRAWN:
            return None
        told = {each.ref: f"{each.clock} {each.words}" for each in told_rows(self._stage, self._visit, rows)}
        return drawn(rows, graph.links, told, self._visit, here)


def _led_to(graph: Graph, ref: str) -> frozenset[str]:
    """Return what a row led to, at any distance; a contradicted link leads nowhere."""
    found: set[str] = set()
    pending = [ref]
    while pending:
        at = pending.pop()
        onward = [
            link.effect
            for link in graph.links
            if link.cause == at and link.certainty is not Certainty.UNKNOWN and link.effect not in found
        ]
        found.update(onward)
        pending += onward
    return frozenset(found - {ref})
