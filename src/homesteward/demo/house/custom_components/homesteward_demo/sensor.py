"""Sensors: numbers, words and moments; some follow another thing."""

from datetime import datetime

from homeassistant.components.sensor import SensorDeviceClass, SensorEntity, SensorStateClass
from homeassistant.core import Event, EventStateChangedData, HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback
from homeassistant.helpers.event import async_track_state_change_event
from homeassistant.util import dt as dt_util

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the sensors."""
    add(entry.runtime_data.make("sensor", DemoSensor))


class DemoSensor(DemoEntity, SensorEntity):
    """A sensor. One with a unit counts, a timestamp is a moment, any other says words.

    `traits.follows` names an entity, and what the sensor shows for each of its states.
    """

    async def async_added_to_hass(self) -> None:
        """Join the house, and watch the thing whose power or the like it measures."""
        await super().async_added_to_hass()
        if follows := self.traits.get("follows"):
            self.async_on_remove(async_track_state_change_event(self.hass, follows["entity"], self._follow))

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
    def options(self) -> list[str] | None:
        """Return the words it may say."""
        return self.traits.get("options")

    @property
    def native_value(self) -> float | int | str | datetime | None:
        """Return what it shows."""
        value = self.facts["state"]
        if value is None or value == "unknown":
            return None
        if self._spec.get("device_class") == SensorDeviceClass.TIMESTAMP:
            return dt_util.parse_datetime(value)
        if self.native_unit_of_measurement is None:
            return str(value)
        number = float(value)
        return int(number) if "." not in str(value) else number

    @callback
    def _follow(self, event: Event[EventStateChangedData]) -> None:
        state = event.data["new_state"]
        if state is not None and state.state in self.traits["follows"]:
            self.async_set_context(event.context)
            self.become(state=self.traits["follows"][state.state])
