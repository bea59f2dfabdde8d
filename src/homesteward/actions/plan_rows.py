"""How a plan lies in the database: rows to plans, and plans to rows."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import RowMapping

from homesteward.actions.plan import Evidence, Needs, Plan, PlanState, Status, Step, StepState
from homesteward.actions.reached import Reached
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, Decision, Impact, Level

type Row = dict[str, Any]


def plan_row(plan: Plan) -> Row:
    """Return the plan's own row."""
    return {
        "home_id": plan.home_id,
        "id": plan.id,
        "state": plan.state.value,
        "needs": plan.needs.value if plan.needs else None,
        "role": plan.caller.role.value,
        "channel": plan.caller.channel.value,
        "person": plan.caller.person,
        "area_id": plan.caller.area_id,
        "person_id": plan.caller.person_id,
        "device_id": plan.caller.device_id or "",
        "token_id": plan.caller.token_id,
        "request": plan.request,
        "run_id": plan.run_id,
        "hash": plan.hash,
        "created": plan.created,
        "expires": plan.expires,
        "decided_by": plan.decided_by,
        "decided_person_id": plan.decided_person_id,
        "finished": plan.finished,
        "undoes": plan.undoes,
        "schedule": plan.schedule,
    }


def step_row(home_id: str, plan_id: str, step: Step) -> Row:
    """Return the row of one step."""
    return {"home_id": home_id, "plan_id": plan_id, "n": step.n, **_asked(step), **progress(step)}


def progress(step: Step) -> Row:
    """Return the columns of a step that change while it runs; what was asked and decided never does."""
    return {
        "state": step.state.value,
        "before": dict(step.before),
        "after": dict(step.after),
        "evidence": [_evidence_row(seen) for seen in step.evidence],
        "error": step.error,
        "context_id": step.context_id,
        "note": step.note,
    }


def plan_of(row: RowMapping, steps: Iterable[RowMapping], undone_by: Iterable[str] = ()) -> Plan:
    """Return the plan of a row and the rows of its steps, which come in their order; `undone_by` are the plans that take it back."""
    return Plan(
        id=row["id"],
        home_id=row["home_id"],
        state=PlanState(row["state"]),
        caller=_caller_of(row),
        request=row["request"],
        created=row["created"],
        expires=row["expires"],
        hash=row["hash"],
        steps=tuple(_step_of(step) for step in steps),
        needs=Needs(row["needs"]) if row["needs"] else None,
        run_id=row["run_id"],
        decided_by=row["decided_by"],
        decided_person_id=row["decided_person_id"],
        finished=row["finished"],
        undoes=row["undoes"],
        schedule=row["schedule"],
        undone_by=tuple(undone_by),
    )


def _caller_of(row: RowMapping) -> Caller:
    """Return who asked. Scopes, reach and proof are of the moment, and were looked at then."""
    return Caller(
        Role(row["role"]),
        Channel(row["channel"]),
        row["person"],
        row["area_id"],
        person_id=row["person_id"],
        device_id=row["device_id"] or None,
        token_id=row["token_id"],
    )


def _asked(step: Step) -> Row:
    decision = step.decision
    return {
        "domain": step.call.domain,
        "service": step.call.service,
        "entity_ids": list(step.call.entity_ids),
        "data": dict(step.call.data),
        "healed": list(step.call.healed),
        "decision": {
            "action": decision.action.value,
            "rule": decision.rule,
            "reason": decision.reason,
            "level": decision.impact.level.word,
            "impact": decision.impact.reason,
            "by_owner": decision.by_owner,
            "pin": decision.pin,
            "notify": decision.notify,
            "window": decision.window.total_seconds() if decision.window is not None else None,
            "path": list(decision.path),
            "outside": decision.outside,
            "unrelated": decision.unrelated,
            "ajar": list(decision.ajar),
        }
        | _reached_row(step.reached)
        | ({"told": {"summary": step.summary, "diff": step.diff}} if step.summary or step.diff else {}),
    }


def _reached_row(reached: Reached) -> Row:
    return {"reached": {"print": reached.print, "ends": list(reached.ends), "more": reached.more}}


def _reached_of(row: Row) -> Reached:
    kept = row.get("reached") or {}
    return Reached(kept.get("print", ""), tuple(kept.get("ends", ())), kept.get("more", 0))


def _told_of(row: Row) -> dict[str, str]:
    told = row.get("told") or {}
    return {"summary": told.get("summary", ""), "diff": told.get("diff", "")}


def _evidence_row(seen: Evidence) -> Row:
    return {
        "entity_id": seen.entity_id,
        "expected": seen.expected,
        "observed": seen.observed,
        "status": seen.status.value,
        "at": seen.at.isoformat(),
        "already": seen.already,
        "note": seen.note,
    }


def _step_of(row: RowMapping) -> Step:
    return Step(
        n=row["n"],
        call=ResolvedCall(row["domain"], row["service"], tuple(row["entity_ids"]), row["data"], tuple(row["healed"])),
        decision=_decision_of(row["decision"]),
        state=StepState(row["state"]),
        before=row["before"],
        after=row["after"],
        evidence=_evidence_of(row["evidence"]),
        error=row["error"],
        context_id=row["context_id"],
        note=row["note"],
        reached=_reached_of(row["decision"]),
        **_told_of(row["decision"]),
    )


def _decision_of(row: Row) -> Decision:
    impact = Impact(Level[row["level"].upper()], row["impact"])
    decision = Decision(Action(row["action"]), row["rule"], row["reason"], impact, row["by_owner"])
    window = row.get("window")
    return replace(
        decision,
        pin=row.get("pin", False),
        notify=row.get("notify", False),
        window=timedelta(seconds=window) if window is not None else None,
        path=tuple(row.get("path", ())),
        outside=row.get("outside", False),
        unrelated=row.get("unrelated", False),
        ajar=tuple(row.get("ajar", ())),
    )


def _evidence_of(rows: Sequence[Row]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(
            row["entity_id"],
            row["expected"],
            row["observed"],
            Status(row["status"]),
            datetime.fromisoformat(row["at"]),
            already=row["already"],
            note=row.get("note", ""),
        )
        for row in rows
    )
