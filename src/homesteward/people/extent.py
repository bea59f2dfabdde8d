"""What of a home lies within a reach, found once per revision: entities, and the registries cut down to what they need."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from homesteward.home.live import LiveHome
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service
from homesteward.home.view import area_of, labels_of
from homesteward.people.reach import Reach


@dataclass(frozen=True, slots=True)
class Extent:
    """The part of a home that lies within a reach; `held` are its entities."""

    held: frozenset[str]
    domains: frozenset[str]
    """Every domain that the home has an entity of, also beyond the reach."""
    entities: Mapping[str, Entity]
    devices: Mapping[str, Device]
    areas: Mapping[str, Area]
    floors: Mapping[str, Floor]
    labels: Mapping[str, Label]
    services: Mapping[str, Service]
    exposed: frozenset[str]


def extent_of(home: LiveHome, reach: Reach) -> Extent:
    """Return what of `home` lies within `reach` now. Nothing in it names anything that does not."""
    everything = home.states.keys() | home.entities.keys()
    held = frozenset(entity_id for entity_id in everything if reach.holds(home, entity_id))
    areas = {area.area_id for area in (area_of(home, entity_id) for entity_id in held) if area}
    areas |= reach.areas & home.areas.keys()
    labels = frozenset().union(*(labels_of(home, entity_id) for entity_id in held), reach.labels & home.labels.keys())
    entities = {entity_id: home.entities[entity_id] for entity_id in held & home.entities.keys()}
    devices = {entity.device_id for entity in entities.values() if entity.device_id} & home.devices.keys()
    floors = {home.areas[area_id].floor_id for area_id in areas}
    return Extent(
        held=held,
        domains=frozenset(entity_id.partition(".")[0] for entity_id in everything),
        entities=entities,
        devices={key: _cut(home.devices[key], devices, areas, labels) for key in devices},
        areas={key: replace(area, labels=area.labels & labels) for key, area in home.areas.items() if key in areas},
        floors={key: floor for key, floor in home.floors.items() if key in floors},
        labels={key: label for key, label in home.labels.items() if key in labels},
        services={key: service for key, service in home.services.items() if _offered(held, service)},
        exposed=home.exposed & held,
    )


def _cut(device: Device, devices: set[str], areas: set[str], labels: frozenset[str]) -> Device:
    """Return the device without the area, the labels and the parent that lie beyond."""
    return replace(
        device,
        area_id=device.area_id if device.area_id in areas else None,
        labels=device.labels & labels,
        parent_id=device.parent_id if device.parent_id in devices else None,
    )


def _offered(held: frozenset[str], service: Service) -> bool:
    """Return whether a service is one of the catalogue, or of a script in reach: each has one that is named like itself."""
    return service.domain != "script" or service.service in OF_EVERY_SCRIPT or service.id in held


OF_EVERY_SCRIPT = frozenset({"turn_on", "turn_off", "toggle", "reload"})
