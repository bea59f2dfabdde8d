"""Carrying a plan out: step by step, each looked at before, written down before and after, and verified. It stops at a failure."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from homesteward.actions.afterwards import Afterwards, Followed
from homesteward.actions.before import after_of, before_of
from homesteward.actions.codes import CodeForgottenError, Codes, send
from homesteward.actions.ending import AGAIN, act_of, end_of, ended, failed, left_out
from homesteward.actions.entries import Entry, end_entry, sent_entry, step_entries
from homesteward.actions.freshness import freshen
from homesteward.actions.performing import Performer
from homesteward.actions.plan import Plan, Status, Step, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.recheck import Ready, recheck, wanted_of
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.ties import Ties
from homesteward.actions.underway import PATIENCE_S, Underway, in_the_way
from homesteward.actions.unkept import End, Unkept
from homesteward.actions.verify import Verification
from homesteward.chronicle.record import Act
from homesteward.core import Clock, HomestewardError
from homesteward.home.calls import ResolvedCall
from homesteward.home.dispatch import Dispatcher
from homesteward.home.errors import CallUncertainError, NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.home.reserved import ANYTIME, is_reserved
from homesteward.home.view import HomeView

_LOGGER = logging.getLogger(__name__)

NOT_REACHED = "not reached: an earlier step failed"
NOT_WRITTEN = "It could not be written down before, so it was not begun: {}"
NOT_AS_AGREED = "This does not stand as it was agreed to: {}."
type Judge = Callable[[Plan, Step], Awaitable[str]]
"""Why a step does not stand any more as it was agreed to, right before it runs; empty where it does."""


@dataclass(frozen=True, slots=True)
class Means:
    """What carries calls out: Home Assistant, by its services, and rooms of ours what is reserved."""

    dispatcher: Dispatcher
    reserved: ReservedCalls


class Executor:
    """Run plans that were claimed. Nobody else sends anything to the home."""

    def __init__(
        self,
        home: LiveHome,
        means: Means,
        store: PlanStore,
        codes: Codes,
        clock: Clock,
        window_factor: float,
        ties: Ties,
        sent: Callable[[ResolvedCall, HomeView], None],
    ) -> None:
        """Send through `means`, verify on `home`, write to `store`, hand each step that was sent to the chronicle, and tell `sent` before.

        `window_factor` scales how long an effect may take.
        """
        self._home = home
        self.unkept = Unkept(store, ties.tell)
        self._dispatcher = means.dispatcher
        self._store = store
        self._codes = codes
        self._clock = clock
        self._window_factor = window_factor
        self._record, self._windows = ties.record, ties.windows
        self._sent = sent
        self._reserved = means.reserved
        self._performer = Performer(codes, clock, self._hand_on)
        self._underway = Underway()
        self._afterwards = Afterwards(home, store, clock, window_factor, ties.tell)

    async def close(self) -> None:
        """Stop watching what steps have left."""
        await self._afterwards.close()

    async def run(self, plan: Plan, judge: Judge) -> Plan:
        """Carry out a plan that was just claimed, its first step `under_way`, and return it as it ended; `judge` looks at each step anew.

        Killed on the way, it leaves the row `executing`: what was done is in the steps, and nothing is claimed that was not seen.
        A store that fails on the way stops what is not begun, and takes nothing back of what was sent.
        """
        over: list[Step] = []
        followed: Followed = {}
        written = 0
        for planned in plan.steps:
            step = planned
            if step.state is StepState.PENDING:  # the first was written with the claim
                step = await self._begun(plan, planned, over[-1:], step_entries(plan.id, over[written:]))
                written = len(over) if step.state is StepState.RUNNING else written
            over.append(await self._step(plan, step, followed, judge) if step.state is StepState.RUNNING else step)
            if over[-1].state is StepState.FAILED:
                break
        steps = (*over, *left_out(plan.steps[len(over) :], NOT_REACHED))
        state, at = end_of(steps), self._clock.now()
        entries = (*step_entries(plan.id, steps[written:]), end_entry(plan.id, state))
        plan = await self.unkept.end(End(replace(plan, steps=steps), state, steps, entries, at))
        self._afterwards.follow(plan, followed)
        return plan

    async def _begun(self, plan: Plan, planned: Step, over: Sequence[Step], entries: Sequence[Entry]) -> Step:
        """Write the step down as under way, with how the one before ended; it fails where that is not kept, for nothing is sent unwritten."""
        step = under_way(planned, self._home)
        try:
            await self._store.save(plan.id, *over, step, entries=entries)
        except HomestewardError as error:
            return failed(planned, NOT_WRITTEN.format(error.message))
        return step

    async def _step(self, plan: Plan, step: Step, followed: Followed, judge: Judge) -> Step:
        if not self._home.connected and step.call.id not in ANYTIME:  # what can be read is old, and is nothing seen
            return failed(step, NotConnectedError().message)
        try:
            await freshen(self._home, [step.call])
            room = self._reserved.room_of(step.call)
        except HomestewardError as error:
            return failed(step, error.message)
        if room is not None:
            why = await _judged(judge, plan, step)
            return failed(step, why) if why else await self._performer.run(plan, step, room)
        ready = await self._free(plan, step)
        if isinstance(ready, Step):
            return ready
        if why := await _judged(judge, plan, step):
            return failed(step, why)
        followed[step.n] = ready.effects
        self._afterwards.leave(step.before)
        with (
            self._underway.doing(plan.id, ready.effects),
            Verification(self._home, ready.effects, self._clock) as seen,
        ):
            over = await self._send(plan, step, ready, seen)
        return replace(over, after=after_of(step.before, self._home))

    async def _free(self, plan: Plan, step: Step) -> Step | Ready:
        """Look at the step right before it runs, once nothing under way wants the contrary; wait for that a moment, and no longer.

        What is so already is not settled while a plan under way is about to change it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S * self._window_factor):
                while busy := self._underway.against(plan.id, wanted_of(step, self._home, self._windows)):
                    await busy.over.wait()
        wanted = wanted_of(step, self._home, self._windows)
        if busy := self._underway.against(plan.id, wanted):
            return failed(step, f"{in_the_way(busy, wanted)}.")
        return recheck(step, self._home, self._clock, self._windows)

    async def _send(self, plan: Plan, step: Step, ready: Ready, seen: Verification) -> Step:
        """Send the step's call and look what became of it; what was sent is handed on, whatever became of it."""
        begun = self._clock.now()
        try:
            call = await self._codes.put_in(plan.id, step.n, ready.call)
            self._sent(ready.call, self._home)
            sent = await send(call, self._dispatcher)
        except CallUncertainError as error:
            # Whatever became of it shows when the home is seen again; what does not show by then is not known.
            found = await seen.result(self._window_factor, otherwise=Status.UNCERTAIN)
            over = ended(step, (*ready.settled, *found), lost=error.message)
        except (CodeForgottenError, NotConnectedError) as error:  # nothing was sent
            return ended(step, (*ready.settled, *seen.cut_short(Status.FAILED)), error.message)
        except HomestewardError as error:
            over = ended(step, (*ready.settled, *seen.cut_short(Status.FAILED)), error.message)
        else:
            step = replace(step, context_id=sent.context_id)
            try:
                await self._store.save(plan.id, step, entries=[sent_entry(plan.id, step)])
            except (
                HomestewardError
            ):  # it was sent, whatever can be kept of it: what is seen now is told, and kept at the end
                _LOGGER.exception("That step %s of plan %s was sent could not be kept", step.n, plan.id)
            over = ended(step, (*ready.settled, *await seen.result(self._window_factor)))
        self._hand_on(act_of(plan, over, ready.call, begun, self._clock.now()))
        return over

    def _hand_on(self, act: Act) -> None:
        try:
            self._record(act)
        except Exception:  # what was done is done, and is told, whatever fails to note it
            _LOGGER.exception("Step %s of plan %s was not handed to the chronicle", act.step, act.plan_id)


async def _judged(judge: Judge, plan: Plan, step: Step) -> str:
    """Return why the step is not begun, empty where it may be; what cannot be looked up now may not."""
    try:
        why = await judge(plan, step)
    except HomestewardError as error:
        return error.message
    return NOT_AS_AGREED.format(why) if why else ""


def under_way(step: Step, home: HomeView) -> Step:
    """Return the step as it is written down before anything of it is sent, with the states it is about to change.

    One that is gone on with keeps the states that it found at first: it may have changed them since. What a reserved call found
    there is kept from when it was prepared: it is carried out only where that is so still.
    """
    known = (step.state is StepState.PENDING and step.note == AGAIN) or is_reserved(step.call.domain)
    return replace(step, state=StepState.RUNNING, note="", before=step.before if known else before_of(step.call, home))
