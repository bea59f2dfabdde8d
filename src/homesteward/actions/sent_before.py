"""What was sent before a restart, read from the plans: limits on how often a thing is done outlive the process that counts."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, or_, select

from homesteward.actions.plan import PlanState, StepState
from homesteward.home.calls import ResolvedCall
from homesteward.store.tables import plans, steps

MOST = 5000  # steps, the newest; a day of one every 17 seconds
CUT_OFF = frozenset({PlanState.EXECUTING.value, PlanState.INTERRUPTED.value})

type Sent = tuple[ResolvedCall, datetime]


def sent_since(connection: Connection, home_id: str, since: datetime) -> tuple[Sent, ...]:
    """Return the calls that were sent, or may have been, since then, each with its moment as near as it is known; the oldest first."""
    unfinished = and_(plans.c.finished.is_(None), plans.c.state.in_(CUT_OFF), plans.c.created >= since)
    asked = (
        select(steps, plans.c.created, plans.c.finished)
        .join(plans, and_(plans.c.home_id == steps.c.home_id, plans.c.id == steps.c.plan_id))
        .where(steps.c.home_id == home_id, or_(plans.c.finished >= since, unfinished))
        .where(or_(steps.c.context_id.is_not(None), steps.c.state == StepState.UNCERTAIN.value))
        .order_by(plans.c.created.desc())
        .limit(MOST)
    )
    found = [_sent(row) for row in connection.execute(asked).mappings()]
    return tuple(sorted((each for each in found if each[1] >= since), key=lambda each: each[1]))


def _sent(row: RowMapping) -> Sent:
    call = ResolvedCall(row["domain"], row["service"], tuple(row["entity_ids"]), row["data"])
    return call, _moment(row["evidence"]) or row["finished"] or row["created"]


def _moment(evidence: Sequence[dict[str, Any]]) -> datetime | None:
    """Return when the first of the step's effects was seen: some seconds after it was sent at most."""
    return min((datetime.fromisoformat(seen["at"]) for seen in evidence if not seen["already"]), default=None)
