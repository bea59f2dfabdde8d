"""A schedule comes to its time: claimed, looked at once more, and handed to the gate by the yes that it has. Once, or not at all."""

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from homesteward.actions.agreed import STRICTER
from homesteward.actions.gate import Gate
from homesteward.actions.plan import Plan, PlanState, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.schedule.conditions import unmet
from homesteward.actions.schedule.holding import STALE, Held, LostError
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
        self._held: dict[str, Held] = {}
        """What this hand has, by id."""

    async def recover(self) -> datetime | None:
        """End what a process that died had claimed: nothing of it is done again, and whoever asked is told.

        What another one is carrying out, and has said so lately, is left to it; returns when to look at those again.
        """
        looks: list[datetime] = []
        for schedule in await self._store.claimed():
            if schedule.id in self._held:
                continue
            said, now = schedule.claimed or schedule.at, self._clock.now()
            if abs(now - said) < STALE:  # of a clock that was put back, a word from far ahead is none
                looks.append(said + STALE)
                continue
            made = await self._plans.of_schedule(schedule.id)
            over = made and all(plan.state in OVER for plan in made)
            await self._end(schedule, self._end_of(made) if over else self._cut_off(made))
        return min(looks, default=None)

    async def claim(self, schedule: Schedule) -> Held | None:
        """Take a schedule that is due; None where another hand has it, or it is over."""
        claimed = await self._store.claim(schedule.id, self._clock.now())
        if claimed is None:
            return None
        held = self._held[claimed.id] = Held(claimed, self._store, self._clock)
        return held

    def let_go(self, held: Held) -> None:
        """Have it in this hand no more: what is not ended by then is taken for left behind, in a while."""
        self._held.pop(held.now.id, None)

    async def carry_out(self, held: Held) -> bool:
        """Bring a claimed schedule to its end; False where the home went out of reach before anything was sent, and it waits again."""
        claimed = held.now
        try:
            end = await self._end_found(claimed, held)
        except LostError:
            _LOG.warning("Schedule %s was taken for left behind, and is not done any more", claimed.id)
            return True
        except HomestewardError as error:
            made = await self._plans.of_schedule(claimed.id)
            if isinstance(error, NotConnectedError) and not made:
                await self._store.release(held.now)
                return False
            end = End(ScheduleState.FAILED if made else ScheduleState.DROPPED, error.message)
        except Exception:  # noqa: BLE001 - the root of a task: it is no claim that nothing was done, and is not tried again
            _LOG.exception("Schedule %s broke off", claimed.id)
            end = End(ScheduleState.FAILED, self._said(Why.BROKE_OFF))
        await self._end(held.now, end)
        return True

    async def _end_found(self, schedule: Schedule, held: Held) -> End:
        if self._clock.now() > schedule.latest:
            why = Why.LATE if self._home.connected else Why.LATE_AWAY
            return End(ScheduleState.MISSED, self._said(why))
        if seen := unmet(schedule.conditions, self._home):
            return End(ScheduleState.DROPPED, self._said(Why.CONDITION, seen))
        call = await self._still_wanted(schedule)
        if isinstance(call, End):
            return call
        await held.beat()  # the last word before anything is sent: it is still ours
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
