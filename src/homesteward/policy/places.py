"""Where a rule looks, as ids: the areas, floors and labels that it names, found once for each state of the registries."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from homesteward.core.text import fold
from homesteward.home.model import Area
from homesteward.home.view import HomeView, area_of, labels_of
from homesteward.policy.rule import When

type Names = Mapping[str, frozenset[str]]
"""Folded name -> the ids of what is called so."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a thing is, as far as rules look: its domain, its area (empty: in none), and the labels that reach it."""

    domain: str
    area_id: str
    labels: frozenset[str]


NOWHERE = Place("", "", frozenset())


@dataclass(frozen=True, slots=True)
class Where:
    """What a condition says of places; None is anywhere."""

    domains: frozenset[str] | None = None
    areas: frozenset[str] | None = None
    """Those of its areas and of its floors, where it names both those in both."""
    labels: frozenset[str] | None = None

    def holds(self, place: Place) -> bool:
        """Return whether the place is one of these."""
        return (
            (self.domains is None or place.domain in self.domains)
            and (self.areas is None or place.area_id in self.areas)
            and (self.labels is None or not self.labels.isdisjoint(place.labels))
        )


class Places:
    """The places of a home, by every name that a rule may call them."""

    @classmethod
    def of_home(cls, home: HomeView) -> Places:
        """Return the places of `home` as its registries are now."""
        return _made(cast("Hashable", home), home.revision)

    def __init__(self, home: HomeView) -> None:
        """Look through the registries of `home`, once."""
        self._home = home
        self._areas = _by_name((area.area_id, _names(area)) for area in home.areas.values())
        floors = {floor.floor_id: (floor.floor_id, floor.name, *floor.aliases) for floor in home.floors.values()}
        on_floors = ((area.area_id, floors.get(area.floor_id or "", ())) for area in home.areas.values())
        self._floors = _by_name(on_floors)
        self._labels = _by_name((label.label_id, (label.label_id, label.name)) for label in home.labels.values())

    def of(self, entity_id: str | None) -> Place:
        """Return where the thing is; one that is none is nowhere."""
        if entity_id is None:
            return NOWHERE
        area = area_of(self._home, entity_id)
        return Place(entity_id.partition(".")[0], area.area_id if area else "", labels_of(self._home, entity_id))

    def where(self, when: When) -> Where:
        """Return where the condition holds."""
        areas = _found(self._areas, when.area)
        floors = _found(self._floors, when.floor)
        both = areas & floors if areas is not None and floors is not None else areas if areas is not None else floors
        labels = _found(self._labels, when.label)
        if when.label is not None and labels is not None:
            labels |= frozenset(when.label)  # one that is carried and stands in no registry
        return Where(None if when.domain is None else frozenset(when.domain), both, labels)


@lru_cache(maxsize=8)  # one per home that is looked at; the oldest goes
def _made(home: Hashable, _revision: int) -> Places:
    return Places(cast("HomeView", home))


def _names(area: Area) -> tuple[str, ...]:
    return (area.area_id, area.name, *area.aliases)


def _by_name(named: Iterable[tuple[str, Iterable[str]]]) -> Names:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for of, name in _each(named):
        found[fold(name)].add(of)
    return {name: frozenset(ids) for name, ids in found.items()}


def _each(named: Iterable[tuple[str, Iterable[str]]]) -> Iterator[tuple[str, str]]:
    return ((of, name) for of, names in named for name in names)


def _found(names: Names, wanted: Iterable[str] | None) -> frozenset[str] | None:
    if wanted is None:
        return None
    return frozenset().union(*(names.get(_folded(name), frozenset()) for name in wanted))


@lru_cache(maxsize=4096)  # the names that rules use, asked for anew with every change of a registry
def _folded(name: str) -> str:
    return fold(name)
