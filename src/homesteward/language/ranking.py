"""Which of several things a sentence most likely asks for, and whether that is sure enough: features to a score, scores to a verdict.

Nothing here knows a word or a home. The weights and the bars were set on sentences drawn at random (see docs/evals.md), and are code:
what is to be done without being asked about is decided the same way every time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

EXPLAINED, COVERED, PLACED, ALIKE = 0.45, 0.35, 0.1, 0.1  # what a candidate can earn; together 1
UNEXPLAINED = 0.15  # what each word costs that it does not account for
AT_ODDS = 0.4  # what a place or a kind costs that was said and is another
ACT_FROM = 0.85  # below this, nothing is done
MARGIN = 0.15  # and the next best has to be this far behind
OFFER_FROM = 0.5  # below this, nothing is offered
NEAR_BEST = 0.25  # what is this far behind the best is not offered beside it
MOST_OFFERED = 3


@dataclass(frozen=True, slots=True)
class Features:
    """How well one candidate accounts for a sentence: shares from 0 to 1; a place or a kind that was not said is None.

    `strange` counts the words that it does not account for; `whole` tells that those it does make the whole of what can be meant.
    """

    explained: float
    covered: float
    place: bool | None = None
    kind: bool | None = None
    strange: int = 0
    whole: bool = False


class Verdict(Enum):
    """What to do with the best of the candidates."""

    ACT = auto()
    OFFER = auto()
    LEAVE = auto()


def score(features: Features) -> float:
    """Return how well the candidate fits, 1 at best."""
    earned = EXPLAINED * features.explained + COVERED * features.covered
    for agrees, worth in ((features.place, PLACED), (features.kind, ALIKE)):
        earned += worth if agrees or agrees is None else -AT_ODDS
    return max(0.0, earned - UNEXPLAINED * features.strange)


def margin(scores: Sequence[float]) -> float:
    """Return how far the best is ahead of the next, all of it where there is no other."""
    first, second = (*sorted(scores, reverse=True), 0.0)[:2] if scores else (0.0, 0.0)
    return first - second


def verdict(best: Features, scores: Sequence[float]) -> Verdict:
    """Return what the best candidate is good for, among candidates with these scores (its own is the highest)."""
    if not scores or max(scores) < OFFER_FROM:
        return Verdict.LEAVE
    sure = best.whole and not best.strange and max(scores) >= ACT_FROM and margin(scores) >= MARGIN
    return Verdict.ACT if sure else Verdict.OFFER


def offered(scores: Sequence[float]) -> tuple[int, ...]:
    """Return which candidates are worth offering, the best first."""
    ranked = sorted(range(len(scores)), key=lambda n: -scores[n])
    bar = max(OFFER_FROM, max(scores, default=0.0) - NEAR_BEST)
    return tuple(n for n in ranked if scores[n] >= bar)[:MOST_OFFERED]
