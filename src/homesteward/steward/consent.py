"""A yes or a no to plans that wait in a conversation, and the PIN that a yes may take."""

from collections.abc import Iterable, Sequence
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

        The first PIN that is refused is the last that is tried: one slip counts once.
        """
        waiting = [await self._gate.plan(plan_id) for plan_id in plan_ids]
        if not plainly:
            return tuple(waiting), None
        agreed = [plan if plan.needs is Needs.PIN else await self._gate.confirm(plan.id, caller) for plan in waiting]
        return await self.give_pin(agreed, caller, pin, holder) if pin else (tuple(agreed), None)

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
                done.append(await self._gate.plan(plan.id))
        return tuple(done), error

    async def say_no(self, plan_ids: Iterable[str], caller: Caller) -> tuple[Plan, ...]:
        """Reject each plan."""
        return tuple([await self._gate.reject(plan_id, caller) for plan_id in plan_ids])

    async def _with_pin(self, plan: Plan, caller: Caller, pin: Pin, holder: str) -> Plan:
        holder = f"conversation:{holder}"  # a name that somebody chose must not be a session's
        if self._prover is None:
            raise NotAllowedError("No PIN can be given here.", next="Approve it in the list of plans.")
        try:
            await self._prover.with_pin(caller, pin.reveal(), plan.id, holder=holder)
            return await self._gate.confirm(plan.id, self._prover.carried(caller, plan.id, holder=holder))
        finally:
            self._prover.forget(holder)
