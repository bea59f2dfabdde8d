"""The answer: what came of one request, in the form that every face passes on."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from homesteward.actions.plan import Needs, Plan, PlanState, StepState, plan_json
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonValue, plain
from homesteward.language import Option


class Outcome(StrEnum):
    """What became of a request. In this order: the most open of several is the answer's."""

    WAITING = "waiting"
    CONFIRM = "confirm"
    FAILED = "failed"
    REFUSED = "refused"
    ACTED = "acted"
    SIMULATED = "simulated"
    ANSWERED = "answered"


class Via(StrEnum):
    """Who understood the request: the grammar, or a model through the kernel."""

    LANGUAGE = "language"
    KERNEL = "kernel"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked back (`kind`): a plain `yes`, the `pin`, or `which` one of `options`."""

    kind: str
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model cost in this request."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one request. `reply` claims no more than the evidence in `plans`."""

    outcome: Outcome
    reply: str
    language: str
    via: Via
    conversation_id: str
    run_id: str
    question: Question | None = None
    plans: tuple[Plan, ...] = ()
    sources: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    timings_ms: dict[str, float] = field(default_factory=dict)
    error: ErrorInfo | None = None

    @property
    def plan(self) -> Plan | None:
        """Return the plan that waits, else the first."""
        waiting = (plan for plan in self.plans if plan.state is PlanState.WAITING)
        return next(waiting, self.plans[0] if self.plans else None)


ENDED = {
    PlanState.REJECTED: Outcome.REFUSED,
    PlanState.SIMULATED: Outcome.SIMULATED,
    PlanState.COMPLETED: Outcome.ACTED,
    PlanState.CANCELLED: Outcome.REFUSED,
}


IN_CONVERSATION = frozenset({Needs.CONFIRM, Needs.PIN})  # what the asker can answer at once


def outcome_of(plans: Sequence[Plan]) -> Outcome:
    """Return the most open outcome among `plans`; none at all is `answered`."""
    return min((_plan_outcome(plan) for plan in plans), key=list(Outcome).index, default=Outcome.ANSWERED)


def answer_json(answer: Answer) -> dict[str, JsonValue]:
    """Return the answer as the contract shows it to others."""
    question = answer.question
    return {
        "outcome": answer.outcome.value,
        "reply": answer.reply,
        "language": answer.language,
        "via": answer.via.value,
        "conversation_id": answer.conversation_id,
        "run_id": answer.run_id,
        "question": {"kind": question.kind, "options": [*map(_option_json, question.options)]} if question else None,
        "plans": [plan_json(plan) for plan in answer.plans],
        "plan": plan_json(answer.plan) if answer.plan else None,
        "sources": list(answer.sources),
        "usage": plain(answer.usage),
        "timings_ms": {name: round(value, 2) for name, value in answer.timings_ms.items()},
        "error": plain(answer.error) if answer.error else None,
    }


def _option_json(option: Option) -> dict[str, JsonValue]:
    return {"entity_id": option.entity_id, "label": option.label}


def _plan_outcome(plan: Plan) -> Outcome:
    """Return one plan's outcome. A plan whose every step was so already did nothing: it answers."""
    if plan.state is PlanState.WAITING:
        return Outcome.CONFIRM if plan.needs in IN_CONVERSATION else Outcome.WAITING
    if plan.state is PlanState.COMPLETED and all(step.state is StepState.SKIPPED for step in plan.steps):
        return Outcome.ANSWERED
    return ENDED.get(plan.state, Outcome.FAILED)
