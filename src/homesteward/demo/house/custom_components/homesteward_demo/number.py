"""Numbers that can be set."""

from homeassistant.components.number import NumberEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the numbers."""
    add(entry.runtime_data.make("number", DemoNumber))


class DemoNumber(DemoEntity, NumberEntity):
    """A number between `traits.min` and `traits.max`."""

    @property
    def native_min_value(self) -> float:
        """Return the lowest value."""
        return float(self.traits["min"])

    @property
    def native_max_value(self) -> float:
        """Return the highest value."""
        return float(self.traits["max"])

    @property
    def native_step(self) -> float:
        """Return how finely it can be set."""
        return float(self.traits["step"])

    @property
    def native_unit_of_measurement(self) -> str | None:
        """Return the unit."""
        return self.traits.get("unit")

    @property
    def native_value(self) -> float:
        """Return the value; a whole one without decimals."""
        value = float(self.facts["state"])
        return int(value) if value.is_integer() else value

    async def async_set_native_value(self, value: float) -> None:
        """Set it."""
        if await self.obeys():
            self.become(state=value)
