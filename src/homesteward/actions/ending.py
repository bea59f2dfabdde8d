"""How a step and a plan end: as good as the worst that was seen, and what the chronicle keeps of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.actions.plan import Evidence, Plan, PlanState, Status, Step, StepState
from homesteward.chronicle.record import Act
from homesteward.home.calls import ResolvedCall

RAN = frozenset({StepState.DONE, StepState.UNCERTAIN})


def ended(step: Step, evidence: tuple[Evidence, ...], error: str = "", *, lost: str = "") -> Step:
    """Return the step with its evidence and the state that follows from it: as good as the worst of it."""
    bad = [seen for seen in evidence if seen.status in {Status.FAILED, Status.MISMATCHED}]
    if error or bad:
        return replace(step, state=StepState.FAILED, evidence=evidence, error=error or _why(bad))
    sure = evidence and all(seen.status is Status.VERIFIED for seen in evidence)
    if sure:
        return replace(step, state=StepState.DONE, evidence=evidence)
    return replace(step, state=StepState.UNCERTAIN, evidence=evidence, error=lost)


def failed(step: Step, why: str) -> Step:
    """Return the step as it ends before anything of it was begun."""
    return replace(step, state=StepState.FAILED, error=why)


def left_out(steps: Iterable[Step], why: str) -> tuple[Step, ...]:
    """Return the steps with those that have not run skipped, for the reason `why`."""
    return tuple(
        replace(step, state=StepState.SKIPPED, note=why) if step.state is StepState.PENDING else step for step in steps
    )


def end_of(steps: Sequence[Step]) -> PlanState:
    """Return how a plan ended whose steps ran as far as `steps`."""
    if all(step.state is not StepState.FAILED for step in steps):
        return PlanState.COMPLETED
    return PlanState.PARTIAL if any(step.state in RAN for step in steps) else PlanState.FAILED


def act_of(plan: Plan, step: Step, sent: ResolvedCall, begun: datetime, ended: datetime) -> Act:
    """Return what the chronicle keeps of a step that was sent, which `sent` is without its codes."""
    return Act(
        at=begun,
        ended=ended,
        plan_id=plan.id,
        step=step.n,
        run_id=plan.run_id,
        person=plan.caller.person,
        role=plan.caller.role.value,
        channel=plan.caller.channel.value,
        rule=step.decision.rule,
        request=plan.request,
        domain=sent.domain,
        service=sent.service,
        data=dict(sent.data),
        entity_ids=sent.entity_ids,
        outcome=step.state.value,
        context_id=step.context_id,
    )


def _why(bad: Sequence[Evidence]) -> str:
    return "; ".join(
        f"{seen.entity_id} is {seen.observed}"
        if seen.status is Status.FAILED
        else f"{seen.entity_id} should be {seen.expected} and is {seen.observed}"
        for seen in bad
    )
