"""The rooms that carry out reserved calls, found by the domain and service of a call."""

from collections.abc import Iterable, Sequence

from homesteward.actions.errors import GateError
from homesteward.actions.plan import Plan, Step, StepState
from homesteward.actions.reserved import Reserved
from homesteward.actions.undo import SENT, Left
from homesteward.core.text import neighbours
from homesteward.home.calls import Call, ResolvedCall
from homesteward.home.live import Undo
from homesteward.home.reserved import is_reserved


class NotOfferedError(GateError):
    """Nothing here carries out calls of this name."""

    code = "unknown_service"


class ReservedCalls:
    """Hold the rooms and find the one that a call belongs to."""

    def __init__(self, *rooms: Reserved) -> None:
        """Begin with `rooms`."""
        self._rooms = list(rooms)

    def add(self, room: Reserved) -> Undo:
        """Take `room` in, and return the way to put it out again."""
        self._rooms.append(room)
        return lambda: self._rooms.remove(room)

    def room_of(self, call: Call | ResolvedCall) -> Reserved | None:
        """Return what carries `call` out, None for a service of Home Assistant; raise NotOfferedError where nothing does."""
        if not is_reserved(call.domain):
            return None
        for room in self._rooms:
            if call.id in room.services:
                return room
        known = [name for room in self._rooms for name in room.services]
        near = neighbours(call.id, known)
        raise NotOfferedError(
            f"Nothing here carries out {call.id}.",
            next=f"There is {', '.join(near)}." if near else "Ask for the tools to see what there is.",
        )

    async def fallen(self, steps: Iterable[Step]) -> dict[int, str]:
        """Return by step why it does not stand any more, of the reserved ones that are still to run."""
        found: dict[int, str] = {}
        for step in steps:
            room = self.room_of(step.call) if step.state is StepState.PENDING else None
            if room is not None and (why := await room.stands(step)):
                found[step.n] = why
        return found

    def inverses(self, plan: Plan) -> tuple[Sequence[Call], Sequence[Left]]:
        """Return the calls that take the plan's reserved steps back, the last first, and what is left as it is."""
        calls: list[Call] = []
        left: list[Left] = []
        for step in reversed(plan.steps):
            changed = step.state in SENT and (step.state is not StepState.FAILED or step.after)
            room = self.room_of(step.call) if changed else None
            if room is None:
                continue
            back = room.inverse(step)
            if isinstance(back, str):
                left.append(Left(step.call.id, back))
            else:
                calls.append(back)
        return calls, left
