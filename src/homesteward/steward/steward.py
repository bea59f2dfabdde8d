"""The steward: takes a request, has it understood, has the gate act, and tells what was seen."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from homesteward.actions import Gate, Mode
from homesteward.actions.plan import Plan, PlanState, plan_json
from homesteward.core import Clock, ErrorInfo, HomestewardError, new_id
from homesteward.core.json import JsonObject, JsonValue, plain
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.kernel import PROFILES, Event, Kernel, KernelRequest
from homesteward.language import (
    Acts,
    Asks,
    Declines,
    NotUnderstood,
    Reading,
    Says,
    Understander,
    error_text,
    is_no,
    is_yes,
    not_understood,
    pick,
)
from homesteward.people import Caller
from homesteward.steward import replies
from homesteward.steward.answer import Answer, Outcome, Via, answer_json
from homesteward.steward.conversations import Conversations, Pending
from homesteward.steward.draft import Draft
from homesteward.steward.places import area_id_of
from homesteward.steward.remembered import aged
from homesteward.steward.request import Request, Route
from homesteward.steward.run_store import RunStore
from homesteward.steward.runs import Run, Runs

if TYPE_CHECKING:
    from pydantic_ai.models import Model

LOG = logging.getLogger(__name__)

type Reply = Callable[[Run], Awaitable[tuple[Plan, ...]]]

# What a model may still try after the grammar declined: names that the grammar cannot find. A guard is never handed on.
TRY_MODEL = frozenset({"unknown_entity", "unknown_area"})


@dataclass(frozen=True, slots=True)
class StewardSettings:
    """How requests are treated where they do not say: each is the widest that a request may ask for."""

    mode: Mode = Mode.AUTO
    language: str = ""
    profile: str = "balanced"


@dataclass(frozen=True, slots=True)
class Reasoner:
    """A model and the kernel around it. `model` is called per run: a scripted one has a memory of its own."""

    kernel: Kernel
    model: Callable[[], Model]


class Steward:
    """Answer requests about one home. It remembers open questions and runs, and keeps no other state."""

    def __init__(
        self,
        home: LiveHome,
        gate: Gate,
        understander: Understander,
        clock: Clock,
        store: RunStore,
        *,
        settings: StewardSettings | None = None,
        reasoner: Reasoner | None = None,
    ) -> None:
        """Without a `reasoner`, only what the grammar reads is understood."""
        self._home, self._gate, self._understander, self._clock = home, gate, understander, clock
        self._settings = settings or StewardSettings()
        self._store = store
        self._reasoner = reasoner
        self._conversations = Conversations(clock)
        self._tasks: set[asyncio.Task[Answer]] = set()
        self.runs = Runs(clock)

    @property
    def mode(self) -> Mode:
        """Return the widest mode that a request may have."""
        return self._settings.mode

    async def ask(self, request: Request) -> Answer:
        """Answer `request`. A failure is an answer too; nothing but cancellation is raised."""
        return await self._finish(self.runs.start(request))

    def start(self, request: Request) -> Run:
        """Begin on `request` in the background and return its run, to be watched."""
        run = self.runs.start(request)
        task = asyncio.create_task(self._finish(run), name=run.id)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return run

    async def answer_of(self, run_id: str) -> JsonObject | None:
        """Return the answer of a run, None while it is on its way; raise UnknownRunError if there is no such run."""
        if (kept := await self._store.answer(run_id)) is not None:
            return kept
        run = self.runs.get(run_id)
        return answer_json(run.answer) if run.answer else None

    async def close(self) -> None:
        """Cancel what is under way and wait for it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _finish(self, run: Run) -> Answer:
        """Carry `run` to its end; whoever watches hears of it also where it was cancelled."""
        try:
            return await self._carried(run)
        finally:
            if not run.done:
                self.runs.record(run, "done", {"outcome": Outcome.FAILED.value, "cancelled": True})

    async def _carried(self, run: Run) -> Answer:
        """Carry `run` to its answer, recording what happens on the way."""
        began = self._clock.monotonic()
        draft = Draft(
            run_id=run.id,
            conversation_id=run.request.conversation_id or new_id("conv"),
            language=run.request.language or self._settings.language or self._home.config.language,
        )
        self.runs.record(run, "started", {"text": run.request.text, "conversation_id": draft.conversation_id})
        try:
            answer = await self._answer(run, draft)
        except HomestewardError as error:
            answer = draft.failed(error.info, error_text(error.info, draft.language))
        except Exception:  # a task root: whoever waits for this run gets an answer whatever broke
            LOG.exception("Run %s failed inside Homesteward", run.id)
            broken = ErrorInfo(
                "internal", "Something failed inside Homesteward.", retry=False, next="See the service's log."
            )
            answer = draft.failed(broken, error_text(broken, draft.language))
        total = (self._clock.monotonic() - began) * 1000
        answer = replace(answer, timings_ms={**answer.timings_ms, "total": total})
        self._remember(run.request, answer)
        run.answer = answer
        await self._store.keep(run)
        self._tell(run, answer)
        return answer

    async def _answer(self, run: Run, draft: Draft) -> Answer:
        if not self._home.connected:
            return self._remembered(run.request, draft)
        request = run.request
        pending = self._conversations.open_for(draft.conversation_id, request.caller)
        if pending and (calls_for := self._reply_to(pending, request, draft)):
            self._conversations.close(draft.conversation_id)  # a reply counts once
            return draft.did(await calls_for(run), self._home)
        if request.route is Route.KERNEL:
            return await self._reason(run, draft)
        began = self._clock.monotonic()
        reading = self._read(request, draft.language)
        draft = draft.timed("language", (self._clock.monotonic() - began) * 1000)
        if pending and not isinstance(reading, NotUnderstood):
            self._conversations.close(draft.conversation_id)  # something else was asked instead
        if self._reasoner and _for_a_model(reading):
            return await self._reason(run, draft)
        return await self._carry_out(run, draft, reading)

    def _remembered(self, request: Request, draft: Draft) -> Answer:
        """Answer a question from what was known last, and say from when that is; raise NotConnectedError for everything else."""
        as_of = self._home.as_of
        reading = self._read(request, draft.language) if as_of and request.route is not Route.KERNEL else None
        if as_of is None or not isinstance(reading, Says):
            raise NotConnectedError
        zone = self._home.config.time_zone
        return draft.said(aged(reading.text, as_of, self._clock.now(), draft.language, zone), reading.sources)

    def _read(self, request: Request, language: str) -> Reading:
        area_id = area_id_of(self._home, request.area) if request.area else None
        config = self._home.config
        return self._understander.read(
            request.text,
            language,
            area_id=area_id,
            time_zone=config.time_zone,
            temperature_unit=config.temperature_unit,
        )

    async def _carry_out(self, run: Run, draft: Draft, reading: Reading) -> Answer:
        """Turn what a sentence was read as into its answer."""
        match reading:
            case Acts(calls, note):
                plans = await self._gate.submit(
                    calls, run.request.caller, request=run.request.text, run_id=run.id, mode=self._mode(run.request)
                )
                return draft.did(plans, self._home, note)
            case Says(text, sources):
                return draft.said(text, sources)
            case Asks(text, options, calls):
                self._conversations.ask(
                    draft.conversation_id, Pending(run.request.caller, run.request.text, options=options, calls=calls)
                )
                return draft.which(text, options)
            case Declines(code, text, onward):
                return draft.declined(ErrorInfo(code, text, retry=False, next=onward))
            case NotUnderstood(text):
                info = ErrorInfo("not_understood", text, retry=False, next=not_understood(self._home, draft.language))
                return draft.failed(info, text)

    def _reply_to(self, pending: Pending, request: Request, draft: Draft) -> Reply | None:
        """Return what the text means as the reply to an open question; None if it is no reply, and the question stays open."""
        text, caller = request.text, request.caller
        if pending.plan_ids and is_yes(text, draft.language):
            return lambda _run: self._each(self._gate.confirm, pending.plan_ids, caller)
        if pending.plan_ids and is_no(text, draft.language):
            return lambda _run: self._each(self._gate.reject, pending.plan_ids, caller)
        chosen = pick(pending.options, text, draft.language) if pending.options else None
        if chosen is None:
            return None
        return lambda run: self._gate.submit(
            [pending.calls[chosen]], caller, request=pending.text, run_id=run.id, mode=self._mode(request)
        )

    async def _each(
        self, decide: Callable[[str, Caller], Awaitable[Plan]], plan_ids: Sequence[str], caller: Caller
    ) -> tuple[Plan, ...]:
        return tuple([await decide(plan_id, caller) for plan_id in plan_ids])

    async def _reason(self, run: Run, draft: Draft) -> Answer:
        """Have a model propose, and tell what came of it from the evidence alone.

        A sentence that a guard holds back (negated, conditional, for later) lets a model read and propose, but every change it
        proposes waits for a person.
        """
        if self._reasoner is None:
            raise NoModelError("There is no model to ask.", next="Set one up under 'model' in the settings.")
        request, mode = run.request, self._mode(run.request)
        if self._understander.guard(request.text, draft.language) is not None:
            mode = mode.tightened(Mode.PLAN)
        began = self._clock.monotonic()
        result = await self._reasoner.kernel.run(
            KernelRequest(request.text, request.caller, run.id, draft.language, mode),
            self._reasoner.model(),
            PROFILES[request.profile or self._settings.profile],
            on_event=lambda event: self._pass_on(run, event),
        )
        draft = replace(draft, via=Via.KERNEL).timed("kernel", (self._clock.monotonic() - began) * 1000)
        return replies.from_kernel(draft, result, request.text, self._home)

    def _mode(self, request: Request) -> Mode:
        return self._settings.mode.tightened(Mode(request.mode) if request.mode else None)

    def _remember(self, request: Request, answer: Answer) -> None:
        """Keep the plans that wait for a yes in this conversation."""
        if answer.outcome is Outcome.CONFIRM and answer.question and answer.question.kind == "yes":
            waiting = tuple(plan.id for plan in answer.plans if plan.state is PlanState.WAITING)
            self._conversations.ask(answer.conversation_id, Pending(request.caller, request.text, plan_ids=waiting))

    def _pass_on(self, run: Run, event: Event) -> None:
        """Pass a kernel event to whoever watches; how a run begins, what it says and how it ends is the steward's to tell."""
        if event.kind.value not in {"started", "reply", "plan", "done"}:
            self.runs.record(run, event.kind.value, dict(event.data))

    def _tell(self, run: Run, answer: Answer) -> None:
        for plan in answer.plans:
            self.runs.record(run, "plan", plan_json(plan))
        if answer.error:
            self.runs.record(run, "error", plain(answer.error))
        final: dict[str, JsonValue] = dict(answer_json(answer))
        self.runs.record(
            run, "confirm" if answer.question else "reply", {"reply": answer.reply, "question": final["question"]}
        )
        self.runs.record(run, "done", final)


class NoModelError(HomestewardError):
    """A request that only a model can answer, and none is set up."""

    code = "no_model"


def _for_a_model(reading: Reading) -> bool:
    return isinstance(reading, NotUnderstood) or (isinstance(reading, Declines) and reading.code in TRY_MODEL)
