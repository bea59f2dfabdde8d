"""A plan that waited: whether the things it is about are still as they were when it was proposed."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from homesteward.actions.before import states_of
from homesteward.actions.plan import Step, StepState
from homesteward.actions.verify import ON_THE_WAY
from homesteward.home.effects import Effect, effect_of, observed_of
from homesteward.home.effects.material import MATERIAL, STATE, differing, told_apart
from homesteward.home.model import State
from homesteward.home.view import HomeView

NOT_THE_SAME = "not reached: something changed since this was proposed"


def stopped_by_drift(steps: tuple[Step, ...], home: HomeView, fallen: Mapping[int, str]) -> tuple[Step, ...]:
    """Return the pending steps as they end where the home is no longer what they were approved for, else all of them as they are.

    `fallen` is by step why one that is reserved does not stand any more. Whoever says yes to several steps says it to all of them as they were shown: where one is not so any more, none runs.
    """
    drifted = {**fallen} | {
        step.n: why for step in steps if step.state is StepState.PENDING and (why := drift(step, home))
    }
    if not drifted:
        return steps
    return tuple(_stopped(step, drifted.get(step.n, "")) for step in steps)


def drift(step: Step, home: HomeView) -> str:
    """Return in words what the call is about and is no longer as it was proposed, nothing where it is, or is done already."""
    then = states_of(step.before)
    changed = [
        f"{entity_id} changed since this was proposed: {told_apart(then[entity_id], now, aspects)}"
        for entity_id in observed_of(step.call, home)
        if entity_id in then and (now := home.states.get(entity_id)) is not None
        if (aspects := _drifted(effect_of(step.call, entity_id, home), then[entity_id], now))
    ]
    return "; ".join(changed)


def _drifted(effect: Effect, then: State, now: State) -> tuple[str, ...]:
    if now.domain not in MATERIAL or not then.available or not now.available or effect.already(now):
        return ()
    about = set(_about(effect)) - ({STATE} if then.state in ON_THE_WAY else set())  # it has only come to its end
    return tuple(name for name in differing(then, now) if name in about)


def _about(effect: Effect) -> Iterable[str]:
    """Yield what of a state the call is about: a lamp that is to be off may have become brighter meanwhile."""
    if effect.accepts:
        yield STATE
    yield from effect.moved
    yield from (want.name for want in effect.wanted)


def _stopped(step: Step, why: str) -> Step:
    if step.state is not StepState.PENDING:
        return step
    if why:
        return replace(step, state=StepState.FAILED, error=f"{why}.")
    return replace(step, state=StepState.SKIPPED, note=NOT_THE_SAME)
