"""Fans."""

from typing import Any

from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the fans."""
    add(entry.runtime_data.make("fan", DemoFan))


class DemoFan(DemoEntity, FanEntity):
    """A fan that remembers its speed while it is off."""

    _attr_supported_features = FanEntityFeature.SET_SPEED | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF

    @property
    def is_on(self) -> bool:
        """Return whether it is on."""
        return bool(self.facts["state"] == "on")

    @property
    def percentage(self) -> int:
        """Return the speed."""
        return int(self.facts["percentage"]) if self.is_on else 0

    async def async_turn_on(self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any) -> None:
        """Turn on, at the speed asked for or the last one."""
        if await self.obeys():
            self.become(state="on", percentage=percentage or self.facts["percentage"])

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        if await self.obeys():
            self.become(state="off")

    async def async_set_percentage(self, percentage: int) -> None:
        """Set the speed; none is off."""
        if percentage == 0:
            await self.async_turn_off()
        else:
            await self.async_turn_on(percentage)
