"""The states of a plan and every way from one to another. There is no other table, and no other way."""

from homesteward.actions.errors import GateError
from homesteward.actions.plan import PlanState

P = PlanState

TRANSITIONS: dict[PlanState, frozenset[PlanState]] = {
    P.PROPOSED: frozenset({P.APPROVED, P.WAITING, P.REJECTED, P.SIMULATED}),
    P.WAITING: frozenset({P.APPROVED, P.REJECTED, P.EXPIRED, P.SIMULATED}),
    P.APPROVED: frozenset({P.EXECUTING, P.EXPIRED, P.CANCELLED}),
    P.EXECUTING: frozenset({P.COMPLETED, P.PARTIAL, P.FAILED, P.INTERRUPTED}),
    P.INTERRUPTED: frozenset({P.EXECUTING, P.FAILED}),  # by a person only
    P.COMPLETED: frozenset(),
    P.PARTIAL: frozenset(),
    P.FAILED: frozenset(),
    P.REJECTED: frozenset(),
    P.EXPIRED: frozenset(),
    P.CANCELLED: frozenset(),
    P.SIMULATED: frozenset(),
}

# Somebody, or the policy, has said yes.
HOLDS_CODES = frozenset({P.WAITING, P.EXECUTING})  # what else a code came with needs it no more
AGREED = frozenset({P.APPROVED, P.EXECUTING, P.COMPLETED, P.PARTIAL, P.FAILED, P.INTERRUPTED})


class NoSuchTransitionError(GateError):
    """The table has no way from one state to the other: a fault of ours, never a person's."""

    code = "no_such_transition"


def move(state: PlanState, to: PlanState) -> PlanState:
    """Return `to` if a plan in `state` may become it; raise NoSuchTransitionError if not."""
    if to not in TRANSITIONS[state]:
        raise NoSuchTransitionError(f"A plan that is {state} cannot become {to}.")
    return to
