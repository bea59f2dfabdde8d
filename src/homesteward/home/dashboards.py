"""What the buttons of a dashboard call: a tap does what an action of a script does."""

from collections.abc import Iterator, Mapping

from homesteward.core.json import JsonValue
from homesteward.home.calls import BodyStep
from homesteward.home.script_syntax import called

MAX_BUTTONS = 1000
MAX_DEPTH = 40
PERFORMS = {
    "perform-action": "perform_action",
    "call-service": "service",
}  # what a tap does -> where the service stands


def buttons_of(config: JsonValue) -> tuple[BodyStep, ...]:
    """Return what the taps of a dashboard do, wherever they stand in its configuration; a blank for what cannot be read."""
    found: list[BodyStep] = []
    for step in _buttons(config, "", 0):
        if len(found) == MAX_BUTTONS:
            return (*found, BodyStep(None, f"it has more than {MAX_BUTTONS} buttons"))
        found.append(step)
    return tuple(found)


def _buttons(raw: JsonValue, entity_id: str, depth: int) -> Iterator[BodyStep]:
    """Yield what is tapped in a part of a dashboard; `entity_id` is what the card around it shows."""
    if depth > MAX_DEPTH:
        yield BodyStep(None, "is nested too deep to be read")
    elif isinstance(raw, list | tuple):
        for each in raw:
            yield from _buttons(each, entity_id, depth + 1)
    elif isinstance(raw, Mapping):
        entity_id = str(raw.get("entity") or entity_id)
        yield from _button(raw, entity_id)
        for each in raw.values():
            yield from _buttons(each, entity_id, depth + 1)


def _button(raw: Mapping[str, JsonValue], entity_id: str) -> Iterator[BodyStep]:
    """Yield what this one does: as it says, or turning over the entity of its card, which a plain button does as well."""
    action = str(raw.get("action", ""))
    service = raw.get(PERFORMS.get(action, ""))
    if action in PERFORMS:
        yield called(service, raw) if isinstance(service, str) else BodyStep(None, "calls what cannot be read")
    elif entity_id and (action == "toggle" or (raw.get("type") == "button" and "tap_action" not in raw)):
        yield called("homeassistant.toggle", {"target": {"entity_id": entity_id}})
