"""One turn of a conversation as a page shows it: what was asked, what was done on the way, the plans, and the answer."""

from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from homesteward.actions.errors import UnknownPlanError
from homesteward.actions.gate import Gate
from homesteward.core.json import JsonObject
from homesteward.faces.web.pages.cards import PlanCard, card_of
from homesteward.faces.web.pages.local import Moment
from homesteward.faces.web.pages.texts import N_
from homesteward.faces.web.pages.visit import Visit
from homesteward.language.names import called
from homesteward.steward import Run, RunEvent, answer_json
from homesteward.steward.run_store import KeptRun

MOST_SOURCES = 12
TOOLS: Mapping[str, str] = {
    "find": N_("Looked for things in the house"),
    "get_state": N_("Looked at states"),
    "overview": N_("Looked at the house as a whole"),
    "get_history": N_("Looked at what was measured"),
    "why": N_("Asked the chronicle why"),
    "home_at": N_("Looked at the house at a moment"),
    "call_service": N_("Proposed a change"),
    "configure": N_("Proposed a change of the configuration"),
    "schedule": N_("Proposed something for later"),
    "plans": N_("Looked at plans"),
    "chronicle": N_("Looked into the chronicle"),
    "catalog": N_("Looked up what can be done"),
}


@dataclass(frozen=True, slots=True)
class ToolStep:
    """One tool that was used on the way. `ok` is None while it is at work."""

    name: str
    label: str
    arguments: str
    ok: bool | None = None
    trouble: str = ""
    ms: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """One exchange. `options`: what can be answered to "which one?", empty where nothing is asked any more."""

    run_id: str
    conversation_id: str
    text: str
    asked: Moment
    done: bool
    cancelled: bool = False
    reply: str = ""
    outcome: str = ""
    via: str = ""
    options: tuple[str, ...] = ()
    steps: tuple[ToolStep, ...] = ()
    cards: tuple[PlanCard, ...] = ()
    sources: tuple[str, ...] = ()
    next: str = ""
    seconds: str = ""


class Turns:
    """Make turns of runs, with their plans as they are now."""

    def __init__(self, gate: Gate) -> None:
        """Look plans up at `gate`."""
        self._gate = gate

    async def of_run(self, run: Run, visit: Visit) -> Turn:
        """Return the turn of a run of this process, which may be on its way."""
        answer = answer_json(run.answer) if run.answer else None
        bare = Turn(run.id, run.request.conversation_id, run.request.text, visit.when(run.started), run.done)
        turn = replace(bare, steps=tuple(_steps(run.events, visit)), cancelled=run.done and answer is None)
        return await self._answered(turn, answer, visit) if answer else turn

    async def of_kept(self, kept: KeptRun, visit: Visit) -> Turn:
        """Return the turn of a run that ended, perhaps long ago."""
        bare = Turn(kept.id, kept.conversation_id, kept.text, visit.when(kept.started), done=True)
        return await self._answered(bare, kept.answer, visit)

    async def _answered(self, turn: Turn, answer: JsonObject, visit: Visit) -> Turn:
        error, question, timings = (_object(answer.get(key)) for key in ("error", "question", "timings_ms"))
        plans = [str(_object(each).get("id")) for each in _listed(answer.get("plans"))]
        total = timings.get("total")
        return replace(
            turn,
            conversation_id=str(answer["conversation_id"]),
            reply=str(answer["reply"]),
            outcome=str(answer["outcome"]),
            via=str(answer["via"]),
            options=tuple(str(_object(each)["label"]) for each in _listed(question.get("options"))),
            cards=tuple([card async for card in self._cards(plans, visit)]),
            sources=tuple(called(visit.home, str(each)) for each in _listed(answer.get("sources"))[:MOST_SOURCES]),
            next=str(error.get("next") or ""),
            seconds=visit.local.number(round(total / 1000, 1)) if isinstance(total, int | float) else "",
        )

    async def _cards(self, plan_ids: Iterable[str], visit: Visit) -> AsyncIterator[PlanCard]:
        for plan_id in plan_ids:
            with suppress(UnknownPlanError):  # beyond the caller's reach by now
                yield card_of(await self._gate.plan(plan_id, visit.caller), visit)


def _steps(events: Iterable[RunEvent], visit: Visit) -> Iterator[ToolStep]:
    """Yield each tool call with what it came to; calls of one name are answered in their order."""
    made: list[ToolStep] = []
    for event in events:
        if event.kind == "tool_call":
            name = str(event.data["name"])
            made.append(
                ToolStep(name, visit.say(TOOLS[name]) if name in TOOLS else name, _short(event.data["arguments"]))
            )
        elif event.kind == "tool_result":
            at = next((n for n, step in enumerate(made) if step.ok is None and step.name == event.data["name"]), None)
            if at is not None:
                made[at] = _ended(made[at], event.data)
    yield from made


def _ended(step: ToolStep, result: JsonObject) -> ToolStep:
    error, took = _object(result.get("error")), result.get("ms")
    ms = round(took) if isinstance(took, int | float) else 0
    return replace(step, ok=bool(result["ok"]), trouble=str(error.get("message") or ""), ms=ms)


MOST_SHOWN = 300  # characters of a tool's arguments


def _short(arguments: object) -> str:
    """Return a tool's arguments in a line: `area: kitchen, query: light`."""
    told = ", ".join(f"{key}: {value}" for key, value in arguments.items()) if isinstance(arguments, Mapping) else ""
    return told if len(told) <= MOST_SHOWN else f"{told[:MOST_SHOWN]}..."


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, list | tuple) else []
