"""Which attributes of a thing the recorder keeps, in its order, so that what comes later joins what was written here."""

from collections.abc import Callable, Mapping
from typing import Any

from homesteward.core.json import dumps
from homesteward.demo.past.rooms import Thing

type Facts = Mapping[str, Any]
type Kept = Callable[[str, Facts], Facts]

GONE = "unavailable"


def recorded(thing: Thing) -> Callable[[str, Facts], str]:
    """Return what makes the recorder's JSON of a state and the facts behind it."""
    kept = KEPT.get(thing.domain)
    last = _last(thing)
    bare = dumps(last)
    if kept is None:
        return lambda _state, _facts: bare
    return lambda state, facts: bare if state == GONE else dumps({**kept(state, facts), **last})


def restored(thing: Thing) -> str:
    """Return the attributes of a thing that Home Assistant remembers, but has not heard of since it started."""
    return dumps({"restored": True, **_last(thing)})


def _last(thing: Thing) -> Facts:
    facts = {
        "state_class": thing.state_class,
        "unit_of_measurement": thing.unit if thing.domain in {"number", "sensor"} else None,
        "device_class": thing.device_class,
        "friendly_name": thing.name,
    }
    return {key: value for key, value in facts.items() if value is not None}


def _climate(state: str, facts: Facts) -> Facts:
    now, wanted = facts.get("current_temperature"), facts.get("temperature")
    two = state == "heat_cool"
    low = facts.get("target_temp_low") if two else wanted
    action = "off" if state == "off" else "heating" if low and now and low > now else "idle"
    return {
        "current_temperature": now,
        "temperature_unit": facts.get("temperature_unit", "°C"),
        "temperature": None if two else wanted,
        **(_only(facts, "target_temp_high", "target_temp_low") if two else {}),
        **_only(facts, "fan_mode"),
        "hvac_action": action,
        **_only(facts, "preset_mode"),
    }


def _water_heater(state: str, facts: Facts) -> Facts:
    return {
        **_only(facts, "current_temperature", "temperature"),
        "target_temp_high": None,
        "target_temp_low": None,
        "temperature_unit": "°C",
        "operation_mode": state,
        **_only(facts, "away_mode"),
    }


def _humidifier(state: str, facts: Facts) -> Facts:
    action = "off" if state == "off" else "humidifying"
    return {"action": action, **_only(facts, "current_humidity", "humidity", "mode")}


def _cover(state: str, facts: Facts) -> Facts:
    return {"is_closed": state == "closed", **_only(facts, "current_position", "current_tilt_position")}


def _fan(state: str, facts: Facts) -> Facts:
    speed = facts.get("percentage") if state == "on" else 0
    return {
        **_only(facts, "direction", "oscillating"),
        "percentage": speed,
        "percentage_step": 1.0,
        "preset_mode": None,
    }


def _player(state: str, facts: Facts) -> Facts:
    if state == "off":
        return {}
    known = {"volume_level": facts.get("volume_level", 0.3), "is_volume_muted": False}
    return {**known, **{key: facts[key] for key in ("media_title", "source") if facts.get(key)}}


def _alarm(_state: str, _facts: Facts) -> Facts:
    return {"code_format": "number", "changed_by": None, "code_arm_required": False}


def _tracker(state: str, facts: Facts) -> Facts:
    zones = [] if state == "not_home" else [f"zone.{state.lower()}"]
    return {"tracking_type": "position", "in_zones": facts.get("in_zones", zones), "source_type": "gps"}


def _person(_state: str, facts: Facts) -> Facts:
    return _only(facts, "editable", "id", "in_zones", "source", "user_id")


def _weather(_state: str, facts: Facts) -> Facts:
    return {
        "temperature": facts.get("temperature"),
        "temperature_unit": "°C",
        **_only(facts, "humidity", "pressure"),
        "pressure_unit": "hPa",
        **_only(facts, "wind_bearing", "wind_speed"),
        "wind_speed_unit": "km/h",
        "visibility_unit": "km",
        "precipitation_unit": "mm",
    }


def _only(facts: Facts, *names: str) -> Facts:
    return {name: facts[name] for name in names if name in facts}


KEPT: Mapping[str, Kept] = {
    "alarm_control_panel": _alarm,
    "climate": _climate,
    "cover": _cover,
    "device_tracker": _tracker,
    "fan": _fan,
    "humidifier": _humidifier,
    "media_player": _player,
    "person": _person,
    "vacuum": lambda _state, facts: {"fan_speed": facts.get("fan_speed", "normal")},
    "valve": lambda state, _facts: {"is_closed": state == "closed"},
    "water_heater": _water_heater,
    "weather": _weather,
    "zone": lambda _state, facts: facts,
}
"""What a domain keeps beside class and name. Brightness, colours and lists of options are not recorded."""
