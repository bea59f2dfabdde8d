"""What became of a change, told so that nobody can read more into it than was seen."""

from collections.abc import Sequence

from homesteward.actions import Needs, Plan, PlanState, Step, StepState
from homesteward.core.errors import ErrorInfo
from homesteward.core.json import JsonValue

WAITS_FOR = {
    Needs.CONFIRM: "Nothing was done yet: the person must say yes first.",
    Needs.PIN: "Nothing was done yet: the person must give the PIN first.",
    Needs.APPROVE: "Nothing was done: it waits for somebody with the right to approve it.",
}
PLAN_MEANS = {
    PlanState.COMPLETED: "Done, as far as the steps below say.",
    PlanState.PARTIAL: "Only partly done; see the steps.",
    PlanState.FAILED: "Not done; see the steps.",
    PlanState.REJECTED: "Refused; nothing was done.",
    PlanState.SIMULATED: "Only simulated; nothing was sent.",
}
STEP_MEANS = {
    StepState.DONE: "seen to have happened",
    StepState.SKIPPED: "nothing to do",
    StepState.UNCERTAIN: "sent, not confirmed",
    StepState.FAILED: "failed",
    StepState.PENDING: "not done",
    StepState.RUNNING: "sent, no answer yet",
}
BAD = {
    PlanState.REJECTED: "refused",
    PlanState.FAILED: "not_done",
    PlanState.PARTIAL: "partly_done",
    PlanState.INTERRUPTED: "not_done",
    PlanState.EXPIRED: "not_done",
    PlanState.CANCELLED: "not_done",
}


def told(plan: Plan) -> dict[str, JsonValue]:
    """Return the plan as a model is told of it: what it means first, then each step with what was seen."""
    waits = WAITS_FOR.get(plan.needs) if plan.needs and plan.state is PlanState.WAITING else None
    return {
        "meaning": waits or PLAN_MEANS.get(plan.state, "Not done."),
        "plan_id": plan.id,
        "state": plan.state.value,
        "impact": plan.decision.impact.level.word,
        "reason": plan.decision.reason,
        "steps": [_step(step) for step in plan.steps],
    }


def error_of(plans: Sequence[Plan]) -> ErrorInfo | None:
    """Return why the first plan that came to nothing did so; None where each is done, waits or was simulated."""
    bad = next((plan for plan in plans if plan.state in BAD), None)
    if bad is None:
        return None
    if bad.state is PlanState.REJECTED:
        return ErrorInfo("refused", bad.decision.reason, retry=False, next="Tell the person; do not try another way.")
    return ErrorInfo(BAD[bad.state], _why(bad), retry=False, next="Tell the person what was seen.")


def _why(plan: Plan) -> str:
    said = [step.error for step in plan.steps if step.error]
    seen = [
        f"{evidence.entity_id} was expected {evidence.expected} and is {evidence.observed}"
        for step in plan.steps
        if step.state is StepState.FAILED
        for evidence in step.evidence
        if evidence.status in {"mismatched", "failed"}
    ]
    return "; ".join(said + seen) or "It was not carried out."


def _step(step: Step) -> dict[str, JsonValue]:
    told_of: dict[str, JsonValue] = {
        "call": step.call.id,
        "entity_id": list(step.call.entity_ids),
        "result": step.note or STEP_MEANS[step.state],
    }
    evidence: list[JsonValue] = [
        {"entity_id": e.entity_id, "expected": e.expected, "observed": e.observed, "status": e.status.value}
        for e in step.evidence
    ]
    healed: list[JsonValue] = list(step.call.healed)
    more: dict[str, JsonValue] = {
        "summary": step.summary,
        "diff": step.diff,
        "put_right": healed,
        "error": step.error,
        "evidence": evidence,
    }
    return told_of | {key: value for key, value in more.items() if value}
