"""The home as it can be read at one moment: what policy, language and tools look at. It never sends anything."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol

from homesteward.home.calls import BodyStep
from homesteward.home.model import Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import Start


class HomeView(Protocol):
    """A readable home: the mirror of a real one, or an inventory in a test."""

    @property
    def states(self) -> Mapping[str, State]:
        """Return every state by entity id."""
        ...

    @property
    def entities(self) -> Mapping[str, Entity]:
        """Return the entity registry by entity id; an entity without a unique id has no entry."""
        ...

    @property
    def devices(self) -> Mapping[str, Device]:
        """Return the device registry by device id."""
        ...

    @property
    def areas(self) -> Mapping[str, Area]:
        """Return the area registry by area id."""
        ...

    @property
    def floors(self) -> Mapping[str, Floor]:
        """Return the floor registry by floor id."""
        ...

    @property
    def labels(self) -> Mapping[str, Label]:
        """Return the label registry by label id."""
        ...

    @property
    def services(self) -> Mapping[str, Service]:
        """Return the catalogue of services by `domain.service`."""
        ...

    @property
    def bodies(self) -> Mapping[str, tuple[BodyStep, ...]]:
        """Return, per script, scene and automation entity, the calls its body makes."""
        ...

    @property
    def starts(self) -> Mapping[str, tuple[Start, ...]]:
        """Return, per automation entity, the entities and events that its triggers name."""
        ...

    @property
    def exposed(self) -> frozenset[str]:
        """Return the entities exposed to HA's assistant `conversation`."""
        ...

    @property
    def revision(self) -> int:
        """Return a number that grows whenever names, registries, exposure or services change (not with states)."""
        ...


def area_of(view: HomeView, entity_id: str) -> Area | None:
    """Return the entity's own area, else its device's."""
    entity = view.entities.get(entity_id)
    if entity is None:
        return None
    device = view.devices.get(entity.device_id or "")
    return view.areas.get(entity.area_id or (device.area_id if device else None) or "")


def labels_of(view: HomeView, entity_id: str) -> frozenset[str]:
    """Return the labels that reach the entity: its own, its device's and its area's, as HA expands a label."""
    entity, area = view.entities.get(entity_id), area_of(view, entity_id)
    device = view.devices.get(entity.device_id or "") if entity else None
    carriers = (entity, device, area)
    return frozenset().union(*(carrier.labels for carrier in carriers if carrier))


def names_of(view: HomeView, entity_id: str) -> tuple[str, ...]:
    """Return every name of the entity, its friendly name first, then its aliases."""
    state, entity = view.states.get(entity_id), view.entities.get(entity_id)
    names = ([state.name] if state else []) + list(entity.aliases if entity else ())
    return tuple(dict.fromkeys(name for name in names if name))


def device_class_of(view: HomeView, entity_id: str) -> str | None:
    """Return the device class a person set, else the one in the state."""
    entity, state = view.entities.get(entity_id), view.states.get(entity_id)
    if entity and entity.device_class:
        return entity.device_class
    value = state.attributes.get("device_class") if state else None
    return str(value) if value else None


def members_of(view: HomeView, entity_id: str) -> tuple[str, ...]:
    """Return the direct members of a group (any entity whose state lists entities), without scenes."""
    state = view.states.get(entity_id)
    value = state.attributes.get("entity_id") if state else None
    if not isinstance(value, list | tuple) or entity_id.startswith("scene."):
        return ()
    return tuple(str(member) for member in value)


def leaves_of(view: HomeView, entity_ids: Iterable[str]) -> Iterator[str]:
    """Yield each entity once, groups replaced by their members at any depth; a loop of groups ends."""
    seen: set[str] = set()
    pending = list(entity_ids)[::-1]
    while pending:
        entity_id = pending.pop()
        if entity_id in seen:
            continue
        seen.add(entity_id)
        members = members_of(view, entity_id)
        if members:
            pending += reversed(members)
        else:
            yield entity_id
