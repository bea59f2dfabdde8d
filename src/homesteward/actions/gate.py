"""The gate: the one way to change anything. A call comes in, a verdict is found, and only what may happen reaches the home."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from dataclasses import replace
from typing import Any

from homesteward.actions.codes import Codes
from homesteward.actions.entries import NOT_CHOSEN, GateKind, decision_entry, end_entry
from homesteward.actions.errors import (
    AlreadyDecidedError,
    GateError,
    NotAllowedError,
    PlanChangedError,
    PlanExpiredError,
    UnknownStepError,
)
from homesteward.actions.executor import Executor, left_out, under_way
from homesteward.actions.freshness import freshen
from homesteward.actions.hashing import hash_of
from homesteward.actions.modes import REASONS, Mode
from homesteward.actions.plan import Plan, PlanState, Step, StepState
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.proposal import Request, course, judged, propose, simulated
from homesteward.actions.reach import require_reach, resolve_for
from homesteward.actions.rights import (
    require_approver,
    require_confirmer,
    require_rejecter,
    require_visible,
    unknown_plan,
    visible,
)
from homesteward.actions.states import AGREED
from homesteward.actions.ties import Ties
from homesteward.core import Clock
from homesteward.home.calls import Call, InvalidCallError, ResolvedCall
from homesteward.home.dispatch import Dispatcher
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.people import Caller
from homesteward.policy import NO_PINS, Decision, Preset
from homesteward.store import Database

_LOGGER = logging.getLogger(__name__)

MAX_CALLS = 50  # in one request
MAX_LISTED = 500
MAX_LOOKED_AT = 10_000  # plans, to find those that somebody may see


class Gate:
    """Judge, record and carry out changes of one home."""

    def __init__(  # noqa: PLR0913 - each is something of its own that a home is set up with
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
        ties: Ties | None = None,
    ) -> None:
        """Guard `home`. `window_factor` scales how long an effect may take to show; without `ties` nothing is kept beside the plans."""
        self.preset = preset
        self.mode = mode
        self.dry_run = dry_run
        self._home = home
        self._clock = clock
        self._codes = Codes()
        self._ties = ties or Ties()
        self._store = PlanStore(database, home.home_id, self._ties.witness)
        self._executor = Executor(home, dispatcher, self._store, self._codes, clock, window_factor, self._ties.record)
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

        Every call is resolved before the first acts: one that does not fit raises its HomestewardError, and nothing was sent. What
        lies outside the caller's reach is answered as if it were not there. While the home is not connected nothing is judged by
        what it was: NotConnectedError.
        """
        await self._ties.still(caller)
        if len(calls) > MAX_CALLS:
            raise InvalidCallError(
                f"{len(calls)} calls at once; at most {MAX_CALLS} go.", next="Ask for less at a time."
            )
        resolved = await self._resolved(calls, caller)
        asked = replace(
            await self._request(caller, request, run_id),
            mode=self.mode.tightened(mode),
            dry_run=self.dry_run or bool(dry_run),
        )
        proposals = propose(resolved, asked, self._home)
        for proposal in proposals:
            self._codes.keep(proposal.plan.id, proposal.given)
        return await self._kept(self._begin([course(proposal.plan, asked, self._home) for proposal in proposals]))

    async def explain(
        self, call: Call, caller: Caller, preset: Preset | None = None
    ) -> tuple[tuple[ResolvedCall, Decision], ...]:
        """Return what would happen to `call`, one decision per verdict, and do nothing. Raises what `submit` would raise."""
        (resolved,) = await self._resolved([call], caller)
        asked = await self._request(caller, "", "")
        return tuple(judged(resolved, replace(asked, preset=preset or self.preset), self._home))

    async def approve(self, plan_id: str, by: Caller, steps: Sequence[int] | None = None) -> Plan:
        """Approve a waiting plan, all of it or only `steps`, carry it out and return it as it ended.

        A repeat, also one at the same moment, changes nothing and returns the plan as it is stored. Raises unknown_plan,
        not_allowed, proof_needed, already_decided (it was rejected), plan_expired, plan_changed, unknown_step, and not_connected,
        which leaves it waiting.
        """
        plan = await self.plan(plan_id)
        require_approver(plan, by, self._home, self._clock.now())
        return await self._kept(self._agreed(plan, by, steps))

    async def confirm(self, plan_id: str, by: Caller) -> Plan:
        """Say the yes that a plan with `needs: confirm` or `pin` waits for, the latter with a proof for this plan; else as `approve`."""
        plan = await self.plan(plan_id)
        require_confirmer(plan, by, self._home, self._clock.now())
        return await self._kept(self._agreed(plan, by, None))

    async def reject(self, plan_id: str, by: Caller) -> Plan:
        """Refuse a waiting plan for good, or give up one that was interrupted. Raises unknown_plan, not_allowed, already_decided, plan_expired."""
        plan = await self.plan(plan_id)
        require_rejecter(plan, by, self._home)
        rejected_as = REJECTED_AS.get(plan.state, PlanState.REJECTED)
        if plan.state in REJECTED_AS:
            ended = left_out(plan.steps, "rejected")
            at = self._clock.now()
            path = (plan.state, rejected_as)
            entries = [decision_entry(GateKind.REJECTED, plan, by, rejected_as)]
            await self._store.advance(
                plan.id,
                path,
                ended,
                entries=entries,
                decided_by=_who(by),
                decided_person_id=by.person_id,
                finished=at,
            )
            plan = await self.plan(plan_id)
        if plan.state is not rejected_as:
            raise _decided_otherwise(plan)
        self._codes.forget(plan.id)
        return plan

    async def plan(self, plan_id: str, by: Caller | None = None) -> Plan:
        """Return the plan as it is now; raise unknown_plan, also for one that does not exist for `by` (None looks for nobody)."""
        plan = await self._store.get(plan_id)
        if plan is not None and plan.state is PlanState.WAITING and plan.expires <= self._clock.now():
            await self._expire()
            plan = await self._store.get(plan_id)
        if plan is None:
            raise unknown_plan(plan_id)
        if by is not None:
            require_visible(plan, by, self._home)
        return plan

    async def plans(
        self, state: PlanState | None = None, limit: int = 100, by: Caller | None = None
    ) -> tuple[Plan, ...]:
        """Return the newest plans first, at most `limit` (500) of them, of one state or of all: those that exist for `by`.

        For somebody who sees few of them, the newest `MAX_LOOKED_AT` are looked through.
        """
        await self._expire()
        wanted = min(limit, MAX_LISTED)
        if by is None:
            return await self._store.list(state, wanted)
        found: list[Plan] = []
        page: tuple[Plan, ...] = ()
        for _ in range(MAX_LOOKED_AT // MAX_LISTED):
            page = await self._store.list(state, MAX_LISTED, before=page[-1] if page else None)
            found += [plan for plan in page if visible(plan, by, self._home)]
            if len(found) >= wanted or len(page) < MAX_LISTED:
                break
        return tuple(found[:wanted])

    async def _resolved(self, calls: Sequence[Call], caller: Caller) -> list[ResolvedCall]:
        """Return the calls on concrete entities, with the bodies they run as they are now; raise what keeps one from fitting."""
        self._require_connected()
        resolved = [resolve_for(self._home, caller, call) for call in calls]
        await freshen(self._home, resolved)
        for call in resolved:
            require_reach(self._home, caller, call)
        return resolved

    async def _request(self, caller: Caller, text: str, run_id: str) -> Request:
        """Return the request as widely as the gate may take it."""
        pins = self._ties.pins
        has_pin = pins != NO_PINS and bool(caller.person_id) and await self._ties.has_pin(caller.person_id)
        return Request(
            caller, text, run_id, self.mode, self.dry_run, self._clock.now(), self.preset, pins, has_pin=has_pin
        )

    async def _agreed(self, plan: Plan, by: Caller, chosen: Sequence[int] | None) -> Plan:
        await self._ties.still(by)
        if plan.state is not PlanState.WAITING:
            return _as_agreed(plan)
        self._require_connected()
        self._require_same(plan)
        agreed, path = self._course(plan, _only(plan, chosen), by)
        won = await self._store.advance(
            plan.id,
            path,
            agreed.steps,
            alive_at=self._clock.now(),
            entries=[decision_entry(GateKind.APPROVED, agreed, by, agreed.state)],
            decided_by=agreed.decided_by,
            decided_person_id=agreed.decided_person_id,
            finished=agreed.finished,
        )
        # not won: somebody was faster, or it has just expired
        return await self._run(agreed) if won else _as_agreed(await self.plan(plan.id))

    def _course(self, plan: Plan, steps: tuple[Step, ...], by: Caller) -> tuple[Plan, tuple[PlanState, ...]]:
        """Return the waiting plan as a yes of `by` leaves it, and the states it goes through at once."""
        plan = replace(plan, needs=None, decided_by=_who(by), decided_person_id=by.person_id)
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
            broken = end_entry(plan.id, PlanState.INTERRUPTED, why="it broke off inside Homesteward")
            await self._store.advance(plan.id, (PlanState.EXECUTING, PlanState.INTERRUPTED), entries=[broken])
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
        step if step.n in chosen else replace(step, state=StepState.SKIPPED, note=NOT_CHOSEN) for step in plan.steps
    )


def _who(by: Caller) -> str:
    """Return who decided, with the role it was decided in where that is not plain from the name."""
    return f"{by.person} as {by.role}" if by.person not in {"", by.role.value} else by.role.value
