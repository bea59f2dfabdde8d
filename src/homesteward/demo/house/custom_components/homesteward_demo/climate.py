"""Thermostats, which may take less than they are asked for."""

from typing import Any

from homeassistant.components.climate import (
    ATTR_HVAC_MODE,
    ATTR_TARGET_TEMP_HIGH,
    ATTR_TARGET_TEMP_LOW,
    ClimateEntity,
    ClimateEntityFeature,
    HVACAction,
    HVACMode,
)
from homeassistant.const import ATTR_TEMPERATURE, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the thermostats."""
    add(entry.runtime_data.make("climate", DemoThermostat))


MODES = ("off", "heat", "auto")
CONTROLS = (ATTR_TEMPERATURE, ATTR_TARGET_TEMP_LOW, ATTR_TARGET_TEMP_HIGH)


class DemoThermostat(DemoEntity, ClimateEntity):
    """A thermostat, 7 to 35 degrees unless its traits say otherwise. `behaviour.clamp` narrows that without a word.

    A `dual` one holds a low and a high temperature while it both heats and cools, and is then deaf to a single one.
    """

    @property
    def native_temperature_unit(self) -> str:
        """Return the unit it was made for."""
        return str(self.traits.get("unit", UnitOfTemperature.CELSIUS))

    @property
    def min_temp(self) -> float:
        """Return the lowest temperature that can be set, in its own unit."""
        return float(self.traits.get("min", 7))

    @property
    def max_temp(self) -> float:
        """Return the highest temperature that can be set, in its own unit."""
        return float(self.traits.get("max", 35))

    @property
    def target_temperature_step(self) -> float:
        """Return how finely the temperature can be set."""
        return float(self.traits.get("step", 0.5))

    @property
    def supported_features(self) -> ClimateEntityFeature:
        """Return what the thermostat can do."""
        features = (
            ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
        )
        if self.traits.get("dual"):
            features |= ClimateEntityFeature.TARGET_TEMPERATURE_RANGE
        if self.fan_modes:
            features |= ClimateEntityFeature.FAN_MODE
        if self.preset_modes:
            features |= ClimateEntityFeature.PRESET_MODE
        return features

    @property
    def hvac_modes(self) -> list[HVACMode]:
        """Return the modes."""
        return [HVACMode(mode) for mode in self.traits.get("modes", MODES)]

    @property
    def hvac_mode(self) -> HVACMode:
        """Return the mode."""
        return HVACMode(self.facts["state"])

    @property
    def hvac_action(self) -> HVACAction:
        """Return what it does in that mode."""
        if self.hvac_mode is HVACMode.OFF:
            return HVACAction.OFF
        low = self.native_target_temperature_low if self._holds_two else self.native_target_temperature
        cold = low is not None and self.hvac_mode is not HVACMode.COOL and low > self.native_current_temperature
        return HVACAction.HEATING if cold else HVACAction.IDLE

    @property
    def native_current_temperature(self) -> float:
        """Return the temperature of the room."""
        return float(self.facts["current_temperature"])

    @property
    def native_target_temperature(self) -> float | None:
        """Return the temperature asked for."""
        return None if self._holds_two else float(self.facts["temperature"])

    @property
    def native_target_temperature_low(self) -> float | None:
        """Return below which temperature it heats."""
        return float(self.facts["target_temp_low"]) if self._holds_two else None

    @property
    def native_target_temperature_high(self) -> float | None:
        """Return above which temperature it cools."""
        return float(self.facts["target_temp_high"]) if self._holds_two else None

    @property
    def fan_modes(self) -> list[str] | None:
        """Return how strongly it can blow."""
        return self.traits.get("fan_modes")

    @property
    def fan_mode(self) -> str | None:
        """Return how strongly it blows."""
        return self.facts.get("fan_mode")

    @property
    def preset_modes(self) -> list[str] | None:
        """Return its presets."""
        return self.traits.get("preset_modes")

    @property
    def preset_mode(self) -> str | None:
        """Return the preset in use."""
        return self.facts.get("preset_mode")

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Set what fits the mode, the new one where one is given; the rest is not heard."""
        if not await self.obeys():
            return
        facts: dict[str, Any] = {"state": kwargs.get(ATTR_HVAC_MODE) or self.facts["state"]}
        heard = CONTROLS[1:] if facts["state"] == HVACMode.HEAT_COOL else CONTROLS[:1]
        facts |= {name: self._clamped(kwargs[name]) for name in heard if kwargs.get(name) is not None}
        self.become(**facts)

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Set the mode."""
        if await self.obeys():
            self.become(state=hvac_mode)

    async def async_set_fan_mode(self, fan_mode: str) -> None:
        """Blow more or less."""
        if await self.obeys():
            self.become(fan_mode=fan_mode)

    async def async_set_preset_mode(self, preset_mode: str) -> None:
        """Use a preset."""
        if await self.obeys():
            self.become(preset_mode=preset_mode)

    async def async_turn_on(self) -> None:
        """Heat."""
        await self.async_set_hvac_mode(HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        """Stop heating."""
        await self.async_set_hvac_mode(HVACMode.OFF)

    @property
    def _holds_two(self) -> bool:
        return self.hvac_mode is HVACMode.HEAT_COOL

    def _clamped(self, wanted: float) -> float:
        low, high = self.behaviour.clamp or (wanted, wanted)
        return min(max(wanted, low), high)
