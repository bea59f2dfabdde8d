"""What may have to hold at the time itself: an entity in a state, within bounds, or still as it was."""

from dataclasses import dataclass
from math import isfinite

from homesteward.core.json import JsonValue
from homesteward.home.effects.effect import number
from homesteward.home.model import State
from homesteward.home.view import HomeView

MOST_CONDITIONS = 5
MOST_STATES = 20


@dataclass(frozen=True, slots=True)
class Condition:
    """What one entity has to be: one of `states`, or a number `above` and `below`; of an attribute where one is named.

    What is unavailable, unknown or gone fulfils none.
    """

    entity_id: str
    states: tuple[str, ...] = ()
    above: float | None = None
    below: float | None = None
    attribute: str = ""
    unchanged: bool = False
    """Whether `states` is what the entity was when it was asked for."""


def unmet(conditions: tuple[Condition, ...], home: HomeView) -> str:
    """Return in words the first condition that does not hold now, with what was seen instead; empty where all hold."""
    for condition in conditions:
        state = home.states.get(condition.entity_id)
        if state is None:
            return f"{condition.entity_id} is not there any more"
        if not _holds(condition, state):
            return f"{condition.entity_id} is {_seen(condition, state)}, not {wanted(condition)}"
    return ""


def wanted(condition: Condition) -> str:
    """Return in words what the entity has to be."""
    said = [" or ".join(condition.states)] if condition.states else []
    said += [f"above {condition.above:g}"] if condition.above is not None else []
    said += [f"below {condition.below:g}"] if condition.below is not None else []
    return " and ".join(said)


def condition_json(condition: Condition) -> dict[str, JsonValue]:
    """Return the condition as it is kept and shown; `condition_of` reads it again."""
    found: dict[str, JsonValue] = {
        "entity_id": condition.entity_id,
        "state": list(condition.states),
        "above": condition.above,
        "below": condition.below,
        "attribute": condition.attribute,
        "unchanged": condition.unchanged,
    }
    return {key: value for key, value in found.items() if value not in (None, "", [], False)}


def _holds(condition: Condition, state: State) -> bool:
    if not state.available or state.state == "unknown":
        return False
    value = state.attributes.get(condition.attribute) if condition.attribute else state.state
    if condition.states and str(value) not in condition.states:
        return False
    if condition.above is None and condition.below is None:
        return True
    amount = number(value)
    if amount is None or not isfinite(amount):
        return False
    return (condition.above is None or amount > condition.above) and (
        condition.below is None or amount < condition.below
    )


def _seen(condition: Condition, state: State) -> str:
    return str(state.attributes.get(condition.attribute)) if condition.attribute else state.state
