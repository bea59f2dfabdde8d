"""The names of one home, folded and ready to be looked up: things, areas and floors, by spelling, by word, by place and by kind."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from homesteward.core.text import fold, neighbours
from homesteward.home.view import HomeView

NEAR_CANDIDATES = 60  # names compared letter by letter when something is unknown
HEAD = 2  # letters that a slip of the tongue leaves alone
START = 3  # letters by which spellings are found inside a text
type Scope = Mapping[str, tuple[str, ...]]  # domain -> device classes, none meaning all of the domain
type Ids = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An exposed entity as sentences see it. `wide`: it belongs to wide targets such as "all lights"."""

    entity_id: str
    domain: str
    device_class: str | None
    area_id: str | None
    floor_id: str | None
    wide: bool
    names: frozenset[str]  # in every spelling
    words: tuple[frozenset[str], ...]  # of each of them
    members: frozenset[str] = frozenset()  # of a group: all that it ends at


@dataclass(frozen=True, slots=True)
class Places:
    """What the areas and floors are called. A home without floors has those that its areas' names speak of."""

    areas: Mapping[str, Ids] = field(default_factory=dict)
    floors: Mapping[str, Ids] = field(default_factory=dict)
    area_words: Mapping[str, frozenset[str]] = field(default_factory=dict)
    floor_of: Mapping[str, str] = field(default_factory=dict)  # area -> floor
    words: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class NameIndex:
    """Everything a sentence can name, by folded spelling. It never changes; a home that does gets another."""

    revision: int
    entities: Mapping[str, Named]
    exact: Mapping[str, Ids]
    hidden: Mapping[str, frozenset[str]]  # spelling -> the domains in which no exposed entity has it, and another has
    by_word: Mapping[str, frozenset[str]]
    by_head: Mapping[str, Ids]  # the first letters of a word of a name -> who has it
    by_start: Mapping[str, Ids]  # the first letters of a spelling -> the spellings
    by_domain: Mapping[str, Ids]
    in_area: Mapping[str, frozenset[str]]
    on_floor: Mapping[str, frozenset[str]]
    places: Places
    lengths: tuple[int, ...]  # in words, of all names of two or more, the longest first

    @property
    def areas(self) -> Mapping[str, Ids]:
        """Return the areas by spelling."""
        return self.places.areas

    @property
    def floors(self) -> Mapping[str, Ids]:
        """Return the floors by spelling."""
        return self.places.floors

    @property
    def area_words(self) -> Mapping[str, frozenset[str]]:
        """Return the words of each area's names."""
        return self.places.area_words

    @property
    def place_words(self) -> frozenset[str]:
        """Return the words of all areas' names."""
        return self.places.words

    def named_in(self, text: str) -> tuple[str, ...]:
        """Return the names of two words or more, of things and places, that stand in the folded `text`, the longest first."""
        words = text.split()
        runs = (" ".join(words[n : n + size]) for size in self.lengths for n in range(len(words) - size + 1))
        bare = (run.strip(",;.:!") for run in runs)
        return tuple(dict.fromkeys(run for run in bare if run in self.exact or run in self.areas or run in self.floors))

    def standing_in(self, text: str) -> Iterator[tuple[str, Ids]]:
        """Yield each spelling of things that stands anywhere in the folded `text`, also inside of a word, with who has it."""
        seen: set[str] = set()
        for at in range(len(text)):
            for size in range(1, START + 1):
                for spelling in self.by_start.get(text[at : at + size], ()):
                    if len(spelling) >= size and text.startswith(spelling, at) and spelling not in seen:
                        seen.add(spelling)
                        yield spelling, self.exact[spelling]

    def within(self, scope: Scope, ids: Iterable[str] | None = None) -> Ids:
        """Return those of `ids` (else all exposed entities) that are of `scope`, in a steady order."""
        if ids is not None and not isinstance(ids, frozenset):
            return tuple(entity_id for entity_id in ids if self.fits(entity_id, scope))
        return tuple(name for domain in scope for name in self._of(domain, scope[domain], ids))

    def _of(self, domain: str, classes: tuple[str, ...], among: frozenset[str] | None) -> Iterator[str]:
        for entity_id in self.by_domain.get(domain, ()):
            if (among is None or entity_id in among) and (
                not classes or self.entities[entity_id].device_class in classes
            ):
                yield entity_id

    def fits(self, entity_id: str, scope: Scope) -> bool:
        """Return whether the entity is of one of the domains, and of one of its classes where some are named."""
        named = self.entities[entity_id]
        classes = scope.get(named.domain)
        return classes is not None and (not classes or named.device_class in classes)

    def near(self, text: str, scope: Scope, view: HomeView) -> tuple[str, ...]:
        """Return up to three exposed names in `scope` that look like `text`, the nearest first."""
        words = set(fold(text).split())
        sharing = {name for word in words for name in self.by_word.get(word, ())}
        alike = (name for word in words for name in self.by_head.get(word[:HEAD], ()) if self.fits(name, scope))
        pool = dict.fromkeys([*self.within(scope, sorted(sharing)), *alike])
        return neighbours(text, [view.states[name].name for name in islice(pool, NEAR_CANDIDATES)])
