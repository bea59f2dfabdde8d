"""The routes under `/api/v1`. Each turns a form into a request to a room and the room's answer into JSON; none decides anything."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, FastAPI, Header, Query
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from starlette.middleware.trustedhost import TrustedHostMiddleware

from homesteward import __version__
from homesteward.actions.plan import PlanState, decision_json, plan_json
from homesteward.core.json import dumps, plain
from homesteward.faces.web.authority import caller_from
from homesteward.faces.web.forms import ApproveForm, AskForm, ExplainForm, ToolForm
from homesteward.faces.web.intake import Intake
from homesteward.faces.web.problems import answer_problems, problem
from homesteward.faces.web.rooms import Rooms
from homesteward.home.calls import parse_call
from homesteward.home.errors import NotConnectedError
from homesteward.people import Caller
from homesteward.policy import Preset
from homesteward.steward import Request, Run, answer_json
from homesteward.tools import ToolContext

HERE = """<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>Homesteward</title><style>body{font:16px/1.6 system-ui;max-width:34rem;margin:4rem auto;padding:0 1rem;color-scheme:light dark}</style>
<h1>Homesteward is running</h1><p>Ask the house from a terminal:</p><pre>homesteward ask "which lights are on?"</pre>
<p>Programs use <code>/api/v1</code> with the token in <code>service.json</code>; its form is in <a href=openapi.json>openapi.json</a>.</p></html>"""


def create_api(rooms: Rooms) -> FastAPI:
    """Build the HTTP face over `rooms`. The built-in documentation pages stay off: they load from elsewhere."""
    api = FastAPI(title="Homesteward", version=__version__, docs_url=None, redoc_url=None, openapi_url="/openapi.json")
    api.add_middleware(Intake, clean=rooms.clean)
    api.add_middleware(TrustedHostMiddleware, allowed_hosts=list(rooms.hosts))
    answer_problems(api)
    authorise = Depends(caller_from(rooms.token))
    for router in (_public(rooms), _asking(rooms, authorise), _plans(rooms, authorise), _looking(rooms, authorise)):
        api.include_router(router)
    return api


def _public(rooms: Rooms) -> APIRouter:
    router = APIRouter()

    @router.get("/", response_class=HTMLResponse)
    async def here() -> str:
        """Say that the service runs and how to talk to it."""
        return HERE

    @router.get("/api/v1/health")
    async def health() -> dict[str, str]:
        """Say whether the service can reach its home; no more, since anybody may ask."""
        return {"status": "ok" if rooms.home.connected else "degraded", "version": __version__}

    return router


def _asking(rooms: Rooms, authorise: Any) -> APIRouter:  # noqa: ANN401 - FastAPI's own type for a dependency
    router = APIRouter(prefix="/api/v1")
    steward = rooms.steward

    @router.post("/ask")
    async def ask(form: AskForm, caller: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Answer one sentence, and wait for it."""
        return dict(answer_json(await steward.ask(_request(form, caller))))

    @router.post("/runs", status_code=202)
    async def run(form: AskForm, caller: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Start on one sentence and return at once; its events are watched elsewhere."""
        return {"run_id": steward.start(_request(form, caller)).id}

    @router.get("/runs/{run_id}")
    async def show_run(run_id: str, _: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Return a run and, once there is one, its answer."""
        answer = await steward.answer_of(run_id)
        return {"run_id": run_id, "done": answer is not None, "answer": answer}

    def watched(run_id: str, _: Annotated[Caller, authorise]) -> Run:
        return steward.runs.get(run_id)

    @router.get("/runs/{run_id}/events", response_class=EventSourceResponse)
    async def events(
        run: Annotated[Run, Depends(watched)], last_event_id: Annotated[str, Header(pattern=r"^\d*$")] = ""
    ) -> AsyncIterator[ServerSentEvent]:
        """Stream a run's events, from the one after `Last-Event-ID`; the run goes on whether or not anybody watches."""
        async for event in steward.runs.watch(run, int(last_event_id or 0)):
            yield ServerSentEvent(raw_data=dumps({"at": event.at, **event.data}), event=event.kind, id=str(event.n))

    return router


def _plans(rooms: Rooms, authorise: Any) -> APIRouter:  # noqa: ANN401 - FastAPI's own type for a dependency
    router = APIRouter(prefix="/api/v1/plans")
    gate = rooms.gate

    @router.get("")
    async def plans(
        _: Annotated[Caller, authorise], state: PlanState | None = None, limit: Annotated[int, Query(ge=1, le=500)] = 50
    ) -> list[dict[str, Any]]:
        """List plans, the newest first."""
        return [dict(plan_json(plan)) for plan in await gate.plans(state, limit)]

    @router.get("/{plan_id}")
    async def show(plan_id: str, _: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Return one plan with its steps and their evidence."""
        return dict(plan_json(await gate.plan(plan_id)))

    @router.post("/{plan_id}/approve")
    async def approve(
        plan_id: str, caller: Annotated[Caller, authorise], form: ApproveForm | None = None
    ) -> dict[str, Any]:
        """Approve a waiting plan, carry it out, and return what was seen."""
        return dict(plan_json(await gate.approve(plan_id, caller, steps=form.steps if form else None)))

    @router.post("/{plan_id}/confirm")
    async def confirm(plan_id: str, caller: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Say yes to a plan that waits for its own asker's yes."""
        return dict(plan_json(await gate.confirm(plan_id, caller)))

    @router.post("/{plan_id}/reject")
    async def reject(plan_id: str, caller: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Reject a waiting plan; nothing of it will be done."""
        return dict(plan_json(await gate.reject(plan_id, caller)))

    return router


def _looking(rooms: Rooms, authorise: Any) -> APIRouter:  # noqa: ANN401 - FastAPI's own type for a dependency
    router = APIRouter(prefix="/api/v1")

    def connected() -> None:
        if not rooms.home.connected:  # what it was must not be taken for what it is
            raise NotConnectedError

    @router.get("/status")
    async def status(_: Annotated[Caller, authorise]) -> dict[str, Any]:
        """Return what the service is connected to and how it is set."""
        return dict(rooms.describe())

    @router.get("/doctor")
    async def doctor(_: Annotated[Caller, authorise]) -> list[dict[str, Any]]:
        """Check settings, Home Assistant, model, database, disk and clock."""
        return [plain(check) for check in await rooms.examine()]

    @router.post("/policy/explain", dependencies=[authorise, Depends(connected)])
    async def explain(form: ExplainForm, caller: Annotated[Caller, authorise]) -> list[dict[str, Any]]:
        """Say what would happen to a call, and why; nothing is sent."""
        judged = await rooms.gate.explain(parse_call(form.call), caller, Preset(form.preset) if form.preset else None)
        return [
            {"entity_ids": list(call.entity_ids), **decision_json(decision), "dry_run": rooms.gate.dry_run}
            for call, decision in judged
        ]

    @router.get("/tools")
    async def tools(caller: Annotated[Caller, authorise]) -> list[dict[str, Any]]:
        """List the tools the caller may use."""
        return [plain(spec) for spec in rooms.registry.specs(caller)]

    @router.post("/tools/{name}")
    async def call_tool(name: str, form: ToolForm, caller: Annotated[Caller, authorise]) -> Any:  # noqa: ANN401 - a result or a problem
        """Use one tool, as a model would."""
        context = ToolContext(caller=caller, request=f"tool {name}", run_id="", mode=rooms.steward.mode, language="en")
        result = await rooms.registry.call(name, form.arguments, context)
        return problem(result.error) if result.error else {"ok": result.ok, "data": result.data}

    return router


def _request(form: AskForm, caller: Caller) -> Request:
    return Request(form.text, caller, form.conversation_id, form.mode, form.profile, form.language, form.area)
