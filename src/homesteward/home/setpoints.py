"""Which temperatures a thermostat takes: one, or a low and a high one while it both heats and cools."""

from homesteward.core.json import JsonObject
from homesteward.home.effects.effect import number, shown
from homesteward.home.errors import InvalidDataError
from homesteward.home.model import State

RANGE = 2  # Home Assistant's feature bit for a low and a high temperature
SINGLE, LOW, HIGH = "temperature", "target_temp_low", "target_temp_high"
SETPOINTS = frozenset({SINGLE, LOW, HIGH})
BOTH_WAYS = "heat_cool"


def check_setpoints(state: State, data: JsonObject) -> None:
    """Raise InvalidDataError where the temperatures in `data` are not those of the mode asked for, else of the mode now.

    Home Assistant passes them on all the same, and the thermostat ignores what its mode has no use for.
    """
    asked = SETPOINTS & data.keys()
    if state.domain != "climate" or not asked or not state.supported_features & RANGE:
        return
    mode = str(data.get("hvac_mode") or state.state)
    needed = {LOW, HIGH} if _holds_two(state, mode) else {SINGLE}
    if asked != needed:
        words = " and ".join(name for name in (SINGLE, LOW, HIGH) if name in needed)
        raise InvalidDataError(f"{state.name} needs {words} in {mode}.", next=_example(state, needed))
    low, high = number(data.get(LOW)), number(data.get(HIGH))
    if low is not None and high is not None and low > high:
        raise InvalidDataError(
            f"{LOW} of {state.name} cannot be {shown(low)}, above {HIGH} {shown(high)}.",
            next="Give the lower one first.",
        )


def _holds_two(state: State, mode: str) -> bool:
    """Return whether the thermostat holds two temperatures in `mode`; what it does now shows that of the mode it is in."""
    if mode == state.state and state.attributes.get(SINGLE) is not None:
        return False
    return mode == BOTH_WAYS or (mode == state.state and state.attributes.get(LOW) is not None)


def _example(state: State, needed: set[str]) -> str:
    now = [f"{name} {shown(value)}" for name in (LOW, HIGH) if (value := state.attributes.get(name)) is not None]
    unit = state.attributes.get("temperature_unit") or "degrees"
    low, high = (state.attributes.get(bound) for bound in ("min_temp", "max_temp"))
    bounds = f"Each from {shown(low)} to {shown(high)} {unit}" if low is not None and high is not None else "Give both"
    if needed == {SINGLE}:
        return f"Give {SINGLE} alone, or ask for the mode {BOTH_WAYS}."
    return f"{bounds}; now {', '.join(now)}." if now else f"{bounds}."
