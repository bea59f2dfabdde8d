"""The life of the connection: each phase, each turn, and how long it waits."""

from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.core import FrozenClock
from homesteward.home.life import TRANSITIONS, Ending, ImpossibleTurnError, Life, Limits, Phase, Turn, next_phase

PATHS = {
    (Phase.DISCONNECTED, Turn.ATTEMPT, Phase.CONNECTING),
    (Phase.CONNECTING, Turn.OPENED, Phase.AUTHENTICATING),
    (Phase.CONNECTING, Turn.LOST, Phase.COOLING_DOWN),
    (Phase.CONNECTING, Turn.REFUSED, Phase.COOLING_DOWN),
    (Phase.AUTHENTICATING, Turn.ADMITTED, Phase.SYNCING),
    (Phase.AUTHENTICATING, Turn.LOST, Phase.COOLING_DOWN),
    (Phase.AUTHENTICATING, Turn.REFUSED, Phase.COOLING_DOWN),
    (Phase.SYNCING, Turn.SYNCED, Phase.LIVE),
    (Phase.SYNCING, Turn.LOST, Phase.COOLING_DOWN),
    (Phase.SYNCING, Turn.REFUSED, Phase.COOLING_DOWN),
    (Phase.LIVE, Turn.LOST, Phase.COOLING_DOWN),
    (Phase.COOLING_DOWN, Turn.ATTEMPT, Phase.CONNECTING),
    *((phase, Turn.CLOSE, Phase.CLOSED) for phase in Phase),
}


@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("turn", Turn)
def test_every_phase_takes_each_turn_to_the_one_place_it_leads_to_or_not_at_all(phase: Phase, turn: Turn):
    there = [after for before, by, after in PATHS if (before, by) == (phase, turn)]
    if there:
        assert [next_phase(phase, turn)] == there
    else:
        with pytest.raises(ImpossibleTurnError):
            next_phase(phase, turn)


def test_the_table_has_no_other_way():
    assert {(before, turn, after) for (before, turn), after in TRANSITIONS.items()} == PATHS


@given(st.lists(st.sampled_from(Turn)))
def test_no_sequence_gets_to_live_without_being_let_in_and_synced_since_the_last_loss(turns: list[Turn]):
    life = Life(FrozenClock(datetime(2026, 3, 1, tzinfo=UTC)))
    since_loss: list[Turn] = []
    for turn in turns:
        try:
            life.take(turn)
        except ImpossibleTurnError:
            continue
        since_loss = [] if turn in {Turn.LOST, Turn.REFUSED} else [*since_loss, turn]
        if life.phase is Phase.LIVE:
            assert since_loss == [Turn.ATTEMPT, Turn.OPENED, Turn.ADMITTED, Turn.SYNCED]
        if Turn.CLOSE in since_loss:
            assert life.phase is Phase.CLOSED


def test_whoever_watches_hears_each_phase_until_the_undo():
    life, heard = Life(FrozenClock(datetime(2026, 3, 1, tzinfo=UTC))), list[Phase]()
    undo = life.watch(heard.append)
    life.take(Turn.ATTEMPT)
    undo()
    life.take(Turn.LOST)
    assert heard == [Phase.CONNECTING]


@given(
    failures=st.integers(0, 10_000),
    ending=st.sampled_from(Ending),
    chance=st.randoms(use_true_random=False),
    planned=st.booleans(),
)
def test_no_wait_is_longer_than_the_longest_or_less_than_none(
    failures: int, ending: Ending, chance: Random, *, planned: bool
):
    limits = Limits()
    wait = limits.wait(failures, ending, chance, planned=planned)
    assert 0 <= wait <= limits.longest_s
    if planned and ending is not Ending.REFUSED:
        assert wait <= limits.restart_s
    if ending is Ending.REFUSED:
        assert wait == limits.longest_s


def test_waits_grow_by_themselves_and_the_first_attempt_after_a_long_life_is_at_once():
    limits = Limits(jitter=0)
    waits = [limits.wait(n, Ending.BROKEN, Random(0)) for n in range(9)]
    assert waits == [0, 1, 2, 4, 8, 16, 32, 60, 60]


def test_chance_takes_up_to_half_of_a_wait():
    waits = {Limits().wait(4, Ending.BROKEN, Random(seed)) for seed in range(200)}
    assert min(waits) >= 4
    assert max(waits) <= 8
    assert len(waits) > 100
