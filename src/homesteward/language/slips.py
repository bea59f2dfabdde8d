"""A word that nobody knows, one slip of a finger or a tongue away from one that is known here.

Where a sentence is understood but for one or two such words, what it would be with the known ones is looked at. It is acted on only where
nothing else can be meant: two letters that changed places, or one that was doubled, which makes no other name of a thing; the only word
near; nothing but everyday things. Any other slip may be another name ("Martha" is not "Marta"), and is asked about.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import product

from homesteward.knowledge import NameIndex
from homesteward.language.lexicon import Lexicon
from homesteward.language.reading import Acts

SHORTEST = 4  # letters of a word that a slip can be told in
SURE_FROM = 5  # letters of a word that is put right without asking
MOST_UNKNOWN = 2  # words; with more of them nothing was understood
MOST_WAYS = 6  # ways to put one sentence right; with more of them it says too little
EVERYDAY = frozenset({"light", "fan", "media_player"})


class Slip(Enum):
    """What happened to a word."""

    SWAPPED = auto()
    DOUBLED = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Mended:
    """A sentence put right: `words` are what stood there and what was meant. `sure`: nothing else can have been meant."""

    text: str
    words: tuple[tuple[str, str], ...]
    sure: bool


class Vocabulary:
    """The words that one home and one language know."""

    def __init__(self, index: NameIndex, words: Lexicon) -> None:
        """Know the names of `index` and the words of `words`."""
        self._index, self._words = index, words

    @cached_property
    def _by_letter(self) -> Mapping[str, tuple[str, ...]]:
        places = frozenset(word for spelling in self._index.floors for word in spelling.split())
        found: dict[str, set[str]] = {}
        for word in (*self._index.by_word, *self._index.place_words, *places, *self._words.known):
            if len(word) >= SHORTEST:
                found.setdefault(word[0], set()).add(word)
        return {letter: tuple(sorted(words)) for letter, words in found.items()}

    def mended(self, text: str) -> Iterator[Mended]:
        """Yield the ways to put the tidy `text` right, none where it has no unknown word or one that is like nothing here."""
        words = text.split()
        unknown = [n for n, word in enumerate(words) if not self._knows(word)]
        near = {n: list(self._near(words[n])) for n in unknown}
        if not unknown or len(unknown) > MOST_UNKNOWN or not all(near.values()):
            return
        ways = list(product(*near.values()))
        for way in ways[:MOST_WAYS]:
            put = dict(zip(unknown, way, strict=True))
            sure = len(ways) == 1 and all(self._is_sure(words[n], word, slip) for n, (word, slip) in put.items())
            spoken = " ".join(put[n][0] if n in put else word for n, word in enumerate(words))
            yield Mended(spoken, tuple((words[n], word) for n, (word, _) in put.items()), sure)

    def _knows(self, word: str) -> bool:
        bare = word.strip(",;.:!'")
        names = self._index.by_word
        return len(bare) < SHORTEST or not bare.isalpha() or bare in names or bare in self._by_letter.get(bare[0], ())

    def _near(self, word: str) -> Iterator[tuple[str, Slip]]:
        for known in self._by_letter.get(word[0], ()):
            if slip := slip_of(word, known):
                yield known, slip

    def _is_sure(self, said: str, meant: str, slip: Slip) -> bool:
        return slip is not Slip.OTHER and len(said) >= SURE_FROM and len(meant) >= SURE_FROM


def slip_of(said: str, meant: str) -> Slip | None:
    """Return the one slip that makes `said` of `meant`, None where it takes more than one, or none."""
    if said == meant or abs(len(said) - len(meant)) > 1:
        return None
    start = next(
        (n for n, (one, other) in enumerate(zip(said, meant, strict=False)) if one != other), min(len(said), len(meant))
    )
    one, other = said[start:], meant[start:]
    if len(one) == len(other):
        if one[2:] == other[2:] and one[:2] == other[1::-1]:
            return Slip.SWAPPED
        return Slip.OTHER if one[1:] == other[1:] else None
    long, short = (one, other) if len(one) > len(other) else (other, one)
    if long[1:] != short:
        return None
    return Slip.DOUBLED if start and long[0] == said[start - 1] else Slip.OTHER


def everyday(acts: Acts) -> bool:
    """Return whether nothing but everyday things are moved."""
    return bool(acts.calls) and all(call.domain in EVERYDAY for call in acts.calls)


def in_words(words: Iterable[tuple[str, str]]) -> str:
    """Return what was taken for what."""
    return ", ".join(f"{said!r} taken for {meant!r}" for said, meant in words)
