"""Phones and tablets, and where they are."""

from homeassistant.components.device_tracker import TrackerEntity
from homeassistant.const import STATE_NOT_HOME
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.util import slugify

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the phones and tablets."""
    add(entry.runtime_data.make("device_tracker", DemoTracker))


class DemoTracker(DemoEntity, TrackerEntity):
    """A phone that is `home`, `not_home`, or in the zone whose name is its state."""

    @property
    def in_zones(self) -> list[str]:
        """Return the zones it is in."""
        place = self.facts["state"]
        return [] if place == STATE_NOT_HOME else [f"zone.{slugify(place)}"]
