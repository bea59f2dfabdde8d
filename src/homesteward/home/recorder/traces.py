"""Traces: what an automation or a script did step by step, which branch it took, and where it failed. No event tells that.

Home Assistant keeps the latest five of each by default, so a trace that is there today is gone tomorrow.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, TypeAdapter

from homesteward.core.json import JsonObject
from homesteward.home.errors import HaError, UnknownRunError
from homesteward.home.model import EMPTY
from homesteward.home.recorder.asking import Line, Read, ask
from homesteward.home.wire import parsed

DOMAINS = ("automation", "script")
MAX_STEPS = 500  # of one trace: a loop may have run ten thousand times


@dataclass(frozen=True, slots=True)
class RunKey:
    """What a run is found by. `item_id` is the id in the configuration, not the entity's."""

    domain: str
    item_id: str
    run_id: str


@dataclass(frozen=True, slots=True)
class TraceSummary:
    """One run of an automation or script. `execution` is how it ended: finished, failed_conditions, failed_single, cancelled, error ..."""

    key: RunKey
    started: datetime
    finished: datetime | None
    execution: str
    trigger: str = ""
    """What set it off, in Home Assistant's words; a script has none."""
    error: str = ""
    last_step: str = ""
    fired: bool = True
    """False where a trigger looked at a change and did not fire."""


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One step that was reached. `path` leads to it in the configuration, such as `action/0/choose/1/sequence/0`."""

    path: str
    at: datetime
    service: str = ""
    """`domain.service`, where it called one."""
    target: JsonObject = EMPTY
    result: bool | None = None
    """What a condition came to."""
    branch: str = ""
    """Which way a choice went: an option's number, `default`, `then` or `else`."""
    child: RunKey | None = None
    """The run of a script that it started."""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole run, with the context of what it did and of what set it off."""

    summary: TraceSummary
    context_id: str
    parent_id: str | None
    user_id: str | None
    steps: tuple[TraceStep, ...]
    trigger_entity_id: str | None = None
    truncated: bool = False

    @property
    def failed(self) -> TraceStep | None:
        """Return the step that it failed at."""
        return next((step for step in reversed(self.steps) if step.error), None)

    @property
    def children(self) -> tuple[RunKey, ...]:
        """Return the runs of scripts that it started, in order."""
        return tuple(step.child for step in self.steps if step.child)


async def read_traces(line: Line, domain: str, item_id: str | None = None) -> tuple[TraceSummary, ...]:
    """Return the runs of which a trace is kept, the oldest first: of one automation or script, or of all of a domain.

    Raises NotRecordingError, NeedsAdminError, and as `ask` does.
    """
    fields = {"item_id": item_id} if item_id else {}
    rows = parsed(_SUMMARIES, await ask(line, Read.TRACES, domain=domain, **fields))
    return tuple(sorted(map(_summary, rows), key=lambda run: run.started))


async def read_trace(line: Line, key: RunKey) -> Trace:
    """Return one run step by step; raises UnknownRunError where no trace of it is kept, and as `read_traces` does."""
    try:
        answer = await ask(line, Read.TRACE, domain=key.domain, item_id=key.item_id, run_id=key.run_id)
    except HaError as error:
        if error.code != "not_found":
            raise
        raise UnknownRunError(
            f"Home Assistant keeps no trace of this run of {key.domain} {key.item_id}.",
            next="It keeps the latest few of each; set 'trace: stored_traces:' there to keep more.",
        ) from error
    return _trace(parsed(_TRACE, answer))


class _Times(BaseModel):
    start: datetime
    finish: datetime | None = None


class _SummaryRow(BaseModel):
    domain: str
    item_id: str
    run_id: str
    timestamp: _Times
    script_execution: str | None = None
    trigger: str | None = None
    error: str | None = None
    last_step: str | None = None
    not_triggered: bool = False


class _ChildRow(BaseModel):
    domain: str
    item_id: str
    run_id: str


class _StepRow(BaseModel):
    path: str
    timestamp: datetime
    child_id: _ChildRow | None = None
    error: str | None = None
    result: dict[str, Any] | None = None
    changed_variables: dict[str, Any] | None = None


class _ContextRow(BaseModel):
    id: str
    parent_id: str | None = None
    user_id: str | None = None


class _TraceRow(_SummaryRow):
    context: _ContextRow
    trace: dict[str, list[_StepRow]] = {}


_SUMMARIES = TypeAdapter(list[_SummaryRow])
_TRACE = TypeAdapter(_TraceRow)


def _summary(row: _SummaryRow) -> TraceSummary:
    return TraceSummary(
        RunKey(row.domain, row.item_id, row.run_id),
        row.timestamp.start,
        row.timestamp.finish,
        row.script_execution or "",
        row.trigger or "",
        row.error or "",
        row.last_step or "",
        not row.not_triggered,
    )


def _trace(row: _TraceRow) -> Trace:
    steps = sorted((step for steps in row.trace.values() for step in steps), key=lambda step: step.timestamp)
    return Trace(
        _summary(row),
        row.context.id,
        row.context.parent_id,
        row.context.user_id,
        tuple(map(_step, steps[:MAX_STEPS])),
        next(_triggers(steps), None),
        len(steps) > MAX_STEPS,
    )


def _step(row: _StepRow) -> TraceStep:
    result = row.result or {}
    child = row.child_id
    service, target = _call(result.get("params"))
    verdict = result.get("result")
    return TraceStep(
        row.path,
        row.timestamp,
        service,
        target,
        verdict if isinstance(verdict, bool) else None,
        str(result.get("choice", "")),
        RunKey(child.domain, child.item_id, child.run_id) if child else None,
        row.error or "",
    )


def _call(params: object) -> tuple[str, JsonObject]:
    """Return the service and the target of a step that called one. Its data stays out: it may hold secrets."""
    if not isinstance(params, Mapping) or "service" not in params:
        return "", EMPTY
    target = params.get("target")
    return f"{params.get('domain')}.{params['service']}", target if isinstance(target, Mapping) else EMPTY


def _triggers(steps: list[_StepRow]) -> Iterator[str]:
    """Yield the entity that each trigger was about."""
    for step in steps:
        trigger = (step.changed_variables or {}).get("trigger")
        if step.path.startswith("trigger") and isinstance(trigger, Mapping) and trigger.get("entity_id"):
            yield str(trigger["entity_id"])
