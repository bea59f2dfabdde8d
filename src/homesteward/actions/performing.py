"""Carrying out a reserved step: looked at right before, handed to its room with the codes put in, and ended as the room saw it."""

from collections.abc import Callable
from dataclasses import replace

from homesteward.actions.codes import CodeForgottenError, Codes, without_codes_in
from homesteward.actions.ending import act_of, ended, failed
from homesteward.actions.plan import Plan, Step, StepState
from homesteward.actions.reserved import Reserved
from homesteward.chronicle.record import Act
from homesteward.core import Clock, HomestewardError
from homesteward.home.errors import CallUncertainError


class Performer:
    """Have rooms carry out steps that were claimed."""

    def __init__(self, codes: Codes, clock: Clock, hand_on: Callable[[Act], None]) -> None:
        """Put in `codes`, and give what was carried out to `hand_on`, whatever became of it."""
        self._codes = codes
        self._clock = clock
        self._hand_on = hand_on

    async def run(self, plan: Plan, step: Step, room: Reserved) -> Step:
        """Return the step as it ended. A room that does not know whether it happened leaves it uncertain."""
        if why := await room.stands(step):
            return failed(step, f"{why}.")
        try:
            call = await self._codes.put_in(plan.id, step.n, step.call)
        except CodeForgottenError as error:
            return failed(step, error.message)
        begun = self._clock.now()
        over = await self._performed(plan, step, replace(step, call=call), room)
        self._hand_on(act_of(plan, over, step.call, begun, self._clock.now()))
        return over

    async def _performed(self, plan: Plan, step: Step, whole: Step, room: Reserved) -> Step:
        try:
            performed = await room.perform(plan, whole)
        except CallUncertainError as error:
            told = without_codes_in(error, whole.call).message
            return replace(step, state=StepState.UNCERTAIN, error=told)
        except HomestewardError as error:
            return failed(step, without_codes_in(error, whole.call).message)
        return replace(ended(step, performed.evidence), after=performed.after)
