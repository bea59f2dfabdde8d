"""How the helpers and automations, which Home Assistant made itself, get a state back."""

from typing import Any

from homeassistant.const import ATTR_ENTITY_ID

# domain -> the service that sets its state, and the field that takes it
SETTERS = {
    "counter": ("set_value", "value"),
    "input_number": ("set_value", "value"),
    "input_select": ("select_option", "option"),
    "input_text": ("set_value", "value"),
    "input_datetime": ("set_datetime", "time"),
}


def restored(entity_id: str, state: str) -> tuple[str, str, dict[str, Any]]:
    """Return domain, service and data of the call that puts `entity_id` back to `state`."""
    domain = entity_id.partition(".")[0]
    data = {ATTR_ENTITY_ID: entity_id}
    if domain == "timer":
        return domain, "cancel", data
    if domain in SETTERS:
        service, field = SETTERS[domain]
        return domain, service, {**data, field: state}
    return "homeassistant", f"turn_{state}", data
