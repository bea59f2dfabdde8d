"""The look at a step right before it runs: its targets must be there, be what was decided about, and not be so already."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from homesteward.actions.plan import Evidence, Status, Step, StepState
from homesteward.actions.verify import evidence
from homesteward.actions.windows import WindowOf, nothing_learned, watched_for
from homesteward.core import Clock
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_of, observed_of
from homesteward.home.model import State
from homesteward.home.view import HomeView, leaves_of
from homesteward.policy import impact_of


@dataclass(frozen=True, slots=True)
class Ready:
    """A step that can run: the call with only those targets that need it, what it should do, and what is settled without it."""

    call: ResolvedCall
    effects: Mapping[str, Effect]
    settled: tuple[Evidence, ...]


def recheck(step: Step, home: HomeView, clock: Clock, window_of: WindowOf = nothing_learned) -> Step | Ready:
    """Return the step as it ended without running (failed or skipped), or what of it is ready to run.

    Targets that are gone or unavailable fail and are named; those that are so already are left out.
    """
    if grown := _grown(step, home):
        return replace(step, state=StepState.FAILED, error=grown)
    effects = wanted_of(step, home, window_of)
    settled = tuple(
        replace(
            evidence(entity_id, effect, home.states.get(entity_id), status, clock), already=status is Status.VERIFIED
        )
        for entity_id, effect in effects.items()
        if (status := _settled(effect, home.states.get(entity_id)))
    )
    open_effects = {e: effect for e, effect in effects.items() if e not in {seen.entity_id for seen in settled}}
    if effects and not open_effects:
        return ended_unsent(step, settled)
    return Ready(_only(step.call, open_effects, home) if effects else step.call, open_effects, settled)


def wanted_of(step: Step, home: HomeView, window_of: WindowOf = nothing_learned) -> dict[str, Effect]:
    """Return what the step should do to each entity that it is about, also to those that are so already, and for how long that is watched for."""
    call = step.call
    return {
        e: watched_for(effect_of(call, e, home), e, call.service, step.decision, window_of)
        for e in observed_of(call, home)
    }


def ended_unsent(step: Step, settled: tuple[Evidence, ...]) -> Step:
    """Return the step whose every target was settled before anything was sent."""
    failed = [seen for seen in settled if seen.status is Status.FAILED]
    if failed:
        return replace(step, state=StepState.FAILED, evidence=settled, error=unsettled(failed))
    expected = dict.fromkeys(seen.expected for seen in settled)
    return replace(step, state=StepState.SKIPPED, evidence=settled, note=f"already {', '.join(expected)}")


def unsettled(failed: list[Evidence]) -> str:
    """Return in words which targets could not be reached, and why."""
    return "; ".join(f"{seen.entity_id} is {seen.observed.partition(',')[0]}" for seen in failed)


def _grown(step: Step, home: HomeView) -> str:
    """Return why the step would now do more than was decided about, nothing if it would not."""
    for entity_id in step.call.entity_ids or (None,):
        if entity_id is not None and entity_id not in home.states:
            continue  # gone, which is said for each entity
        now = impact_of(step.call, entity_id, home)
        if now.level > step.decision.impact.level:
            return f"This would now do more than was decided about: {now.reason}."
    return ""


def _settled(effect: Effect, state: State | None) -> Status | None:
    # "unknown" is not unavailable: a scene, a button or a helper has it until it is first used
    if state is None or state.state == "unavailable":
        return Status.FAILED
    return Status.VERIFIED if effect.already(state) else None


def _only(call: ResolvedCall, needed: Mapping[str, Effect], home: HomeView) -> ResolvedCall:
    """Return the call with those of its targets that need it; a group stays named while one of its members does."""
    wanted = tuple(
        entity_id for entity_id in call.entity_ids if any(leaf in needed for leaf in leaves_of(home, (entity_id,)))
    )
    return replace(call, entity_ids=wanted)
