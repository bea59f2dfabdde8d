"""What is kept of the states a step touches: as it found them, and as it left them. An undo and a drift check live on it."""

from collections.abc import Iterator, Mapping

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import observed_of
from homesteward.home.effects.material import MATERIAL, kept, secret
from homesteward.home.model import EMPTY, State
from homesteward.home.view import HomeView
from homesteward.policy.impact import reached

MOST_KEPT = 500  # entities of one step
CUT = "*"  # in place of an entity id: how many more were reached
WITHHELD = "withheld"


def before_of(call: ResolvedCall, home: HomeView) -> dict[str, JsonValue]:
    """Return the states that the call will change, also those of the members of a group or scene and of what a script reaches.

    Nothing in them is a key to anything. Past `MOST_KEPT` entities the rest is only counted.
    """
    ids = tuple(dict.fromkeys(_touched(call, home)))
    found: dict[str, JsonValue] = {entity_id: kept_of(home.states[entity_id]) for entity_id in ids[:MOST_KEPT]}
    if len(ids) > MOST_KEPT:
        found[CUT] = {"left_out": len(ids) - MOST_KEPT}
    return found


def after_of(before: JsonObject, home: HomeView) -> dict[str, JsonValue]:
    """Return the states now of everything that is in `before`."""
    return {entity_id: kept_of(home.states[entity_id]) for entity_id in before if entity_id in home.states}


def kept_of(state: State) -> dict[str, JsonValue]:
    """Return what is kept of one state; of a secret, only that it is one."""
    if secret(state):
        return {WITHHELD: True}
    return {"state": state.state, "attributes": kept(state)}


def states_of(kept_states: JsonObject) -> dict[str, State]:
    """Return what was kept as states, without those whose value was withheld."""
    return {
        entity_id: State(entity_id, str(raw.get("state")), _attributes(raw))
        for entity_id, raw in kept_states.items()
        if isinstance(raw, Mapping) and entity_id != CUT and WITHHELD not in raw
    }


def withheld(kept_states: JsonObject) -> tuple[str, ...]:
    """Return the entities whose value is for nobody to read, and was not kept."""
    return tuple(name for name, raw in kept_states.items() if isinstance(raw, Mapping) and WITHHELD in raw)


def left_out(kept_states: JsonObject) -> int:
    """Return how many entities more the step reached than were kept."""
    cut = kept_states.get(CUT)
    count = cut.get("left_out") if isinstance(cut, Mapping) else 0
    return count if isinstance(count, int) else 0


def _touched(call: ResolvedCall, home: HomeView) -> Iterator[str]:
    yield from (entity_id for entity_id in observed_of(call, home) if entity_id in home.states)
    for target in call.entity_ids or (None,):
        for each in reached(call, target, home):
            if each.end and each.at in home.states and each.at.partition(".")[0] in MATERIAL:
                yield each.at


def _attributes(raw: Mapping[str, JsonValue]) -> JsonObject:
    attributes = raw.get("attributes")
    return attributes if isinstance(attributes, Mapping) else EMPTY
