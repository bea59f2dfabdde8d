"""Motion, doors, windows, leaks and smoke."""

from homeassistant.components.binary_sensor import BinarySensorEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the binary sensors."""
    add(entry.runtime_data.make("binary_sensor", DemoBinarySensor))


class DemoBinarySensor(DemoEntity, BinarySensorEntity):
    """A sensor that is on or off."""

    @property
    def is_on(self) -> bool | None:
        """Return whether it sees what it looks for."""
        state = self.facts["state"]
        return None if state == "unknown" else bool(state == "on")
