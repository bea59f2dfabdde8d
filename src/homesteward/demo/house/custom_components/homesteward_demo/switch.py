"""Switches and outlets."""

from typing import Any

from homeassistant.components.switch import SwitchEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the switches."""
    add(entry.runtime_data.make("switch", DemoSwitch))


class DemoSwitch(DemoEntity, SwitchEntity):
    """A switch."""

    @property
    def is_on(self) -> bool:
        """Return whether it is on."""
        return bool(self.facts["state"] == "on")

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on."""
        if await self.obeys():
            self.become(state="on")

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        if await self.obeys():
            self.become(state="off")
