"""What keeps new plans from being stored: too many of one asker wait, or somebody was faster. Looked at in the storing transaction."""

from collections.abc import Sequence

from sqlalchemy import Connection, func, select

from homesteward.actions.errors import CannotUndoError, TooManyWaitingError
from homesteward.actions.plan import Plan, PlanState
from homesteward.store.tables import plans

MOST_WAITING = 20  # of one asker: more than anybody would read through, and far less than buries what others ask for


def require_room(connection: Connection, new: Sequence[Plan]) -> None:
    """Raise TooManyWaitingError where the `new` plans, all of one asker, would be too many beside those that wait already."""
    if not new:
        return
    plan, caller = new[0], new[0].caller
    same = (
        (plans.c.token_id == caller.token_id,)
        if caller.token_id
        else (
            plans.c.person_id == caller.person_id,
            plans.c.role == caller.role.value,
            plans.c.person == caller.person,
            plans.c.device_id == (caller.device_id or ""),
            plans.c.token_id == "",
        )
    )
    here = (plans.c.home_id == plan.home_id, plans.c.state == PlanState.WAITING.value, plans.c.expires > plan.created)
    wait = connection.execute(select(func.count()).select_from(plans).where(*here, *same)).scalar_one()
    if wait + len(new) > MOST_WAITING:
        raise TooManyWaitingError(
            f"{wait} plans of yours wait already; at most {MOST_WAITING} do. Nothing was done.",
            next="Decide about those first, or reject them: 'homesteward plans list --state waiting'.",
        )


def require_first(connection: Connection, taken_back: Plan) -> None:
    """Raise CannotUndoError where another undo of the plan was begun since `taken_back` was read: of any number at once, one is made."""
    here = plans.c.home_id == taken_back.home_id
    # the row is held until the transaction ends, where the database has writers side by side
    connection.execute(select(plans.c.id).where(here, plans.c.id == taken_back.id).with_for_update())
    now = set(connection.execute(select(plans.c.id).where(here, plans.c.undoes == taken_back.id)).scalars())
    if other := now - set(taken_back.undone_by):
        raise CannotUndoError(
            f"Plan {min(other)} takes this one back already.",
            next="Look at that plan, and decide about it if it waits.",
        )
