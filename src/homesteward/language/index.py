"""The names of one home, folded and ready to be looked up: entities, areas, floors. Built once per revision of the home."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from homesteward.core.text import fold, forms, neighbours
from homesteward.home.model import Entity
from homesteward.home.view import HomeView, area_of, device_class_of, members_of, names_of
from homesteward.language.tidy import signed

NEAR_CANDIDATES = 60  # names compared letter by letter when something is unknown
HEAD = 2  # letters that a slip of the tongue leaves alone
REMEMBERED = 20_000  # names whose spellings are kept from one revision to the next
type Scope = Mapping[str, tuple[str, ...]]  # domain -> device classes, none meaning all of the domain


@dataclass(frozen=True, slots=True)
class Named:
    """An exposed entity as sentences see it. `wide`: it belongs to wide targets such as "all lights"."""

    entity_id: str
    domain: str
    device_class: str | None
    area_id: str | None
    floor_id: str | None
    wide: bool
    words: tuple[frozenset[str], ...]  # of each of its names


@dataclass(frozen=True, slots=True)
class HomeIndex:
    """Everything a sentence can name, by folded spelling."""

    revision: int
    entities: Mapping[str, Named]
    exact: Mapping[str, tuple[str, ...]]
    hidden: Mapping[str, frozenset[str]]  # spellings that belong to no exposed entity -> the domains that have them
    by_word: Mapping[str, frozenset[str]]
    by_head: Mapping[str, tuple[str, ...]]  # the first letters of a word of a name -> who has it
    by_domain: Mapping[str, tuple[str, ...]]
    areas: Mapping[str, tuple[str, ...]]
    floors: Mapping[str, tuple[str, ...]]
    in_area: Mapping[str, frozenset[str]]
    on_floor: Mapping[str, frozenset[str]]
    area_words: Mapping[str, frozenset[str]]
    place_words: frozenset[str]
    lengths: tuple[int, ...]  # in words, of all names of two or more, the longest first

    def named_in(self, text: str) -> tuple[str, ...]:
        """Return the names of two words or more, of things and places, that stand in the folded `text`, the longest first."""
        words = text.split()
        runs = (" ".join(words[n : n + size]) for size in self.lengths for n in range(len(words) - size + 1))
        bare = (run.strip(",;.:!") for run in runs)
        return tuple(dict.fromkeys(run for run in bare if run in self.exact or run in self.areas or run in self.floors))

    def within(self, scope: Scope, ids: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return those of `ids` (else all exposed entities) that are of `scope`, in a steady order."""
        pool = ids if ids is not None else (name for domain in scope for name in self.by_domain.get(domain, ()))
        return tuple(entity_id for entity_id in pool if self.fits(entity_id, scope))

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


def build_index(view: HomeView) -> HomeIndex:
    """Read every name of the home once."""
    exact: dict[str, list[str]] = defaultdict(list)
    by_word: dict[str, set[str]] = defaultdict(set)
    by_domain: dict[str, list[str]] = defaultdict(list)
    entities: dict[str, Named] = {}
    hidden: dict[str, set[str]] = defaultdict(set)
    for entity_id in sorted(view.states):
        spellings = frozenset[str]().union(*(_spellings(name) for name in names_of(view, entity_id)))
        if entity_id not in view.exposed:
            for spelling in (*spellings, fold(entity_id)):
                hidden[spelling].add(entity_id.partition(".")[0])
            continue
        named = _named(view, entity_id, spellings)
        entities[entity_id] = named
        by_domain[named.domain].append(entity_id)
        for spelling in (*spellings, fold(entity_id)):
            exact[spelling].append(entity_id)
        for word in frozenset().union(*named.words):
            by_word[word].add(entity_id)
    areas = _places((area.area_id, (area.name, *area.aliases)) for area in view.areas.values())
    floors = _places((floor.floor_id, (floor.name, *floor.aliases)) for floor in view.floors.values())
    return HomeIndex(
        revision=view.revision,
        entities=entities,
        exact={spelling: tuple(ids) for spelling, ids in exact.items()},
        hidden={spelling: frozenset(domains) for spelling, domains in hidden.items() if spelling not in exact},
        by_word={word: frozenset(ids) for word, ids in by_word.items()},
        by_head=_by_head(by_word),
        by_domain={domain: tuple(ids) for domain, ids in by_domain.items()},
        areas=areas,
        floors=floors,
        in_area=_grouped((named.area_id, name) for name, named in entities.items()),
        on_floor=_grouped((named.floor_id, name) for name, named in entities.items()),
        area_words=_area_words(areas),
        place_words=frozenset(word for spelling in areas for word in spelling.split()),
        lengths=tuple(sorted({name.count(" ") + 1 for name in (*exact, *areas, *floors)} - {1}, reverse=True)),
    )


def spoken(name: str) -> frozenset[str]:
    """Return the spellings of a name without its punctuation, as a voice would say it."""
    bare = "".join(letter if letter.isalnum() or letter == "'" else " " for letter in name)
    return forms(bare) if bare.strip() else frozenset()


@lru_cache(REMEMBERED)
def _spellings(name: str) -> frozenset[str]:
    return forms(name) | spoken(name) | (forms(signed(name)) if signed(name) != name else frozenset())


def _by_head(by_word: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = defaultdict(set)
    for word, ids in by_word.items():
        found[word[:HEAD]] |= ids
    return {head: tuple(sorted(ids)) for head, ids in found.items()}


def _named(view: HomeView, entity_id: str, spellings: frozenset[str]) -> Named:
    area, entity = area_of(view, entity_id), view.entities.get(entity_id)
    members, device_class = members_of(view, entity_id), device_class_of(view, entity_id)
    return Named(
        entity_id=entity_id,
        domain=entity_id.partition(".")[0],
        device_class=device_class,
        area_id=area.area_id if area else None,
        floor_id=area.floor_id if area else None,
        wide=not _aside(entity, device_class) and not (members and set(members) <= view.exposed),
        words=tuple(frozenset(spelling.split()) for spelling in sorted(spellings)),
    )


def _aside(entity: Entity | None, device_class: str | None) -> bool:
    """Return whether "all of them" does not mean this one. Batteries are diagnostic, and asked about all the same."""
    return entity is not None and (entity.hidden or (entity.category is not None and device_class != "battery"))


def _places(named: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = defaultdict(list)
    for place_id, names in named:
        for spelling in sorted(frozenset[str]().union(*(_spellings(name) for name in names))):
            found[spelling].append(place_id)
    return {spelling: tuple(ids) for spelling, ids in found.items()}


def _area_words(areas: Mapping[str, tuple[str, ...]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for spelling, ids in areas.items():
        for area_id in ids:
            found[area_id] |= set(spelling.split())
    return {area_id: frozenset(words) for area_id, words in found.items()}


def _grouped(pairs: Iterable[tuple[str | None, str]]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for place_id, entity_id in pairs:
        if place_id:
            found[place_id].add(entity_id)
    return {place_id: frozenset(ids) for place_id, ids in found.items()}
