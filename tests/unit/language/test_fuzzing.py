"""Sentences made of paraphrases, distractors and homes from nowhere: whatever is said, nothing changes that its maker did not mean.

Six hundred of them in `make test`, 20,000 with HOMESTEWARD_SOAK=1, as many as wanted by `scripts/fuzz-sentences`.
"""

import os
import subprocess
from pathlib import Path

import pytest

from fuzzing.homes import Household
from fuzzing.oracle import Outcome, Spoken
from fuzzing.verdicts import HELD, NOON, WRONG, Tally, came_to, fuzzed
from fuzzing.words import LANGUAGES
from homesteward.home.calls import Call, Target
from homesteward.language import Acts

ROOT = Path(__file__).parents[3]
COUNT = 20_000 if os.environ.get("HOMESTEWARD_SOAK") else 600
DONE = 0.95  # of what is said plainly by a name that one thing has, at least so much is done or asked about
LAMP = "light.kitchen"


@pytest.fixture(scope="module", params=LANGUAGES)
def tally(request) -> Tally:
    """What the language's share of the sentences came to."""
    share = COUNT * LANGUAGES[request.param] // sum(LANGUAGES.values())
    tally = Tally()
    for verdict in fuzzed(share, 0, request.param):
        tally.add(verdict)
    return tally


def test_nothing_changes_that_was_not_meant(tally):
    assert [str(verdict) for verdict in tally.wrong] == []


def test_nothing_is_offered_that_was_not_asked_for(tally):
    assert [str(verdict) for verdict in tally.offered] == []


def test_what_is_said_plainly_is_done(tally):
    plain = sum(many for (kind, _), many in tally.counted.items() if kind in {"named", "two"})
    assert plain > 0
    assert len(tally.missed) <= plain * (1 - DONE), [str(verdict) for verdict in tally.missed]


def test_every_kind_of_sentence_is_said():
    tally = Tally()
    for verdict in fuzzed(600, 10_000, "en"):
        tally.add(verdict)
    assert len({kind for kind, _ in tally.counted}) >= 20


def test_the_documented_command_says_as_many_as_it_is_told_to():
    """docs/evals.md and docs/soak.md name it."""
    ran = subprocess.run(
        [ROOT / "scripts" / "fuzz-sentences", "25", "3", "de"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "25 sentences, 0 wrong" in ran.stdout


def test_a_seed_says_the_same_again():
    assert [verdict.spoken for verdict in fuzzed(50, 7)] == [verdict.spoken for verdict in fuzzed(50, 7)]


@pytest.mark.parametrize(
    ("service", "outcomes", "expected"),
    [
        ("turn_on", (), WRONG),
        ("turn_on", (Outcome(frozenset({(LAMP, "state", "on")})),), "right"),
        ("turn_off", (Outcome(frozenset({(LAMP, "state", "on")})),), WRONG),
        ("turn_on", (Outcome(frozenset({("light.other", "state", "on")})),), WRONG),
        ("turn_on", (Outcome(frozenset({(LAMP, "state", "on"), ("light.porch", "state", "on")})),), WRONG),
    ],
)
def test_the_oracle_tells_right_from_wrong(home, service, outcomes, expected):
    acts = Acts((Call("light", service, Target(entity_id=(LAMP,))),))
    assert came_to(home, Spoken("", "", outcomes), acts)[0] == expected


def test_a_home_that_the_fuzzer_draws_has_what_leads_astray():
    placed = [one for seed in range(40) for one in Household(seed, NOON).placed]
    assert any(one.trap for one in placed)
    assert any(not one.thing.exposed for one in placed)
    assert any(one.thing.state == "unavailable" for one in placed)


def test_what_is_held_back_is_never_wrong(home, read):
    assert came_to(home, Spoken("", "", ()), read("do not turn on the hall light"))[0] == HELD
