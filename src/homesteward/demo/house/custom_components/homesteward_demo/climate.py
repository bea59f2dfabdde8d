"""Thermostats, which may take less than they are asked for."""

from typing import Any

from homeassistant.components.climate import ATTR_HVAC_MODE, ClimateEntity, ClimateEntityFeature, HVACAction, HVACMode
from homeassistant.const import ATTR_TEMPERATURE, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the thermostats."""
    add(entry.runtime_data.make("climate", DemoThermostat))


class DemoThermostat(DemoEntity, ClimateEntity):
    """A thermostat, 5 to 30 degrees. `behaviour.clamp` narrows that without a word."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_native_min_temp = 5
    _attr_native_max_temp = 30
    _attr_target_temperature_step = 0.5
    _attr_hvac_modes = [HVACMode.OFF, HVACMode.HEAT, HVACMode.AUTO]
    _attr_supported_features = (
        ClimateEntityFeature.TARGET_TEMPERATURE | ClimateEntityFeature.TURN_ON | ClimateEntityFeature.TURN_OFF
    )

    @property
    def hvac_mode(self) -> HVACMode:
        """Return the mode."""
        return HVACMode(self.facts["state"])

    @property
    def hvac_action(self) -> HVACAction:
        """Return what it does in that mode."""
        if self.hvac_mode is HVACMode.OFF:
            return HVACAction.OFF
        cold = self.native_target_temperature > self.native_current_temperature
        return HVACAction.HEATING if cold else HVACAction.IDLE

    @property
    def native_current_temperature(self) -> float:
        """Return the temperature of the room."""
        return float(self.facts["current_temperature"])

    @property
    def native_target_temperature(self) -> float:
        """Return the temperature asked for."""
        return float(self.facts["temperature"])

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Set the temperature, and the mode where one is given."""
        if not await self.obeys():
            return
        facts: dict[str, Any] = {}
        if (wanted := kwargs.get(ATTR_TEMPERATURE)) is not None:
            low, high = self.behaviour.clamp or (wanted, wanted)
            facts["temperature"] = min(max(wanted, low), high)
        if mode := kwargs.get(ATTR_HVAC_MODE):
            facts["state"] = mode
        self.become(**facts)

    async def async_set_hvac_mode(self, hvac_mode: HVACMode) -> None:
        """Set the mode."""
        if await self.obeys():
            self.become(state=hvac_mode)

    async def async_turn_on(self) -> None:
        """Heat."""
        await self.async_set_hvac_mode(HVACMode.HEAT)

    async def async_turn_off(self) -> None:
        """Stop heating."""
        await self.async_set_hvac_mode(HVACMode.OFF)
