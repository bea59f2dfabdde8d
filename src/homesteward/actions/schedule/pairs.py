"""Two halves: something is done for a while, and the call that ends it is worked out from how things were before."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from homesteward.actions.agreed import uncoded
from homesteward.actions.before import states_of
from homesteward.actions.errors import GateError
from homesteward.actions.plan import Plan, PlanState, Status, Step, StepState
from homesteward.actions.reach import resolve_for
from homesteward.actions.schedule.schedule import Schedule, call_json
from homesteward.actions.undo import together
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.effects import effect_of, observed_of
from homesteward.home.effects.inverse import way_back
from homesteward.home.effects.material import differing
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.home.reserved import OWN
from homesteward.home.view import HomeView
from homesteward.people import Caller

SCHEDULE, UNSCHEDULE = "schedule", "unschedule"
# What ends a thing that is so already: it has no other state before to go back to.
ENDS = {"turn_on": "turn_off", "open_cover": "close_cover", "open_valve": "close_valve", "unlock": "lock"}
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
HAPPENED = frozenset({StepState.DONE, StepState.UNCERTAIN})


class CannotEndError(GateError):
    """What is asked for a while cannot be taken back afterwards, so nothing of it is done."""

    code = "cannot_end"


def timed(
    calls: Sequence[Call],
    home: LiveHome,
    caller: Caller,
    *,
    at: datetime | None = None,
    until: datetime | None = None,
    conditions: Sequence[JsonValue] = (),
) -> tuple[Call, ...]:
    """Return the calls that have `calls` made at `at` (None: now), if the conditions hold then, and taken back at `until`.

    Raises CannotEndError where what is to be taken back has no end, and what resolving raises.
    """
    more: dict[str, JsonValue] = {"if": list(conditions)} if conditions else {}
    begun = tuple(calls) if at is None else tuple(_reserved(_asked_json(call), at, more) for call in calls)
    return (*begun, *_endings(calls, until, home, caller)) if until else begun


def _endings(calls: Sequence[Call], until: datetime, home: LiveHome, caller: Caller) -> Iterator[Call]:
    for call in calls:
        first = resolve_for(home, caller, call)
        yield from (_reserved(call_json(back), until, {"ends": call_json(first)}) for back in taking_back(first, home))


def taking_back(call: ResolvedCall, home: HomeView) -> tuple[ResolvedCall, ...]:
    """Return the calls that bring everything `call` changes back to how it is now; raise CannotEndError where there is none."""
    found = [back for entity_id in observed_of(call, home) for back in _way_back(call, entity_id, home)]
    if not found:
        raise CannotEndError(f"Nothing ends {call.id}.", next="Ask for it without an end, and for the end as well.")
    return tuple(together(found))


def done_of(schedule: Schedule, plans: Sequence[Plan], home: HomeView) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the entities of a second half whose first half was done, and those of them that are still as it left them."""
    happened = dict(_first_halves(schedule, plans, home))
    done = tuple(entity_id for entity_id in schedule.call.entity_ids if entity_id in happened)
    return done, tuple(each for each in done if _as_left(happened[each], each, home))


def _first_halves(schedule: Schedule, plans: Sequence[Plan], home: HomeView) -> Iterator[tuple[str, Step]]:
    for plan in plans:
        for step in plan.steps if plan.state is not PlanState.SIMULATED else ():
            if schedule.ends is not None and _same(step.call, schedule.ends):
                yield from ((entity_id, step) for entity_id in observed_of(step.call, home) if _done(step, entity_id))


def _same(one: ResolvedCall, other: ResolvedCall) -> bool:
    return (one.id, uncoded(one)) == (other.id, uncoded(other))


def _done(step: Step, entity_id: str) -> bool:
    """Return whether the step did what it should to the entity, or found it so; what nobody could see counts as done."""
    seen = next((each for each in step.evidence if each.entity_id == entity_id), None)
    if seen is not None:
        return seen.status in {Status.VERIFIED, Status.UNCERTAIN}
    return step.state in HAPPENED


def _as_left(step: Step, entity_id: str, home: HomeView) -> bool:
    """Return whether nobody has changed since what the first half changed about the entity."""
    now, before, after = home.states.get(entity_id), states_of(step.before), states_of(step.after)
    if now is None or effect_of(step.call, entity_id, home).holds(now):
        return True
    was, left = before.get(entity_id), after.get(entity_id)
    if was is None or left is None:
        return False
    return not set(differing(was, left)) & set(differing(left, now))


def _way_back(call: ResolvedCall, entity_id: str, home: HomeView) -> tuple[ResolvedCall, ...]:
    state = home.states.get(entity_id)
    if state is None:
        return ()
    effect = effect_of(call, entity_id, home)
    if effect.already(state):
        return _end(call, state)
    after = effect.apply(state, state.last_updated or state.last_changed or EPOCH)
    back = way_back(state, after)
    if back.cannot:
        raise CannotEndError(
            f"{entity_id} cannot be brought back afterwards: {'; '.join(back.cannot)}.",
            next="Ask for it without an end, and for the end as well.",
        )
    return back.calls


def _end(call: ResolvedCall, state: State) -> tuple[ResolvedCall, ...]:
    service = ENDS.get(call.service)
    return (ResolvedCall(state.domain, service, (state.entity_id,)),) if service else ()


def _reserved(call: JsonValue, at: datetime, more: JsonObject) -> Call:
    return Call(OWN, SCHEDULE, data={"call": call, "at": at.isoformat(), **more})


def _asked_json(call: Call) -> dict[str, JsonValue]:
    """Return a call as it was asked for, to stand in the data of another."""
    target = call.target
    aims = {
        "entity_id": target.entity_id,
        "device_id": target.device_id,
        "area_id": target.area_id,
        "floor_id": target.floor_id,
        "label_id": target.label_id,
    }
    aimed: dict[str, JsonValue] = {name: list(ids) for name, ids in aims.items() if ids}
    return {"domain": call.domain, "service": call.service, "target": aimed, "data": dict(call.data)}
