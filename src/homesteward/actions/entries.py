"""What the audit keeps of a plan: who asked for what and why, what was decided under which rule, what was sent and what was seen."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from homesteward.actions.plan import Plan, PlanState, Step
from homesteward.core.json import JsonObject, JsonValue
from homesteward.people import SYSTEM, Caller
from homesteward.people.audit import actor_of


class GateKind(StrEnum):
    """What happened, as the audit names it."""

    PROPOSED = "plan.proposed"
    DECIDED = "plan.decided"
    """The policy decided: what it allowed, refused, simulated or left waiting."""
    APPROVED = "plan.approved"
    REJECTED = "plan.rejected"
    EXPIRED = "plan.expired"
    INTERRUPTED = "plan.interrupted"
    ENDED = "plan.ended"
    SENT = "step.sent"
    """Home Assistant took the call. What was sent and not answered, or not taken, shows in how the step ended."""
    STEP_ENDED = "step.ended"
    STEP_LATER = "step.later"
    """What came to light after a step had ended: it came true late, or did not stay so."""
    RESUMED = "plan.resumed"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry about a plan, before it is chained into the audit."""

    kind: GateKind
    actor: str
    plan_id: str
    data: JsonObject


POLICY = "policy"


def proposal_entries(plan: Plan, end: PlanState) -> tuple[Entry, Entry]:
    """Return what is put down of a plan that was proposed, and of what the policy made of it."""
    return (
        Entry(GateKind.PROPOSED, actor_of(plan.caller), plan.id, _asked(plan)),
        Entry(
            GateKind.DECIDED,
            POLICY,
            plan.id,
            {
                "state": end.value,
                "needs": plan.needs.value if plan.needs and end is PlanState.WAITING else None,
                "action": plan.decision.action.value,
                "rule": plan.decision.rule,
                "reason": plan.decision.reason,
                "by_owner": plan.decision.by_owner,
                "pin": plan.decision.pin,
                **({"notify": True} if any(step.decision.notify for step in plan.steps) else {}),
            },
        ),
    )


def decision_entry(kind: GateKind, plan: Plan, by: Caller, end: PlanState) -> Entry:
    """Return what is put down of a person's yes or no to the plan, which leaves it in the state `end`."""
    used = by.proof if by.proof and by.proof.purpose == plan.id else None
    steps: list[JsonValue] = [step.n for step in plan.steps if step.note != NOT_CHOSEN]
    data = {
        "by": _who(by),
        "state": end.value,
        "steps": steps,
        "hash": plan.hash,
        "proof": used.kind.value if used else None,
    }
    return Entry(kind, actor_of(by), plan.id, data)


def sent_entry(plan_id: str, step: Step) -> Entry:
    """Return what is put down of a call that Home Assistant took."""
    return Entry(GateKind.SENT, SELF, plan_id, {"n": step.n, "call": _call(step), "context_id": step.context_id})


def step_entries(plan_id: str, steps: Sequence[Step]) -> tuple[Entry, ...]:
    """Return what is put down of steps that have come to their end."""
    return tuple(Entry(GateKind.STEP_ENDED, SELF, plan_id, _seen(step)) for step in steps)


def later_entry(plan_id: str, step: Step) -> Entry:
    """Return what is put down of what came to light after a step had ended."""
    return Entry(GateKind.STEP_LATER, SELF, plan_id, _seen(step))


def end_entry(plan_id: str, state: PlanState, *, why: str = "") -> Entry:
    """Return what is put down of a plan that has come to its end without anybody's word."""
    return Entry(
        ENDS.get(state, GateKind.ENDED), SELF, plan_id, {"state": state.value, **({"why": why} if why else {})}
    )


ENDS = {PlanState.EXPIRED: GateKind.EXPIRED, PlanState.INTERRUPTED: GateKind.INTERRUPTED}
SELF = actor_of(SYSTEM)
NOT_CHOSEN = "not approved"


def _asked(plan: Plan) -> JsonObject:
    return {
        "by": _who(plan.caller),
        "request": plan.request,
        "run_id": plan.run_id,
        "hash": plan.hash,
        **({"schedule": plan.schedule} if plan.schedule else {}),
        "steps": [{"n": step.n, "call": _call(step), "impact": step.decision.impact.level.word} for step in plan.steps],
        **_provenance(plan),
    }


def _provenance(plan: Plan) -> JsonObject:
    """Return what is flagged of a plan whose run had read text from outside: that it had, and that none of it was named by the person."""
    if not any(step.decision.outside for step in plan.steps):
        return {}
    unrelated = all(step.decision.unrelated for step in plan.steps)
    return {"outside": True, **({"unrelated": True} if unrelated else {})}


def _who(caller: Caller) -> JsonObject:
    """Return who it was, in every respect that decided something; empty respects are left out."""
    said: dict[str, JsonValue] = {
        "role": caller.role.value,
        "channel": caller.channel.value,
        "person": caller.person,
        "person_id": caller.person_id,
        "device_id": caller.device_id,
        "token_id": caller.token_id,
        "area_id": caller.area_id,
    }
    return {key: value for key, value in said.items() if value}


def _call(step: Step) -> JsonObject:
    call = step.call
    return {"domain": call.domain, "service": call.service, "entity_id": list(call.entity_ids), "data": dict(call.data)}


def _seen(step: Step) -> JsonObject:
    return {
        "n": step.n,
        "state": step.state.value,
        "context_id": step.context_id,
        "error": step.error,
        "note": step.note,
        "evidence": [
            {
                "entity_id": seen.entity_id,
                "expected": seen.expected,
                "observed": seen.observed,
                "status": seen.status.value,
                **({"note": seen.note} if seen.note else {}),
            }
            for seen in step.evidence
        ],
    }
