"""Plans: what would be done, step by step, who has to say yes, and what was seen afterwards."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from homesteward.actions.foreseen import foreseen
from homesteward.actions.reached import UNSEEN, Reached
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.model import EMPTY
from homesteward.home.reserved import is_reserved
from homesteward.people import Caller
from homesteward.policy.decision import Decision


class PlanState(StrEnum):
    """The states of a plan; no others exist."""

    PROPOSED = "proposed"
    WAITING = "waiting"
    APPROVED = "approved"
    EXECUTING = "executing"
    COMPLETED = "completed"
    PARTIAL = "partial"
    FAILED = "failed"
    INTERRUPTED = "interrupted"
    REJECTED = "rejected"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    SIMULATED = "simulated"


class StepState(StrEnum):
    """The states of a step."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"
    UNCERTAIN = "uncertain"


class Needs(StrEnum):
    """What a waiting plan waits for."""

    CONFIRM = "confirm"
    PIN = "pin"
    APPROVE = "approve"


class Status(StrEnum):
    """What is known about one entity after a step."""

    VERIFIED = "verified"
    MISMATCHED = "mismatched"
    FAILED = "failed"
    UNCERTAIN = "uncertain"
    SIMULATED = "simulated"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was expected of one entity, what was seen, and when. `already`: it was so before, and nothing was sent to it.

    `note` is what happened after the window closed: "late: ..." where it came to be as expected, "reverted: ..." where it did not stay so.
    """

    entity_id: str
    expected: str
    observed: str
    status: Status
    at: datetime
    already: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a plan with its decision and its evidence. `error` says why a failed step failed, `context_id` is HA's."""

    n: int
    call: ResolvedCall
    decision: Decision
    state: StepState = StepState.PENDING
    before: JsonObject = EMPTY  # entity id -> {state, attributes} as it found them: what an undo will need
    after: JsonObject = EMPTY  # the same as it left them
    evidence: tuple[Evidence, ...] = ()
    error: str = ""
    context_id: str | None = None
    note: str = ""  # why a step was skipped, for example "already on"
    reached: Reached = UNSEEN  # what it came to through groups, scenes and scripts when it was proposed
    summary: str = ""  # of a reserved call: in plain words what it would do
    diff: str = ""  # and line by line


@dataclass(frozen=True, slots=True)
class Plan:
    """An exact list of steps that share one verdict. `hash` covers the resolved steps and nothing else."""

    id: str
    home_id: str
    state: PlanState
    caller: Caller
    request: str
    created: datetime
    expires: datetime
    hash: str
    steps: tuple[Step, ...]
    needs: Needs | None = None
    run_id: str = ""
    decided_by: str = ""
    decided_person_id: str = ""
    finished: datetime | None = None
    undoes: str = ""
    """The plan that this one takes back."""
    schedule: str = ""
    """The schedule that came to its time and made this one."""
    undone_by: tuple[str, ...] = ()
    """The plans that were made to take this one back, oldest first, whatever became of them."""

    @property
    def decision(self) -> Decision:
        """Return the verdict that all steps share: the first step's."""
        return self.steps[0].decision


def plan_json(plan: Plan) -> dict[str, JsonValue]:
    """Return the plan as the contract shows it to others."""
    return {
        "id": plan.id,
        "state": plan.state.value,
        "needs": plan.needs.value if plan.needs else None,
        "caller": {"role": plan.caller.role.value, "channel": plan.caller.channel.value, "person": plan.caller.person},
        "request": plan.request,
        "run_id": plan.run_id,
        "created": plan.created.isoformat(),
        "expires": plan.expires.isoformat(),
        "finished": plan.finished.isoformat() if plan.finished else None,
        "decided_by": plan.decided_by,
        "hash": plan.hash,
        "undoes": plan.undoes or None,
        "undone_by": list(plan.undone_by),
        "schedule": plan.schedule or None,
        "steps": [_step_json(step) for step in plan.steps],
    }


def decision_json(decision: Decision) -> dict[str, JsonValue]:
    """Return the decision as the contract shows it to others."""
    return {
        "action": decision.action.value,
        "rule": decision.rule,
        "reason": decision.reason,
        "impact": decision.impact.level.word,
        "by_owner": decision.by_owner,
        "pin": decision.pin,
        "path": list(decision.path),
        "outside": decision.outside,
        "unrelated": decision.unrelated,
        "ajar": list(decision.ajar),
    }


def _foreseen(step: Step) -> JsonObject:
    """Return the states before and after, in words; what a reserved call finds is no state, and shows in its diff."""
    if is_reserved(step.call.domain):
        return {"before": {}, "expected": {}}
    return foreseen(step.call, step.before, step.reached.ends)


def _step_json(step: Step) -> dict[str, JsonValue]:
    return {
        "n": step.n,
        "call": {
            "domain": step.call.domain,
            "service": step.call.service,
            "target": {"entity_id": list(step.call.entity_ids)},
            "data": dict(step.call.data),
        },
        "healed": list(step.call.healed),
        "reached": list(step.reached.ends),
        "reached_more": step.reached.more,
        "summary": step.summary,
        "diff": step.diff,
        "impact": step.decision.impact.level.word,
        "decision": decision_json(step.decision),
        "state": step.state.value,
        "error": step.error,
        "note": step.note,
        "context_id": step.context_id,
        **_foreseen(step),
        "evidence": [
            {
                "entity_id": seen.entity_id,
                "expected": seen.expected,
                "observed": seen.observed,
                "status": seen.status.value,
                "at": seen.at.isoformat(),
                "already": seen.already,
                "note": seen.note,
            }
            for seen in step.evidence
        ],
    }
