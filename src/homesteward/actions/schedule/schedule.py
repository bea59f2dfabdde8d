"""A schedule: one call that is to be made once, later, for whoever asked, by the yes that it was given."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, tzinfo
from enum import StrEnum

from homesteward.actions.agreed import Agreed
from homesteward.actions.rights import same_asker
from homesteward.actions.schedule.conditions import Condition, condition_json
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Role, Scope


class ScheduleState(StrEnum):
    """What became of a schedule; no other states exist."""

    WAITING = "waiting"
    FIRING = "firing"
    """Claimed: of any number of hands, one has it."""
    DONE = "done"
    FAILED = "failed"
    """It was tried, and not all of it was seen to happen."""
    MISSED = "missed"
    """Its time was past by more than such an act may be late."""
    DROPPED = "dropped"
    """At its time it was not to be done: refused, a condition did not hold, or what it was the end of never happened."""
    CANCELLED = "cancelled"


S = ScheduleState
WAYS: Mapping[ScheduleState, frozenset[ScheduleState]] = {
    S.WAITING: frozenset({S.FIRING, S.CANCELLED, S.DROPPED}),
    S.FIRING: frozenset({S.WAITING, S.DONE, S.FAILED, S.MISSED, S.DROPPED}),  # back only where nothing was sent
    S.DONE: frozenset(),
    S.FAILED: frozenset(),
    S.MISSED: frozenset(),
    S.DROPPED: frozenset(),
    S.CANCELLED: frozenset(),
}


@dataclass(frozen=True, slots=True)
class Schedule:
    """One schedule. It is due at `at`, and not done any more after `latest`; `run_id` and `plan_id` say what it came from.

    `ends` is the call that it is the end of ("on for an hour"): where that was not done, this is not either.
    """

    id: str
    at: datetime
    latest: datetime
    created: datetime
    caller: Caller
    request: str
    call: ResolvedCall
    agreed: Agreed
    conditions: tuple[Condition, ...] = ()
    ends: ResolvedCall | None = None
    run_id: str = ""
    plan_id: str = ""
    state: ScheduleState = ScheduleState.WAITING
    claimed: datetime | None = None
    ended: datetime | None = None
    why: str = ""


def schedule_visible(schedule: Schedule, by: Caller) -> bool:
    """Return whether the schedule exists for `by`: their own, or as an owner who reaches everything anybody's."""
    if by.role in {Role.OWNER, Role.SYSTEM} and by.may(Scope.ADMIN) and by.reach is None:
        return True
    return same_asker(schedule.caller, by)


def schedule_json(schedule: Schedule, now: datetime, zone: tzinfo | None = None) -> JsonObject:
    """Return the schedule as it is shown to others; with the `zone` of the home `when` is its time by the home's clock."""
    return {
        "id": schedule.id,
        "state": schedule.state.value,
        "at": schedule.at.isoformat(),
        **({"when": f"{schedule.at.astimezone(zone):%Y-%m-%d %H:%M}"} if zone else {}),
        "in_s": max(0, round((schedule.at - now).total_seconds())),
        "latest": schedule.latest.isoformat(),
        "created": schedule.created.isoformat(),
        "ended": schedule.ended.isoformat() if schedule.ended else None,
        "request": schedule.request,
        "person": schedule.caller.person,
        "role": schedule.caller.role.value,
        "call": call_json(schedule.call),
        "if": [condition_json(condition) for condition in schedule.conditions],
        "ends": call_json(schedule.ends) if schedule.ends else None,
        "agreed": {"action": schedule.agreed.action.value, "by": schedule.agreed.by or None},
        "plan_id": schedule.plan_id,
        "why": schedule.why,
    }


def call_json(call: ResolvedCall) -> dict[str, JsonValue]:
    """Return a call as it stands in the data of a reserved call and in the database."""
    return {
        "domain": call.domain,
        "service": call.service,
        "target": {"entity_id": list(call.entity_ids)},
        "data": dict(call.data),
    }
