"""The loop itself: ask the model, check what it proposes, run it in a safe order, answer every call, until it says its last word.

Everything that bounds a run is here. A model decides nothing: which tools there are, whether arguments fit, how often, how long
and in what order are code, and what a change may do is decided behind `call_service` by the gate.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic_ai.direct import model_request
from pydantic_ai.exceptions import AgentRunError, UserError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings

from homesteward.actions import Plan, plan_json
from homesteward.core.clock import Clock
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonObject, JsonValue, canonical, loads, plain
from homesteward.home.view import HomeView
from homesteward.kernel import choice
from homesteward.kernel.budgets import Budgets
from homesteward.kernel.events import Event, EventKind, Listener, without_secrets
from homesteward.kernel.prompt import as_data, opening
from homesteward.kernel.request import CallRecord, KernelRequest, KernelResult, Stop, Usage
from homesteward.kernel.text_calls import about, asks_for_json, is_json, text_calls
from homesteward.models.errors import ModelBadAnswerError, ModelError, ModelTimeoutError, model_error
from homesteward.models.naming import offered
from homesteward.tools import ToolContext, ToolRegistry, ToolResult
from homesteward.tools.registry import readable

NO_TOOLS = ErrorInfo(
    "model_no_tools",
    "The model wrote something that is not for people instead of using its tools; nothing was done.",
    retry=True,
    next="Ask again in other words, or choose another model.",
)
STOPPED = {
    Stop.ITERATIONS: ErrorInfo(
        "kernel_iterations",
        "The model used up its steps.",
        retry=False,
        next="Ask for less at once, or a deeper profile.",
    ),
    Stop.CALLS: ErrorInfo(
        "kernel_calls",
        "The model used up its tool calls.",
        retry=False,
        next="Ask for less at once, or a deeper profile.",
    ),
    Stop.TIME: ErrorInfo(
        "kernel_time",
        "The time for this request ran out.",
        retry=True,
        next="Ask for less at once, or a deeper profile.",
    ),
    Stop.TOOL_ERRORS: ErrorInfo(
        "kernel_tool_errors",
        "Every call of the model failed, turn after turn.",
        retry=False,
        next="Say it in other words.",
    ),
}
OVER_BUDGET = ErrorInfo("over_budget", "Not run: too many calls.", retry=False, next="Ask for less in one turn.")
OUT_OF_TIME = ErrorInfo("out_of_time", "Not run: the time for this request is over.", retry=False, next="Stop here.")
TOO_SLOW = ErrorInfo("tool_timeout", "The tool did not answer in time.", retry=True, next="Ask for less.")
ASKED_BEFORE = ErrorInfo("repeated_call", "Not run: it was asked already.", retry=False, next="Use the earlier result.")


async def run_loop(
    request: KernelRequest,
    model: Model,
    registry: ToolRegistry,
    budgets: Budgets,
    *,
    home: HomeView,
    clock: Clock,
    on_event: Listener | None = None,
) -> KernelResult:
    """Run `request` with `model` to its end; see `Kernel.run`."""
    run = _Run(request, model, registry, budgets, home, clock, on_event)
    return await run.to_the_end()


@dataclass(frozen=True, slots=True)
class _Proposal:
    """One call that the model proposes: as its provider knows it, and the tool as we know it."""

    part: ToolCallPart
    name: str
    changes: bool


@dataclass(frozen=True, slots=True)
class _End:
    """Why a run is over, with the model's last word or what went wrong."""

    stop: Stop
    text: str = ""
    error: ErrorInfo | None = None


class _TimeUpError(Exception):
    """The run's own time ended while the model was thinking."""


