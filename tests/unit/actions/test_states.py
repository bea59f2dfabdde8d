from itertools import product

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from homesteward.actions import PlanState
from homesteward.actions.states import TRANSITIONS, NoSuchTransitionError, move

# The table of the design, written once more by hand: a change of the code's table is a decision, not an accident.
DESIGN = """
proposed -> approved waiting rejected simulated
waiting -> approved rejected expired simulated
approved -> executing expired cancelled
executing -> completed partial failed interrupted
interrupted -> executing failed
"""
ALLOWED = {
    (PlanState(state), PlanState(to))
    for state, _, onward in (line.partition(" -> ") for line in DESIGN.strip().splitlines())
    for to in onward.split()
}


@pytest.mark.parametrize(("state", "to"), list(product(PlanState, PlanState)))
def test_a_plan_moves_exactly_as_the_design_says(state, to):
    if (state, to) in ALLOWED:
        assert move(state, to) is to
    else:
        with pytest.raises(NoSuchTransitionError):
            move(state, to)


def test_every_state_is_in_the_table():
    assert set(TRANSITIONS) == set(PlanState)


class Plans(RuleBasedStateMachine):
    """Try any move at any time: what is settled stays settled, and nothing executes that was not approved."""

    def __init__(self) -> None:
        super().__init__()
        self.path = [PlanState.PROPOSED]

    @rule(to=st.sampled_from(PlanState))
    def try_to_move(self, to: PlanState) -> None:
        try:
            self.path.append(move(self.path[-1], to))
        except NoSuchTransitionError:
            assert (self.path[-1], to) not in ALLOWED

    @invariant()
    def nothing_executes_before_it_was_approved(self) -> None:
        if PlanState.EXECUTING in self.path:
            assert PlanState.APPROVED in self.path[: self.path.index(PlanState.EXECUTING)]

    @invariant()
    def nothing_leaves_a_settled_state(self) -> None:
        settled = {state for state, onward in TRANSITIONS.items() if not onward}
        assert not settled & set(self.path[:-1])


TestPlans = Plans.TestCase
