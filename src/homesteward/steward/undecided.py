"""What was asked for in a conversation and waits for somebody's approval: if nobody decides in time, the conversation is told, once."""

from collections import OrderedDict
from dataclasses import dataclass

from homesteward.actions import Gate, Needs, Plan, PlanState
from homesteward.actions.rights import same_asker
from homesteward.core import HomestewardError
from homesteward.people import Caller

MOST = 500  # conversations; the oldest is forgotten first
MOST_PLANS = 10  # of one conversation; the notice tells of every one


@dataclass(frozen=True, slots=True)
class _Waiting:
    caller: Caller
    plan_ids: tuple[str, ...]


class Undecided:
    """Remember, per conversation, the plans that wait for an approval."""

    def __init__(self, gate: Gate) -> None:
        """Ask `gate` what became of them."""
        self._gate = gate
        self._waiting: OrderedDict[str, _Waiting] = OrderedDict()

    def note(self, conversation_id: str, caller: Caller, plans: tuple[Plan, ...]) -> None:
        """Remember those of `plans` that wait for an approval."""
        ids = tuple(plan.id for plan in plans if plan.state is PlanState.WAITING and plan.needs is Needs.APPROVE)
        if not ids:
            return
        before = self._waiting.pop(conversation_id, None)
        known = before.plan_ids if before and same_asker(before.caller, caller) else ()
        self._waiting[conversation_id] = _Waiting(caller, (*known, *ids)[-MOST_PLANS:])
        while len(self._waiting) > MOST:
            self._waiting.popitem(last=False)

    async def expired(self, conversation_id: str, caller: Caller) -> tuple[Plan, ...]:
        """Return the plans of this conversation and caller that nobody decided about in time, each of them once."""
        waiting = self._waiting.get(conversation_id)
        if waiting is None or not same_asker(waiting.caller, caller):
            return ()
        found = [plan for plan_id in waiting.plan_ids if (plan := await self._plan(plan_id))]
        still = tuple(plan.id for plan in found if plan.state is PlanState.WAITING)
        if still:
            self._waiting[conversation_id] = _Waiting(waiting.caller, still)
        else:
            self._waiting.pop(conversation_id, None)
        return tuple(plan for plan in found if plan.state is PlanState.EXPIRED)

    async def _plan(self, plan_id: str) -> Plan | None:
        try:
            return await self._gate.plan(plan_id)
        except HomestewardError:  # it is not there any more, and there is nothing to tell of it
            return None
