"""The gate: the one way to change anything. A call comes in, a verdict is found, and only what may happen reaches the home."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from homesteward.actions.codes import Codes
from homesteward.actions.errors import (
    AlreadyDecidedError,
    GateError,
    NotAllowedError,
    PlanChangedError,
    PlanExpiredError,
    UnknownPlanError,
    UnknownStepError,
)
from homesteward.actions.executor import Executor, left_out, under_way
from homesteward.actions.freshness import freshen
from homesteward.actions.hashing import hash_of
from homesteward.actions.modes import REASONS, Mode, under_mode
from homesteward.actions.plan import Plan, PlanState, Step, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.proposal import Request, course, propose, simulated
from homesteward.actions.resolve import resolve
from homesteward.actions.rights import require_approver, require_confirmer, require_rejecter
from homesteward.actions.states import AGREED
from homesteward.core import Clock
from homesteward.home.calls import Call, InvalidCallError, ResolvedCall
from homesteward.home.dispatch import Dispatcher
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.people import Caller
from homesteward.policy import Decision, Preset, verdicts
from homesteward.store import Database

_LOGGER = logging.getLogger(__name__)

MAX_CALLS = 50  # in one request
MAX_LISTED = 500


class Gate:
    """Judge, record and carry out changes of one home."""

    def __init__(
        self,
        home: LiveHome,
        dispatcher: Dispatcher,
        database: Database,
        *,
        clock: Clock,
        preset: Preset = Preset.FAMILY,
        mode: Mode = Mode.AUTO,
        dry_run: bool = True,
        window_factor: float = 1.0,
    ) -> None:
        """Guard `home`. `window_factor` scales how long an effect may take to show."""
        self.preset = preset
        self.mode = mode
        self.dry_run = dry_run
        self._home = home
        self._clock = clock
        self._codes = Codes()
        self._store = PlanStore(database, home.home_id)
        self._executor = Executor(home, dispatcher, self._store, self._codes, clock, window_factor)
        self._running: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Turn what a process that died left `executing` into `interrupted`, and expire what is due. Nothing runs again by itself."""
        for plan_id in await self._store.interrupt_stale():
            _LOGGER.warning("Plan %s was interrupted by a stop and waits for a person", plan_id)
        await self._store.expire_due(self._clock.now())

    async def close(self) -> None:
        """Stop what is under way: it stays `executing`, and is `interrupted` at the next start."""
        for task in (running := list(self._running)):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def submit(
        self,
        calls: Sequence[Call],
        caller: Caller,
        *,
        request: str,
        run_id: str = "",
        mode: Mode | None = None,
        dry_run: bool | None = None,
    ) -> tuple[Plan, ...]:
        """Judge `calls`, act on what is allowed and return one plan per verdict. `mode` and `dry_run` only tighten the gate's own.

        Every call is resolved before the first acts: one that does not fit raises its HomestewardError, and nothing was sent.
        While the home is not connected nothing is judged by what it was: NotConnectedError.
        """
        self._require_connected()
        if len(calls) > MAX_CALLS:
            raise InvalidCallError(
                f"{len(calls)} calls at once; at most {MAX_CALLS} go.", next="Ask for less at a time."
            )
        resolved = [resolve(self._home, call) for call in calls]
        await freshen(self._home, resolved)
        asked = Request(
            caller, request, run_id, self.mode.tightened(mode), self.dry_run or bool(dry_run), self._clock.now()
        )
        proposals = propose(resolved, asked, self._home, self.preset)
        for proposal in proposals:
            self._codes.keep(proposal.plan.id, proposal.given)
        return await self._kept(self._begin([course(proposal.plan, asked, self._home) for proposal in proposals]))

    async def explain(
        self, call: Call, caller: Caller, preset: Preset | None = None
    ) -> tuple[tuple[ResolvedCall, Decision], ...]:
        """Return what would happen to `call`, one decision per verdict, and do nothing. Raises what `submit` would raise."""
        self._require_connected()
        resolved = resolve(self._home, call)
        await freshen(self._home, [resolved])
        judged = verdicts(resolved, caller, self._home, preset or self.preset)
        return tuple((part, under_mode(self.mode, decision)) for part, decision in judged)

    async def approve(self, plan_id: str, by: Caller, steps: Sequence[int] | None = None) -> Plan:
        """Approve a waiting plan, all of it or only `steps`, carry it out and return it as it ended.

        A repeat, also one at the same moment, changes nothing and returns the plan as it is stored. Raises unknown_plan,
        not_allowed, already_decided (it was rejected), plan_expired, plan_changed, unknown_step, and not_connected, which
        leaves it waiting.
        """
        plan = await self.plan(plan_id)
        require_approver(plan, by)
        return await self._kept(self._agreed(plan, by, steps))

    async def confirm(self, plan_id: str, by: Caller) -> Plan:
        """Say the yes that a plan with `needs: confirm` waits for; else as `approve`."""
        plan = await self.plan(plan_id)
        require_confirmer(plan, by)
        return await self._kept(self._agreed(plan, by, None))

    async def reject(self, plan_id: str, by: Caller) -> Plan:
        """Refuse a waiting plan for good, or give up one that was interrupted. Raises unknown_plan, not_allowed, already_decided, plan_expired."""
        plan = await self.plan(plan_id)
        require_rejecter(plan, by)
        rejected_as = REJECTED_AS.get(plan.state, PlanState.REJECTED)
        if plan.state in REJECTED_AS:
            ended = left_out(plan.steps, "rejected")
            at = self._clock.now()
            path = (plan.state, rejected_as)
            await self._store.advance(plan.id, path, ended, decided_by=_who(by), finished=at)
            plan = await self.plan(plan_id)
        if plan.state is not rejected_as:
            raise _decided_otherwise(plan)
        self._codes.forget(plan.id)
        return plan

    async def plan(self, plan_id: str) -> Plan:
        """Return the plan as it is now; raise unknown_plan."""
        plan = await self._store.get(plan_id)
        if plan is not None and plan.state is PlanState.WAITING and plan.expires <= self._clock.now():
            await self._expire()
            plan = await self._store.get(plan_id)
        if plan is None:
            raise UnknownPlanError(f"There is no plan {plan_id!r}.", next="List the plans to see their ids.")
        return plan

    async def plans(self, state: PlanState | None = None, limit: int = 100) -> tuple[Plan, ...]:
        """Return the newest plans first, at most `limit` (500) of them, of one state or of all."""
        await self._expire()
        return await self._store.list(state, min(limit, MAX_LISTED))

    async def _agreed(self, plan: Plan, by: Caller, chosen: Sequence[int] | None) -> Plan:
        if plan.state is not PlanState.WAITING:
            return _as_agreed(plan)
        self._require_connected()
        self._require_same(plan)
        agreed, path = self._course(plan, _only(plan, chosen), _who(by))
        won = await self._store.advance(
            plan.id,
            path,
            agreed.steps,
            alive_at=self._clock.now(),
            decided_by=agreed.decided_by,
            finished=agreed.finished,
        )
        # not won: somebody was faster, or it has just expired
        return await self._run(agreed) if won else _as_agreed(await self.plan(plan.id))

    def _course(self, plan: Plan, steps: tuple[Step, ...], who: str) -> tuple[Plan, tuple[PlanState, ...]]:
        """Return the waiting plan as a yes leaves it, and the states it goes through at once."""
        plan = replace(plan, needs=None, decided_by=who)
        if self.dry_run:
            at = self._clock.now()
            dry = simulated(steps, self._home, at)
            return replace(plan, state=PlanState.SIMULATED, steps=dry, finished=at), DRY_YES
        first = next(step.n for step in steps if step.state is StepState.PENDING)
        begun = tuple(under_way(step, self._home) if step.n == first else step for step in steps)
        return replace(plan, state=PlanState.EXECUTING, steps=begun), YES

    def _require_connected(self) -> None:
        if not self._home.connected:
            raise NotConnectedError

    def _require_same(self, plan: Plan) -> None:
        if self.mode is Mode.OBSERVE:
            raise NotAllowedError(f"{REASONS[Mode.OBSERVE]}.", next="Ask again when the mode has been changed.")
        if hash_of(step.call for step in plan.steps) != plan.hash:
            raise PlanChangedError("The stored steps are not those that were proposed.", next="Ask for it again.")

    async def _begin(self, started: Sequence[tuple[Plan, tuple[PlanState, ...]]]) -> tuple[Plan, ...]:
        """Store the proposed plans, then carry out those whose course ends in executing, one after the other."""
        await self._store.add(started)
        return tuple([await self._run(replace(plan, state=path[-1])) for plan, path in started])

    async def _kept[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Bring `work` to its end even if whoever waits for it leaves: nothing is claimed and then forgotten."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _run(self, plan: Plan) -> Plan:
        """Carry out a plan that was claimed; return any other as it is."""
        if plan.state is not PlanState.EXECUTING:
            return plan
        try:
            return await self._executor.run(plan)
        except Exception:
            # the root of a task: whatever failed is no claim that nothing was done
            _LOGGER.exception("Plan %s broke off", plan.id)
            await self._store.advance(plan.id, (PlanState.EXECUTING, PlanState.INTERRUPTED))
            raise
        finally:
            self._codes.forget(plan.id)

    async def _expire(self) -> None:
        for plan_id in await self._store.expire_due(self._clock.now()):
            self._codes.forget(plan_id)


# What a person's no makes of a plan: one that waits is rejected, one that was cut off is given up.
REJECTED_AS = {PlanState.WAITING: PlanState.REJECTED, PlanState.INTERRUPTED: PlanState.FAILED}
YES: tuple[PlanState, ...] = (PlanState.WAITING, PlanState.APPROVED, PlanState.EXECUTING)
DRY_YES: tuple[PlanState, ...] = (PlanState.WAITING, PlanState.SIMULATED)


def _as_agreed(plan: Plan) -> Plan:
    """Return a plan that somebody has said yes to before; raise the error that says what became of any other."""
    if plan.state in AGREED or plan.state is PlanState.SIMULATED:
        return plan
    raise _decided_otherwise(plan)


def _decided_otherwise(plan: Plan) -> GateError:
    if plan.state is PlanState.EXPIRED:
        return PlanExpiredError(f"Nobody decided about this plan before {plan.expires:%Y-%m-%d %H:%M} UTC.", next=AGAIN)
    return AlreadyDecidedError(f"This plan is {plan.state}; that cannot be changed any more.", next=AGAIN)


AGAIN = "Ask for it again if it is still wanted."


def _only(plan: Plan, chosen: Sequence[int] | None) -> tuple[Step, ...]:
    """Return the steps with those left out that were not chosen; raise unknown_step for a number that is none."""
    numbers = {step.n for step in plan.steps}
    if chosen is None:
        return plan.steps
    if not chosen or not set(chosen) <= numbers:
        raise UnknownStepError(f"The plan has the steps {sorted(numbers)}.", next="Choose among these, at least one.")
    return tuple(
        step if step.n in chosen else replace(step, state=StepState.SKIPPED, note="not approved") for step in plan.steps
    )


def _who(by: Caller) -> str:
    """Return who decided, with the role it was decided in where that is not plain from the name."""
    return f"{by.person} as {by.role}" if by.person not in {"", by.role.value} else by.role.value
