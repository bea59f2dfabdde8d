"""The way back: which calls bring an entity from its state now to one it had before, and what no call can bring back.

As Home Assistant's own `scene.apply`, but call by call, so that each can be judged, verified and named where it is not possible.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.effect import near, number
from homesteward.home.effects.one_way import ONE_WAY, PLAYED
from homesteward.home.model import State

# Bits of supported_features that decide which way back there is.
COVER_POSITION, COVER_TILT_POSITION = 4, 128
VALVE_POSITION = 4
RANGE = 2  # climate: two set-points at once


@dataclass(frozen=True, slots=True)
class WayBack:
    """The calls that bring an entity back, in their order, and what they cannot bring back, in words for a person."""

    calls: tuple[ResolvedCall, ...] = ()
    cannot: tuple[str, ...] = ()


type Way = Callable[[State, State], WayBack]


def way_back(before: State, now: State | None) -> WayBack:
    """Return how `now` becomes `before` again; nothing to do where it is so."""
    if now is None or now.state == "unavailable":
        return WayBack(cannot=("it cannot be reached now",))
    if not before.available:
        return WayBack(cannot=("its state before is not known",))
    rule = WAYS.get(before.domain)
    if rule is None:
        return WayBack(cannot=(ONE_WAY.get(before.domain, "no call brings it back"),))
    return rule(before, now)


def _call(before: State, service: str, /, **data: JsonValue) -> ResolvedCall:
    return ResolvedCall(before.domain, service, (before.entity_id,), data)


def _moved(before: State, now: State, *names: str, within: float = 0.0) -> bool:
    """Return whether one of the attributes is another, of those that were known before."""
    return any(
        before.attributes.get(name) is not None and not near(now.attributes.get(name), before.attributes[name], within)
        for name in names
    )


def _switched(before: State, now: State) -> WayBack:
    if before.state == now.state:
        return WayBack()
    if before.state not in {"on", "off"}:
        return WayBack(cannot=(f"it was {before.state}, which no call makes it",))
    return WayBack((_call(before, f"turn_{before.state}"),))


COLOURS = {  # colour mode -> the attribute that is exact in it, and the field that sets it
    "color_temp": "color_temp_kelvin",
    "hs": "hs_color",
    "xy": "xy_color",
    "rgb": "rgb_color",
    "rgbw": "rgbw_color",
    "rgbww": "rgbww_color",
}


def _light(before: State, now: State) -> WayBack:
    if before.state != "on":
        return _switched(before, now)
    data: dict[str, JsonValue] = {}
    if (level := before.attributes.get("brightness")) is not None and _moved(before, now, "brightness"):
        data["brightness"] = level
    mode = str(before.attributes.get("color_mode") or "")
    exact = COLOURS.get(mode, "")
    if before.attributes.get(exact) is not None and (
        _moved(before, now, exact) or now.attributes.get("color_mode") != mode
    ):
        data[exact] = before.attributes[exact]
    if _moved(before, now, "effect") and before.attributes.get("effect") not in {None, "off"}:
        data["effect"] = before.attributes["effect"]
    if now.state == "on" and not data:
        return WayBack()
    if now.state != "on":
        data = {**({"brightness": level} if level is not None else {}), **data}
    return WayBack((_call(before, "turn_on", **data),))


def _fan(before: State, now: State) -> WayBack:
    if before.state != "on":
        return _switched(before, now)
    calls = []
    preset, speed = before.attributes.get("preset_mode"), before.attributes.get("percentage")
    if preset is not None and (_moved(before, now, "preset_mode") or now.state != "on"):
        calls.append(_call(before, "turn_on", preset_mode=preset))
    elif speed is not None and (_moved(before, now, "percentage") or now.state != "on"):
        calls.append(_call(before, "turn_on", percentage=speed))
    elif now.state != "on":
        calls.append(_call(before, "turn_on"))
    if _moved(before, now, "oscillating"):
        calls.append(_call(before, "oscillate", oscillating=before.attributes["oscillating"]))
    if _moved(before, now, "direction"):
        calls.append(_call(before, "set_direction", direction=before.attributes["direction"]))
    return WayBack(tuple(calls))


def _cover(before: State, now: State) -> WayBack:
    calls, cannot = [], []
    position, tilt = number(before.attributes.get("current_position")), before.attributes.get("current_tilt_position")
    if position is not None and _moved(before, now, "current_position", within=1):
        calls += [_positioned(before, position)]
    elif position is None and before.state != now.state:
        if before.state in {"open", "closed"}:
            calls.append(_call(before, "open_cover" if before.state == "open" else "close_cover"))
        else:
            cannot.append(f"it was {before.state}, on its way")
    if tilt is not None and _moved(before, now, "current_tilt_position", within=1):
        if before.supported_features & COVER_TILT_POSITION:
            calls.append(_call(before, "set_cover_tilt_position", tilt_position=tilt))
        else:
            cannot.append("its slats cannot be put to a given tilt")
    if position is not None and 0 < position < 100 and not before.supported_features & COVER_POSITION:
        cannot.append(f"it cannot be put to {position:g} %, only opened or closed")
        calls = [call for call in calls if "tilt" in call.service]
    return WayBack(tuple(calls), tuple(cannot))


def _positioned(before: State, position: float) -> ResolvedCall:
    if position in {0, 100} or not before.supported_features & COVER_POSITION:
        return _call(before, "open_cover" if position > 0 else "close_cover")
    return _call(before, "set_cover_position", position=position)


def _valve(before: State, now: State) -> WayBack:
    position = before.attributes.get("current_position")
    if position is not None and before.supported_features & VALVE_POSITION:
        moved = _moved(before, now, "current_position", within=1)
        return WayBack((_call(before, "set_valve_position", position=position),) if moved else ())
    if before.state == now.state:
        return WayBack()
    if before.state not in {"open", "closed"}:
        return WayBack(cannot=(f"it was {before.state}, on its way",))
    return WayBack((_call(before, "open_valve" if before.state == "open" else "close_valve"),))


def _lock(before: State, now: State) -> WayBack:
    service = {"locked": "lock", "unlocked": "unlock"}.get(before.state)
    if before.state == now.state:
        return WayBack()
    if service is None:
        return WayBack(cannot=(f"it was {before.state}, which no call makes it",))
    return WayBack((_call(before, service),))


def _climate(before: State, now: State) -> WayBack:
    calls = []
    both = ("target_temp_low", "target_temp_high")
    two = all(before.attributes.get(name) is not None for name in both)
    names = both if two else ("temperature",)
    other_mode = before.state != now.state
    warm = _moved(before, now, *names) or (two and other_mode)
    # which temperatures are taken hangs on the mode, so that both are asked for at once
    together = warm and other_mode and before.state != "off"
    if other_mode and not together:
        calls.append(_call(before, "set_hvac_mode", hvac_mode=before.state))
    if warm:
        mode: JsonObject = {"hvac_mode": before.state} if together else {}
        calls.append(_call(before, "set_temperature", **{name: before.attributes[name] for name in names}, **mode))
    for name, service in (
        ("preset_mode", "set_preset_mode"),
        ("fan_mode", "set_fan_mode"),
        ("swing_mode", "set_swing_mode"),
        ("swing_horizontal_mode", "set_swing_horizontal_mode"),
        ("humidity", "set_humidity"),
    ):
        if _moved(before, now, name):
            calls.append(_call(before, service, **{name: before.attributes[name]}))
    return WayBack(tuple(calls))


def _water_heater(before: State, now: State) -> WayBack:
    calls = []
    if before.state != now.state:
        off = before.state == "off" and "off" not in _options(before, "operation_list")
        calls.append(
            _call(before, "turn_off") if off else _call(before, "set_operation_mode", operation_mode=before.state)
        )
    if _moved(before, now, "temperature"):
        calls.append(_call(before, "set_temperature", temperature=before.attributes["temperature"]))
    if _moved(before, now, "away_mode"):
        calls.append(_call(before, "set_away_mode", away_mode=before.attributes["away_mode"] == "on"))
    return WayBack(tuple(calls))


def _humidifier(before: State, now: State) -> WayBack:
    """Switch it last: what it is set to shows also while it is off."""
    calls = []
    if _moved(before, now, "humidity"):
        calls.append(_call(before, "set_humidity", humidity=before.attributes["humidity"]))
    if _moved(before, now, "mode"):
        calls.append(_call(before, "set_mode", mode=before.attributes["mode"]))
    switched = _switched(before, now)
    return WayBack((*calls, *switched.calls), switched.cannot)


SILENT = frozenset({"off", "standby", "idle", "on"})


def _player(before: State, now: State) -> WayBack:
    calls, cannot = [], []
    was_off, is_off = before.state in {"off", "standby"}, now.state in {"off", "standby"}
    if was_off != is_off:
        calls.append(_call(before, "turn_off" if was_off else "turn_on"))
    if was_off:
        return WayBack(tuple(calls))
    for name, setting in (
        ("source", "select_source"),
        ("sound_mode", "select_sound_mode"),
        ("volume_level", "volume_set"),
        ("is_volume_muted", "volume_mute"),
        ("shuffle", "shuffle_set"),
        ("repeat", "repeat_set"),
    ):
        if _moved(before, now, name) or (is_off and name == "volume_level" and name in before.attributes):
            calls.append(_call(before, setting, **{name: before.attributes[name]}))
    if _moved(before, now, "media_content_id", "media_title"):
        cannot.append(PLAYED)
    elif before.state != now.state and (service := PLAYS.get((before.state, now.state in SILENT))):
        calls.append(_call(before, service))
    return WayBack(tuple(calls), tuple(cannot))


# state before, whether it is silent now -> the call that makes it play or pause again
PLAYS = {
    ("playing", True): "media_play",
    ("playing", False): "media_play",
    ("paused", False): "media_pause",
    ("idle", False): "media_stop",
}


def _vacuum(before: State, now: State) -> WayBack:
    calls = []
    service = {
        "docked": "return_to_base",
        "returning": "return_to_base",
        "cleaning": "start",
        "paused": "pause",
        "idle": "stop",
    }
    if before.state != now.state and not (before.state == "docked" and now.state == "returning"):
        if before.state not in service:
            return WayBack(cannot=(f"it was {before.state}, which no call makes it",))
        calls.append(_call(before, service[before.state]))
    if _moved(before, now, "fan_speed"):
        calls.append(_call(before, "set_fan_speed", fan_speed=before.attributes["fan_speed"]))
    return WayBack(tuple(calls))


def _mower(before: State, now: State) -> WayBack:
    service = {"docked": "dock", "returning": "dock", "mowing": "start_mowing", "paused": "pause"}.get(before.state)
    if before.state == now.state or (before.state == "docked" and now.state == "returning"):
        return WayBack()
    return WayBack((_call(before, service),)) if service else WayBack(cannot=(f"it was {before.state}",))


def _alarm(before: State, now: State) -> WayBack:
    if before.state == now.state:
        return WayBack()
    if before.state == "disarmed":
        return WayBack((_call(before, "alarm_disarm"),))
    if not before.state.startswith("armed_"):
        return WayBack(cannot=(f"it was {before.state}, which no call makes it",))
    return WayBack((_call(before, f"alarm_arm_{before.state.removeprefix('armed_')}"),))


def _valued(before: State, now: State) -> WayBack:
    return WayBack() if before.state == now.state else WayBack((_call(before, "set_value", value=before.state),))


def _numbered(before: State, now: State) -> WayBack:
    value = number(before.state)
    if near(now.state, before.state, 0):
        return WayBack()
    if value is None:
        return WayBack(cannot=(f"it was {before.state}, which is no number",))
    return WayBack((_call(before, "set_value", value=value),))


def _chosen(before: State, now: State) -> WayBack:
    return WayBack() if before.state == now.state else WayBack((_call(before, "select_option", option=before.state),))


def _moment(before: State, now: State) -> WayBack:
    if before.state == now.state:
        return WayBack()
    parts: JsonObject = (
        {"datetime": before.state}
        if before.attributes.get("has_date") and before.attributes.get("has_time")
        else {"date": before.state}
        if before.attributes.get("has_date")
        else {"time": before.state}
    )
    return WayBack((_call(before, "set_datetime", **parts),))


def _stated(field: str) -> Way:
    def way(before: State, now: State) -> WayBack:
        return (
            WayBack() if before.state == now.state else WayBack((_call(before, "set_value", **{field: before.state}),))
        )

    return way


def _options(state: State, name: str) -> tuple[str, ...]:
    value = state.attributes.get(name)
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


WAYS: Mapping[str, Way] = {
    **dict.fromkeys(("switch", "input_boolean", "remote", "automation", "siren", "group"), _switched),
    "light": _light,
    "fan": _fan,
    "cover": _cover,
    "valve": _valve,
    "lock": _lock,
    "climate": _climate,
    "water_heater": _water_heater,
    "humidifier": _humidifier,
    "media_player": _player,
    "vacuum": _vacuum,
    "lawn_mower": _mower,
    "alarm_control_panel": _alarm,
    "number": _numbered,
    "input_number": _numbered,
    "counter": _numbered,
    "text": _valued,
    "input_text": _valued,
    "select": _chosen,
    "input_select": _chosen,
    "input_datetime": _moment,
    "date": _stated("date"),
    "time": _stated("time"),
    "datetime": _stated("datetime"),
}
