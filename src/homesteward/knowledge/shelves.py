"""Who is found under which key: shelves that entities are put on and taken from, and from which an index is made."""

from collections.abc import Mapping
from dataclasses import dataclass

from homesteward.core.text import fold
from homesteward.knowledge.names import HEAD, START, Ids, Named, NameIndex, Places
from homesteward.knowledge.spellings import spellings

EXACT, VEILED, WORDS, HEADS, DOMAINS, AREAS, FLOORS = "exact", "veiled", "words", "heads", "domains", "areas", "floors"
IN_ORDER = (EXACT, VEILED, HEADS, DOMAINS)
AS_SETS = (WORDS, AREAS, FLOORS)
BATTERY = "battery"  # diagnostic, and asked about all the same
type Keys = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One entity: the facts it was put there for, what sentences see of it (None: it is not exposed), and where it stands."""

    facts: tuple[object, ...]
    named: Named | None
    keys: Keys


class Shelves:
    """Everything that is found, by shelf and key. What changes is noted, and settled when an index is made."""

    def __init__(self) -> None:
        """Begin empty."""
        self.entries: dict[str, Entry] = {}
        self._ordered: dict[str, dict[str, Ids]] = {shelf: {} for shelf in IN_ORDER}
        self._sets: dict[str, dict[str, frozenset[str]]] = {shelf: {} for shelf in AS_SETS}
        self._hidden: dict[str, frozenset[str]] = {}
        self._starts: dict[str, Ids] = {}
        self._changed: dict[tuple[str, str], tuple[set[str], set[str]]] = {}

    def copied(self) -> Shelves:
        """Return shelves of their own with the same on them; an index made from these stays as it is."""
        other = Shelves()
        other.entries = dict(self.entries)
        other._ordered = {shelf: dict(keys) for shelf, keys in self._ordered.items()}
        other._sets = {shelf: dict(keys) for shelf, keys in self._sets.items()}
        other._hidden, other._starts = dict(self._hidden), dict(self._starts)
        return other

    def take(
        self,
        entity_id: str,
        names: tuple[str, ...],
        device_class: str | None,
        place: tuple[str | None, str | None],
        *,
        exposed: bool,
        aside: bool,
        whole: bool,
        members: frozenset[str],
    ) -> None:
        """Put an entity where these facts belong. `place` is its area and floor; `aside` and `whole` groups are no part of "all"."""
        facts = (names, device_class, place, exposed, aside, whole, members)
        known = self.entries.get(entity_id)
        if known and known.facts == facts:
            return
        self.drop(entity_id)
        spelled = frozenset[str]().union(*map(spellings, filter(None, names)))
        named = Named(
            entity_id,
            entity_id.partition(".")[0],
            device_class,
            *place,
            wide=not (aside and device_class != BATTERY) and not whole,
            names=spelled,
            words=tuple(frozenset(spelling.split()) for spelling in sorted(spelled)),
            members=members,
        )
        entry = Entry(facts, named if exposed else None, _keys(entity_id, spelled, named if exposed else None))
        self.entries[entity_id] = entry
        for key in entry.keys:
            self._note(key, entity_id, there=True)

    def drop(self, entity_id: str) -> None:
        """Take an entity from wherever it stands."""
        entry = self.entries.pop(entity_id, None)
        for key in entry.keys if entry else ():
            self._note(key, entity_id, there=False)

    def index(self, revision: int, places: Places) -> NameIndex:
        """Settle what has changed, and return the index of what stands here now. To change anything after that, take a copy."""
        self._settle()
        ordered, sets = self._ordered, self._sets
        lengths = {name.count(" ") + 1 for group in (ordered[EXACT], places.areas, places.floors) for name in group}
        return NameIndex(
            revision=revision,
            entities={key: entry.named for key, entry in self.entries.items() if entry.named},
            exact=ordered[EXACT],
            hidden=self._hidden,
            by_word=sets[WORDS],
            by_head=ordered[HEADS],
            by_start=self._starts,
            by_domain=ordered[DOMAINS],
            in_area=sets[AREAS],
            on_floor=sets[FLOORS],
            places=places,
            lengths=tuple(sorted(lengths - {1}, reverse=True)),
        )

    def _note(self, key: tuple[str, str], entity_id: str, *, there: bool) -> None:
        come, gone = self._changed.setdefault(key, (set(), set()))
        (gone if there else come).discard(entity_id)
        (come if there else gone).add(entity_id)

    def _settle(self) -> None:
        spelled: dict[str, tuple[bool, bool]] = {}
        for (shelf, key), (come, gone) in self._changed.items():
            if shelf in self._sets:
                _put(self._sets[shelf], key, (self._sets[shelf].get(key, frozenset()) - gone) | come)
                continue
            before = self._ordered[shelf].get(key, ())
            after = tuple(sorted((set(before) - gone) | come))
            _put(self._ordered[shelf], key, after)
            if shelf == EXACT:
                spelled[key] = bool(before), bool(after)
        veiled = {key for shelf, key in self._changed if shelf in {EXACT, VEILED}}
        self._changed.clear()
        self._begin(spelled)
        self._veil(veiled)

    def _begin(self, spelled: Mapping[str, tuple[bool, bool]]) -> None:
        """Keep the spellings by their first letters."""
        starts: dict[str, set[str]] = {}
        for spelling in (key for key, (before, after) in spelled.items() if before != after):
            start = spelling[:START]
            starts.setdefault(start, set(self._starts.get(start, ()))).symmetric_difference_update({spelling})
        for start, held in starts.items():
            _put(self._starts, start, tuple(sorted(held)))

    def _veil(self, touched: set[str]) -> None:
        """Say anew in which domains only something not exposed has one of these spellings."""
        exact, veiled = self._ordered[EXACT], self._ordered[VEILED]
        for spelling in touched:
            _put(self._hidden, spelling, _domains(veiled.get(spelling, ())) - _domains(exact.get(spelling, ())))


def _domains(ids: Ids) -> frozenset[str]:
    return frozenset(name.partition(".")[0] for name in ids)


def _put[Held: (Ids, frozenset[str])](shelf: dict[str, Held], key: str, held: Held) -> None:
    """Keep what is held under the key, and no key that holds nothing."""
    if held:
        shelf[key] = held
    else:
        shelf.pop(key, None)


def _keys(entity_id: str, spelled: frozenset[str], named: Named | None) -> Keys:
    """Return every place where the entity stands."""
    whole = {*spelled, fold(entity_id)}
    if named is None:
        return tuple((VEILED, spelling) for spelling in whole)
    words = frozenset[str]().union(*named.words)
    return (
        *((EXACT, spelling) for spelling in whole),
        *((WORDS, word) for word in words),
        *((HEADS, head) for head in {word[:HEAD] for word in words}),
        (DOMAINS, named.domain),
        *((AREAS, area) for area in filter(None, (named.area_id,))),
        *((FLOORS, floor) for floor in filter(None, (named.floor_id,))),
    )
