"""What "undo that" does: what was done last in a conversation is taken back, as far as it goes."""

from homesteward.actions import Gate, Mode, Plan
from homesteward.actions.errors import CannotUndoError, UnknownPlanError
from homesteward.actions.undo import Left, Undone
from homesteward.core.errors import HomestewardError
from homesteward.people import Caller


async def take_back(gate: Gate, plan_ids: tuple[str, ...], caller: Caller, run_id: str, mode: Mode) -> Undone:
    """Take back each plan, the last one first; raise what kept the last from it where none could be."""
    plans: list[Plan] = []
    left: list[Left] = []
    refused: HomestewardError | None = None
    for plan_id in reversed(plan_ids):
        try:
            undone = await gate.undo(plan_id, caller, run_id=run_id, mode=mode)
        except (CannotUndoError, UnknownPlanError) as error:
            refused = refused or error
        else:
            plans += undone.plans
            left += undone.left
    if not plans and refused:
        raise refused
    return Undone(tuple(plans), tuple(dict.fromkeys(left)))
