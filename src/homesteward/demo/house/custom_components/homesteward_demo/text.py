"""Texts that can be set."""

from homeassistant.components.text import TextEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the texts."""
    add(entry.runtime_data.make("text", DemoText))


class DemoText(DemoEntity, TextEntity):
    """A text."""

    @property
    def native_value(self) -> str:
        """Return the text."""
        return str(self.facts["state"])

    async def async_set_value(self, value: str) -> None:
        """Set it."""
        if await self.obeys():
            self.become(state=value)
