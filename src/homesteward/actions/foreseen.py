"""A step in words before it runs: what each thing it touches is, and what it should become."""

from collections.abc import Iterable

from homesteward.actions.before import states_of
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_on
from homesteward.home.effects.effect import worded
from homesteward.home.model import State
from homesteward.policy.tables import BODIED_DOMAINS

GONE = "gone"


def foreseen(call: ResolvedCall, before: JsonObject, ends: Iterable[str] = ()) -> dict[str, JsonValue]:
    """Return `before` and `expected`, each in words by entity, of what the call names and of the members of a group.

    What a script or scene reaches has no expectation of its own, and may not be everybody's to see: of those `ends` that whoever
    asks may see, it is said what they were.
    """
    found = states_of(before)
    bodied = any(target.partition(".")[0] in BODIED_DOMAINS for target in call.entity_ids)
    states = {
        entity_id: (state, effect)
        for entity_id, state in found.items()
        if (effect := effect_on(call, entity_id, state)).observable and (not bodied or entity_id in call.entity_ids)
    }
    return {
        "before": {end: found[end].state for end in ends if end in found}
        | {entity_id: observed(effect, state) for entity_id, (state, effect) in states.items()},
        "expected": {entity_id: effect.expected for entity_id, (_, effect) in states.items()},
    }


def observed(effect: Effect, state: State | None) -> str:
    """Return in words what a state shows of what was expected: the state, and the attributes that matter here."""
    if state is None:
        return GONE
    attributes = [worded(want.name, state.attributes.get(want.name)) for want in effect.wanted]
    return ", ".join([state.state, *attributes])
