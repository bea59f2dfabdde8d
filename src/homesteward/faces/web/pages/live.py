"""The one stream of an open page: which plan is another and how many wait, whether the home is there, whether something is unusual.

It only ever tells how things are now: one that begins anew says all of it again, and asks for nothing.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import APIRouter, Depends
from starlette.responses import Response

from homesteward.actions.errors import UnknownPlanError
from homesteward.core.json import JsonObject
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.unusual import is_telling
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.streams import HEARD_BEAT, Streams
from homesteward.home.model import State
from homesteward.steward import RunEvent

SETTLE_S = 0.1  # what comes in a burst is told once
MOST_BEHIND = 500  # plans that are told of one by one; beyond it, that there are others is enough


@dataclass(slots=True)
class News:
    """What became different since it was told last."""

    plans: dict[str, None] = field(default_factory=dict)
    home: bool = False
    unusual: bool = False
    come: asyncio.Event = field(default_factory=asyncio.Event)

    def plan(self, plan_id: str) -> None:
        """Take down that a plan is another."""
        if len(self.plans) < MOST_BEHIND:
            self.plans[plan_id] = None
        self.come.set()

    def connection(self) -> None:
        """Take down that the connection to the home is another."""
        self.home = self.unusual = True
        self.come.set()

    def state(self, old: State | None, new: State | None) -> None:
        """Take down a change that may make something unusual."""
        if is_telling(old, new):
            self.unusual = True
            self.come.set()

    def take(self) -> News:
        """Return what there is, and begin anew."""
        taken = News(self.plans, self.home, self.unusual)
        self.plans, self.home, self.unusual = {}, False, False
        self.come.clear()
        return taken


def live(stage: Stage) -> APIRouter:
    """Return the stream's route."""
    router = APIRouter(include_in_schema=False)
    rooms = stage.rooms
    streams = Streams(rooms.beat_s, rooms.desk.leaving if rooms.desk else None, HEARD_BEAT)

    @router.get("/live")
    async def stream(visit: Annotated[Visit, Depends(stage.visitor())], *, follow: bool = True) -> Response:
        """Stream how things are, and every change of it; without `follow` it ends with how they are."""
        events = _numbered(stage, visit, follow=follow)
        return streams.open(events, visit.asker.key, lambda: stage.entrance.still(visit.asker))

    return router


async def _numbered(stage: Stage, visit: Visit, *, follow: bool) -> AsyncIterator[RunEvent]:
    n = 0
    async for kind, data in told(stage, visit, follow=follow):
        n += 1
        yield RunEvent(n, kind, stage.rooms.clock.now(), data)


async def told(stage: Stage, visit: Visit, *, follow: bool = True) -> AsyncIterator[tuple[str, JsonObject]]:
    """Yield `hello` with how things are, then `plan`, `home` and `unusual` as they come."""
    news, rooms = News(), stage.rooms
    with ExitStack() as undo:
        undo.callback(rooms.doings.subscribe(news.plan))
        undo.callback(rooms.watch_connection(news.connection))
        undo.callback(visit.home.watch(news.state))
        now = {"mark": stage.mark(visit), "waiting": await stage.waiting(visit), **_home(visit)}
        yield "hello", {**now, "beat_s": rooms.beat_s}
        while follow:
            await news.come.wait()
            await asyncio.sleep(SETTLE_S)
            taken = news.take()
            for event in _of_the_home(taken, visit):
                yield event
            if taken.plans:
                waiting = await stage.waiting(visit)
                for plan_id in taken.plans:
                    yield "plan", {"waiting": waiting, **await _plan(stage, visit, plan_id)}


def _of_the_home(taken: News, visit: Visit) -> Iterator[tuple[str, JsonObject]]:
    if taken.home:
        yield "home", _home(visit)
    if taken.unusual:
        yield "unusual", {}


def _home(visit: Visit) -> JsonObject:
    return {"connected": visit.home.connected}


async def _plan(stage: Stage, visit: Visit, plan_id: str) -> JsonObject:
    """Return which plan it is; of one that is none of the visitor's, only that something is another."""
    try:
        plan = await stage.rooms.gate.plan(plan_id, visit.caller)
    except UnknownPlanError:
        return {}
    return {"id": plan.id, "state": plan.state.value}
