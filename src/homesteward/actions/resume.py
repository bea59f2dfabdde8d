"""Going on with a plan that was cut off: what was done is left, what is unsure is looked at again, and only then the rest."""

from collections.abc import Mapping
from dataclasses import replace

from homesteward.actions.before import states_of
from homesteward.actions.ending import AGAIN, NOT_REPEATED, SENT_ALREADY, cut_off
from homesteward.actions.errors import GateError, PlanChangedError
from homesteward.actions.plan import Plan, PlanState, Status, Step, StepState
from homesteward.actions.proposal import Request, judged
from homesteward.actions.reached import same_reach
from homesteward.actions.standing import ASK_AGAIN, OTHER_REACH
from homesteward.actions.verify import evidence
from homesteward.core import Clock
from homesteward.home.effects import Effect, effect_on, observed_of, trustworthy
from homesteward.home.live import LiveHome
from homesteward.home.view import HomeView

OPEN_STEPS = frozenset({StepState.PENDING, StepState.RUNNING, StepState.UNCERTAIN})
SEEN_LATER = "seen to be done when it was looked at again"


class NotInterruptedError(GateError):
    """Only a plan that was cut off can be gone on with."""

    code = "not_interrupted"


def require_interrupted(plan: Plan) -> None:
    """Raise NotInterruptedError for a plan in any other state."""
    if plan.state is not PlanState.INTERRUPTED:
        raise NotInterruptedError(
            f"This plan is {plan.state}: only one that was cut off can be gone on with.",
            next="Ask for it again if it is still wanted.",
        )


def looked_at_again(plan: Plan, home: HomeView, clock: Clock) -> tuple[Step, ...]:
    """Return the steps as they are to be gone on with. Nothing is sent for a step that may have happened and must not twice."""
    return tuple(_looked_at(step, home, clock) for step in plan.steps)


def require_verdict(plan: Plan, asked: Request, home: LiveHome) -> None:
    """Raise PlanChangedError where what is left of the plan would be judged more strictly now than it was; `asked` is its request today."""
    for step in plan.steps:
        if step.state not in OPEN_STEPS:
            continue
        if not same_reach(step.reached, step.call, home):
            raise PlanChangedError(f"Step {step.n} ({step.call.id}): {OTHER_REACH}.", next=ASK_AGAIN)
        stricter = [now for _, now in judged(step.call, asked, home) if now.strictness > step.decision.strictness]
        if stricter:
            raise PlanChangedError(
                f"Step {step.n} ({step.call.id}) would be judged otherwise now: {stricter[0].reason}.",
                next=ASK_AGAIN,
            )


def _looked_at(step: Step, home: HomeView, clock: Clock) -> Step:
    if not cut_off(step):
        return step
    effects = _effects(step, home)
    if effects and all(_shows(effect, entity_id, home) for entity_id, effect in effects.items()):
        seen = tuple(
            evidence(entity_id, effect, home.states[entity_id], Status.VERIFIED, clock)
            for entity_id, effect in effects.items()
        )
        return replace(step, state=StepState.DONE, evidence=seen, error="", note=SEEN_LATER)
    if effects and all(_repeatable(effect) for effect in effects.values()) and not step.context_id:
        return replace(step, state=StepState.PENDING, error="", note=AGAIN)
    return replace(step, state=StepState.UNCERTAIN, error=SENT_ALREADY if step.context_id else NOT_REPEATED)


def _effects(step: Step, home: HomeView) -> Mapping[str, Effect]:
    """Return what the step should have done, seen from the states before it."""
    before = states_of(step.before)
    return {
        entity_id: effect_on(step.call, entity_id, before.get(entity_id)) for entity_id in observed_of(step.call, home)
    }


def _shows(effect: Effect, entity_id: str, home: HomeView) -> bool:
    state = home.states.get(entity_id)
    return state is not None and trustworthy(state) and effect.holds(state)


def _repeatable(effect: Effect) -> bool:
    """Return whether asking twice is asking once: it sets something to a value, whatever was there."""
    return effect.observable and effect.repeatable and not effect.moved
