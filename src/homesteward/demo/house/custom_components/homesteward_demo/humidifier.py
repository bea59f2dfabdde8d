"""Humidifiers and dehumidifiers."""

from typing import Any

from homeassistant.components.humidifier import HumidifierAction, HumidifierEntity, HumidifierEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the humidifiers."""
    add(entry.runtime_data.make("humidifier", DemoHumidifier))


class DemoHumidifier(DemoEntity, HumidifierEntity):
    """A humidifier, or a dehumidifier by its device class."""

    _attr_min_humidity = 30
    _attr_max_humidity = 80

    @property
    def supported_features(self) -> HumidifierEntityFeature:
        """Return whether it has modes."""
        return HumidifierEntityFeature.MODES if self.available_modes else HumidifierEntityFeature(0)

    @property
    def is_on(self) -> bool:
        """Return whether it is on."""
        return bool(self.facts["state"] == "on")

    @property
    def action(self) -> HumidifierAction:
        """Return what it does."""
        if not self.is_on:
            return HumidifierAction.OFF
        return HumidifierAction.DRYING if self.device_class == "dehumidifier" else HumidifierAction.HUMIDIFYING

    @property
    def target_humidity(self) -> float:
        """Return the humidity asked for, in per cent."""
        return float(self.facts["humidity"])

    @property
    def current_humidity(self) -> float:
        """Return the humidity of the room, in per cent."""
        return float(self.facts["current_humidity"])

    @property
    def available_modes(self) -> list[str] | None:
        """Return the modes."""
        return self.traits.get("modes")

    @property
    def mode(self) -> str | None:
        """Return the mode."""
        return self.facts.get("mode")

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on."""
        await self._set(state="on")

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        await self._set(state="off")

    async def async_set_humidity(self, humidity: int) -> None:
        """Set the humidity."""
        await self._set(humidity=humidity)

    async def async_set_mode(self, mode: str) -> None:
        """Set the mode."""
        await self._set(mode=mode)

    async def _set(self, **facts: Any) -> None:
        if await self.obeys():
            self.become(**facts)
