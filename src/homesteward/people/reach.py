"""How far a caller reaches: the areas, labels and entities that exist for it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

from homesteward.core.json import JsonObject, JsonValue
from homesteward.core.text import fold
from homesteward.home.view import HomeView, area_of, labels_of

MOST = 500  # areas, labels and entities named together


@dataclass(frozen=True, slots=True)
class Reach:
    """An entity set: everything in one of the areas, with one of the labels, or named. Empty reaches nothing."""

    areas: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()

    @classmethod
    def of(cls, areas: Collection[str] = (), labels: Collection[str] = (), entities: Collection[str] = ()) -> Reach:
        """Return the reach over what is named."""
        return cls(frozenset(areas), frozenset(labels), frozenset(entities))

    def holds(self, home: HomeView, entity_id: str) -> bool:
        """Return whether the entity is in the set, as the registries have it now."""
        if entity_id in self.entities:
            return True
        if self.areas and (area := area_of(home, entity_id)) is not None and area.area_id in self.areas:
            return True
        return bool(self.labels and self.labels & labels_of(home, entity_id))

    def named_in(self, home: HomeView) -> tuple[Reach, tuple[str, ...]]:
        """Return the reach by the ids of `home`, and what is named here and not there.

        An area or label may be given by its name, where only one has it.
        """
        areas, labels = _ids(self.areas, home.areas), _ids(self.labels, home.labels)
        entities = {name: name if name in home.states or name in home.entities else None for name in self.entities}
        unknown = tuple(name for found in (areas, labels, entities) for name in sorted(found) if found[name] is None)
        return Reach.of(*([key for key in found.values() if key] for found in (areas, labels, entities))), unknown

    def as_json(self) -> JsonObject:
        """Return the set as it is kept and shown."""
        return {"areas": sorted(self.areas), "labels": sorted(self.labels), "entities": sorted(self.entities)}


def reach_from(kept: JsonValue) -> Reach | None:
    """Return the reach that was kept; None for every entity. What cannot be read reaches nothing."""
    if kept is None:
        return None
    if not isinstance(kept, Mapping):
        return Reach()
    return Reach.of(*(_names(kept.get(key)) for key in ("areas", "labels", "entities")))


def _names(value: JsonValue) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


class _Named(Protocol):
    @property
    def name(self) -> str: ...


def _ids(asked: Collection[str], known: Mapping[str, _Named]) -> dict[str, str | None]:
    """Return the id that each of `asked` is, or is the one name of; None where there is none, or more than one."""
    named = {name: [key for key, thing in known.items() if fold(thing.name) == fold(name)] for name in asked}
    return {name: name if name in known else (keys[0] if len(keys) == 1 else None) for name, keys in named.items()}
