"""Names of ordinary things and rooms in every language we know, so that a name may be said in another than it is written in.

The rows are words for one thing (`data/glossary.yaml`); no home's own names are in them. A phrase is taken apart into such words,
all of them are put into one other language, and what comes out counts only if it is, word for word, the whole of a name.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from homesteward.language.spelling import both
from homesteward.language.tables import rows

MOST = 64  # ways to put one phrase into another language; a phrase with more says too little
type Bag = tuple[str, ...]
type Entry = Mapping[str, tuple[str, ...]]  # language -> what the thing is called in it


def bag(words: str) -> Bag:
    """Return the words in a steady order: languages order them differently."""
    return tuple(sorted(words.split()))


@dataclass(frozen=True, slots=True)
class Glossary:
    """What the words of one language are called in the others."""

    entries: Mapping[str, Entry]
    languages: tuple[str, ...]
    longest: int  # words in one entry

    def places(self, known: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
        """Return, for each word of this language that is called like some of `known` in another, what they are."""
        found = {}
        for word, entry in self.entries.items():
            ids = dict.fromkeys(one for names in entry.values() for name in names for one in known.get(name, ()))
            if ids:
                found[word] = tuple(ids)
        return found

    def names(self, words: tuple[str, ...], joining: frozenset[str]) -> Iterator[Bag]:
        """Yield the bags of words that the phrase may be in another language; `joining` words say nothing of their own."""
        parts = list(self._parts(words, joining))
        if not any(isinstance(part, Mapping) for part in parts):
            return
        for language in self.languages:
            options = [part.get(language, ()) if isinstance(part, Mapping) else (part,) for part in parts]
            if 0 < prod(len(several) for several in options) <= MOST:
                yield from dict.fromkeys(bag(" ".join(chosen)) for chosen in product(*options))

    def _parts(self, words: tuple[str, ...], joining: frozenset[str]) -> Iterator[Entry | str]:
        start = 0
        while start < len(words):
            sizes = range(min(self.longest, len(words) - start), 0, -1)
            size = next((n for n in sizes if " ".join(words[start : start + n]) in self.entries), 0)
            if size:
                yield self.entries[" ".join(words[start : start + size])]
            elif words[start] not in joining:
                yield words[start]
            start += max(size, 1)


@cache
def glossary(language: str) -> Glossary:
    """Return the glossary from `language` into the others."""
    base = language.split("-", maxsplit=1)[0].lower()
    found: dict[str, dict[str, dict[str, None]]] = {}
    for row in rows("glossary"):
        own = _spelled(row.get(base, []))
        others = {name: _spelled(words) for name, words in row.items() if name != base}
        for spelling in own:
            for name, words in others.items():
                # One word of the language is not exchanged for another of it, by way of a third.
                meant = [word for word in words if word == spelling or word not in own]
                found.setdefault(spelling, {}).setdefault(name, {}).update(dict.fromkeys(meant))
    entries = {word: {name: tuple(words) for name, words in entry.items()} for word, entry in found.items()}
    languages = tuple(sorted({name for entry in entries.values() for name in entry}))
    return Glossary(entries, languages, max((len(word.split()) for word in entries), default=0))


def _spelled(words: list[str]) -> list[str]:
    return [spelling for word in words for spelling in both(word)]
