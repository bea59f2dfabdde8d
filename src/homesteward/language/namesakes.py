"""Names of a home as a sentence bends them, or as another language says them: read only where nothing is called just that."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cache, cached_property, lru_cache
from typing import cast

from homesteward.knowledge import NameIndex, Scope
from homesteward.language.glossary import Bag, Glossary, bag, glossary
from homesteward.language.lexicon import Lexicon
from homesteward.language.spelling import both
from homesteward.language.tables import languages, table

REMEMBERED = 4096  # phrases; one sentence asks for the same ones many times
SENSING: Scope = {"sensor": (), "binary_sensor": ()}
type Ids = tuple[str, ...]
type Kinds = Mapping[str, object]


class Namesakes:
    """Look up what a phrase in one language may be the name of, in one home."""

    def __init__(self, index: NameIndex, words: Lexicon) -> None:
        """Know the names of `index`; bend words as `words` says."""
        self._index = index
        self._stems_of = lru_cache(REMEMBERED)(words.inflection.stems) if words.inflection else None
        self._in_other_languages = lru_cache(REMEMBERED)(self._translations)
        self._exposed_so = lru_cache(REMEMBERED)(lambda phrase: self._translated(phrase, self._bags))
        self._hidden_so = lru_cache(REMEMBERED)(lambda phrase: self._translated(phrase, self._hidden_bags))
        self._joining = words.articles | words.prepositions
        self._glossary: Glossary = glossary(words.language)

    def prepare(self) -> None:
        """Look at every name now instead of within the first sentence that needs it."""
        _ = self._stems, self._hidden_stems, self._area_stems, self._floor_stems
        _ = self._translated_areas, self._translated_floors, self._bags, self._sensing_bags, self._hidden_bags

    def bent(self, phrase: str) -> Ids:
        """Return the exposed entities that the whole of `phrase` names, in another case."""
        return self._bent(phrase, self._stems)

    def translated(self, phrase: str) -> Ids:
        """Return the exposed entities that the whole of `phrase` names, in another language."""
        return self._exposed_so(phrase)

    def sensed(self, phrase: str) -> Ids:
        """Return the sensors whose name, but for the word for a sensor, the whole of `phrase` says in another language."""
        return self._translated(phrase, self._sensing_bags)

    def ordinary(self, phrase: str) -> bool:
        """Return whether the whole of `phrase` is the ordinary name of a thing."""
        return phrase in self._glossary.entries

    def hides(self, phrase: str, domains: Iterable[str]) -> bool:
        """Return whether `phrase` is, in another language or case, the name of something not exposed in one of the domains."""
        spellings = self._bent(phrase, self._hidden_stems) or self._hidden_so(phrase)
        wanted = set(domains)
        return any(self._index.hidden[spelling] & wanted for spelling in spellings)

    def areas(self, phrase: str) -> Ids:
        """Return the one area that `phrase` means, in another case or language; none where it may be several."""
        return self._place(phrase, self._area_stems, self._translated_areas)

    def floors(self, phrase: str) -> Ids:
        """Return the one floor that `phrase` means, in another case or language; none where it may be several."""
        return self._place(phrase, self._floor_stems, self._translated_floors)

    def _place(self, phrase: str, stems: Mapping[str, Ids], translated: Mapping[str, Ids]) -> Ids:
        found = self._bent(phrase, stems) or translated.get(phrase, ())
        return found if len(found) == 1 else ()

    def _bent(self, phrase: str, stems: Mapping[str, Ids]) -> Ids:
        return stems.get(self._stems_of(phrase), ()) if self._stems_of else ()

    def _translated(self, phrase: str, bags: Mapping[Bag, Ids]) -> Ids:
        return _joined(bags.get(name, ()) for name in self._in_other_languages(phrase))

    def _translations(self, phrase: str) -> tuple[Bag, ...]:
        return tuple(self._glossary.names(tuple(phrase.split()), self._joining))

    @cached_property
    def _stems(self) -> Mapping[str, Ids]:
        return self._by_stem(self._index.exact)

    @cached_property
    def _hidden_stems(self) -> Mapping[str, Ids]:
        return self._by_stem({spelling: (spelling,) for spelling in self._index.hidden})

    @cached_property
    def _area_stems(self) -> Mapping[str, Ids]:
        return self._by_stem(self._index.areas)

    @cached_property
    def _floor_stems(self) -> Mapping[str, Ids]:
        return self._by_stem(self._index.floors)

    @cached_property
    def _translated_areas(self) -> Mapping[str, Ids]:
        return self._glossary.places(self._index.areas)

    @cached_property
    def _translated_floors(self) -> Mapping[str, Ids]:
        return self._glossary.places(self._index.floors)

    @cached_property
    def _bags(self) -> Mapping[Bag, Ids]:
        return _grouped((bag(spelling), ids) for spelling, ids in self._index.exact.items())

    @cached_property
    def _sensing_bags(self) -> Mapping[Bag, Ids]:
        """Return the sensors by their names without the word for one: "Front door contact" is what tells of the front door."""
        return _grouped(
            (bag(bare), sensors)
            for spelling, ids in self._index.exact.items()
            if (bare := " ".join(word for word in spelling.split() if word not in sensing_words()))
            not in {spelling, ""}
            and (sensors := self._index.within(SENSING, ids))
        )

    @cached_property
    def _hidden_bags(self) -> Mapping[Bag, Ids]:
        return _grouped((bag(spelling), (spelling,)) for spelling in self._index.hidden)

    def _by_stem(self, names: Mapping[str, Ids]) -> Mapping[str, Ids]:
        stems_of = self._stems_of
        return _grouped((stems_of(name), ids) for name, ids in names.items()) if stems_of else {}


@cache
def sensing_words() -> frozenset[str]:
    """Return the words for a sensor of any sort in every language: names are in any of them."""
    kinds = (
        kind for name in languages("lexicon") for kind in cast("list[Kinds]", (table("lexicon", name) or {})["kinds"])
    )
    return frozenset(
        spelling
        for kind in kinds
        if kind["scope"] == {"sensor": [], "binary_sensor": []}
        for word in (*cast("list[str]", kind["one"]), *cast("list[str]", kind["many"]))
        for spelling in both(word)
    )


def _grouped[K](pairs: Iterable[tuple[K, Ids]]) -> Mapping[K, Ids]:
    found: dict[K, dict[str, None]] = defaultdict(dict)
    for key, ids in pairs:
        found[key].update(dict.fromkeys(ids))
    return {key: tuple(ids) for key, ids in found.items()}


def _joined(several: Iterable[Ids]) -> Ids:
    return tuple(dict.fromkeys(one for ids in several for one in ids))
