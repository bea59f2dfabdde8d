"""What a word for a state means, per domain and device class, and where a measure is read. One table for every language."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from homesteward.home.model import State
from homesteward.knowledge import Scope

SWITCHING = (
    "light",
    "switch",
    "fan",
    "input_boolean",
    "siren",
    "humidifier",
    "automation",
    "script",
    "remote",
    "group",
)
OPENINGS = ("door", "garage_door", "window", "opening")
LOW_BATTERY = 20.0  # per cent; what devices commonly warn at
RESTING = frozenset({"off", "standby", "unavailable", "unknown", "idle", "closed"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """The states of each domain that a word stands for; `unless` names the states that it does not stand for instead.

    `at_most` gives, for a domain that measures, the highest value of which the word is true.
    """

    states: Mapping[str, frozenset[str]]
    classes: Mapping[str, tuple[str, ...]]
    unless: bool = False
    at_most: Mapping[str, float] = field(default_factory=dict)

    @property
    def scope(self) -> Scope:
        """Return the things of which the word can be said."""
        return {domain: self.classes.get(domain, ()) for domain in (*self.states, *self.at_most)}

    def holds(self, state: State) -> bool:
        """Return whether the word is true of the state."""
        if state.domain in self.at_most:
            value = state.state.replace(".", "", 1)
            return value.isdecimal() and float(state.state) <= self.at_most[state.domain]
        return (state.state in self.states.get(state.domain, frozenset())) is not self.unless


def _meaning(classes: Mapping[str, tuple[str, ...]] | None = None, /, **states: str) -> Meaning:
    return Meaning({domain: frozenset(words.split()) for domain, words in states.items()}, classes or {})


IDLE = RESTING | {"docked", "returning", "paused", "error"}  # of what works its way through a home
ON = Meaning(
    dict.fromkeys((*SWITCHING, "media_player", "climate", "binary_sensor", "water_heater", "valve"), RESTING)
    | {"vacuum": IDLE, "lawn_mower": IDLE},
    {},
    unless=True,
)
OFF = Meaning(
    {domain: frozenset({"off", "standby", "closed"}) for domain in ON.states}
    | dict.fromkeys(("vacuum", "lawn_mower"), IDLE - {"unavailable", "unknown"}),
    {},
)
MEANINGS: Mapping[str, Meaning] = {
    "on": ON,
    "off": OFF,
    "open": _meaning(
        {"binary_sensor": OPENINGS},
        cover="open opening closing",
        valve="open opening closing",
        binary_sensor="on",
    ),
    "closed": _meaning({"binary_sensor": OPENINGS}, cover="closed", valve="closed", binary_sensor="off"),
    "locked": _meaning({"binary_sensor": ("lock",)}, lock="locked", binary_sensor="off"),
    "unlocked": _meaning({"binary_sensor": ("lock",)}, lock="unlocked open", binary_sensor="on"),
    "armed": _meaning(alarm_control_panel="armed_home armed_away armed_night armed_vacation armed_custom_bypass"),
    "disarmed": _meaning(alarm_control_panel="disarmed"),
    "jammed": _meaning(lock="jammed"),
    "low": Meaning(
        {"binary_sensor": frozenset({"on"})},
        {"binary_sensor": ("battery",), "sensor": ("battery",)},
        at_most={"sensor": LOW_BATTERY},
    ),
    "wet": _meaning({"binary_sensor": ("moisture",)}, binary_sensor="on"),
    "dry": _meaning({"binary_sensor": ("moisture",)}, binary_sensor="off"),
    "motion": _meaning({"binary_sensor": ("motion", "occupancy", "presence", "moving")}, binary_sensor="on"),
    "playing": _meaning(media_player="playing"),
    "paused": _meaning(media_player="paused"),
    "home": _meaning(person="home", device_tracker="home"),
    "away": Meaning({"person": frozenset({"home"}), "device_tracker": frozenset({"home"})}, {}, unless=True),
    "cleaning": _meaning(vacuum="cleaning", lawn_mower="mowing"),
    "docked": _meaning(vacuum="docked", lawn_mower="docked"),
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a measure is read: the state of a domain's entities, or one of their attributes with its factor and unit."""

    domain: str
    classes: tuple[str, ...] = ()
    attribute: str | None = None
    factor: float = 1.0
    unit: str = ""
    unit_attribute: str = "unit_of_measurement"

    @property
    def scope(self) -> Scope:
        """Return the things that have the measure here."""
        return {self.domain: self.classes}

    def read(self, state: State) -> str | None:
        """Return the value with its unit as the state carries it, None where it has none."""
        value = state.state if self.attribute is None else state.attributes.get(self.attribute)
        if value is None or not state.available:
            return None
        if isinstance(value, float | int) and self.factor != 1:
            value = round(value * self.factor)
        unit = self.unit or str(state.attributes.get(self.unit_attribute) or "")
        return f"{value} {unit}".strip()


MEASURES: Mapping[str, tuple[Source, ...]] = {
    "temperature": (
        Source("sensor", ("temperature",)),
        Source("climate", (), "current_temperature", unit_attribute="temperature_unit"),
        Source("weather", (), "temperature", unit_attribute="temperature_unit"),
    ),
    "humidity": (
        Source("sensor", ("humidity",)),
        Source("climate", (), "current_humidity", unit="%"),
        Source("weather", (), "humidity", unit="%"),
    ),
    "illuminance": (Source("sensor", ("illuminance",)), Source("light", (), "brightness", 100 / 255, "%")),
    "battery": (Source("sensor", ("battery",)), Source("vacuum", (), "battery_level", unit="%")),
    "power": (Source("sensor", ("power",)),),
    "energy": (Source("sensor", ("energy",)),),
    "volume": (Source("media_player", (), "volume_level", 100, "%"),),
    "position": (Source("cover", (), "current_position", unit="%"), Source("valve", (), "current_position", unit="%")),
}
READABLE: Scope = dict.fromkeys(
    (
        *ON.states,
        "cover",
        "valve",
        "lock",
        "sensor",
        "vacuum",
        "lawn_mower",
        "alarm_control_panel",
        "person",
        "device_tracker",
        "weather",
        "input_number",
        "input_select",
        "number",
        "select",
        "sun",
        "timer",
        "counter",
        "calendar",
        "todo",
    ),
    (),
)
