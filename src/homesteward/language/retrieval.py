"""What the words of a sentence may mean in one home, each for itself: parts of names, places and kinds, also bent, translated or nearly so.

This finds who could be meant and how much of the sentence each accounts for; whether that is enough is decided elsewhere (ranking.py).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from homesteward.knowledge import NameIndex, Scope
from homesteward.language.glossary import glossary
from homesteward.language.lexicon import Lexicon
from homesteward.language.namesakes import Namesakes
from homesteward.language.ranking import Features
from homesteward.language.slips import slip_of

SAME, BENT, TRANSLATED, SLIPPED, CUT = 1.0, 0.95, 0.9, 0.7, 0.6  # how surely a word is the one in a name
SHORTEST = 4  # letters of a word that may be a slip for another, or the beginning of one
MOST = 60  # things looked at closely, those that share most words with the sentence
LONGEST = 4  # words of a place or a kind
REMEMBERED = 2048


@dataclass(frozen=True, slots=True)
class Said:
    """The words of a sentence that tell what is meant, each with the words of names that it may be; and its places and kinds."""

    words: tuple[Mapping[str, float], ...]
    places: Mapping[int, frozenset[str]]  # where in the words -> who is there
    kinds: Mapping[int, Scope]


class Retrieval:
    """Find what words may mean among the names of one home, in one language."""

    def __init__(self, index: NameIndex, words: Lexicon, namesakes: Namesakes) -> None:
        """Look words up in `index`, bent and translated as `words` and `namesakes` say."""
        self.index, self._words, self._namesakes = index, words, namesakes
        self.joining = words.articles | words.prepositions
        self._glossary = glossary(words.language)
        self.alike = lru_cache(REMEMBERED)(self._alike)

    def said(self, rest: Iterable[str]) -> Said:
        """Return what the words beside the verbs may be; articles and prepositions are none of them."""
        words = self.content(rest)
        places: dict[int, frozenset[str]] = {}
        kinds: dict[int, Scope] = {}
        for start, end, run in _runs(words):
            if (there := self._place(run)) is not None:
                places |= {n: there for n in range(start, end) if n not in places}
            if kind := self._words.kinds.get(run):
                kinds |= {n: kind.scope for n in range(start, end) if n not in kinds}
        return Said(tuple(self.alike(word) for word in words), places, kinds)

    def content(self, rest: Iterable[str]) -> tuple[str, ...]:
        """Return the words that say something of their own."""
        return tuple(word for word in rest if word not in self.joining)

    def candidates(self, said: Said, scope: Scope) -> tuple[str, ...]:
        """Return who of `scope` could be meant, those that share most words with what was said; a word of many says little alone."""
        shared: Counter[str] = Counter()
        for n, alike in enumerate(said.words):
            for entity_id in frozenset[str]().union(*(self.index.by_word[word] for word in alike)):
                shared[entity_id] += 2
            if n in said.places:
                shared.update(said.places[n])
        fitting = ((count, entity_id) for entity_id, count in shared.items() if self.index.fits(entity_id, scope))
        return tuple(entity_id for _, entity_id in sorted(fitting, key=lambda pair: (-pair[0], pair[1]))[:MOST])

    def features(self, said: Said, entity_id: str) -> Features:
        """Return how well the thing accounts for what was said."""
        named = self.index.entities[entity_id]
        here = {n for n, there in said.places.items() if entity_id in there}
        alike = {n for n, scope in said.kinds.items() if self.index.fits(entity_id, scope)}
        best = Features(0.0, 0.0)
        for name in named.words:
            parts = {n: _best(words, name) for n, words in enumerate(said.words)}
            told = {n: max(share, float(n in here or n in alike)) for n, share in parts.items()}
            covered = {word for words in said.words for word in words if word in name}
            share = sum(told.values()) / len(told) if told else 0.0
            found = Features(
                share,
                len(covered) / len(name),
                _agrees(said.places, here, parts),
                _agrees(said.kinds, alike, parts),
                sum(not value for value in told.values()),
            )
            best = max(best, found, key=lambda each: (each.explained, each.covered))
        return best

    def strange(self, said: Said, entity_id: str) -> tuple[int, ...]:
        """Return where the words stand that the thing does not account for."""
        names = frozenset[str]().union(*self.index.entities[entity_id].words)
        return tuple(
            n
            for n, alike in enumerate(said.words)
            if not (
                _best(alike, names)
                or entity_id in said.places.get(n, ())
                or (n in said.kinds and self.index.fits(entity_id, said.kinds[n]))
            )
        )

    def _place(self, run: str) -> frozenset[str] | None:
        index, others = self.index, self._namesakes
        areas, floors = (
            index.areas.get(run, ()) or others.areas(run),
            index.floors.get(run, ()) or others.floors(run),
        )
        held = [index.in_area.get(area, frozenset()) for area in areas]
        held += [index.on_floor.get(floor, frozenset()) for floor in floors]
        return frozenset[str]().union(*held) if held else None

    def _alike(self, word: str) -> Mapping[str, float]:
        """Return the words of names that `word` may be, by the surest way that finds any."""
        if word in self.index.by_word:
            return {word: SAME}
        for share, found in ((BENT, self._bent(word)), (TRANSLATED, self._translated(word))):
            if known := [each for each in found if each in self.index.by_word]:
                return dict.fromkeys(known, share)
        near = self._by_letter.get(word[:1], ()) if len(word) >= SHORTEST else ()
        slips = [each for each in near if slip_of(word, each)]
        return dict.fromkeys(slips, SLIPPED) or dict.fromkeys((each for each in near if _begins(word, each)), CUT)

    def _bent(self, word: str) -> tuple[str, ...]:
        bending = self._words.inflection
        return self._by_stem.get(bending.stem(word), ()) if bending else ()

    def _translated(self, word: str) -> Iterator[str]:
        for names in self._glossary.entries.get(word, {}).values():
            yield from (name for name in names if " " not in name)

    @cached_property
    def _by_stem(self) -> Mapping[str, tuple[str, ...]]:
        bending = self._words.inflection
        return _grouped((bending.stem(word), word) for word in self.index.by_word) if bending else {}

    @cached_property
    def _by_letter(self) -> Mapping[str, tuple[str, ...]]:
        return _grouped((word[0], word) for word in self.index.by_word if len(word) >= SHORTEST)


def _runs(words: tuple[str, ...]) -> Iterator[tuple[int, int, str]]:
    """Yield every run of words that may be a place or a kind, the longest first."""
    for size in range(min(LONGEST, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            yield start, start + size, " ".join(words[start : start + size])


def _best(alike: Mapping[str, float], name: frozenset[str]) -> float:
    return max((share for word, share in alike.items() if word in name), default=0.0)


def _agrees(said: Mapping[int, object], fitting: set[int], parts: Mapping[int, float]) -> bool | None:
    """Return whether all that was said of this sort fits; a word that stands in the name itself is no other place or kind."""
    return all(n in fitting or parts[n] for n in said) if said else None


def _begins(word: str, other: str) -> bool:
    short, long = sorted((word, other), key=len)
    return len(short) >= SHORTEST and long.startswith(short)


def _grouped(pairs: Iterable[tuple[str, str]]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for key, word in pairs:
        found.setdefault(key, []).append(word)
    return {key: tuple(words) for key, words in found.items()}
