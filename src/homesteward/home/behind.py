"""What of a home is behind, after Home Assistant said that something changed: single items where it says which, else whole parts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from homesteward.home.connection import Connection, Event
from homesteward.home.reading import REFRESHED_BY, House, States, read_bodies, read_entities, read_parts

MAX_ITEMS = 200  # more single items than this are read whole: one large answer costs less than their sum

# What a registry tells that changed, and that is nothing to us: a restart alone updates the versions of a hundred devices.
UNUSED = frozenset(
    {
        "capabilities", "categories", "compat_name", "config_entries", "config_entries_subentries", "config_entry_id",
        "config_subentry_id", "configuration_url", "connections", "entry_type", "has_entity_name", "hw_version", "icon",
        "identifiers", "manufacturer", "model", "model_id", "modified_at", "next_name_part", "object_id_base",
        "original_device_class", "original_icon", "original_name", "original_name_unprefixed", "previous_unique_id",
        "primary_config_entry", "serial_number", "suggested_object_id", "supported_features", "sw_version",
        "translation_key", "unit_of_measurement",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Behind:
    """What is to be read again, and what is gone: (part, id)."""

    parts: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    gone: frozenset[tuple[str, str]] = frozenset()

    def __bool__(self) -> bool:
        """Return whether anything is behind."""
        return bool(self.parts or self.entities or self.bodies or self.gone)

    def __or__(self, other: Behind) -> Behind:
        """Return both; an item is nothing beside the whole part that it is in."""
        parts = self.parts | other.parts
        return Behind(
            parts,
            frozenset() if {"entities", "exposed"} <= parts else self.entities | other.entities,
            frozenset() if "bodies" in parts else self.bodies | other.bodies,
            frozenset(item for item in self.gone | other.gone if item[0] not in parts),
        )

    @property
    def items(self) -> int:
        """Return how many single items are behind."""
        return len(self.entities) + len(self.bodies) + len(self.gone)

    def whole(self) -> Behind:
        """Return the parts of all these items instead of the items: the way that always heals."""
        parts = self.parts | {part for part, _ in self.gone}
        parts |= {"entities", "exposed"} if self.entities or "entities" in parts else frozenset()
        return Behind(parts | ({"bodies"} if self.bodies else frozenset()))


NOTHING = Behind()


def behind_after(event_type: str, event: Event) -> Behind:
    """Return what is behind after an event of Home Assistant; one that does not say which item makes its whole part so."""
    data = event.get("data")
    narrow = NARROW.get(event_type)
    if narrow and isinstance(data, Mapping) and (found := narrow(data)) is not None:
        return found
    return Behind(REFRESHED_BY[event_type])


async def caught_up(connection: Connection, states: States, house: House, behind: Behind) -> House:
    """Return `house` with what was behind read again over `connection`; raises what Connection.send raises."""
    house = _without(house, behind.gone)
    if behind.entities:
        house = _with_entities(house, behind.entities, *await read_entities(connection, behind.entities))
    if behind.bodies:
        house = replace(house, bodies=house.bodies | await read_bodies(connection, states, behind.bodies))
    return replace(house, **await read_parts(connection, states, behind.parts))


def _without(house: House, gone: frozenset[tuple[str, str]]) -> House:
    for part in {part for part, _ in gone}:
        ids = {name for of, name in gone if of == part}
        if part == "bodies":
            house = replace(house, bodies=house.bodies.without(ids))
            continue
        kept: dict[str, Any] = {part: {key: value for key, value in getattr(house, part).items() if key not in ids}}
        house = replace(house, **kept)
        if part == "entities":
            house = replace(house, exposed=house.exposed - ids)
    return house


def _with_entities(house: House, asked: frozenset[str], found: Mapping[str, Any], exposed: frozenset[str]) -> House:
    kept = {key: entity for key, entity in house.entities.items() if key not in asked}
    return replace(house, entities={**kept, **found}, exposed=(house.exposed - asked) | exposed)


def _matters(data: Mapping[str, Any]) -> bool:
    """Return whether an update changed something that is used; `changes` holds the old values of what changed."""
    changes = data.get("changes")
    return data.get("action") != "update" or not isinstance(changes, Mapping) or bool(changes.keys() - UNUSED)


def _entity(data: Mapping[str, Any]) -> Behind | None:
    entity_id, old_id = data.get("entity_id"), data.get("old_entity_id")
    if not isinstance(entity_id, str):
        return None
    if not _matters(data):
        return NOTHING
    gone = frozenset({("entities", str(old_id))} if old_id else ())
    if data.get("action") == "remove":
        return Behind(gone=gone | {("entities", entity_id)})
    return Behind(entities=frozenset({entity_id}), gone=gone)


def _listed(part: str, key: str, also: frozenset[str] = frozenset()) -> Callable[[Mapping[str, Any]], Behind | None]:
    """Return how to read the event of a registry whose items cannot be asked for one by one."""

    def narrow(data: Mapping[str, Any]) -> Behind | None:
        match data.get("action"):
            case "remove" if isinstance(data.get(key), str):
                return Behind(also, gone=frozenset({(part, data[key])}))
            case "reorder":
                return NOTHING
            case "update" if not _matters(data):
                return NOTHING
            case "create" | "update":
                return Behind(frozenset({part}))
            case _:
                return None

    return narrow


# The rest of what a removed label or floor was on is updated by Home Assistant, which tells it item by item.
NARROW: Mapping[str, Callable[[Mapping[str, Any]], Behind | None]] = {
    "entity_registry_updated": _entity,
    "device_registry_updated": _listed("devices", "device_id"),
    "area_registry_updated": _listed("areas", "area_id"),
    "floor_registry_updated": _listed("floors", "floor_id", frozenset({"areas"})),
    "label_registry_updated": _listed("labels", "label_id", frozenset({"areas", "devices"})),
}
