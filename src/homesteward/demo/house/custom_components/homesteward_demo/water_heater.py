"""The boiler."""

from typing import Any

from homeassistant.components.water_heater import WaterHeaterEntity, WaterHeaterEntityFeature
from homeassistant.const import ATTR_TEMPERATURE, UnitOfTemperature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the boiler."""
    add(entry.runtime_data.make("water_heater", DemoWaterHeater))


class DemoWaterHeater(DemoEntity, WaterHeaterEntity):
    """A boiler with modes; in the first that is not `off` when it is turned on."""

    _attr_native_temperature_unit = UnitOfTemperature.CELSIUS
    _attr_target_temperature_step = 1
    _attr_supported_features = (
        WaterHeaterEntityFeature.TARGET_TEMPERATURE
        | WaterHeaterEntityFeature.ON_OFF
        | WaterHeaterEntityFeature.OPERATION_MODE
        | WaterHeaterEntityFeature.AWAY_MODE
    )

    @property
    def min_temp(self) -> float:
        """Return the lowest temperature that can be set, in its own unit."""
        return float(self.traits["min"])

    @property
    def max_temp(self) -> float:
        """Return the highest temperature that can be set, in its own unit."""
        return float(self.traits["max"])

    @property
    def operation_list(self) -> list[str]:
        """Return the modes."""
        modes: list[str] = self.traits["modes"]
        return modes

    @property
    def current_operation(self) -> str:
        """Return the mode."""
        return str(self.facts["state"])

    @property
    def native_current_temperature(self) -> float:
        """Return how warm the water is."""
        return float(self.facts["current_temperature"])

    @property
    def native_target_temperature(self) -> float:
        """Return how warm it should be."""
        return float(self.facts["temperature"])

    @property
    def is_away_mode_on(self) -> bool:
        """Return whether nobody needs warm water."""
        return bool(self.facts["away_mode"] == "on")

    async def async_set_temperature(self, **kwargs: Any) -> None:
        """Set the temperature."""
        await self._set(temperature=self._clamped(kwargs[ATTR_TEMPERATURE]))

    async def async_set_operation_mode(self, operation_mode: str) -> None:
        """Set the mode."""
        await self._set(state=operation_mode)

    async def async_turn_away_mode_on(self) -> None:
        """Nobody needs warm water."""
        await self._set(away_mode="on")

    async def async_turn_away_mode_off(self) -> None:
        """Somebody needs warm water."""
        await self._set(away_mode="off")

    async def async_turn_on(self, **kwargs: Any) -> None:
        """Heat."""
        await self._set(state=next(mode for mode in self.operation_list if mode != "off"))

    async def async_turn_off(self, **kwargs: Any) -> None:
        """Stop heating."""
        await self._set(state="off")

    def _clamped(self, wanted: float) -> float:
        low, high = self.behaviour.clamp or (wanted, wanted)
        return min(max(wanted, low), high)

    async def _set(self, **facts: Any) -> None:
        if await self.obeys():
            self.become(**facts)
