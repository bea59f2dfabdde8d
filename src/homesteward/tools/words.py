"""The words under which exposed entities are found: their names, aliases, areas and kinds, folded once per revision of the home."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from homesteward.core.text import forms
from homesteward.home.view import HomeView, area_of, names_of

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
    """Know the words of a home's exposed entities; made anew when the home's revision has grown."""

    def __init__(self, home: HomeView) -> None:
        """Read `home` when first asked."""
        self._home = home
        self._revision: int | None = None
        self._entries: Mapping[str, Entry] = MappingProxyType({})

    @property
    def entries(self) -> Mapping[str, Entry]:
        """Return the entries by entity id."""
        if self._revision != self._home.revision:
            exposed = sorted(self._home.exposed & self._home.states.keys())
            self._entries = MappingProxyType({entity_id: _entry(self._home, entity_id) for entity_id in exposed})
            self._revision = self._home.revision
        return self._entries


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


def _entry(home: HomeView, entity_id: str) -> Entry:
    names, area = names_of(home, entity_id), area_of(home, entity_id)
    places = (area.name, *area.aliases) if area else ()
    return Entry(
        entity_id,
        frozenset(form for name in names for form in forms(name)),
        words_of((*names, *places, *entity_id.split("."))),
    )
