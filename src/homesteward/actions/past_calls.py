"""What was asked for in a span of time: steps of our plans, sent or not, and what others called, each once, with who stood behind it."""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from homesteward.actions.plan import Plan, PlanState, Step
from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Act, Call, Kind
from homesteward.chronicle.rows import Row
from homesteward.home.calls import ResolvedCall
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Decision

PAGE = 1000
OURS, PERSON, HOUSE = "homesteward", "person", "home assistant"
# A plan in one of these sent nothing: its steps are in no chronicle.
UNSENT = frozenset({PlanState.REJECTED, PlanState.EXPIRED, PlanState.CANCELLED, PlanState.SIMULATED, PlanState.WAITING})

type RoleOf = Callable[[str], Awaitable[Role | None]]
"""Give the role of a user of Home Assistant's, None for one that is not known here."""


@dataclass(frozen=True, slots=True)
class PastCall:
    """One call of the past. `then` is what we decided, where it was ours; `became` what came of it; `sent` whether we sent it."""

    at: datetime
    call: ResolvedCall
    caller: Caller
    by: str
    then: Decision | None = None
    became: str = ""
    sent: bool = False

    @property
    def ours(self) -> bool:
        """Return whether it was asked for here."""
        return self.by == OURS


async def rows_between(history: History, since: datetime, until: datetime, most: int) -> tuple[tuple[Row, ...], bool]:
    """Return the calls and acts of a span, the newest first, and whether there were more than `most`."""
    rows: list[Row] = []
    cursor = ""
    while len(rows) < most:
        asked = Query(kinds=frozenset({Kind.CALL, Kind.ACT}), since=since, until=until, limit=PAGE, cursor=cursor)
        page = await history.rows(asked)
        rows += page.rows
        if not page.truncated or page.cursor is None:
            return tuple(rows[:most]), len(rows) > most
        cursor = page.cursor
    return tuple(rows[:most]), True


async def past_calls(
    rows: Sequence[Row], plans: Sequence[Plan], span: tuple[datetime, datetime], role_of: RoleOf
) -> tuple[PastCall, ...]:
    """Return what was asked for, the oldest first; what we sent is not counted once more as a call that was heard."""
    steps = {(plan.id, step.n): (plan, step) for plan in plans for step in plan.steps}
    own = {row.record.context_id for row in rows if isinstance(row.record, Act) and row.record.context_id}
    found = list(_unsent(plans, span))
    for row in rows:
        match row.record:
            case Act():
                found.append(_of_act(row.record, steps.get((row.record.plan_id, row.record.step))))
            case Call() if row.context is None or row.context.id not in own:
                found.append(await _of_call(row, row.record, role_of))
            case _:
                pass
    return tuple(sorted(found, key=lambda past: past.at))


def _unsent(plans: Sequence[Plan], span: tuple[datetime, datetime]) -> Iterator[PastCall]:
    for plan in plans:
        if plan.state in UNSENT and span[0] <= plan.created < span[1]:
            for step in plan.steps:
                yield PastCall(plan.created, step.call, plan.caller, OURS, step.decision, plan.state.value)


def _of_act(act: Act, known: tuple[Plan, Step] | None) -> PastCall:
    caller = known[0].caller if known else Caller(_role(act.role), _channel(act.channel), act.person)
    call = ResolvedCall(act.domain, act.service, act.entity_ids, act.data)
    return PastCall(act.at, call, caller, OURS, known[1].decision if known else None, act.outcome, sent=True)


async def _of_call(row: Row, call: Call, role_of: RoleOf) -> PastCall:
    user_id = row.context.user_id if row.context else None
    role = await role_of(user_id) if user_id else None
    caller = Caller(role or (Role.MEMBER if row.user else Role.TRIGGER), Channel.API, row.user or "")
    resolved = ResolvedCall(call.domain, call.service, call.entity_ids, call.data)
    return PastCall(call.at, resolved, caller, PERSON if row.user else HOUSE, became="called")


def _role(word: str) -> Role:
    return Role(word) if word in set(Role) else Role.MEMBER


def _channel(word: str) -> Channel:
    return Channel(word) if word in set(Channel) else Channel.API
