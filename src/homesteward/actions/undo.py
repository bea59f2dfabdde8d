"""Taking a plan back: the calls that bring everything it touched to where it was before, and in words what they cannot bring back."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from homesteward.actions.errors import GateError
from homesteward.actions.plan import Plan, PlanState, StepState
from homesteward.core.json import JsonObject, JsonValue, canonical
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.inverse import ONE_WAY, WAYS, way_back
from homesteward.home.model import State
from homesteward.home.view import HomeView

SENT = frozenset({StepState.DONE, StepState.FAILED, StepState.UNCERTAIN})
OVER = frozenset({PlanState.COMPLETED, PlanState.PARTIAL, PlanState.FAILED, PlanState.INTERRUPTED})


class CannotUndoError(GateError):
    """There is nothing of this plan that could be taken back; the message says why."""

    code = "cannot_undo"


@dataclass(frozen=True, slots=True)
class Left:
    """What an undo leaves as it is, and why."""

    entity_id: str
    why: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The way back of a whole plan: calls in their order, each for all entities that take the same, and what is left."""

    calls: tuple[ResolvedCall, ...]
    left: tuple[Left, ...]


def undo_of(plan: Plan, home: HomeView) -> Undo:
    """Return the way back of what `plan` did; raise CannotUndoError where it did nothing or nothing can be taken back.

    An entity that changed after the plan had ended is left: somebody wanted that later.
    """
    if plan.state not in OVER or not any(step.state in SENT for step in plan.steps):
        raise CannotUndoError(
            f"This plan is {plan.state}: it did nothing that could be taken back.", next="There is nothing to do."
        )
    calls: list[ResolvedCall] = []
    left: list[Left] = [Left(subject, why) for subject, why in _one_way(plan)]
    for entity_id, before in _before(plan).items():
        now = home.states.get(entity_id)
        if now and _changed_since(plan, now):
            left.append(Left(entity_id, "it was changed since by something else"))
            continue
        back = way_back(before, now)
        calls += back.calls
        left += [Left(entity_id, why) for why in back.cannot]
    if not calls:
        raise CannotUndoError(_why_not(left), next="Change by hand what should be otherwise.")
    return Undo(tuple(_together(calls)), tuple(left))


def _before(plan: Plan) -> Mapping[str, State]:
    """Return each entity as it was before the first step that touched it, those touched last first."""
    found: dict[str, State] = {}
    for step in plan.steps:
        if step.state in SENT:
            for entity_id, kept in step.before.items():
                if entity_id not in found and entity_id.partition(".")[0] in WAYS:
                    found[entity_id] = _state(entity_id, kept)
    return dict(reversed(found.items()))


def _state(entity_id: str, kept: JsonValue) -> State:
    raw: JsonObject = kept if isinstance(kept, Mapping) else {}
    attributes = raw.get("attributes")
    return State(entity_id, str(raw.get("state")), attributes if isinstance(attributes, Mapping) else {})


def _one_way(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield what the plan did that no call takes back, each thing or service once."""
    seen: set[str] = set()
    for step in plan.steps:
        if step.state not in SENT:
            continue
        named = step.call.entity_ids or (step.call.id,)
        for subject in named:
            domain = subject.partition(".")[0]
            why = ONE_WAY.get(domain if step.call.entity_ids else step.call.domain)
            touched_members = domain in {"scene", "script"} and len(step.before) > 1
            if why and subject not in seen and not touched_members:
                seen.add(subject)
                yield subject, why


def _changed_since(plan: Plan, now: State) -> bool:
    return plan.finished is not None and now.last_changed is not None and now.last_changed > plan.finished


def _together(calls: list[ResolvedCall]) -> Iterator[ResolvedCall]:
    """Yield one call for all entities that take the same service and data, where the first of them stood."""
    merged: dict[tuple[str, bytes], list[str]] = {}
    for call in calls:
        merged.setdefault((call.id, canonical(call.data)), []).extend(call.entity_ids)
    first: dict[tuple[str, bytes], ResolvedCall] = {}
    for call in calls:
        first.setdefault((call.id, canonical(call.data)), call)
    for key, call in first.items():
        yield ResolvedCall(call.domain, call.service, tuple(merged[key]), call.data)


def _why_not(left: list[Left]) -> str:
    if not left:
        return "Everything this plan touched is as it was before."
    return f"Nothing of this plan can be taken back: {'; '.join(f'{each.entity_id}: {each.why}' for each in left[:5])}."
