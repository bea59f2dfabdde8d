"""How a step and a plan end: as good as the worst that was seen, and what the chronicle keeps of it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.actions.plan import Evidence, Plan, PlanState, Status, Step, StepState
from homesteward.chronicle.record import Act
from homesteward.home.calls import ResolvedCall

RAN = frozenset({StepState.DONE, StepState.UNCERTAIN})
AGAIN = "to be sent again"  # the note of a step that was cut off and is gone on with
INTERRUPTED = "Homesteward stopped while this was under way; whether it happened is not known."
NOT_REPEATED = "not sent again: whether it happened is not known, and it must not happen twice"
SENT_ALREADY = "not sent again: Home Assistant had taken it before the stop, and what came of it does not show"
LEFT_OPEN = frozenset({NOT_REPEATED, SENT_ALREADY})  # what a plan that was gone on with could not bring to an end


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


def left_unsure(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return the steps that are under way as they are left where all breaks off: nobody knows what became of them."""
    return tuple(
        replace(step, state=StepState.UNCERTAIN, error=INTERRUPTED) for step in steps if step.state is StepState.RUNNING
    )


def unsure_of(plan: Plan) -> str:
    """Return in words what nobody knows about a plan that was cut off."""
    steps = "; ".join(
        step.summary or f"{step.call.id} on {', '.join(step.call.entity_ids) or 'no entity'}"
        for step in plan.steps
        if cut_off(step)
    )
    about = f"whether this happened is not known: {steps}" if steps else "nothing was under way at that moment"
    return f"Homesteward stopped in the middle of {plan.request or plan.id!r}; {about}. Look, then go on with it or give it up."


def cut_off(step: Step) -> bool:
    """Return whether the step was under way when all stopped; one that ended uncertain was sent, and is over."""
    return step.state is StepState.RUNNING or (step.state is StepState.UNCERTAIN and step.error == INTERRUPTED)


def end_of(steps: Sequence[Step]) -> PlanState:
    """Return how a plan ended whose steps ran as far as `steps`; what was left open on purpose is no completion."""
    if all(step.state is not StepState.FAILED for step in steps):
        left_open = any(step.state is StepState.UNCERTAIN and step.error in LEFT_OPEN for step in steps)
        return PlanState.PARTIAL if left_open else PlanState.COMPLETED
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
