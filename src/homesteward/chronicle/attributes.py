"""Which attributes of a state matter, per domain: a change of one of them is worth a row, and they are kept with every row."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.model import EMPTY

MAX_TEXT = 400  # characters of one attribute; a title may be a whole paragraph


def as_is(value: JsonValue) -> JsonValue:
    """Return the value; a number without the noise of its last digits, a text no longer than it may be."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, str):
        return value[:MAX_TEXT]
    return value


def to(step: float) -> Callable[[JsonValue], JsonValue]:
    """Return what rounds a number, and each number of a list, to a step, so that its jitter is no change."""

    def rounded(value: JsonValue) -> JsonValue:
        if isinstance(value, list | tuple):
            return [rounded(part) for part in value]
        if isinstance(value, bool) or not isinstance(value, int | float):
            return as_is(value)
        near = round(round(value / step) * step, 3)
        return int(near) if near == int(near) else near

    return rounded


_OPENING = {"current_position": as_is, "current_tilt_position": as_is}
_HEATING = {
    "temperature": to(0.1),
    "target_temp_high": to(0.1),
    "target_temp_low": to(0.1),
}

# domain -> attribute -> what makes two values alike
MATTER: Mapping[str, Mapping[str, Callable[[JsonValue], JsonValue]]] = MappingProxyType({
    "alarm_control_panel": {"changed_by": as_is},
    "climate": {
        **_HEATING,
        "hvac_action": as_is,
        "preset_mode": as_is,
        "fan_mode": as_is,
        "swing_mode": as_is,
        "swing_horizontal_mode": as_is,
        "humidity": as_is,
    },
    "cover": _OPENING,
    "event": {"event_type": as_is},
    "fan": {"percentage": as_is, "preset_mode": as_is, "oscillating": as_is, "direction": as_is},
    "humidifier": {"humidity": as_is, "mode": as_is, "action": as_is},
    "light": {"brightness": as_is, "color_temp_kelvin": to(25), "hs_color": to(1), "effect": as_is},
    "lock": {"changed_by": as_is, "battery_level": to(5)},
    "media_player": {
        "volume_level": to(0.01),
        "is_volume_muted": as_is,
        "source": as_is,
        "sound_mode": as_is,
        "media_title": as_is,
        "app_name": as_is,
        "shuffle": as_is,
        "repeat": as_is,
    },
    "update": {"installed_version": as_is, "latest_version": as_is},
    "vacuum": {"fan_speed": as_is, "battery_level": to(5)},
    "valve": _OPENING,
    "water_heater": {**_HEATING, "operation_mode": as_is, "away_mode": as_is},
})  # fmt: skip

UNIT = ("unit_of_measurement",)
# domain -> what is kept with a row and is no reason for one; anywhere else it is the unit that the state is in
ALSO_KEPT: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "climate": ("current_temperature", "current_humidity"),
    "humidifier": ("current_humidity",),
    "media_player": ("media_artist", "media_album_name", "media_content_type"),
    "timer": ("duration",),
    "water_heater": ("current_temperature",),
})  # fmt: skip

# domain -> states on the way to another: what moves meanwhile is worth a row only once it has arrived
ON_THE_WAY: Mapping[str, frozenset[str]] = MappingProxyType({
    "cover": frozenset({"opening", "closing"}),
    "valve": frozenset({"opening", "closing"}),
})  # fmt: skip

SECRET_WORDS = frozenset({"text", "input_text"})  # a text helper may be a password; its mode says so


def kept_of(domain: str, attributes: JsonObject) -> JsonObject:
    """Return what is kept of a state's attributes: those that matter, and those that go with them. Absent and null are the same."""
    rules, also = MATTER.get(domain, {}), ALSO_KEPT.get(domain, UNIT)
    kept = {name: alike(value) for name, alike in rules.items() if (value := attributes.get(name)) is not None}
    kept |= {name: as_is(value) for name in also if (value := attributes.get(name)) is not None}
    return kept or EMPTY


def differ(domain: str, before: JsonObject, now: JsonObject, *, known: JsonObject | None = None) -> str:
    """Return the name of an attribute that matters and is not the same in two sets of `kept_of`, empty where there is none.

    `known` are the attributes that `now` was made of, where it may be a part of them only: what is not in them is not compared.
    """
    if before is now:
        return ""
    for name in MATTER.get(domain, ()):
        if before.get(name) != now.get(name) and (known is None or name in known):
            return name
    return ""


def secret_state(domain: str, attributes: JsonObject) -> bool:
    """Return whether the state itself is a secret: a text field in which a password is typed."""
    return domain in SECRET_WORDS and attributes.get("mode") == "password"
