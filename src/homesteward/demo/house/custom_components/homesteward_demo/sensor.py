"""Sensors."""

from homeassistant.components.sensor import SensorEntity, SensorStateClass
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the sensors."""
    add(entry.runtime_data.make("sensor", DemoSensor))


class DemoSensor(DemoEntity, SensorEntity):
    """A sensor. One with a unit counts, any other says words."""

    @property
    def native_unit_of_measurement(self) -> str | None:
        """Return the unit."""
        return self.traits.get("unit")

    @property
    def state_class(self) -> SensorStateClass | None:
        """Return what its statistics mean."""
        name = self.traits.get("state_class")
        return SensorStateClass(name) if name else None

    @property
    def native_value(self) -> float | int | str | None:
        """Return what it shows."""
        value = self.facts["state"]
        if value is None or value == "unknown":
            return None
        if self.native_unit_of_measurement is None:
            return str(value)
        number = float(value)
        return int(number) if "." not in str(value) else number
