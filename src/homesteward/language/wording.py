"""Naming a call in words: as something done, and as something still to happen."""

from homesteward.home.calls import ResolvedCall
from homesteward.home.view import HomeView
from homesteward.language.texts import Texts

# Data that decides which sentence fits, in this order: the field -> the sentence's key.
BY_DATA = {
    "color_name": "color",
    "color_temp_kelvin": "kelvin",
    "brightness_pct": "brightness",
}


def done_text(call: ResolvedCall, names: str, view: HomeView, said: Texts) -> str:
    """Return the call as something that was done."""
    return said(f"done.{key_of(call, said, names)}", **_values(call, names, view, said))


def asked_text(call: ResolvedCall, names: str, view: HomeView, said: Texts) -> str:
    """Return the call as something still to happen, without a full stop."""
    return said(f"asked.{key_of(call, said, names)}", **_values(call, names, view, said))


def key_of(call: ResolvedCall, said: Texts, names: str = "-") -> str:
    """Return the key of the sentence for this call: by its data, else by its service, else a general one."""
    for key in (_by_data(call), call.id, call.service):
        if names and key and f"asked.{key}" in said.table:
            return key
    return "other" if names else "other_bare"


def action_of(call: ResolvedCall, view: HomeView) -> str:
    """Return what Home Assistant calls a service for which there are no words of ours, quoted; never its id."""
    known = view.services.get(call.id)
    return f"\u201c{(known.name if known else '') or call.service.replace('_', ' ').capitalize()}\u201d"


def _by_data(call: ResolvedCall) -> str | None:
    if call.service == "volume_mute":
        return "mute" if call.data.get("is_volume_muted") else "unmute"
    if call.id != "light.turn_on":
        return None
    step = call.data.get("brightness_step_pct")
    if isinstance(step, float | int):
        return "brightness_up" if step > 0 else "brightness_down"
    return next((key for name, key in BY_DATA.items() if name in call.data), None)


def _values(call: ResolvedCall, names: str, view: HomeView, said: Texts) -> dict[str, object]:
    first = view.states.get(call.entity_ids[0]) if call.entity_ids else None
    values: dict[str, object] = {
        "temperature": "?",
        "position": "?",
        "percentage": "?",
        "hvac_mode": "?",
        "humidity": "?",
        "option": "?",
        "value": "?",
        "item": "?",
        **call.data,
        "names": names,
        "action": action_of(call, view),
        "unit": f" {first.attributes.get('temperature_unit') or '°'}" if first else " °",
    }
    level = call.data.get("volume_level")
    values["volume_pct"] = round(level * 100) if isinstance(level, float | int) else "?"
    if "hvac_mode" in call.data:
        values["hvac_mode"] = said.word("mode", str(call.data["hvac_mode"]))
    if "color_name" in call.data:
        values["color_name"] = said.word("color", str(call.data["color_name"]))
    return values
