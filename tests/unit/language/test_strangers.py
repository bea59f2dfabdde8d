"""Homes that nobody has seen: nothing wrong is done in any of them, and what is said plainly is done.

HOMESTEWARD_SOAK=1 says 20,000 sentences instead of a thousand.
"""

import os
from collections import Counter
from itertools import islice

import pytest

from homesteward.language import Acts, Asks, Reading
from strangers import Spoken, StrangeHome

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))
HOMES, EACH = (400, 50) if SOAKING else (40, 25)
pytestmark = pytest.mark.timeout(1800 if SOAKING else 120)
LEAST = {"named": 1.0, "kind in room": 0.98, "one of a kind in room": 0.98, "misspelt": 0.85}  # done, or asked about


def _came_to(said: Spoken, reading: Reading) -> str:
    if isinstance(reading, Acts) and not (reading.at or reading.until):
        done = {(call.service, entity_id) for call in reading.calls for entity_id in call.target.entity_id}
        return "right" if done == {(said.service, entity_id) for entity_id in said.entity_ids} else "wrong"
    if isinstance(reading, Asks):
        return "asked" if said.entity_ids & {option.entity_id for option in reading.options} else "asked in vain"
    return "held back"


@pytest.fixture(scope="module")
def outcomes(speaking_to) -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for seed in range(HOMES):
        strange = StrangeHome(seed)
        read = speaking_to(strange.home)
        for said in islice(strange.sentences(), EACH):
            found.setdefault((said.why, _came_to(said, read(said.text))), []).append(f"{seed}: {said.text}")
    return found


def test_nothing_wrong_is_done_in_a_strange_home(outcomes):
    assert {why: texts for (why, outcome), texts in outcomes.items() if outcome == "wrong"} == {}


def test_what_is_forbidden_or_nowhere_is_held_back(outcomes):
    done = [why for why, outcome in outcomes if why in {"forbidden", "no such room"} and outcome == "right"]
    assert done == []


@pytest.mark.parametrize("why", LEAST)
def test_what_is_said_plainly_is_done_or_asked_about(outcomes, why):
    counted = Counter({outcome: len(texts) for (which, outcome), texts in outcomes.items() if which == why})
    assert (counted["right"] + counted["asked"]) / counted.total() >= LEAST[why], counted
