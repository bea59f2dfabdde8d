"""Sentences of strange homes, taken out of their shape: words moved, put in, left out, or said of another room. What each may do is still known.

Run as a module, it prints how often the best candidate of the retrieval stage is wrong, by its score and by how far it is ahead.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from homesteward.home.simulation import SimulatedHome
from homesteward.knowledge import names_of_home
from homesteward.language.acts import ACTS
from homesteward.language.lexicon import Lexicon, lexicon
from homesteward.language.offering import Candidate, Offering
from homesteward.language.proposals import Proposals
from homesteward.language.ranking import ACT_FROM, margin
from homesteward.language.sentence import HomeNames
from homesteward.language.targets import Targets
from homesteward.language.texts import texts
from homesteward.language.tidy import tidy
from homesteward.language.verbs import verbs, wanted
from strangers import Spoken, StrangeHome

STRANGE = ("darn", "lovely", "silly", "blessed", "whatsit", "shiny", "ruddy", "little")
NOBODY = frozenset[str]()


def scrambled(strange: StrangeHome, seed: int) -> Iterator[Spoken]:
    """Yield sentences about the home without end, each taken out of its shape in one way, or two."""
    draw = Random(seed)
    for said in strange.sentences():
        words = said.text.rstrip("?").split()
        if len(words) < 3:
            continue
        for _ in range(draw.choice((1, 1, 2))):
            change = draw.choice((_moved, _swapped, _put_in, _left_out))
            words = change(words, draw)
        ids = said.entity_ids
        if draw.random() < 0.1:  # said of another room: nothing is meant any more
            words, ids = [*words, "in", "the", draw.choice(strange.absent).lower()], NOBODY
        yield Spoken(" ".join(words), said.service, ids, said.why)


def _moved(words: list[str], _draw: Random) -> list[str]:
    return [*words[1:], words[0]]


def _swapped(words: list[str], draw: Random) -> list[str]:
    cut = draw.randint(1, len(words) - 1)
    return [*words[cut:], *words[:cut]]


def _put_in(words: list[str], draw: Random) -> list[str]:
    at = draw.randint(0, len(words))
    return [*words[:at], draw.choice(STRANGE), *words[at:]]


def _left_out(words: list[str], draw: Random) -> list[str]:
    at = draw.randrange(len(words))
    return [*words[:at], *words[at + 1 :]] if len(words) > 2 else words


def offering_in(home: SimulatedHome, words: Lexicon) -> Offering:
    """Return the retrieval stage alone, without what goes before it."""
    names = HomeNames(names_of_home(home))
    say, known = texts(words.language), verbs(words.language)
    assert known is not None
    targets = Targets(names.index, words, names.in_other_words(words))
    return Offering(
        home, names.retrieval(words), targets, Proposals(home, names.index, say), say, known, words.language
    )


def _outcome(said: Spoken, best: Candidate) -> bool:
    """Return whether doing the best candidate would be right."""
    services = {ACTS[best.act].services[name.partition(".")[0]] for name in best.target.entity_ids}
    return services == {said.service} and frozenset(best.target.entity_ids) == said.entity_ids


def main(homes: int = 200, each: int = 50) -> None:
    """Print the table of docs/evals.md."""
    words = lexicon("en")
    assert words is not None
    known = verbs("en")
    assert known is not None
    counted: Counter[tuple[str, str, bool]] = Counter()
    for seed in range(homes):
        strange = StrangeHome(seed)
        offering = offering_in(strange.home, words)
        for said in islice(scrambled(strange, seed), each):
            asked = wanted(tidy(said.text), known, words)
            found = offering.candidates(asked, None) if asked else []
            if found and said.why != "forbidden":  # those the guards have held back before
                ahead = margin([one.score for one in found])
                sort = "whole" if found[0].features.whole else "part"
                band = "high" if found[0].score >= ACT_FROM else "low"
                counted[f"{sort} {band}", f"{min(int(ahead * 10), 5) / 10:.1f}", _outcome(said, found[0])] += 1
    for sort, ahead in sorted({key[:2] for key in counted}):
        right, wrong = counted[sort, ahead, True], counted[sort, ahead, False]
        print(f"{sort:12} {ahead} ahead: {right + wrong:5} {wrong:5} wrong")


if __name__ == "__main__":
    main(*(int(text) for text in sys.argv[1:]))
