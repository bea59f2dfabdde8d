"""The doorbell."""

from homeassistant.components.event import EventEntity
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import Moment
from .house import HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the doorbell."""
    add(entry.runtime_data.make("event", DemoEvent))


class DemoEvent(Moment, EventEntity):
    """Something that happens; `homesteward_demo.set_state` with one of its types makes it happen."""

    never = (
        "_EventEntity__last_event_triggered",
        "_EventEntity__last_event_type",
        "_EventEntity__last_event_attributes",
    )

    @property
    def event_types(self) -> list[str]:
        """Return what can happen."""
        types: list[str] = self.traits["event_types"]
        return types

    @callback
    def adopt(self, facts: Spec) -> None:
        """Let it happen."""
        kind = facts.get("state")
        super().adopt({key: value for key, value in facts.items() if key != "state" or value not in self.event_types})
        if kind in self.event_types:
            self._trigger_event(kind)
