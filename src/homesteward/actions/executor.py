"""Carrying a plan out: step by step, each looked at before, written down before and after, and verified. It stops at a failure."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from homesteward.actions.afterwards import Afterwards, Followed
from homesteward.actions.before import after_of, before_of
from homesteward.actions.codes import CodeForgottenError, Codes, send
from homesteward.actions.entries import end_entry, sent_entry, step_entries
from homesteward.actions.freshness import freshen
from homesteward.actions.plan import Evidence, Plan, PlanState, Status, Step, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.recheck import Ready, recheck, wanted_of
from homesteward.actions.ties import Ties
from homesteward.actions.underway import PATIENCE_S, Underway, in_the_way
from homesteward.actions.verify import Verification
from homesteward.chronicle.record import Act
from homesteward.core import Clock, HomestewardError
from homesteward.home.calls import ResolvedCall
from homesteward.home.dispatch import Dispatcher
from homesteward.home.errors import CallUncertainError, NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.home.view import HomeView

_LOGGER = logging.getLogger(__name__)

AGAIN = "to be sent again"  # the note of a step that was cut off and is gone on with
NOT_REACHED = "not reached: an earlier step failed"
type Judge = Callable[[Plan, Step], Awaitable[str]]
"""Why a step does not stand any more as it was agreed to, right before it runs; empty where it does."""

RAN = frozenset({StepState.DONE, StepState.UNCERTAIN})


class Executor:
    """Run plans that were claimed. Nobody else sends anything to the home."""

    def __init__(
        self,
        home: LiveHome,
        dispatcher: Dispatcher,
        store: PlanStore,
        codes: Codes,
        clock: Clock,
        window_factor: float,
        ties: Ties,
        sent: Callable[[ResolvedCall, HomeView], None],
    ) -> None:
        """Send through `dispatcher`, verify on `home`, write to `store`, hand each step that was sent to the chronicle, and tell `sent` before.

        `window_factor` scales how long an effect may take.
        """
        self._home = home
        self._dispatcher = dispatcher
        self._store = store
        self._codes = codes
        self._clock = clock
        self._window_factor = window_factor
        self._record = ties.record
        self._sent = sent
        self._underway = Underway()
        self._afterwards = Afterwards(home, store, clock, window_factor, ties.tell)

    async def close(self) -> None:
        """Stop watching what steps have left."""
        await self._afterwards.close()

    async def run(self, plan: Plan, judge: Judge) -> Plan:
        """Carry out a plan that was just claimed, its first step `under_way`, and return it as it ended; `judge` looks at each step anew.

        Killed on the way, it leaves the row `executing`: what was done is in the steps, and nothing is claimed that was not seen.
        """
        ended: list[Step] = []
        followed: Followed = {}
        written = 0
        for planned in plan.steps:
            step = planned
            if step.state is StepState.PENDING:  # the first was written with the claim
                step = under_way(planned, self._home)
                await self._store.save(plan.id, *ended[-1:], step, entries=step_entries(plan.id, ended[written:]))
                written = len(ended)
            ended.append(await self._step(plan, step, followed, judge) if step.state is StepState.RUNNING else step)
            if ended[-1].state is StepState.FAILED:
                break
        steps = (*ended, *left_out(plan.steps[len(ended) :], NOT_REACHED))
        state, at = end_of(steps), self._clock.now()
        entries = (*step_entries(plan.id, steps[written:]), end_entry(plan.id, state))
        await self._store.advance(plan.id, (PlanState.EXECUTING, state), steps, entries=entries, finished=at)
        plan = replace(plan, state=state, steps=steps, finished=at)
        self._afterwards.follow(plan, followed)
        return plan

    async def _step(self, plan: Plan, step: Step, followed: Followed, judge: Judge) -> Step:
        if not self._home.connected:  # what can be read is old: nothing in it may count as seen
            return replace(step, state=StepState.FAILED, error=NotConnectedError().message)
        try:
            await freshen(self._home, [step.call])
        except HomestewardError as error:
            return replace(step, state=StepState.FAILED, error=error.message)
        ready = await self._free(plan, step)
        if isinstance(ready, Step):
            return ready
        if why := await judge(plan, step):
            return replace(step, state=StepState.FAILED, error=f"This does not stand as it was agreed to: {why}.")
        followed[step.n] = ready.effects
        self._afterwards.leave(step.before)
        with (
            self._underway.doing(plan.id, ready.effects),
            Verification(self._home, ready.effects, self._clock) as seen,
        ):
            ended = await self._send(plan, step, ready, seen)
        return replace(ended, after=after_of(step.before, self._home))

    async def _free(self, plan: Plan, step: Step) -> Step | Ready:
        """Look at the step right before it runs, once nothing under way wants the contrary; wait for that a moment, and no longer.

        What is so already is not settled while a plan under way is about to change it.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S * self._window_factor):
                while busy := self._underway.against(plan.id, wanted_of(step, self._home)):
                    await busy.over.wait()
        wanted = wanted_of(step, self._home)
        if busy := self._underway.against(plan.id, wanted):
            return replace(step, state=StepState.FAILED, error=f"{in_the_way(busy, wanted)}.")
        return recheck(step, self._home, self._clock)

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
            ended = _ended(step, (*ready.settled, *found), lost=error.message)
        except (CodeForgottenError, NotConnectedError) as error:  # nothing was sent
            return _ended(step, (*ready.settled, *seen.cut_short(Status.FAILED)), error.message)
        except HomestewardError as error:
            ended = _ended(step, (*ready.settled, *seen.cut_short(Status.FAILED)), error.message)
        else:
            step = replace(step, context_id=sent.context_id)
            await self._store.save(plan.id, step, entries=[sent_entry(plan.id, step)])
            ended = _ended(step, (*ready.settled, *await seen.result(self._window_factor)))
        self._hand_on(act_of(plan, ended, ready.call, begun, self._clock.now()))
        return ended

    def _hand_on(self, act: Act) -> None:
        try:
            self._record(act)
        except Exception:  # what was done is done, and is told, whatever fails to note it
            _LOGGER.exception("Step %s of plan %s was not handed to the chronicle", act.step, act.plan_id)


