"""What a home is made of, in Home Assistant's own words: states, registry entries and the catalogue of actions."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from homesteward.core.json import JsonObject, JsonValue

EMPTY: JsonObject = MappingProxyType({})
UNAVAILABLE = frozenset({"unavailable", "unknown"})  # states that say nothing about the thing itself


@dataclass(frozen=True, slots=True)
class State:
    """One entity's state at one moment, with the context Home Assistant gave the change: its id, what caused it, the user behind it."""

    entity_id: str
    state: str
    attributes: JsonObject = EMPTY
    last_changed: datetime | None = None
    last_updated: datetime | None = None
    context_id: str | None = None
    context_parent_id: str | None = None
    context_user_id: str | None = None

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    @property
    def available(self) -> bool:
        """Return whether the state says something about the thing itself."""
        return self.state not in UNAVAILABLE

    @property
    def name(self) -> str:
        """Return the friendly name, else the entity id."""
        return str(self.attributes.get("friendly_name") or self.entity_id)

    @property
    def supported_features(self) -> int:
        """Return the feature bits, 0 where there are none."""
        value = self.attributes.get("supported_features")
        return value if isinstance(value, int) else 0


@dataclass(frozen=True, slots=True)
class Floor:
    """A floor of the home."""

    floor_id: str
    name: str
    aliases: tuple[str, ...] = ()
    level: int | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """An area of the home."""

    area_id: str
    name: str
    floor_id: str | None = None
    aliases: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Label:
    """A label that areas, devices and entities can carry."""

    label_id: str
    name: str


@dataclass(frozen=True, slots=True)
class Device:
    """A device; its area and labels hold for its entities unless they have their own."""

    device_id: str
    name: str
    area_id: str | None = None
    labels: frozenset[str] = frozenset()
    disabled: bool = False
    parent_id: str | None = None  # a child device is targeted together with its parent


@dataclass(frozen=True, slots=True)
class Entity:
    """An entity's registry entry. `aliases` are extra names; `hidden` and `category` keep it out of wide targets, as in HA."""

    entity_id: str
    name: str | None = None
    device_id: str | None = None
    area_id: str | None = None
    labels: frozenset[str] = frozenset()
    aliases: tuple[str, ...] = ()
    device_class: str | None = None
    category: str | None = None
    hidden: bool = False
    disabled: bool = False
    platform: str = ""
    unique_id: str = ""
    registry_id: str = ""
    """What Home Assistant's editor writes instead of the entity id."""


@dataclass(frozen=True, slots=True)
class ServiceField:
    """One field of a service: its selector as Home Assistant describes it."""

    name: str
    description: str = ""
    required: bool = False
    selector: JsonObject = EMPTY
    example: JsonValue = None
    filter: JsonObject = EMPTY  # {supported_features: [...], attribute: {...}}: when HA offers the field


@dataclass(frozen=True, slots=True)
class Service:
    """A service of the catalogue. `target` is HA's target selector, None where the service takes no target."""

    domain: str
    service: str
    name: str = ""
    description: str = ""
    fields: Mapping[str, ServiceField] = field(default_factory=dict)
    target: JsonObject | None = None
    response: str = "none"  # none, optional or only

    @property
    def id(self) -> str:
        """Return `domain.service`."""
        return f"{self.domain}.{self.service}"
