"""Fans: some with presets, some that swing or turn the other way."""

from typing import Any

from homeassistant.components.fan import FanEntity, FanEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the fans."""
    add(entry.runtime_data.make("fan", DemoFan))


# what the inventory may give a fan -> the feature
FEATURES = {
    "preset_modes": FanEntityFeature.PRESET_MODE,
    "oscillates": FanEntityFeature.OSCILLATE,
    "reverses": FanEntityFeature.DIRECTION,
}


class DemoFan(DemoEntity, FanEntity):
    """A fan that remembers its speed while it is off."""

    @property
    def supported_features(self) -> FanEntityFeature:
        """Return what the fan can do."""
        features = FanEntityFeature.SET_SPEED | FanEntityFeature.TURN_ON | FanEntityFeature.TURN_OFF
        for trait, feature in FEATURES.items():
            if trait in self.traits:
                features |= feature
        return features

    @property
    def is_on(self) -> bool:
        """Return whether it is on."""
        return bool(self.facts["state"] == "on")

    @property
    def percentage(self) -> int:
        """Return the speed."""
        return int(self.facts["percentage"]) if self.is_on else 0

    @property
    def preset_modes(self) -> list[str] | None:
        """Return the presets."""
        return self.traits.get("preset_modes")

    @property
    def preset_mode(self) -> str | None:
        """Return the preset in use."""
        return self.facts.get("preset_mode")

    @property
    def oscillating(self) -> bool | None:
        """Return whether it swings."""
        return self.facts.get("oscillating")

    @property
    def current_direction(self) -> str | None:
        """Return which way it turns."""
        return self.facts.get("direction")

    async def async_turn_on(self, percentage: int | None = None, preset_mode: str | None = None, **kwargs: Any) -> None:
        """Turn on, at the speed or preset asked for, else the last speed."""
        if await self.obeys():
            self.become(state="on", percentage=percentage or self.facts["percentage"], preset_mode=preset_mode)

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

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        """Run a preset."""
        await self.async_turn_on(preset_mode=preset_mode)

    async def async_oscillate(self, oscillating: bool) -> None:
        """Swing, or not."""
        if await self.obeys():
            self.become(oscillating=oscillating)

    async def async_set_direction(self, direction: str) -> None:
        """Turn one way or the other."""
        if await self.obeys():
            self.become(direction=direction)
