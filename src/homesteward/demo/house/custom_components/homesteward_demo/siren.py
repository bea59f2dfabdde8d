"""The alarm's siren."""

import asyncio
from typing import Any

from homeassistant.components.siren import ATTR_DURATION, SirenEntity, SirenEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the siren."""
    add(entry.runtime_data.make("siren", DemoSiren))


class DemoSiren(DemoEntity, SirenEntity):
    """A siren, for good or for a while."""

    _attr_supported_features = SirenEntityFeature.TURN_ON | SirenEntityFeature.TURN_OFF | SirenEntityFeature.DURATION

    @property
    def is_on(self) -> bool:
        """Return whether it sounds."""
        return bool(self.facts["state"] == "on")

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Sound."""
        if await self.obeys():
            self.halt()
            self.become(state="on")
            if seconds := kwargs.get(ATTR_DURATION):
                self.move(self._fall_silent(seconds))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Fall silent."""
        if await self.obeys():
            self.halt()
            self.become(state="off")

    async def _fall_silent(self, after: float) -> None:
        await asyncio.sleep(after)
        self.become(state="off")
