"""The gate: the one way to change anything. A call comes in, a verdict is found, and only what may happen reaches the home."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from homesteward.actions.agreed import Agreed
from homesteward.actions.agreement import (
    DRY_YES,
    REJECTED_AS,
    RESUMED,
    YES,
    agreed_to,
    as_agreed,
    begun,
    decided_otherwise,
    only,
    rejection,
    simulated_for,
)
from homesteward.actions.codes import Codes
from homesteward.actions.conflicts import require_no_conflict
from homesteward.actions.ending import unsure_of
from homesteward.actions.entries import GateKind, decision_entry
from homesteward.actions.executor import Executor, Means
from homesteward.actions.frequency import LONGEST, Frequency
from homesteward.actions.freshness import freshen
from homesteward.actions.listing import listed
from homesteward.actions.modes import Mode
from homesteward.actions.plan import Plan, PlanState, Step
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.preparing import fitting_of, prepare
from homesteward.actions.proposal import Proposal, Request, courses, judged, propose
from homesteward.actions.reserved import Prepared
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.actions.resume import looked_at_again, require_interrupted, require_verdict
from homesteward.actions.rights import (
    decision_shown,
    require_approver,
    require_confirmer,
    require_rejecter,
    require_resumer,
    require_visible,
    shown_to,
    unknown_plan,
)
from homesteward.actions.standing import fallen, require_acting, require_same, require_standing
from homesteward.actions.states import HOLDS_CODES
from homesteward.actions.ties import Ties
from homesteward.actions.undo import Undone, cannot_undo, require_no_other, require_undoable, undo_of
from homesteward.actions.windows import Learned, longer_of
from homesteward.core import Clock
from homesteward.home.calls import Call, InvalidCallError, ResolvedCall
from homesteward.home.dispatch import Dispatcher
from homesteward.home.errors import NotConnectedError
from homesteward.home.live import LiveHome
from homesteward.home.reserved import ANYTIME
from homesteward.people import Caller
from homesteward.policy import Circumstances, Decision, Policy, Preset
from homesteward.store import Database

_LOGGER = logging.getLogger(__name__)

MAX_CALLS = 50  # in one request


class Gate:
    """Judge, record and carry out changes of one home."""

    def __init__(  # noqa: PLR0913 - each is something of its own that a home is set up with
        self,
        home: LiveHome,
        dispatcher: Dispatcher,
        database: Database,
        *,
        clock: Clock,
        policy: Callable[[], Policy] = Policy,
        mode: Mode = Mode.AUTO,
        dry_run: bool = True,
        window_factor: float = 1.0,
        ties: Ties | None = None,
        reserved: ReservedCalls | None = None,
    ) -> None:
        """Guard `home` by what `policy` gives at that moment. `window_factor` scales how long an effect may take to show; without `ties` nothing is kept beside the plans.

        `reserved` carries out what is no service of Home Assistant.
        """
        self.policy = policy
        self.mode = mode
        self.dry_run = dry_run
        self._home = home
        self._clock = clock
        self._ties = ties or Ties()
        self._reserved = reserved or ReservedCalls()
        self._codes = Codes(self._ties.codes)
        self._frequency = Frequency(clock)
        self._store = PlanStore(database, home.home_id, self._ties.witness)
        sent = self._frequency.sent
        means = Means(dispatcher, self._reserved)
        self._executor = Executor(home, means, self._store, self._codes, clock, window_factor, self._ties, sent)
        self._running: set[asyncio.Task[Any]] = set()

    async def start(self) -> None:
        """Turn what a process that died left `executing` into `interrupted`, and expire what is due. Nothing runs again by itself."""
        for plan_id in await self._store.interrupt_stale():
            _LOGGER.warning("Plan %s was interrupted by a stop and waits for a person", plan_id)
            if (plan := await self._store.get(plan_id)) is not None:
                self._ties.tell("plan_interrupted", plan_id, unsure_of(plan), "")
        await self._store.expire_due(self._clock.now())
        self._frequency.restore(await self._store.sent_since(self._clock.now() - LONGEST), self._home)

    async def close(self) -> None:
        """Stop what is under way: it stays `executing`, and is `interrupted` at the next start."""
        for task in (running := list(self._running)):
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._executor.close()

    async def submit(  # noqa: PLR0913 - each is something of its own that a request comes with
        self,
        calls: Sequence[Call],
        caller: Caller,
        *,
        request: str,
        run_id: str = "",
        mode: Mode | None = None,
        dry_run: bool | None = None,
        outside: bool = False,
        named: frozenset[str] = frozenset(),
        agreed: Agreed | None = None,
        wide: bool = False,
        instead_of: Plan | None = None,
    ) -> tuple[Plan, ...]:
        """Judge `calls`, act on what is allowed and return one plan per verdict. `mode` and `dry_run` only tighten the gate's own.

        `outside`: the run has read text from outside, and does nothing at once to what is not `named` in the person's own words.
        `agreed` is the yes that was given to this before: what it does not carry now is refused, and nothing of it waits.
        `wide`: what is reached was not named one by one; nothing sensitive among it is done without a yes.
        `instead_of`: the waiting plan that these take the place of. It is rejected as they are stored, or nothing happens at all:
        whoever decided about it first leaves already_decided or plan_expired.

        Every call is resolved before the first acts: one that does not fit raises its HomestewardError, and nothing was sent. What
        lies outside the caller's reach is answered as if it were not there. While the home is not connected nothing is judged by
        what it was: NotConnectedError.
        """
        await self._ties.still(caller)
        if len(calls) > MAX_CALLS:
            raise InvalidCallError(
                f"{len(calls)} calls at once; at most {MAX_CALLS} go.", next="Ask for less at a time."
            )
        prepared = await self._prepared(calls, caller)
        asked, tightened = await self._request(caller, request, run_id), self.mode.tightened(mode)
        asked = replace(
            asked,
            mode=tightened,
            dry_run=self.dry_run or bool(dry_run),
            agreed=agreed,
            wide=wide,
            circumstances=replace(asked.circumstances, mode=tightened.value, outside=outside, named=named),
        )
        return await self._proposed(prepared, asked, instead_of=instead_of)

    async def explain(
        self, call: Call, caller: Caller, preset: Preset | None = None
    ) -> tuple[tuple[ResolvedCall, Decision], ...]:
        """Return what would happen to `call`, one decision per verdict, and do nothing. Raises what `submit` would raise."""
        (prepared,) = await self._prepared([call], caller)
        asked = await self._request(caller, "", "")
        by = replace(asked.policy, preset=preset) if preset else asked.policy
        found = judged(prepared.call, replace(asked, policy=by), self._home)
        return tuple((part, decision_shown(decision, caller, self._home)) for part, decision in found)

    def learned(self, call: ResolvedCall, decision: Decision) -> dict[str, Learned]:
        """Return, by entity that the call names, how long it is watched for where this home has taught that it takes longer than usual."""
        return longer_of(call, decision, self._home, self._ties.windows)

    async def approve(self, plan_id: str, by: Caller, steps: Sequence[int] | None = None) -> Plan:
        """Approve a waiting plan, all of it or only `steps`, carry it out and return it as it ended.

        A repeat, also one at the same moment, changes nothing and returns the plan as it is stored. Raises unknown_plan,
        not_allowed, proof_needed, already_decided (it was rejected), plan_expired, plan_changed, unknown_step, and not_connected,
        which leaves it waiting.
        """
        plan = await self.plan(plan_id)
        require_approver(plan, by, self._home, self._clock.now())
        return shown_to(await self._kept(self._agreed(plan, by, steps)), by, self._home)

    async def confirm(self, plan_id: str, by: Caller) -> Plan:
        """Say the yes that a plan with `needs: confirm` or `pin` waits for, the latter with a proof for this plan; else as `approve`."""
        plan = await self.plan(plan_id)
        require_confirmer(plan, by, self._home, self._clock.now())
        return shown_to(await self._kept(self._agreed(plan, by, None)), by, self._home)

    async def reject(self, plan_id: str, by: Caller) -> Plan:
        """Refuse a waiting plan for good, or give up one that was interrupted. Raises unknown_plan, not_allowed, already_decided, plan_expired."""
        plan = await self.plan(plan_id)
        require_rejecter(plan, by, self._home)
        rejected_as = REJECTED_AS.get(plan.state, PlanState.REJECTED)
        await self._ties.still(by)
        if plan.state in REJECTED_AS:
            await self._store.decide(rejection(plan, by, self._clock.now()))
            plan = await self.plan(plan_id)
        if plan.state is not rejected_as:
            raise decided_otherwise(plan)
        self._codes.forget(plan.id)
        return plan

    async def resume(self, plan_id: str, by: Caller) -> Plan:
        """Go on with a plan that was cut off and return it as it ended. Only a person does that, and nothing does it by itself.

        What was done is left; what is unsure is looked at again, and sent again only where twice is once. Raises unknown_plan,
        not_allowed, proof_needed, not_interrupted, not_connected, and plan_changed where the steps or the verdict are others now.
        """
        plan = await self.plan(plan_id, by)
        require_resumer(plan, by, self._home, self._clock.now())
        await self._ties.still(by)
        require_interrupted(plan)
        self._require_connected()
        require_same(plan, self.mode)
        require_acting(dry_run=self.dry_run)
        await freshen(self._home, [step.call for step in plan.steps])
        require_verdict(plan, await self._request(plan.caller, plan.request, plan.run_id), self._home)
        return shown_to(await self._kept(self._gone_on_with(plan, by)), by, self._home)

    async def undo(
        self,
        plan_id: str,
        by: Caller,
        *,
        run_id: str = "",
        mode: Mode | None = None,
        outside: bool = False,
        named: frozenset[str] = frozenset(),
        dry_run: bool | None = None,
    ) -> Undone:
        """Take back what a plan did, as far as it goes: by calls that `by` asks for like any others, one plan per verdict.

        Raises unknown_plan, not_connected and cannot_undo, and what `submit` raises. What is left as it is, is named with the reason.
        """
        await self._ties.still(by)
        plan = await self.plan(plan_id, by)
        self._require_connected()
        require_undoable(plan)
        require_no_other([await self._store.get(other) for other in plan.undone_by])
        await freshen(self._home, [step.call for step in plan.steps])
        undo = undo_of(plan, self._home).for_whom(by, self._home).cut_to(MAX_CALLS)
        inverses, kept = self._reserved.inverses(plan)
        fitting, unfit = await fitting_of(self._home, self._reserved, by, (*inverses, *undo.calls))
        left = (*undo.left, *kept, *unfit)
        if not fitting:
            raise cannot_undo(left)
        asked, tightened = await self._request(by, f"undo {plan.id}", run_id), self.mode.tightened(mode)
        at, dry = replace(asked.circumstances, mode=tightened.value, outside=outside, named=named), bool(dry_run)
        asked = replace(asked, mode=tightened, dry_run=self.dry_run or dry, circumstances=at, undoes=plan.id)
        return Undone(await self._proposed(fitting, asked, plan), left)

    async def plan(self, plan_id: str, by: Caller | None = None) -> Plan:
        """Return the plan as it is now; raise unknown_plan, also for one that does not exist for `by` (None looks for nobody)."""
        await self._executor.unkept.settle()
        plan = await self._store.get(plan_id)
        if plan is not None and plan.state is PlanState.WAITING and plan.expires <= self._clock.now():
            await self._expire()
            plan = await self._store.get(plan_id)
        if plan is None:
            raise unknown_plan(plan_id)
        if by is None:
            return plan
        require_visible(plan, by, self._home)
        return shown_to(plan, by, self._home)

    async def plans(
        self, state: PlanState | None = None, limit: int = 100, by: Caller | None = None, before: Plan | None = None
    ) -> tuple[Plan, ...]:
        """Return the newest plans first, at most `limit` (500) of them, of one state or of all: those that exist for `by`.

        `before` goes on from a plan that was returned.
        """
        await self._expire()
        return await listed(self._store, self._home, state, limit, by, before)

    async def _prepared(self, calls: Sequence[Call], caller: Caller) -> list[Prepared]:
        if not ANYTIME.issuperset(call.id for call in calls):
            self._require_connected()
        return await prepare(self._home, self._reserved, caller, calls)

    async def _request(self, caller: Caller, text: str, run_id: str) -> Request:
        """Return the request as widely as the gate may take it."""
        policy = self.policy()
        asks_pins = any(rule.pin for rule in policy.book.rules)
        has_pin = asks_pins and bool(caller.person_id) and await self._ties.has_pin(caller.person_id)
        now, config = self._clock.now(), self._home.config
        local = now.astimezone(ZoneInfo(config.time_zone))
        circumstances = Circumstances(local, self.mode.value, counts=self._frequency.count)
        policy = replace(policy, temperature_unit=config.temperature_unit)
        return Request(caller, text, run_id, self.mode, self.dry_run, now, policy, circumstances, has_pin=has_pin)

    async def _proposed(
        self,
        prepared: Sequence[Prepared],
        asked: Request,
        taken_back: Plan | None = None,
        instead_of: Plan | None = None,
    ) -> tuple[Plan, ...]:
        """Judge prepared calls, act on what is allowed and return one plan per verdict, as it is shown to whoever asked."""
        require_no_conflict([each.call for each in prepared], self._home)
        referred = [replace(each, call=await self._codes.referred(each.call, self._home)) for each in prepared]
        proposals = propose(referred, asked, self._home)
        begun = await self._kept(self._begin(proposals, asked, taken_back, instead_of))
        return tuple(shown_to(plan, asked.caller, self._home) for plan in begun)

    async def _agreed(self, plan: Plan, by: Caller, chosen: Sequence[int] | None) -> Plan:
        await self._ties.still(by)
        if plan.state is not PlanState.WAITING:
            return as_agreed(plan)
        self._require_connected()
        require_same(plan, self.mode)
        at, steps = self._clock.now(), only(plan, chosen)
        await freshen(self._home, [step.call for step in steps])
        require_standing(plan, steps, await self._request(plan.caller, plan.request, plan.run_id), by, self._home)
        if self.dry_run:
            agreed, path = simulated_for(plan, steps, by, self._home, at), DRY_YES
        else:
            agreed, path = agreed_to(plan, steps, by, self._home, await self._reserved.fallen(steps)), YES
        won = await self._store.advance(
            plan.id,
            path,
            agreed.steps,
            alive_at=at,
            entries=[decision_entry(GateKind.APPROVED, agreed, by, agreed.state)],
            decided_by=agreed.decided_by,
            decided_person_id=agreed.decided_person_id,
            finished=agreed.finished,
        )
        # not won: somebody was faster, or it has just expired
        return await self._run(agreed, by) if won else as_agreed(await self.plan(plan.id))

    async def _gone_on_with(self, plan: Plan, by: Caller) -> Plan:
        steps = begun(looked_at_again(plan, self._home, self._clock), self._home)
        resumed = replace(plan, state=PlanState.EXECUTING, steps=steps)
        entries = [decision_entry(GateKind.RESUMED, resumed, by, PlanState.EXECUTING)]
        won = await self._store.advance(plan.id, RESUMED, steps, entries=entries)
        return await self._run(resumed, by) if won else await self.plan(plan.id)

    def _require_connected(self) -> None:
        if not self._home.connected:
            raise NotConnectedError

    async def _begin(
        self, proposals: Sequence[Proposal], asked: Request, taken_back: Plan | None, instead_of: Plan | None
    ) -> tuple[Plan, ...]:
        """Store the proposed plans, then carry out those whose course ends in executing, one after the other.

        Codes are kept of what waits or is carried out, and of nothing else.
        """
        started = courses(proposals, asked, self._home)
        replaced = rejection(instead_of, asked.caller, self._clock.now()) if instead_of else None
        with self._codes.held({proposal.plan.id: proposal.given for proposal in proposals}) as held:
            stored = await self._store.add(started, taken_back, replaced)
            held.update(plan.id for plan, path in started if stored and path[-1] in HOLDS_CODES)
        if instead_of and not stored:
            raise decided_otherwise(await self.plan(instead_of.id))
        if instead_of:
            self._codes.forget(instead_of.id)
        return tuple([await self._run(replace(plan, state=path[-1])) for plan, path in started])

    async def _kept[T](self, work: Coroutine[Any, Any, T]) -> T:
        """Bring `work` to its end even if whoever waits for it leaves: nothing is claimed and then forgotten."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _run(self, plan: Plan, by: Caller | None = None) -> Plan:
        """Carry out a plan that was claimed, by the yes of `by` or by the policy alone; return any other as it is."""
        if plan.state is not PlanState.EXECUTING:
            if plan.state not in HOLDS_CODES:
                self._codes.forget(plan.id)
            return plan
        try:
            return await self._executor.run(plan, partial(self._fallen, by or plan.caller))
        except Exception:
            # the root of a task: whatever failed is no claim that nothing was done, so it is told as it is known and not raised
            _LOGGER.exception("Plan %s broke off", plan.id)
            return await self._executor.unkept.interrupted(plan)
        finally:
            self._codes.forget(plan.id)

    async def _fallen(self, by: Caller, plan: Plan, step: Step) -> str:
        asked = await self._request(plan.caller, plan.request, plan.run_id)
        return fallen(plan, step, asked, by, self._home)

    async def _expire(self) -> None:
        await self._executor.unkept.settle()
        for plan_id in await self._store.expire_due(self._clock.now()):
            self._codes.forget(plan_id)
