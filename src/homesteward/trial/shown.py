"""What Home Assistant would show of an entity, from what a file says about it in an integration's words or in HA's own."""

from collections.abc import Mapping
from typing import Any

from homesteward.trial.enumerations import features_of, value_of

# Attributes whose name is an integration's, and the one that a state has for the same.
RENAMED = {
    "native_unit_of_measurement": "unit_of_measurement",
    "target_temperature": "temperature",
    "current_valve_position": "current_position",
}
# Attributes that are the state itself, for an entity that is given no other.
ARE_THE_STATE = ("native_value", "hvac_mode", "condition")
YES_NO: Mapping[str, tuple[str, str]] = {
    "cover": ("open", "closed"),
    "valve": ("open", "closed"),
    "lock": ("locked", "unlocked"),
}
# Feature bits of turning on and off. Files from before these existed do not have them, and HA itself then took them for given.
SWITCHABLE = {"fan": 16 | 32, "climate": 128 | 256}


def shown(domain: str, state: object, attributes: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the state ("" where none is given) and the attributes of an entity of `domain`.

    Raises KeyError, with the path, for a feature that Home Assistant does not have.
    """
    kept = {RENAMED.get(key, key): value_of(value) for key, value in attributes.items() if key not in ARE_THE_STATE}
    if "supported_features" in attributes:
        kept["supported_features"] = _features(domain, attributes["supported_features"])
    given = (_state(domain, state), *(_state(domain, attributes.get(key)) for key in ARE_THE_STATE))
    return next((value for value in given if value), ""), kept


def _state(domain: str, written: object) -> str:
    """Return a state as HA writes it. `{in: ..., out: ...}` gives what a sensor is fed, and what it shows."""
    if isinstance(written, Mapping):
        written = written.get("out")
    if isinstance(written, bool):
        return YES_NO.get(domain, ("on", "off"))[0 if written else 1]
    return "" if written is None else str(value_of(written))


def _features(domain: str, written: object) -> int:
    bits, switchable = features_of(written), SWITCHABLE.get(domain, 0)
    return bits if bits & switchable else bits | switchable
