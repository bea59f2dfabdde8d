"""A record put right by what was seen later. The plan keeps the end it had; its steps and their evidence say what is known now."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.actions.before import kept_of
from homesteward.actions.entries import Entry, later_entry
from homesteward.actions.foreseen import observed
from homesteward.actions.plan import Evidence, Plan, Status, Step, StepState
from homesteward.home.effects import Effect
from homesteward.home.model import State

type Amended = tuple[Step, Sequence[Entry]] | None

OPEN = frozenset({Status.UNCERTAIN, Status.MISMATCHED})


def came_late(plan: Plan, n: int, effect: Effect, now: State, at: datetime) -> Amended:
    """Return the step with the entity verified at last, None where that is not open any more."""
    step = _step(plan, n)
    seen = _evidence(step, now.entity_id)
    if step is None or seen is None or seen.status not in OPEN:
        return None
    note = f"late: {_seconds(plan, at)} after the plan had ended"
    evidence = replace(seen, status=Status.VERIFIED, observed=observed(effect, now), at=at, note=note)
    ended = _with(step, evidence)
    if all(each.status is Status.VERIFIED for each in ended.evidence):
        ended = replace(ended, state=StepState.DONE, error="", note="came true late")
    ended = replace(ended, after={**ended.after, now.entity_id: kept_of(now)})
    return ended, [later_entry(plan.id, ended)]


def switched_back(plan: Plan, n: int, effect: Effect, now: State, at: datetime) -> Amended:
    """Return the step with a note that the entity did not stay as it was seen; that it was seen so stays true."""
    step = _step(plan, n)
    seen = _evidence(step, now.entity_id)
    if step is None or seen is None or seen.status is not Status.VERIFIED or seen.note:
        return None
    ended = _with(step, replace(seen, note=f"reverted: {observed(effect, now)}, {_seconds(plan, at)} after"))
    return ended, [later_entry(plan.id, ended)]


def told(plan: Plan, effect: Effect, now: State, *, late: bool) -> str:
    """Return what the asker is told of it."""
    asked = f"“{plan.request}”" if plan.request else "What was asked for"
    if late:
        return f"{asked} came true after all, later than was waited for: {now.name} is {observed(effect, now)}."
    return f"{asked} did not last: {now.name} was {effect.expected} and is {observed(effect, now)} now."


def _step(plan: Plan, n: int) -> Step | None:
    return next((step for step in plan.steps if step.n == n), None)


def _evidence(step: Step | None, entity_id: str) -> Evidence | None:
    return next((seen for seen in (step.evidence if step else ()) if seen.entity_id == entity_id), None)


def _with(step: Step, evidence: Evidence) -> Step:
    return replace(
        step, evidence=tuple(evidence if each.entity_id == evidence.entity_id else each for each in step.evidence)
    )


def _seconds(plan: Plan, at: datetime) -> str:
    return f"{max(0, round((at - (plan.finished or plan.created)).total_seconds()))} s"
