"""How a schedule lies in the database."""

from dataclasses import asdict
from typing import Any

from sqlalchemy import RowMapping

from homesteward.actions.agreed import Agreed
from homesteward.actions.schedule.asked import AskedCondition
from homesteward.actions.schedule.conditions import Condition, condition_json
from homesteward.actions.schedule.schedule import Schedule, ScheduleState, call_json
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.people.reach import reach_from
from homesteward.policy import Action


def row_of(home_id: str, schedule: Schedule) -> dict[str, Any]:
    """Return the row of a schedule."""
    caller, agreed = schedule.caller, asdict(schedule.agreed)
    del agreed["call"], agreed["schedule"]
    names = ("id", "at", "latest", "created", "request", "run_id", "plan_id", "claimed", "ended", "why")
    return {
        **{name: getattr(schedule, name) for name in names},
        "home_id": home_id,
        "state": schedule.state.value,
        "caller": _caller_row(caller),
        "person_id": caller.person_id,
        "device_id": caller.device_id or "",
        "token_id": caller.token_id,
        "call": call_json(schedule.call),
        "hash": schedule.agreed.hash,
        "conditions": [condition_json(condition) for condition in schedule.conditions],
        "ends": call_json(schedule.ends) if schedule.ends else None,
        "agreed": agreed,
    }


def schedule_of(row: RowMapping) -> Schedule:
    """Return the schedule of a row. What was agreed to is bound to the hash that stands beside it."""
    call = call_of(row["call"])
    agreed = {**row["agreed"], "hash": row["hash"], "action": Action(row["agreed"]["action"])}
    return Schedule(
        id=row["id"],
        at=row["at"],
        latest=row["latest"],
        created=row["created"],
        caller=_caller_of(row),
        request=row["request"],
        call=call,
        agreed=Agreed(schedule=row["id"], call=call, **agreed),
        conditions=tuple(condition_of(each) for each in row["conditions"]),
        ends=call_of(row["ends"]) if row["ends"] else None,
        run_id=row["run_id"],
        plan_id=row["plan_id"],
        state=ScheduleState(row["state"]),
        claimed=row["claimed"],
        ended=row["ended"],
        why=row["why"],
    )


def call_of(kept: JsonObject) -> ResolvedCall:
    """Return the call that `call_json` wrote."""
    target, data = kept["target"], kept["data"]
    if not isinstance(target, dict) or not isinstance(data, dict):
        raise TypeError("a call was kept that is none")
    return ResolvedCall(str(kept["domain"]), str(kept["service"]), tuple(target["entity_id"]), data)


def condition_of(kept: JsonObject) -> Condition:
    """Return the condition that `condition_json` wrote."""
    asked = AskedCondition.model_validate(dict(kept))
    return Condition(asked.entity_id, asked.state, asked.above, asked.below, asked.attribute, asked.unchanged)


def _caller_row(caller: Caller) -> dict[str, Any]:
    return {
        "role": caller.role.value,
        "person": caller.person,
        "area_id": caller.area_id,
        "scopes": sorted(scope.value for scope in caller.scopes) if caller.scopes is not None else None,
        "reach": caller.reach.as_json() if caller.reach is not None else None,
    }


def _caller_of(row: RowMapping) -> Caller:
    """Return who asked, as they were: it is asked anew whether they still are. Nobody proves anything by having waited."""
    kept = row["caller"]
    return Caller(
        Role(kept["role"]),
        Channel.TRIGGER,
        kept["person"],
        kept["area_id"],
        person_id=row["person_id"],
        device_id=row["device_id"] or None,
        token_id=row["token_id"],
        scopes=frozenset(map(Scope, kept["scopes"])) if kept["scopes"] is not None else None,
        reach=reach_from(kept["reach"]),
    )
