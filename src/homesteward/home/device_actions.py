"""Actions on a device, as Home Assistant's editor writes them: each stands for a service, and may name an entity by its registry id."""

from collections.abc import Mapping

from homesteward.core.json import JsonValue
from homesteward.home.calls import ENTITY_ID, REGISTRY_ID, BodyStep, Call, Target

ON_OFF = {name: name for name in ("turn_on", "turn_off", "toggle")}
# domain -> type of the action -> the service it stands for; what is not here cannot be seen through
DEVICE_ACTIONS: Mapping[str, Mapping[str, str]] = {
    "alarm_control_panel": {
        **{f"arm_{mode}": f"alarm_arm_{mode}" for mode in ("away", "home", "night", "vacation")},
        "disarm": "alarm_disarm",
        "trigger": "alarm_trigger",
    },
    "button": {"press": "press"},
    "climate": {name: name for name in ("set_hvac_mode", "set_preset_mode")},
    "cover": {
        "open": "open_cover",
        "close": "close_cover",
        "stop": "stop_cover",
        "open_tilt": "open_cover_tilt",
        "close_tilt": "close_cover_tilt",
        "set_position": "set_cover_position",
        "set_tilt_position": "set_cover_tilt_position",
    },
    "fan": ON_OFF,
    "humidifier": {**ON_OFF, "set_humidity": "set_humidity", "set_mode": "set_mode"},
    "light": {**ON_OFF, **dict.fromkeys(("brightness_increase", "brightness_decrease", "flash"), "turn_on")},
    "lock": {name: name for name in ("lock", "unlock", "open")},
    "number": {"set_value": "set_value"},
    "remote": ON_OFF,
    "select": {
        name: name for name in ("select_first", "select_last", "select_next", "select_option", "select_previous")
    },
    "switch": ON_OFF,
    "text": {"set_value": "set_value"},
    "vacuum": {"clean": "start", "dock": "return_to_base"},
    "water_heater": {name: name for name in ("turn_on", "turn_off")},
    "zha": {"squawk": "warning_device_squawk", "warn": "warning_device_warn"},
    "zwave_js": {
        name: name
        for name in (
            "clear_lock_usercode", "ping", "refresh_value", "reset_meter", "set_config_parameter", "set_lock_usercode",
            "set_value",
        )
    },
}  # fmt: skip
# Actions that reach no entity of the house: they tell somebody something.
TELLS: Mapping[tuple[str, str], Call] = {("mobile_app", "notify"): Call("notify", "notify")}
NO_DATA = frozenset({"domain", "type", "device_id", "entity_id", "alias", "enabled", "continue_on_error", "metadata"})


def device_action(raw: Mapping[str, JsonValue]) -> BodyStep:
    """Read an action on a device as the call that it stands for, on the entity it names; where it names none, on all of the device.

    Home Assistant acts on that entity even if it belongs to another device.
    """
    domain, kind = str(raw.get("domain")), str(raw.get("type"))
    if (told := TELLS.get((domain, kind))) is not None:
        return BodyStep(told, f"calls {told.id}")
    service = DEVICE_ACTIONS.get(domain, {}).get(kind)
    entity_id, device_id = raw.get("entity_id"), raw.get("device_id")
    if service is None or not isinstance(device_id, str):
        return BodyStep(None, f"does {kind} of {domain} on a device")
    if entity_id is None:
        target = Target(device_id=(device_id,))
    elif isinstance(entity_id, str) and (ENTITY_ID.fullmatch(entity_id) or REGISTRY_ID.fullmatch(entity_id)):
        target = Target(entity_id=(entity_id,))
    else:
        return BodyStep(None, f"calls {domain}.{service} on what a template decides")
    data = {name: value for name, value in raw.items() if name not in NO_DATA}
    return BodyStep(Call(domain, service, target, data), f"calls {domain}.{service}")
