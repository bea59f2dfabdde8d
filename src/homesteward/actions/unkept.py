"""How plans ended that the store did not take: kept in memory until it writes again, so that none stays under way for ever."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from homesteward.actions.ending import left_unsure, unsure_of
from homesteward.actions.entries import Entry, end_entry
from homesteward.actions.plan import Plan, PlanState, Step
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.ties import Tell
from homesteward.core import HomestewardError

_LOGGER = logging.getLogger(__name__)

BROKE_OFF = "it broke off inside Homesteward"


@dataclass(frozen=True, slots=True)
class End:
    """How a plan ended, as it is to be written down; a plan that broke off has no `steps` of its own, and ends as far as it is stored."""

    plan: Plan
    state: PlanState
    steps: Sequence[Step] = ()
    entries: Sequence[Entry] = ()
    finished: datetime | None = None


class Unkept:
    """The ends of plans, written down at once where the store takes them, and as soon as it does where it does not."""

    def __init__(self, store: PlanStore, tell: Tell) -> None:
        """Write to `store`; `tell` hears of what was interrupted."""
        self._store, self._tell = store, tell
        self._ends: dict[str, End] = {}

    async def end(self, end: End) -> Plan:
        """Write the end down, now or later, and return the plan as it ended. What was sent was sent: nothing that fails here is raised."""
        self._ends[end.plan.id] = end
        try:
            return await self._write(end)
        except HomestewardError:
            _LOGGER.exception("How plan %s ended could not be kept; it is tried again", end.plan.id)
        return _as_known(end)

    async def interrupted(self, plan: Plan) -> Plan:
        """Leave a plan that broke off interrupted, and return it so."""
        return await self.end(End(plan, PlanState.INTERRUPTED))

    async def settle(self) -> None:
        """Write down what could not be before; what cannot be now either is left for the next time."""
        for end in list(self._ends.values()):
            try:
                await self._write(end)
            except HomestewardError as error:
                _LOGGER.debug("How plan %s ended can still not be kept: %s", end.plan.id, error.code)
                return

    async def _write(self, end: End) -> Plan:
        broke_off = end.state is PlanState.INTERRUPTED
        now = (await self._store.get(end.plan.id) or end.plan) if broke_off else end.plan
        steps = left_unsure(now.steps) if broke_off else end.steps
        entries = [end_entry(now.id, end.state, why=BROKE_OFF)] if broke_off else end.entries
        path = (PlanState.EXECUTING, end.state)
        moved = await self._store.advance(now.id, path, steps, entries=entries, finished=end.finished)
        self._ends.pop(end.plan.id, None)
        known = _as_known(replace(end, plan=now))
        if broke_off and moved:
            self._tell("plan_interrupted", now.id, unsure_of(known), "")
        # it has ended already where its end was kept and only the answer was lost
        return known if moved else await self._as_stored(known)

    async def _as_stored(self, known: Plan) -> Plan:
        return await self._store.get(known.id) or known


def _as_known(end: End) -> Plan:
    """Return the plan as it is known to have ended, whatever of that is stored."""
    changed = {step.n: step for step in end.steps or left_unsure(end.plan.steps)}
    steps = tuple(changed.get(step.n, step) for step in end.plan.steps)
    return replace(end.plan, state=end.state, steps=steps, finished=end.finished)
