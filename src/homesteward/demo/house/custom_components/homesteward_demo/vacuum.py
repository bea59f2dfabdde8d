"""The robot vacuum."""

from typing import Any

from homeassistant.components.vacuum import StateVacuumEntity, VacuumActivity, VacuumEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the vacuum."""
    add(entry.runtime_data.make("vacuum", DemoVacuum))


class DemoVacuum(DemoEntity, StateVacuumEntity):
    """A vacuum that cleans until it is told to stop, and takes a moment to find its dock."""

    _attr_fan_speed_list = ["quiet", "normal", "max"]
    _attr_supported_features = (
        VacuumEntityFeature.START
        | VacuumEntityFeature.STOP
        | VacuumEntityFeature.PAUSE
        | VacuumEntityFeature.RETURN_HOME
        | VacuumEntityFeature.FAN_SPEED
        | VacuumEntityFeature.STATE
    )

    @property
    def activity(self) -> VacuumActivity:
        """Return what it does."""
        return VacuumActivity(self.facts["state"])

    @property
    def fan_speed(self) -> str:
        """Return how hard it sucks."""
        return str(self.facts["fan_speed"])

    async def async_start(self) -> None:
        """Clean."""
        await self._do(VacuumActivity.CLEANING)

    async def async_pause(self) -> None:
        """Pause."""
        await self._do(VacuumActivity.PAUSED)

    async def async_stop(self, **kwargs: Any) -> None:
        """Stop where it is."""
        await self._do(VacuumActivity.IDLE)

    async def async_return_to_base(self, **kwargs: Any) -> None:
        """Start on the way to the dock."""
        if await self.obeys():
            self.become(state=VacuumActivity.RETURNING)
            self.move(self.settle(state=VacuumActivity.DOCKED))

    async def async_set_fan_speed(self, fan_speed: str, **kwargs: Any) -> None:
        """Set how hard it sucks."""
        if await self.obeys():
            self.become(fan_speed=fan_speed)

    async def _do(self, activity: VacuumActivity) -> None:
        if await self.obeys():
            self.halt()
            self.become(state=activity)