class _Run:
    """One run: what was said and done so far, and the next step."""

    def __init__(
        self,
        request: KernelRequest,
        model: Model,
        registry: ToolRegistry,
        budgets: Budgets,
        home: HomeView,
        clock: Clock,
        on_event: Listener | None,
    ) -> None:
        self._request, self._model, self._registry, self._budgets = request, model, registry, budgets
        self._home, self._clock, self._on_event = home, clock, on_event
        self._started = clock.monotonic()
        self._tools = offered(registry.specs(request.caller))
        self._context = ToolContext(
            request.caller,
            request.text,
            request.run_id,
            request.mode,
            request.dry_run,
            request.language,
            outside=bool(request.history),  # what was answered before may quote what was read then
            named=request.named,
        )
        self._messages: list[ModelMessage] = opening(request, home)
        self._usage = Usage()
        self._events: list[Event] = []
        self._records: list[CallRecord] = []
        self._plans: dict[str, Plan] = {}
        self._changed: dict[bytes, ToolResult] = {}  # every change of this run: an identical one is never run again
        self._read: Counter[bytes] = Counter()  # reads since the last change
        self._failed_turns = 0
        self._text_taken = False

    async def to_the_end(self) -> KernelResult:
        """Run until there is nothing left to do; a failing model is an end like any other."""
        self._tell(EventKind.STARTED, {"run_id": self._request.run_id, "model": self._model.model_name})
        try:
            end = await (self._converse() if self._model.profile.get("supports_tools", True) else self._choose())
        except ModelError as failed:
            end = _End(Stop.MODEL_ERROR, error=failed.info)
        except _TimeUpError:
            end = _End(Stop.TIME)
        error = end.error or STOPPED.get(end.stop)
        if error:
            self._tell(EventKind.ERROR, plain(error))
        if end.text:
            self._tell(EventKind.REPLY, {"text": end.text})
        self._tell(EventKind.DONE, {"stop": end.stop.value})
        plans, records, events = tuple(self._plans.values()), tuple(self._records), tuple(self._events)
        return KernelResult(end.text, plans, records, events, self._usage, end.stop, error)

    async def _converse(self) -> _End:
        """Ask, run what is proposed, tell the results, ask again."""
        parameters = ModelRequestParameters(function_tools=list(self._tools.definitions))
        for _ in range(self._budgets.iterations):
            response = await self._ask(self._messages, parameters)
            if not _calls(response) and (written := self._written_as_text(_text(response))):
                response = replace(response, parts=written)
            if not _calls(response):
                return self._last_word(_text(response))
            self._messages.append(response)
            if stop := await self._turn([self._proposal(part) for part in _calls(response)]):
                return _End(stop)
        return _End(Stop.ITERATIONS)

    async def _choose(self) -> _End:
        """Let a model without tools pick one call from a list made for it, and run that one."""
        if not choice.plain_wish(self._home, self._request.text, self._request.language):
            return _End(Stop.FINAL, error=choice.NOT_A_WISH)
        choices = choice.choices(self._home, self._request.text)
        if not choices:
            return _End(Stop.FINAL, error=choice.NOTHING_FITS)
        asked = choice.question(self._request.text, choices)
        parameters = ModelRequestParameters(
            output_mode="native",
            output_object=OutputObjectDefinition(choice.schema(choices), name="choice", strict=True),
        )
        response = await self._ask(
            [ModelRequest(parts=[SystemPromptPart(choice.STANDING), UserPromptPart(asked)])], parameters
        )
        try:
            chosen = choice.picked(loads(_text(response)), choices)
        except ValueError as strange:
            raise ModelBadAnswerError("The model chose nothing that it was offered.", retry=True) from strange
        if chosen is None:
            return _End(Stop.FINAL, error=choice.NONE_CHOSEN)
        part = ToolCallPart("call_service", plain(chosen.arguments), tool_call_id="choice")
        await self._turn([self._proposal(part)])
        return _End(Stop.FINAL)

    async def _ask(self, messages: Sequence[ModelMessage], parameters: ModelRequestParameters) -> ModelResponse:
        """Return the model's answer; raise ModelError, or _TimeUpError when the run's own time ended first."""
        left = self._seconds_left()
        if left <= 0:
            raise _TimeUpError
        try:
            async with asyncio.timeout(min(left, self._budgets.model_s)):
                response = await model_request(
                    self._model, messages, model_settings=self._settings(), model_request_parameters=parameters
                )
        except TimeoutError as slow:
            if left <= self._budgets.model_s:
                raise _TimeUpError from slow
            raise ModelTimeoutError("The model did not answer in time.", retry=True, next="Ask again.") from slow
        except (AgentRunError, UserError) as cause:
            raise model_error(cause) from cause
        self._count(response)
        return response

    def _settings(self) -> ModelSettings:
        own = (self._model.settings or {}).get("max_tokens")
        return ModelSettings(max_tokens=min(own or self._budgets.output_tokens, self._budgets.output_tokens))

    def _count(self, response: ModelResponse) -> None:
        """Add what the provider reported; some report nothing, and then nothing is made up."""
        used, sofar = response.usage, self._usage
        self._usage = Usage(
            requests=sofar.requests + 1,
            measured=sofar.measured + used.has_values(),
            input_tokens=sofar.input_tokens + used.input_tokens,
            output_tokens=sofar.output_tokens + used.output_tokens,
        )
        self._tell(EventKind.USAGE, plain(self._usage))

    def _written_as_text(self, text: str) -> list[ToolCallPart]:
        """Return the calls that a model wrote as text, once in a run, unless the person wanted to read them."""
        if self._text_taken or asks_for_json(self._request.text):
            return []
        wanted = [
            call
            for call in text_calls(text)
            if not self._registry.changes(self._tools.original(call.name))
            or about(call, self._request.text, self._home)
        ]
        self._text_taken = bool(wanted)
        return [
            ToolCallPart(call.name, plain(call.arguments), tool_call_id=f"text_{n}") for n, call in enumerate(wanted)
        ]

    def _last_word(self, text: str) -> _End:
        if not text:
            raise ModelBadAnswerError("The model said nothing.", retry=True, next="Ask again, or choose another model.")
        if is_json(text) and not asks_for_json(self._request.text):
            return _End(Stop.FINAL, error=NO_TOOLS)
        return _End(Stop.FINAL, text)

    def _proposal(self, part: ToolCallPart) -> _Proposal:
        name = self._tools.original(part.tool_name)
        return _Proposal(part, name, self._registry.changes(name))

    async def _turn(self, proposals: Sequence[_Proposal]) -> Stop | None:
        """Run what the budgets allow and answer every proposal, run or not: a provider refuses a call without its answer."""
        room = max(0, min(self._budgets.calls_per_turn, self._budgets.calls - len(self._records)))
        results = await self._run(proposals[:room])
        results += [ToolResult.failed(OVER_BUDGET)] * (len(proposals) - len(results))
        answers = [
            ToolReturnPart(p.part.tool_name, as_data(p.name, result), tool_call_id=p.part.tool_call_id)
            for p, result in zip(proposals, results, strict=True)
        ]
        self._messages.append(ModelRequest(parts=answers))
        self._failed_turns = 0 if any(result.ok for result in results) else self._failed_turns + 1
        if not room:
            return Stop.CALLS
        return Stop.TOOL_ERRORS if self._failed_turns >= self._budgets.failed_turns else None

    async def _run(self, proposals: Sequence[_Proposal]) -> list[ToolResult]:
        """Run a turn's calls: together when all of them only read, else one after another in the model's order."""
        if any(proposal.changes for proposal in proposals):
            return [await self._one(proposal) for proposal in proposals]
        gate = asyncio.Semaphore(self._budgets.parallel_reads)

        async def read(proposal: _Proposal) -> ToolResult:
            async with gate:
                return await self._one(proposal)

        async with asyncio.TaskGroup() as together:
            tasks = [together.create_task(read(proposal)) for proposal in proposals]
        return [task.result() for task in tasks]

    async def _one(self, proposal: _Proposal) -> ToolResult:
        """Run one call, or answer it without running it; tell about it either way."""
        arguments = _arguments(proposal.part)
        shown = _shown(arguments)
        self._tell(EventKind.TOOL_CALL, {"name": proposal.name, "arguments": shown, "changes": proposal.changes})
        began = self._clock.monotonic()
        fingerprint = canonical([proposal.name, arguments])
        repeated = fingerprint in self._changed
        result = self._changed[fingerprint] if repeated else await self._fresh(proposal, arguments, fingerprint)
        if result.outside:  # from here to its end, for every call of the run
            self._context = replace(self._context, outside=True)
        record = CallRecord(
            name=proposal.name,
            arguments=shown,
            ok=result.ok,
            changes=proposal.changes,
            error=result.error,
            plan_ids=tuple(plan.id for plan in result.plans),
            repeated=repeated,
            ms=round((self._clock.monotonic() - began) * 1000, 1),
        )
        self._records.append(record)
        self._tell(EventKind.TOOL_RESULT, {key: value for key, value in plain(record).items() if key != "arguments"})
        return result

    async def _fresh(self, proposal: _Proposal, arguments: JsonValue, fingerprint: bytes) -> ToolResult:
        """Run a call for the first time, or a read once more. A change that has begun is waited for, whatever the time."""
        if self._seconds_left() <= 0:
            return ToolResult.failed(OUT_OF_TIME)
        if proposal.changes:
            result = await self._registry.call(proposal.name, arguments, self._context)
            self._changed[fingerprint] = result
            self._read.clear()
            for plan in result.plans:
                self._plans[plan.id] = plan
                self._tell(EventKind.PLAN, _plan_data(plan))
            return result
        self._read[fingerprint] += 1
        if self._read[fingerprint] > self._budgets.identical_reads:
            return ToolResult.failed(ASKED_BEFORE)
        try:
            async with asyncio.timeout(min(self._budgets.read_s, self._seconds_left())):
                return await self._registry.call(proposal.name, arguments, self._context)
        except TimeoutError:
            return ToolResult.failed(TOO_SLOW)

    def _seconds_left(self) -> float:
        return self._budgets.run_s - (self._clock.monotonic() - self._started)

    def _tell(self, kind: EventKind, data: JsonObject) -> None:
        event = Event(kind, self._clock.now(), data)
        self._events.append(event)
        if self._on_event:
            self._on_event(event)


def _calls(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


def _text(response: ModelResponse) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, TextPart)).strip()


def _arguments(part: ToolCallPart) -> JsonValue:
    """Return what the model sent: parsed where it is JSON, else as it stands, for the registry to refuse."""
    if not isinstance(part.args, str):
        arguments: JsonObject = plain(part.args or {})
        return arguments
    try:
        return loads(part.args or "{}") if readable(part.args) else part.args
    except ValueError:
        return part.args


def _shown(arguments: JsonValue) -> JsonObject:
    """Return the arguments as a trace may keep them: nothing secret, and nothing of what could not be read."""
    shown = without_secrets(arguments)
    return shown if isinstance(shown, dict) else {"unreadable": type(arguments).__name__}


def _plan_data(plan: Plan) -> JsonObject:
    data = without_secrets(plan_json(plan))
    return data if isinstance(data, dict) else {}
