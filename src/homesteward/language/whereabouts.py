"""Words for a place: an area, a floor, or here; alone or beside other words."""

from collections.abc import Iterator
from dataclasses import dataclass

from homesteward.knowledge import NameIndex
from homesteward.language.lexicon import Lexicon
from homesteward.language.namesakes import Namesakes


@dataclass(frozen=True, slots=True)
class Place:
    """The exposed entities of a place, and the words left over beside it."""

    entity_ids: frozenset[str]
    rest: tuple[str, ...]


class Whereabouts:
    """Find places in the words of one sentence."""

    def __init__(self, index: NameIndex, words: Lexicon, namesakes: Namesakes) -> None:
        """Look places up in `index` and, bent or translated, in `namesakes`; words that only join them in `words`."""
        self._index, self._words, self._namesakes = index, words, namesakes
        self._at: dict[
            tuple[str, ...], frozenset[str] | None
        ] = {}  # every shape of a sentence asks for the same places

    def splits(self, words: tuple[str, ...]) -> Iterator[Place]:
        """Yield every reading of the words as a place with something beside it, longest place first."""
        for size in range(len(words), 0, -1):
            for start in range(len(words) - size + 1):
                rest = (*words[:start], *words[start + size :])
                ids = self.at(words[start : start + size])
                if ids is not None and start + size in {size, len(words)}:
                    yield Place(ids, tuple(word for word in rest if word not in self._words.prepositions))

    def at(self, words: tuple[str, ...]) -> frozenset[str] | None:
        """Return the exposed entities of the area or floor of this name, None if there is no such place."""
        if words not in self._at:
            self._at[words] = self._found(words)
        return self._at[words]

    def said_of(self, words: tuple[str, ...]) -> frozenset[str]:
        """Return the words of the place that the words end in after a preposition, none where they end in no such place."""
        for n, word in enumerate(words[:-1], 1):
            if word in self._words.prepositions and self.at(words[n:]) is not None:
                return frozenset(words[n:])
        return frozenset()

    def here(self, words: tuple[str, ...], area_id: str | None) -> Iterator[Place]:
        """Yield the room where it was said, if the words end in one for it."""
        text = " ".join(words)
        for here in self._words.here:
            if area_id and (text == here or text.endswith(" " + here)):
                ids = self._index.in_area.get(area_id, frozenset())
                yield Place(ids, tuple(text.removesuffix(here).split()))
                return

    def _found(self, words: tuple[str, ...]) -> frozenset[str] | None:
        name = " ".join(words).removesuffix("'s")
        storey = " ".join(word for word in words if word not in self._words.floor_words)
        areas = self._index.areas.get(name)
        floors = self._index.floors.get(name) or self._index.floors.get(storey)
        if areas is None and floors is None:
            areas = self._namesakes.areas(name)
            floors = self._namesakes.floors(name) or self._namesakes.floors(storey)
        if not areas and not floors:
            return None
        held = self._index.in_area if areas else self._index.on_floor
        return frozenset[str]().union(*(held.get(place_id, frozenset()) for place_id in areas or floors or ()))
