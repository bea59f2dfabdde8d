"""What of a state matters when it is set beside another one: the table behind undo, drift, and what is kept of a state."""

from collections.abc import Iterator, Mapping, Sequence

from homesteward.core.json import JsonValue
from homesteward.home.effects.effect import near, near_colour, worded
from homesteward.home.model import State

STATE = "state"
EXACT = 0.0

_SWITCHED = ("switch", "input_boolean", "remote", "automation", "siren")
_VALUED = ("number", "input_number", "counter", "select", "input_select", "text", "input_text")
_TIMED = ("input_datetime", "date", "time", "datetime")
# domain -> its attributes that somebody sets, each with how far apart two values may be and still be the same; the state always counts
MATERIAL: Mapping[str, Mapping[str, float]] = {
    **{name: {} for name in (*_SWITCHED, *_VALUED, *_TIMED, "lock", "lawn_mower", "alarm_control_panel")},
    "light": {
        "brightness": 4,
        "color_mode": EXACT,
        "color_temp_kelvin": 120,
        "hs_color": 6,
        "xy_color": 0.02,
        "rgb_color": 8,
        "rgbw_color": 8,
        "rgbww_color": 8,
        "effect": EXACT,
    },
    "fan": {"percentage": 1, "preset_mode": EXACT, "oscillating": EXACT, "direction": EXACT},
    "cover": {"current_position": 3, "current_tilt_position": 3},
    "valve": {"current_position": 3},
    "climate": {
        "temperature": 0.3,
        "target_temp_low": 0.3,
        "target_temp_high": 0.3,
        "humidity": 1,
        "preset_mode": EXACT,
        "fan_mode": EXACT,
        "swing_mode": EXACT,
        "swing_horizontal_mode": EXACT,
    },
    "water_heater": {"temperature": 0.3, "away_mode": EXACT},
    "humidifier": {"humidity": 1, "mode": EXACT},
    "media_player": {
        "volume_level": 0.02,
        "is_volume_muted": EXACT,
        "source": EXACT,
        "sound_mode": EXACT,
        "shuffle": EXACT,
        "repeat": EXACT,
        "media_title": EXACT,  # not what it plays from: such an address can carry a key
    },
    "vacuum": {"fan_speed": EXACT},
}
# What an effect, or the way back, is worked out from beside that.
NEEDED = frozenset(
    {
        "assumed_state", "color_mode", "device_class", "has_date", "has_time", "hvac_modes", "last_triggered", "max",
        "media_track", "min", "operation_list", "options", "percentage_step", "step", "supported_color_modes",
        "supported_features",
    }
)  # fmt: skip


def kept(state: State) -> dict[str, JsonValue]:
    """Return the attributes of a state that matter for it; nothing else of it is kept, so that nothing secret is."""
    wanted = MATERIAL.get(state.domain, {})
    return {name: value for name, value in state.attributes.items() if name in wanted or name in NEEDED}


def secret(state: State) -> bool:
    """Return whether what the entity holds is for nobody to read."""
    return state.domain in {"text", "input_text"} and state.attributes.get("mode") == "password"


def differing(one: State, other: State, *, strictly: bool = False) -> tuple[str, ...]:
    """Return what of `one` is otherwise in `other`: `state`, and attributes. `strictly` counts the smallest difference."""
    found = [STATE] if one.state != other.state and not _same_number(one, other) else []
    return (*found, *_attributes(one, other, strictly=strictly))


def told_apart(one: State, other: State, aspects: Sequence[str]) -> str:
    """Return in words what `aspects` were in `one` and are in `other`."""
    return f"it was {_worded(one, aspects)} and is {_worded(other, aspects)}"


def _worded(state: State, aspects: Sequence[str]) -> str:
    return ", ".join(state.state if name == STATE else worded(name, state.attributes.get(name)) for name in aspects)


def _same_number(one: State, other: State) -> bool:
    return one.domain in {"number", "input_number", "counter"} and near(other.state, one.state, EXACT)


def _attributes(one: State, other: State, *, strictly: bool) -> Iterator[str]:
    for name, band in MATERIAL.get(one.domain, {}).items():
        was, is_now = one.attributes.get(name), other.attributes.get(name)
        within = EXACT if strictly else band
        same = near_colour(is_now, was, within) if name == "hs_color" and was and is_now else near(is_now, was, within)
        if not same:
            yield name
