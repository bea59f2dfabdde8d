"""Calling off what is still to come: a bare "never mind" means what was asked for last, "cancel the sprinklers" what it names."""

from collections.abc import Sequence
from dataclasses import dataclass

from homesteward.actions import Gate, Mode, Plan, PlanState
from homesteward.actions.schedule import Schedule, ScheduleState, ScheduleStore
from homesteward.actions.schedule.asking import called_off
from homesteward.actions.schedule.store import listed
from homesteward.core import Clock
from homesteward.home.live import LiveHome
from homesteward.language import stays_scheduled
from homesteward.language.later import SCHEDULE, UNSCHEDULE
from homesteward.people import Caller
from homesteward.steward.consent import Consent
from homesteward.steward.following import withdraw


@dataclass(frozen=True, slots=True)
class Asking:
    """Whoever calls something off, and the run and the words that they do it with."""

    caller: Caller
    run_id: str
    text: str
    mode: Mode


class CallingOff:
    """Call off what is scheduled or waits, through the gate like anything else."""

    def __init__(self, gate: Gate, consent: Consent, store: ScheduleStore | None, clock: Clock) -> None:
        """Call off what `store` keeps; without one, only what waits for somebody."""
        self._gate, self._consent, self._store, self._clock = gate, consent, store, clock

    async def last(self, plan_ids: tuple[str, ...], asking: Asking) -> tuple[Plan, ...]:
        """Call off what was asked for last, and end what of it has begun; nothing where all of it is over."""
        plans = [await self._gate.plan(plan_id) for plan_id in plan_ids]
        if not any([plan.state is PlanState.WAITING or await self._is_to_come(plan) for plan in plans]):
            return ()
        by = (asking.caller, asking.run_id, asking.mode)
        return (await withdraw(self._gate, self._consent, plan_ids, *by)).plans

    async def named(
        self, names: frozenset[str], acts: Sequence[tuple[str, ...]], asking: Asking
    ) -> tuple[tuple[Plan, ...], tuple[Schedule, ...]]:
        """Call off the one thing scheduled that is about no more than `names`; return the plans, or everything that it may mean.

        Where it is the end of what has begun already, that is ended now: it must not go on for good. `acts` are the plans of each
        request that was made in this conversation.
        """
        meant = [each for each in await self.mine(asking.caller) if names & set(each.call.entity_ids)]
        first = [each for each in meant if not any(other.call == each.ends for other in meant)]
        if len(first) != 1 or not set(first[0].call.entity_ids) <= names:
            return (), tuple(meant)
        [one] = first
        if one.ends is not None:
            ids = next((ids for ids in acts if one.plan_id in ids), (one.plan_id,))
            by = (asking.caller, asking.run_id, asking.mode)
            return (await withdraw(self._gate, self._consent, ids, *by)).plans, ()
        call = called_off(one.id)
        plans = await self._gate.submit(
            (call,), asking.caller, request=asking.text, run_id=asking.run_id, mode=asking.mode
        )
        return plans, ()

    async def mine(self, caller: Caller) -> tuple[Schedule, ...]:
        """Return what is still to be done, as far as it exists for `caller`."""
        return await listed(self._store, caller) if self._store else ()

    def stays(self, found: Sequence[Schedule], home: LiveHome, language: str) -> str:
        """Return in words what of it stays scheduled."""
        return stays_scheduled([(each.call, each.at) for each in found], home, language, self._clock.now())

    async def _is_to_come(self, plan: Plan) -> bool:
        """Return whether something that the plan scheduled waits for its time."""
        kept = [str(step.after.get("id", "")) for step in plan.steps if step.call.id == SCHEDULE and step.after]
        found = [await self._store.get(schedule_id) for schedule_id in kept] if self._store else []
        return any(each is not None and each.state is ScheduleState.WAITING for each in found)


def calls_off(plan: Plan) -> bool:
    """Return whether the plan only takes back or calls off: "undo that" is about what was asked for before it."""
    return bool(plan.undoes) or all(step.call.id == UNSCHEDULE for step in plan.steps)
