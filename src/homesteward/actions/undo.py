"""Taking a plan back: the calls that bring everything it changed to where it was before, and in words what they cannot bring back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from homesteward.actions.afterwards import LATE_S
from homesteward.actions.before import left_out, states_of, withheld
from homesteward.actions.errors import CannotUndoError
from homesteward.actions.plan import Plan, PlanState, Status, Step, StepState
from homesteward.actions.verify import ON_THE_WAY
from homesteward.core.json import JsonValue, canonical
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.inverse import WAYS, way_back
from homesteward.home.effects.material import STATE, differing
from homesteward.home.effects.one_way import why_one_way
from homesteward.home.model import State
from homesteward.home.reserved import is_reserved
from homesteward.home.view import HomeView
from homesteward.people import Caller
from homesteward.policy.impact import reached

SENT = frozenset({StepState.DONE, StepState.FAILED, StepState.UNCERTAIN})
OVER = frozenset({PlanState.COMPLETED, PlanState.PARTIAL, PlanState.FAILED, PlanState.INTERRUPTED})
UNDER_WAY = frozenset({PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING})
MOST_NAMED = 5
SAME = "Everything this plan touched is as it was before."
CHANGED = "it was changed since by something else"
BEYOND = "there is more, beyond what you may reach"
UNREADABLE = "its value is a secret, and was not kept"
NOT_SEEN = "it does things that cannot be seen from here"


@dataclass(frozen=True, slots=True)
class Left:
    """What an undo leaves as it is (an entity, or a service that named none), and why."""

    entity_id: str
    why: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The way back of a whole plan: calls in their order, each for all entities that take the same, and what is left."""

    calls: tuple[ResolvedCall, ...]
    left: tuple[Left, ...]

    def for_whom(self, by: Caller, home: HomeView) -> Undo:
        """Return what of it exists for `by`; that there is more is said, and not what."""
        if (reach := by.reach) is None:
            return self
        calls = tuple(
            replace(call, entity_ids=inside)
            for call in self.calls
            if (inside := tuple(entity_id for entity_id in call.entity_ids if reach.holds(home, entity_id)))
        )
        left = tuple(each for each in self.left if reach.holds(home, each.entity_id))
        beyond = left != self.left or _entities(calls) != _entities(self.calls)
        return Undo(calls, (*left, Left("", BEYOND)) if beyond else left)

    def cut_to(self, most: int) -> Undo:
        """Return its first `most` calls, the rest of them among what is left."""
        rest = [Left(entity_id, f"only {most} calls go at once") for entity_id in _entities(self.calls[most:])]
        return Undo(self.calls[:most], (*self.left, *rest))


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo came to: the plans that take it back, one per verdict, and what is left as it is."""

    plans: tuple[Plan, ...]
    left: tuple[Left, ...]


@dataclass(frozen=True, slots=True)
class Trace:
    """One entity that a plan touched: as it was found, as it was left where that is known, and whether it was seen so."""

    before: State
    after: State | None
    sure: bool


def undo_of(plan: Plan, home: HomeView) -> Undo:
    """Return the way back of what `plan` did to the home's states; raise CannotUndoError where it did nothing.

    Only what the plan changed is brought back, and nothing that was changed since by something else: somebody wanted that later.
    """
    require_undoable(plan)
    calls: list[ResolvedCall] = []
    left: list[Left] = [Left(subject, why) for subject, why in _one_way(plan, home)]
    for entity_id, trace in _traces(plan).items():
        found = _way_back(trace, home.states.get(entity_id), plan)
        calls += found.calls
        left += found.left
    return Undo(tuple(together(calls)), tuple(dict.fromkeys(left)))


def require_undoable(plan: Plan) -> None:
    """Raise CannotUndoError for a plan that did nothing, or is not over."""
    if plan.state not in OVER or not any(step.state in SENT for step in plan.steps):
        raise CannotUndoError(
            f"This plan is {plan.state}: it did nothing that could be taken back.", next="There is nothing to do."
        )


def cannot_undo(left: Sequence[Left]) -> CannotUndoError:
    """Return the error of a plan of which nothing can be taken back, with the reasons."""
    named = "; ".join(f"{each.entity_id}: {each.why}".removeprefix(": ") for each in left[:MOST_NAMED])
    more = f" and {len(left) - MOST_NAMED} more" if len(left) > MOST_NAMED else ""
    why = f"Nothing of this plan can be taken back: {named}{more}." if left else SAME
    return CannotUndoError(why, next="Change by hand what should be otherwise." if left else "There is nothing to do.")


def require_no_other(others: Iterable[Plan | None]) -> None:
    """Raise CannotUndoError while another plan that takes the same one back has not come to its end."""
    for other in others:
        if other is not None and other.state in UNDER_WAY:
            raise CannotUndoError(
                f"Plan {other.id}, which takes this one back, is {other.state}.", next="Decide about that one first."
            )


def undone_json(plans: Iterable[Mapping[str, JsonValue]], left: Iterable[Left]) -> dict[str, JsonValue]:
    """Return an undo as it is shown to others: the plan that waits, else the first, with all `plans` and what is `left`."""
    shown = list(plans)
    waiting = (plan for plan in shown if plan["state"] == PlanState.WAITING)
    main = next(waiting, shown[0] if shown else {})
    return {**main, "plans": shown, "left": [{"entity_id": each.entity_id, "why": each.why} for each in left]}


def _traces(plan: Plan) -> Mapping[str, Trace]:
    """Return each entity as it was before the first step that touched it and after the last, those touched last first."""
    found: dict[str, Trace] = {}
    for step in _sent(plan):
        sure = {seen.entity_id: seen.status is Status.VERIFIED for seen in step.evidence}
        after = states_of(step.after)
        for entity_id, before in states_of(step.before).items():
            if before.domain in WAYS:
                first = found.pop(entity_id, None)
                was = first.before if first else before
                found[entity_id] = Trace(was, after.get(entity_id), sure.get(entity_id, True))
    return dict(reversed(found.items()))


def _way_back(trace: Trace, now: State | None, plan: Plan) -> Undo:
    """Return the way back of one entity: of what the plan changed about it, unless something else has changed that since."""
    before, left_at = trace.before, _left_at(trace, now, plan)
    if not trace.sure and now is not None and now is left_at and _long_after(plan, now):
        return Undo((), (Left(before.entity_id, CHANGED),) if differing(before, now) else ())
    aspects = differing(before, left_at, strictly=True) if left_at else (STATE,)
    if not aspects:
        return Undo((), ())
    if now is not None and left_at is not None and now.available and set(aspects) & set(differing(left_at, now)):
        again = differing(before, now)
        return Undo((), (Left(before.entity_id, CHANGED),)) if set(aspects) & set(again) else Undo((), ())
    back = way_back(_aimed_at(before, now, aspects), now)
    return Undo(back.calls, tuple(Left(before.entity_id, why) for why in back.cannot))


def _left_at(trace: Trace, now: State | None, plan: Plan) -> State | None:
    """Return the state in which the plan left an entity. What it was still on its way to when the plan ended counts as its doing."""
    contexts = {step.context_id for step in plan.steps if step.context_id}
    ours = now is not None and bool({now.context_id, now.context_parent_id} & contexts)
    ended = trace.after is not None and trace.sure and trace.after.state not in ON_THE_WAY
    return trace.after if ended and not ours else now


def _long_after(plan: Plan, now: State) -> bool:
    """Return whether the entity changed when what the plan did to it could not come true any more."""
    if plan.finished is None or now.last_changed is None:
        return False
    return now.last_changed > plan.finished + timedelta(seconds=LATE_S)


def _aimed_at(before: State, now: State | None, aspects: tuple[str, ...]) -> State:
    """Return the state to go back to: as it is now, but for what the plan changed."""
    if now is None or not before.available:
        return before
    was = {name: before.attributes.get(name) for name in aspects if name != STATE}
    state = before.state if STATE in aspects else now.state
    return replace(before, state=state, attributes={**before.attributes, **now.attributes, **was})


def _one_way(plan: Plan, home: HomeView) -> Iterator[tuple[str, str]]:
    """Yield what the plan did that no call takes back, each thing or service with the reason."""
    for step in _sent(plan):
        named = list(_named(step, home))
        yield from named
        yield from ((entity_id, UNREADABLE) for entity_id in withheld(step.before))
        if more := left_out(step.before):
            yield step.call.id, f"it reached {more} things more than are kept"
        if not named and not any(state.domain in WAYS for state in states_of(step.before).values()):
            yield step.call.id, "no call brings it back"


def _sent(plan: Plan) -> Iterator[Step]:
    """Yield what was sent to Home Assistant; the room of a reserved call knows its own way back."""
    return (step for step in plan.steps if step.state in SENT and not is_reserved(step.call.domain))


def _named(step: Step, home: HomeView) -> Iterator[tuple[str, str]]:
    """Yield the ends of the step that are over when they have happened, and those that cannot be seen."""
    call = step.call
    for target in call.entity_ids or (None,):
        for each in reached(call, target, home):
            if call.id in RUNS_NOTHING and each.trail:
                continue
            if not each.domain:
                yield (target or call.id), NOT_SEEN
                continue
            service = f"{each.domain}.{each.service}"
            subject = each.at or service
            if each.at not in home.bodies and (why := why_one_way(subject.partition(".")[0], service)):
                yield subject, why


# These act on the script or automation itself: what is in its body did not happen.
RUNS_NOTHING = frozenset({"script.turn_off", "automation.turn_on", "automation.turn_off", "automation.toggle"})


def together(calls: list[ResolvedCall]) -> Iterator[ResolvedCall]:
    """Yield one call for all entities that take the same service and data, where the first of them stood."""
    merged: dict[tuple[str, bytes], list[str]] = {}
    for call in calls:
        merged.setdefault((call.id, canonical(call.data)), []).extend(call.entity_ids)
    first: dict[tuple[str, bytes], ResolvedCall] = {}
    for call in calls:
        first.setdefault((call.id, canonical(call.data)), call)
    for key, call in first.items():
        yield ResolvedCall(call.domain, call.service, tuple(merged[key]), call.data)


def _entities(calls: Iterable[ResolvedCall]) -> list[str]:
    return [entity_id for call in calls for entity_id in call.entity_ids]
