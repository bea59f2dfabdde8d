"""Choices."""

from homeassistant.components.select import SelectEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the choices."""
    add(entry.runtime_data.make("select", DemoSelect))


class DemoSelect(DemoEntity, SelectEntity):
    """A choice between `traits.options`."""

    @property
    def options(self) -> list[str]:
        """Return what there is to choose from."""
        options: list[str] = self.traits["options"]
        return options

    @property
    def current_option(self) -> str:
        """Return what is chosen."""
        return str(self.facts["state"])

    async def async_select_option(self, option: str) -> None:
        """Choose."""
        if await self.obeys():
            self.become(state=option)