def act_of(plan: Plan, step: Step, sent: ResolvedCall, begun: datetime, ended: datetime) -> Act:
    """Return what the chronicle keeps of a step that was sent, which `sent` is without its codes."""
    return Act(
        at=begun,
        ended=ended,
        plan_id=plan.id,
        step=step.n,
        run_id=plan.run_id,
        person=plan.caller.person,
        role=plan.caller.role.value,
        channel=plan.caller.channel.value,
        rule=step.decision.rule,
        request=plan.request,
        domain=sent.domain,
        service=sent.service,
        data=dict(sent.data),
        entity_ids=sent.entity_ids,
        outcome=step.state.value,
        context_id=step.context_id,
    )


def under_way(step: Step, home: HomeView) -> Step:
    """Return the step as it is written down before anything of it is sent, with the states it is about to change.

    One that is gone on with keeps the states that it found at first: it may have changed them since.
    """
    begun_before = step.state is StepState.PENDING and step.note == AGAIN
    return replace(
        step, state=StepState.RUNNING, note="", before=step.before if begun_before else before_of(step.call, home)
    )


def left_out(steps: Iterable[Step], why: str) -> tuple[Step, ...]:
    """Return the steps with those that have not run skipped, for the reason `why`."""
    return tuple(
        replace(step, state=StepState.SKIPPED, note=why) if step.state is StepState.PENDING else step for step in steps
    )


def end_of(steps: Sequence[Step]) -> PlanState:
    """Return how a plan ended whose steps ran as far as `steps`."""
    if all(step.state is not StepState.FAILED for step in steps):
        return PlanState.COMPLETED
    return PlanState.PARTIAL if any(step.state in RAN for step in steps) else PlanState.FAILED


def _ended(step: Step, evidence: tuple[Evidence, ...], error: str = "", *, lost: str = "") -> Step:
    """Return the step with its evidence and the state that follows from it: as good as the worst of it."""
    bad = [seen for seen in evidence if seen.status in {Status.FAILED, Status.MISMATCHED}]
    if error or bad:
        return replace(step, state=StepState.FAILED, evidence=evidence, error=error or _why(bad))
    sure = evidence and all(seen.status is Status.VERIFIED for seen in evidence)
    if sure:
        return replace(step, state=StepState.DONE, evidence=evidence)
    return replace(step, state=StepState.UNCERTAIN, evidence=evidence, error=lost)


def _why(bad: Sequence[Evidence]) -> str:
    return "; ".join(
        f"{seen.entity_id} is {seen.observed}"
        if seen.status is Status.FAILED
        else f"{seen.entity_id} should be {seen.expected} and is {seen.observed}"
        for seen in bad
    )
