"""The words under which exposed entities are found: their names, aliases, areas and kinds, as the index of the home's names has them."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from homesteward.core.text import forms
from homesteward.home.view import HomeView
from homesteward.knowledge import Named, NameIndex, names_of_home

WORD = re.compile(r"\w+")
SHORTEST_STEM = 3
LONGEST_ENDING = 2  # "lights" is "light", "the" is not "thermostat"


@dataclass(frozen=True, slots=True)
class Entry:
    """One exposed entity: every spelling of its names, and every word it can be found by."""

    entity_id: str
    names: frozenset[str]
    words: frozenset[str]


class WordIndex:
    """Know the words of a home's exposed entities, which follow the home from revision to revision."""

    def __init__(self, home: HomeView) -> None:
        """Read `home` when first asked."""
        self._home = home
        self._index: NameIndex | None = None
        self._made: dict[str, tuple[tuple[Named, frozenset[str]], Entry]] = {}
        self._entries: Mapping[str, Entry] = MappingProxyType({})

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Return the entries by entity id."""
        index = names_of_home(self._home)
        if index is not self._index:
            self._made = {
                entity_id: self._entry(index.entities[entity_id], index) for entity_id in sorted(index.entities)
            }
            self._entries = MappingProxyType({entity_id: entry for entity_id, (_, entry) in self._made.items()})
            self._index = index
        return self._entries

    def _entry(self, named: Named, index: NameIndex) -> tuple[tuple[Named, frozenset[str]], Entry]:
        """Return the entry of one entity with what it was made from; what is as before is not made again."""
        source = named, index.area_words.get(named.area_id or "", frozenset())
        known = self._made.get(named.entity_id)
        if known and known[0] == source:
            return known
        own = words_of((*named.names, *named.entity_id.split(".")))
        return source, Entry(named.entity_id, named.names, own | words_of(source[1]))


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words of `texts` in every spelling: folded, without accents, spelled out."""
    return frozenset(word for text in texts for word in _words(text))


def alike(wanted: str, known: Iterable[str]) -> bool:
    """Return whether `wanted` is one of `known`, up to an ending such as a plural's."""
    return any(wanted == word or _inflected(wanted, word) for word in known)


@lru_cache(maxsize=50_000)
def _words(text: str) -> frozenset[str]:
    return frozenset(word for form in forms(text) for word in WORD.findall(form))


def _inflected(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= SHORTEST_STEM and len(long) - len(short) <= LONGEST_ENDING and long.startswith(short)
