"""Gathering the names of a home: from nothing in slices, or from what was known before and what has changed since.

A home of thousands of entities changes by a few names at a time. What did not change is not read again.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import batched
from weakref import WeakKeyDictionary

from homesteward.home.model import State
from homesteward.home.view import HomeView, area_of, device_class_of, leaves_of, members_of
from homesteward.knowledge.names import Ids, NameIndex, Places
from homesteward.knowledge.shelves import Shelves
from homesteward.knowledge.spellings import spellings
from homesteward.knowledge.storeys import by_height, called, guessed


class Gathering:
    """Know the names of one view of a home, and follow it from revision to revision."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._shelves = Shelves()
        self._index: NameIndex | None = None

    def index(self, view: HomeView) -> NameIndex:
        """Return the index as the home is named now; what has changed since the last time is read first."""
        if self._index is None or self._index.revision != view.revision:
            for _ in self.slices(view, len(view.states) + 1):
                pass
        if self._index is None:
            raise LookupError("the names of the home were not gathered")
        return self._index

    def slices(self, view: HomeView, size: int) -> Iterator[None]:
        """Read what has changed, `size` entities between two steps: whoever has other things to do does them there.

        If the home is renamed meanwhile, what is different by then is read as well before there is a new index.
        """
        if self._index is not None and self._index.revision == view.revision:
            return
        shelves = self._shelves.copied()
        while True:
            revision, places = view.revision, _places(view)
            yield from _taken(view, shelves, places, size)
            if revision == view.revision:
                break
        self._index, self._shelves = shelves.index(revision, places), shelves


def names_of_home(view: HomeView) -> NameIndex:
    """Return the index of this view of a home, which everybody who looks names up in it shares."""
    return gathering_of(view).index(view)


def gathering_of(view: HomeView) -> Gathering:
    """Return the one gathering of this view of a home."""
    found = _GATHERED.get(view)
    if found is None:
        found = _GATHERED[view] = Gathering()
    return found


_GATHERED: WeakKeyDictionary[HomeView, Gathering] = WeakKeyDictionary()


def _taken(view: HomeView, shelves: Shelves, places: Places, size: int) -> Generator[None]:
    """Put every entity that is another than before on the shelves, and take away what is gone."""
    for gone in shelves.entries.keys() - view.states.keys():
        shelves.drop(gone)
    for batch in batched(list(view.states), size, strict=False):
        exposed = view.exposed
        for entity_id in batch:
            _take(view, shelves, places, entity_id, exposed=entity_id in exposed)
        yield


def _take(view: HomeView, shelves: Shelves, places: Places, entity_id: str, *, exposed: bool) -> None:
    state = view.states.get(entity_id)
    if state is None:  # gone between two slices
        shelves.drop(entity_id)
        return
    entity, area = view.entities.get(entity_id), area_of(view, entity_id)
    area_id = area.area_id if area else None
    members = members_of(view, entity_id)
    shelves.take(
        entity_id,
        (state.name, *(entity.aliases if entity else ())),
        _class_of(view, state),
        (area_id, places.floor_of.get(area_id or "")),
        exposed=exposed,
        aside=entity is not None and (entity.hidden or entity.category is not None),
        whole=bool(members) and view.exposed.issuperset(members),
        members=frozenset(leaves_of(view, members)),
    )


def _class_of(view: HomeView, state: State) -> str | None:
    """Return the device class; a thermostat has none, and counts as `cooling` where it can cool."""
    if state.domain != "climate":
        return device_class_of(view, state.entity_id)
    modes = state.attributes.get("hvac_modes")
    return "cooling" if isinstance(modes, list | tuple) and set(modes) & COOLING else None


COOLING = frozenset({"cool", "heat_cool"})


def _places(view: HomeView) -> Places:
    areas = _spelled((area.area_id, (area.name, *area.aliases)) for area in view.areas.values())
    floors = _spelled((floor.floor_id, (floor.name, *floor.aliases)) for floor in view.floors.values())
    floor_of = {area.area_id: area.floor_id for area in view.areas.values() if area.floor_id}
    if not view.floors:
        floor_of |= dict(guessed(view.areas.values()))
    storeys = (
        by_height(view.floors.values()) if view.floors else ((storey, storey) for storey in set(floor_of.values()))
    )
    for floor_id, storey in storeys:
        for name in called(storey) - floors.keys() - areas.keys():
            floors[name] = (floor_id,)
    words = {area_id: frozenset(word for name in names for word in name.split()) for area_id, names in _by_id(areas)}
    return Places(
        areas,
        floors,
        words,
        floor_of,
        frozenset(word for each in words.values() for word in each),
    )


def _spelled(named: Iterable[tuple[str, tuple[str, ...]]]) -> dict[str, Ids]:
    found: dict[str, list[str]] = {}
    for place_id, names in named:
        for spelling in sorted(frozenset[str]().union(*map(spellings, names))):
            found.setdefault(spelling, []).append(place_id)
    return {spelling: tuple(ids) for spelling, ids in found.items()}


def _by_id(spelled: Mapping[str, Ids]) -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for spelling, ids in spelled.items():
        for place_id in ids:
            found.setdefault(place_id, []).append(spelling)
    yield from found.items()
