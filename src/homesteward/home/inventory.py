"""A home written down: what a simulated home is built from, in tests and in trials."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep
from homesteward.home.model import EMPTY, Area, Device, Entity, Floor, Label, Service, State
from homesteward.home.starts import Start

# What a thing of a domain is like where the inventory does not say: its state, and attributes that HA would show.
USUAL: Mapping[str, tuple[str, JsonObject]] = {
    "light": ("off", {"supported_color_modes": ["onoff"], "supported_features": 0}),
    "switch": ("off", {}),
    "input_boolean": ("off", {}),
    "fan": ("off", {"percentage": 0, "percentage_step": 1, "supported_features": 1 | 16 | 32}),
    "cover": ("closed", {"supported_features": 1 | 2 | 4 | 8, "current_position": 0}),
    "valve": ("closed", {"supported_features": 1 | 2}),
    "lock": ("locked", {"supported_features": 1}),
    "climate": (
        "heat",
        {
            "hvac_modes": ["off", "heat"],
            "temperature": 20,
            "current_temperature": 20,
            "min_temp": 7,
            "max_temp": 35,
            "supported_features": 1 | 128 | 256,
        },
    ),
    "humidifier": ("off", {"humidity": 50, "min_humidity": 0, "max_humidity": 100}),
    "media_player": (
        "idle",
        {
            "volume_level": 0.3,
            "is_volume_muted": False,
            "supported_features": 1 | 4 | 8 | 16 | 32 | 128 | 256 | 1024 | 2048 | 4096 | 16384,
        },
    ),
    "vacuum": ("docked", {"supported_features": 4 | 8 | 16 | 512 | 4096 | 8192}),
    "lawn_mower": ("docked", {"supported_features": 1 | 2 | 4}),
    "siren": ("off", {"supported_features": 1 | 2}),
    "alarm_control_panel": ("disarmed", {"supported_features": 1 | 2 | 4}),
    "camera": ("idle", {}),
    "scene": ("unknown", {}),
    "button": ("unknown", {}),
    "script": ("off", {"last_triggered": None}),
    "automation": ("on", {"last_triggered": None}),
    "binary_sensor": ("off", {}),
    "todo": ("0", {"supported_features": 1 | 2 | 4}),
    "group": ("off", {}),
}
ALIVE_FROM_START = frozenset({"scene", "button"})  # "unknown" only means: not used yet


@dataclass(frozen=True, slots=True)
class Thing:
    """One entity of an inventory. What is left empty is as usual for its domain.

    `members` makes it a group; `body` is what a script, scene or automation does (None in one of its steps: hidden by a template).
    """

    entity_id: str
    name: str = ""
    area: str | None = None
    state: str = ""
    attributes: JsonObject = EMPTY
    aliases: tuple[str, ...] = ()
    labels: frozenset[str] = frozenset()
    device: str | None = None
    device_class: str | None = None
    exposed: bool = True
    hidden: bool = False
    category: str | None = None
    members: tuple[str, ...] = ()
    body: tuple[BodyStep, ...] | None = None
    registered: bool = True
    starts: tuple[Start, ...] = ()
    """Of an automation: what its triggers name."""
    platform: str = "simulated"

    @property
    def domain(self) -> str:
        """Return the entity's domain."""
        return self.entity_id.partition(".")[0]

    def first_state(self) -> State:
        """Return the state that the thing starts with."""
        usual, attributes = USUAL.get(self.domain, ("unknown", EMPTY))
        named: JsonObject = {
            "friendly_name": self.name or self.entity_id.partition(".")[2].replace("_", " ").capitalize()
        }
        extra: dict[str, JsonValue] = {"device_class": self.device_class} if self.device_class else {}
        if self.members:
            extra["entity_id"] = list(self.members)
        return State(self.entity_id, self.state or usual, {**attributes, **named, **extra, **self.attributes})

    def entry(self) -> Entity | None:
        """Return the registry entry, None for a thing without a unique id."""
        if not self.registered:
            return None
        return Entity(
            self.entity_id,
            None,
            self.device,
            self.area,
            self.labels,
            self.aliases,
            None,
            self.category,
            self.hidden,
            platform=self.platform,
            unique_id=self.entity_id,
        )


@dataclass(frozen=True, slots=True)
class Inventory:
    """A whole home written down. `services` come beside those of Home Assistant's own domains."""

    things: tuple[Thing, ...] = ()
    areas: tuple[Area, ...] = ()
    floors: tuple[Floor, ...] = ()
    labels: tuple[Label, ...] = ()
    devices: tuple[Device, ...] = ()
    services: tuple[Service, ...] = field(default=())


def areas_of(names: Iterable[str]) -> tuple[Area, ...]:
    """Return areas for their names, each id made from the name as Home Assistant does for plain ones."""
    return tuple(Area(name.lower().replace(" ", "_"), name) for name in names)
