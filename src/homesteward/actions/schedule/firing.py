"""A schedule comes to its time: claimed, looked at once more, and handed to the gate by the yes that it has. Once, or not at all."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from homesteward.actions.agreed import STRICTER
from homesteward.actions.gate import Gate
from homesteward.actions.plan import Plan, PlanState, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.schedule.conditions import unmet
from homesteward.actions.schedule.pairs import done_of
from homesteward.actions.schedule.reasons import Why, reason_of
from homesteward.actions.schedule.schedule import Schedule, ScheduleState
from homesteward.actions.schedule.store import ScheduleStore
from homesteward.actions.schedule.telling import Telling
from homesteward.core import Clock, HomestewardError
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class End:
    """What became of a schedule, and why where nothing came of it."""

    state: ScheduleState
    why: str = ""


class Firing:
    """Carry out schedules of one home that are due."""

    def __init__(
        self, gate: Gate, store: ScheduleStore, plans: PlanStore, home: LiveHome, clock: Clock, telling: Telling
    ) -> None:
        """Hand what is due to `gate`; `telling` puts down how each ends."""
        self._gate, self._store, self._plans = gate, store, plans
        self._home, self._clock, self._telling = home, clock, telling

    async def recover(self) -> None:
        """End what a process that died had claimed: nothing of it is done again, and whoever asked is told."""
        for schedule in await self._store.claimed():
            made = await self._plans.of_schedule(schedule.id)
            over = made and all(plan.state in OVER for plan in made)
            await self._end(schedule, self._end_of(made) if over else self._cut_off(made))

    async def claim(self, schedule: Schedule) -> Schedule | None:
        """Take a schedule that is due; None where another hand has it, or it is over."""
        return await self._store.claim(schedule.id, self._clock.now())

    async def carry_out(self, claimed: Schedule) -> bool:
        """Bring a claimed schedule to its end; False where the home went out of reach before anything was sent, and it waits again."""
        try:
            end = await self._end_found(claimed)
        except HomestewardError as error:
            made = await self._plans.of_schedule(claimed.id)
            if isinstance(error, NotConnectedError) and not made:
                await self._store.release(claimed.id)
                return False
            end = End(ScheduleState.FAILED if made else ScheduleState.DROPPED, error.message)
        except Exception:  # noqa: BLE001 - the root of a task: it is no claim that nothing was done, and is not tried again
            _LOG.exception("Schedule %s broke off", claimed.id)
            end = End(ScheduleState.FAILED, self._said(Why.BROKE_OFF))
        await self._end(claimed, end)
        return True

    async def _end_found(self, schedule: Schedule) -> End:
        if self._clock.now() > schedule.latest:
            why = Why.LATE if self._home.connected else Why.LATE_AWAY
            return End(ScheduleState.MISSED, self._said(why))
        if seen := unmet(schedule.conditions, self._home):
            return End(ScheduleState.DROPPED, self._said(Why.CONDITION, seen))
        call = await self._still_wanted(schedule)
        if isinstance(call, End):
            return call
        asked = Call(call.domain, call.service, Target(call.entity_ids), call.data)
        made = await self._gate.submit(
            [asked], schedule.caller, request=schedule.request, run_id=schedule.run_id, agreed=schedule.agreed
        )
        return self._end_of(made)

    async def _still_wanted(self, schedule: Schedule) -> ResolvedCall | End:
        """Return what is to be done: of a second half only what its first half did, and nobody has changed since."""
        if schedule.ends is None:
            return schedule.call
        done, left = done_of(schedule, await self._plans.of_run(schedule.run_id), self._home)
        if not done:
            return End(ScheduleState.DROPPED, self._said(Why.BEGINNING))
        if not left:
            return End(ScheduleState.DROPPED, self._said(Why.CHANGED))
        return replace(schedule.call, entity_ids=left)

    def _end_of(self, made: Sequence[Plan]) -> End:
        states = {plan.state for plan in made}
        if PlanState.SIMULATED in states:
            return End(ScheduleState.DROPPED, self._said(Why.DRY_RUN))
        if states == {PlanState.COMPLETED}:
            return End(ScheduleState.DONE)
        why = "; ".join(dict.fromkeys(_reasons(made)))
        return End(ScheduleState.DROPPED if states == {PlanState.REJECTED} else ScheduleState.FAILED, why)

    def _cut_off(self, made: Sequence[Plan]) -> End:
        if made:
            return End(ScheduleState.FAILED, self._said(Why.CUT_OFF, made[0].id))
        return End(ScheduleState.MISSED, self._said(Why.NOTHING_SENT))

    async def _end(self, schedule: Schedule, end: End) -> None:
        await self._store.end(schedule, end.state, end.why, self._clock.now(), self._telling)

    def _said(self, why: Why, detail: str = "") -> str:
        return reason_of(why, self._telling.language(), detail)


OVER = frozenset({PlanState.COMPLETED, PlanState.PARTIAL, PlanState.FAILED, PlanState.REJECTED, PlanState.SIMULATED})


def _reasons(made: Sequence[Plan]) -> Iterator[str]:
    """Yield why each plan, or each step that failed, came to nothing."""
    for plan in made:
        if plan.state is PlanState.REJECTED:
            note = next((step.note for step in plan.steps if step.note), "")
            yield f"{STRICTER}: {plan.decision.reason}" if note in {STRICTER, "refused"} else note
        for step in plan.steps:
            if step.state is StepState.FAILED and step.error:
                yield step.error
