"""The routes that ask: one sentence answered at once, or as a run that is watched."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header

from homesteward.faces.web.callers import Asker, Entrance
from homesteward.faces.web.forms import AskForm
from homesteward.faces.web.problems import answers
from homesteward.faces.web.rooms import Rooms
from homesteward.faces.web.streams import EventStream, Streams
from homesteward.people import Caller
from homesteward.steward import Request, answer_json

EVENTS: dict[int | str, dict[str, Any]] = {
    200: {"description": "The events, as they come.", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
}


def asking(rooms: Rooms, entrance: Entrance) -> APIRouter:
    """Return the routes over `rooms`."""
    router = APIRouter(prefix="/api/v1", responses=answers(401, 403))
    leaving = rooms.desk.leaving if rooms.desk else None
    steward, streams, under_way = rooms.steward, Streams(rooms.beat_s, leaving), entrance.under_way
    guard = Depends(entrance.guard)
    limited = Depends(entrance.limited("ask"))

    @router.post("/ask", dependencies=[limited])
    async def ask(form: AskForm, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Answer one sentence, and wait for it."""
        return dict(answer_json(await under_way.awaited(asker, steward.ask(_request(form, asker.caller)))))

    @router.post("/runs", status_code=202, dependencies=[limited])
    async def run(form: AskForm, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Start on one sentence and return at once; its events are watched elsewhere."""
        run = steward.start(_request(form, asker.caller))
        under_way.hold_run(asker, run.id)
        return {"run_id": run.id}

    @router.post("/runs/{run_id}/cancel", responses=answers(401, 403, 404))
    async def cancel(run_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """End a run that is on its way: nothing more is thought or asked; what is already being carried out comes to its end."""
        run = steward.run(run_id, asker.caller)
        return {"run_id": run.id, "cancelled": under_way.end_run(run.id)}

    @router.get("/runs/{run_id}", responses=answers(401, 403, 404))
    async def show_run(run_id: str, asker: Annotated[Asker, guard]) -> dict[str, Any]:
        """Return a run and, once there is one, its answer."""
        answer = await steward.answer_of(run_id, asker.caller)
        return {"run_id": run_id, "done": answer is not None, "answer": answer}

    streamed = {**EVENTS, **answers(401, 403, 404)}

    @router.get("/runs/{run_id}/events", status_code=200, responses=streamed, response_class=EventStream)
    async def events(
        run_id: str,
        asker: Annotated[Asker, guard],
        last_event_id: Annotated[str, Header(pattern=r"^\d{0,9}$")] = "",
    ) -> EventStream:
        """Stream a run's events, from the one after `Last-Event-ID`; the run goes on whether or not anybody watches."""
        watched = steward.run(run_id, asker.caller)
        return streams.open(
            steward.runs.watch(watched, int(last_event_id or 0)), asker.key, lambda: entrance.still(asker)
        )

    return router


def _request(form: AskForm, caller: Caller) -> Request:
    return Request(form.text, caller, form.conversation_id, form.mode, form.profile, form.language, form.area)
