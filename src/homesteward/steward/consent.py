"""A yes or a no to plans that wait in a conversation, and the PIN that a yes may take."""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Protocol

from homesteward.actions import Gate, Needs, Plan, PlanState
from homesteward.core.errors import ErrorInfo, HomestewardError
from homesteward.people import Caller
from homesteward.people.errors import NotAllowedError
from homesteward.steward.pin import Pin


class Prover(Protocol):
    """Turns a PIN into a proof that whoever gave it is who they are, for one purpose."""

    async def with_pin(self, caller: Caller, pin: str, purpose: str, *, holder: str) -> object:
        """Check the caller's own PIN, which counts the try, and hold the proof for `holder`; raise the HomestewardError of a wrong one."""
        ...

    def carried(self, caller: Caller, purpose: str, *, holder: str) -> Caller:
        """Return the caller with the proof that is held for this purpose."""
        ...

    def forget(self, holder: str) -> None:
        """Drop every proof of a holder."""
        ...


type Said = tuple[tuple[Plan, ...], ErrorInfo | None]
"""The plans as they are now, and why a yes to one of them did not count."""


class Consent:
    """Say yes or no to waiting plans for the person who asked for them."""

    def __init__(self, gate: Gate, prover: Prover | None) -> None:
        """Decide through `gate`; without a `prover`, no PIN is any good."""
        self._gate, self._prover = gate, prover

    async def say_yes(
        self, plan_ids: Iterable[str], caller: Caller, pin: Pin | None, holder: str, *, plainly: bool = True
    ) -> Said:
        """Say yes to each plan, with the PIN to those that take one, which else wait on; a plan for a plain yes needs `plainly`.

        What keeps one plan from it keeps no other: what was done is told, and why the first of the rest was not. The first PIN that
        is refused is the last that is tried: one slip counts once.
        """
        waiting, error = await self._each(plan_ids, self._gate.plan)
        if not plainly:
            return waiting, error

        async def agree(plan_id: str) -> Plan:
            plan = next(each for each in waiting if each.id == plan_id)
            return plan if plan.needs is Needs.PIN else await self._gate.confirm(plan_id, caller)

        agreed, refused = await self._each([plan.id for plan in waiting], agree)
        error = error or refused
        if not pin:
            return agreed, error
        proved, refused = await self.give_pin(agreed, caller, pin, holder)
        return proved, error or refused

    async def give_pin(self, plans: Sequence[Plan], caller: Caller, pin: Pin, holder: str) -> Said:
        """Say yes with the PIN to those of `plans` that wait for one."""
        done: list[Plan] = []
        error: ErrorInfo | None = None
        for plan in plans:
            if error or plan.state is not PlanState.WAITING or plan.needs is not Needs.PIN:
                done.append(plan)
                continue
            try:
                done.append(await self._with_pin(plan, caller, pin, holder))
            except HomestewardError as refused:
                error = refused.info
                done += await self._standing(plan.id) or (plan,)
        return tuple(done), error

    async def say_no(self, plan_ids: Iterable[str], caller: Caller) -> Said:
        """Reject each plan; what keeps one from it keeps no other."""
        return await self._each(plan_ids, lambda plan_id: self._gate.reject(plan_id, caller))

    async def _each(self, plan_ids: Iterable[str], do: Callable[[str], Awaitable[Plan]]) -> Said:
        """Do it with each plan: those that it was done with as they are then, the others as they stand, and what failed first."""
        done: list[Plan] = []
        error: ErrorInfo | None = None
        for plan_id in plan_ids:
            try:
                done.append(await do(plan_id))
            except HomestewardError as refused:
                error = error or refused.info
                done += await self._standing(plan_id)
        return tuple(done), error

    async def _standing(self, plan_id: str) -> tuple[Plan, ...]:
        """Return the plan as it stands, none where even that cannot be read."""
        try:
            return (await self._gate.plan(plan_id),)
        except HomestewardError:
            return ()

    async def _with_pin(self, plan: Plan, caller: Caller, pin: Pin, holder: str) -> Plan:
        holder = f"conversation:{holder}"  # a name that somebody chose must not be a session's
        if self._prover is None:
            raise NotAllowedError("No PIN can be given here.", next="Approve it in the list of plans.")
        try:
            await self._prover.with_pin(caller, pin.reveal(), plan.id, holder=holder)
            return await self._gate.confirm(plan.id, self._prover.carried(caller, plan.id, holder=holder))
        finally:
            self._prover.forget(holder)
