"""Which entities a place, a device or a label stands for, as Home Assistant takes them: found once for each state of the registries."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from typing import cast

from homesteward.home.model import Entity
from homesteward.home.view import HomeView

type ByDomain = Mapping[str, tuple[str, ...]]
"""Entity ids by their domain."""


class Whereabouts:
    """Where the entities of a home are. A place is more than its ids: hidden, configuration and diagnostic entities are in none."""

    @classmethod
    def of_home(cls, view: HomeView) -> Whereabouts:
        """Return where everything is, as the registries of `view` are now."""
        return _made(cast("Hashable", view), view.revision, len(view.entities), len(view.devices))

    def __init__(self, view: HomeView) -> None:
        """Look through the registries of `view`, each when it is first asked about."""
        self._view = view
        self._in: dict[str, ByDomain] = {}
        self._labelled: dict[str, ByDomain] = {}

    def in_area(self, area_id: str) -> ByDomain:
        """Return what is in the area: an entity's own area counts before its device's."""
        if area_id not in self._in:
            self._in[area_id] = _by_domain(self._areas.get(area_id, ()))
        return self._in[area_id]

    def on_floor(self, floor_id: str) -> Iterator[ByDomain]:
        """Yield what is in each area of the floor."""
        yield from (self.in_area(area.area_id) for area in self._view.areas.values() if area.floor_id == floor_id)

    def of_device(self, device_id: str) -> ByDomain:
        """Return the entities of the device, and of the devices that belong to it."""
        return _by_domain(self._of_devices({device_id}))

    def with_label(self, label_id: str) -> ByDomain:
        """Return what the label reaches: entities that carry it (also diagnostic ones, as in HA), its devices and its areas."""
        if label_id not in self._labelled:
            self._labelled[label_id] = _by_domain(self._reached(label_id))
        return self._labelled[label_id]

    @cached_property
    def _areas(self) -> Mapping[str, list[str]]:
        """Return the primary entities of each area."""
        of_device = {device.device_id: device.area_id for device in self._view.devices.values() if device.area_id}
        found: defaultdict[str, list[str]] = defaultdict(list)
        for entity in self._view.entities.values():
            area_id = entity.area_id or (of_device.get(entity.device_id) if entity.device_id else None)
            if area_id and _is_primary(entity):
                found[area_id].append(entity.entity_id)
        return found

    @cached_property
    def _devices(self) -> Mapping[str, list[str]]:
        """Return the primary entities of each device."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for entity in self._view.entities.values():
            if entity.device_id and _is_primary(entity):
                found[entity.device_id].append(entity.entity_id)
        return found

    def _of_devices(self, device_ids: set[str]) -> set[str]:
        children = (d.device_id for d in self._view.devices.values() if d.parent_id in device_ids)
        return {entity_id for device_id in {*device_ids, *children} for entity_id in self._devices.get(device_id, ())}

    def _reached(self, label_id: str) -> set[str]:
        view = self._view
        own = {e.entity_id for e in view.entities.values() if label_id in e.labels and not e.hidden}
        devices = {d.device_id for d in view.devices.values() if label_id in d.labels}
        areas = (self.in_area(a.area_id) for a in view.areas.values() if label_id in a.labels)
        return own.union(self._of_devices(devices), *(ids for area in areas for ids in area.values()))


@lru_cache(maxsize=8)  # one per home that is looked at; the oldest goes
def _made(view: Hashable, _revision: int, _entities: int, _devices: int) -> Whereabouts:
    return Whereabouts(cast("HomeView", view))


def _is_primary(entity: Entity) -> bool:
    return not entity.hidden and entity.category is None


def _by_domain(entity_ids: Iterable[str]) -> ByDomain:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for entity_id in entity_ids:
        found[entity_id.partition(".")[0]].append(entity_id)
    return {domain: tuple(ids) for domain, ids in found.items()}
