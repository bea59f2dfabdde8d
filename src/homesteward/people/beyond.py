"""Taking out what is beyond reach: ids of entities and devices, wherever in a state or a body they stand."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import BodyStep, Call
from homesteward.home.live import LiveHome
from homesteward.home.model import State
from homesteward.people.extent import Extent

DOTTED = re.compile(r"[a-z0-9_]+(?:\.[a-z0-9_]+)+", re.IGNORECASE)  # an entity id, alone or in a template's longer path
BLANK = BodyStep(None, "does something that cannot be seen from here")
UNKNOWN = "unknown"  # what Home Assistant says of a state that nobody knows


@dataclass(frozen=True, slots=True)
class Beyond:
    """What lies in `home` and not in `extent`."""

    home: LiveHome
    extent: Extent

    def state(self, state: State) -> State:
        """Return the state without any id from beyond; the same object where there is none."""
        shown = self.text(state.state)
        attributes = self._mapping(state.attributes)
        if shown == state.state and attributes is state.attributes:
            return state
        return replace(state, state=shown if shown == state.state else UNKNOWN, attributes=attributes)

    def step(self, step: BodyStep) -> BodyStep:
        """Return the step of a body, or a blank one where it has to do with anything beyond."""
        known = (not step.member or step.member in self.extent.held) and (step.call is None or self._within(step.call))
        return step if known and self.text(step.description) == step.description else BLANK

    def text(self, text: str) -> str:
        """Return a text without the ids in it that lie beyond."""
        if self._hides_device(text):
            return ""
        return DOTTED.sub(self._dotted, text) if "." in text else text

    def _within(self, call: Call) -> bool:
        """Return whether all that the call names can be seen."""
        target, extent = call.target, self.extent
        named = (
            (target.entity_id, extent.held),
            (target.device_id, extent.devices),
            (target.area_id, extent.areas),
            (target.floor_id, extent.floors),
            (target.label_id, extent.labels),
        )
        seen = all(name in known for names, known in named for name in names)
        return seen and call.id in extent.services and self._mapping(call.data) is call.data

    def _mapping(self, value: JsonObject) -> JsonObject:
        cleaned = {self.text(key): self._value(each) for key, each in value.items() if not self._gone(key, each)}
        same = len(cleaned) == len(value) and all(cleaned.get(key) is each for key, each in value.items())
        return value if same else cleaned

    def _value(self, value: JsonValue) -> JsonValue:
        """Return the value without what lies beyond; the same object where nothing does."""
        if isinstance(value, str):
            cleaned = self.text(value)
            return value if cleaned == value else cleaned
        if isinstance(value, Mapping):
            return self._mapping(value)
        if isinstance(value, list | tuple):
            kept = [self._value(each) for each in value if not self._gone("", each)]
            same = len(kept) == len(value) and all(one is other for one, other in zip(kept, value, strict=True))
            return value if same else kept
        return value

    def _gone(self, key: str, value: JsonValue) -> bool:
        """Return whether an entry of a list or a mapping is nothing but the name of something beyond."""
        return (bool(key) and not self.text(key)) or (isinstance(value, str) and bool(value) and not self.text(value))

    def _dotted(self, found: re.Match[str]) -> str:
        parts = found[0].lower().split(".")
        pairs = pairwise(parts)
        return "" if any(self._hides_entity(f"{domain}.{name}") for domain, name in pairs) else found[0]

    def _hides_entity(self, entity_id: str) -> bool:
        """Return whether it is no entity in reach: one beyond, or one that was or may come, whose id says as much."""
        return entity_id not in self.extent.held and entity_id.partition(".")[0] in self.extent.domains

    def _hides_device(self, text: str) -> bool:
        return text in self.home.devices and text not in self.extent.devices
