"""The lawn mower."""

from homeassistant.components.lawn_mower import LawnMowerActivity, LawnMowerEntity, LawnMowerEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the lawn mower."""
    add(entry.runtime_data.make("lawn_mower", DemoMower))


class DemoMower(DemoEntity, LawnMowerEntity):
    """A mower that mows until it is told to stop, and takes a moment to find its dock."""

    _attr_supported_features = (
        LawnMowerEntityFeature.START_MOWING | LawnMowerEntityFeature.PAUSE | LawnMowerEntityFeature.DOCK
    )

    @property
    def activity(self) -> LawnMowerActivity:
        """Return what it does."""
        return LawnMowerActivity(self.facts["state"])

    async def async_start_mowing(self) -> None:
        """Mow."""
        if await self.obeys():
            self.halt()
            self.become(state=LawnMowerActivity.MOWING)

    async def async_pause(self) -> None:
        """Pause."""
        if await self.obeys():
            self.halt()
            self.become(state=LawnMowerActivity.PAUSED)

    async def async_dock(self) -> None:
        """Start on the way to the dock."""
        if await self.obeys():
            self.become(state=LawnMowerActivity.RETURNING)
            self.move(self.settle(state=LawnMowerActivity.DOCKED))
