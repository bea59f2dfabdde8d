"""How far a caller reaches: the areas, labels and entities that exist for it."""

from dataclasses import dataclass

from homesteward.home.view import HomeView, area_of, labels_of


@dataclass(frozen=True, slots=True)
class Reach:
    """An entity set: everything in one of the areas, with one of the labels, or named. Empty reaches nothing."""

    areas: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()

    def holds(self, home: HomeView, entity_id: str) -> bool:
        """Return whether the entity is in the set, as the registries have it now."""
        if entity_id in self.entities:
            return True
        area = area_of(home, entity_id)
        if area is not None and area.area_id in self.areas:
            return True
        return bool(self.labels and self.labels & labels_of(home, entity_id))
