"""Lights: plain, dimmable, tunable white and colour."""

from typing import Any

from homeassistant.components.light import (
    ATTR_BRIGHTNESS,
    ATTR_COLOR_TEMP_KELVIN,
    ATTR_EFFECT,
    ATTR_HS_COLOR,
    ATTR_RGBW_COLOR,
    ColorMode,
    LightEntity,
    LightEntityFeature,
)
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the lights."""
    add(entry.runtime_data.make("light", DemoLight))


COLOURS = {
    ATTR_COLOR_TEMP_KELVIN: ColorMode.COLOR_TEMP,
    ATTR_HS_COLOR: ColorMode.HS,
    ATTR_RGBW_COLOR: ColorMode.RGBW,
}


class DemoLight(DemoEntity, LightEntity):
    """A light. `traits.color_modes` says what it can do; dimmable unless told."""

    _attr_min_color_temp_kelvin = 2200
    _attr_max_color_temp_kelvin = 6500

    @property
    def supported_features(self) -> LightEntityFeature:
        """Return whether it has effects."""
        return LightEntityFeature.EFFECT if self.effect_list else LightEntityFeature(0)

    @property
    def effect_list(self) -> list[str] | None:
        """Return the effects."""
        return self.traits.get("effects")

    @property
    def effect(self) -> str | None:
        """Return the effect it shows."""
        return self.facts.get(ATTR_EFFECT)

    @property
    def rgbw_color(self) -> tuple[int, int, int, int] | None:
        """Return red, green, blue and white."""
        color = self.facts.get(ATTR_RGBW_COLOR)
        return (color[0], color[1], color[2], color[3]) if color else None

    @property
    def supported_color_modes(self) -> set[ColorMode]:
        """Return what the light can do."""
        return {ColorMode(mode) for mode in self._modes}

    @property
    def color_mode(self) -> ColorMode:
        """Return what the light does now."""
        return ColorMode(self.facts.get("color_mode", self._modes[0]))

    @property
    def is_on(self) -> bool:
        """Return whether it is on."""
        return bool(self.facts["state"] == "on")

    @property
    def brightness(self) -> int | None:
        """Return the brightness, 0 to 255."""
        return self.facts.get(ATTR_BRIGHTNESS)

    @property
    def color_temp_kelvin(self) -> int | None:
        """Return the colour temperature."""
        return self.facts.get(ATTR_COLOR_TEMP_KELVIN)

    @property
    def hs_color(self) -> tuple[float, float] | None:
        """Return hue and saturation."""
        color = self.facts.get(ATTR_HS_COLOR)
        return (float(color[0]), float(color[1])) if color else None

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Turn on, with the brightness and colour asked for."""
        if await self.obeys():
            facts = {key: kwargs[key] for key in (ATTR_BRIGHTNESS, ATTR_EFFECT, *COLOURS) if key in kwargs}
            modes = [mode for key, mode in COLOURS.items() if key in facts]
            self.become(state="on", **facts, **({"color_mode": modes[0]} if modes else {}))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Turn off."""
        if await self.obeys():
            self.become(state="off")

    @property
    def _modes(self) -> list[str]:
        modes: list[str] = self.traits.get("color_modes", [ColorMode.BRIGHTNESS])
        return modes
