"""Valves for water."""

from homeassistant.components.valve import ValveEntity, ValveEntityFeature, ValveState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the valves."""
    add(entry.runtime_data.make("valve", DemoValve))


class DemoValve(DemoEntity, ValveEntity):
    """A valve that takes a moment to turn."""

    _attr_reports_position = False
    _attr_supported_features = ValveEntityFeature.OPEN | ValveEntityFeature.CLOSE

    @property
    def is_closed(self) -> bool:
        """Return whether nothing flows."""
        return self._is(ValveState.CLOSED)

    @property
    def is_opening(self) -> bool:
        """Return whether it is opening."""
        return self._is(ValveState.OPENING)

    @property
    def is_closing(self) -> bool:
        """Return whether it is closing."""
        return self._is(ValveState.CLOSING)

    async def async_open_valve(self) -> None:
        """Start to open."""
        await self._turn(ValveState.OPENING, ValveState.OPEN)

    async def async_close_valve(self) -> None:
        """Start to close."""
        await self._turn(ValveState.CLOSING, ValveState.CLOSED)

    def _is(self, state: ValveState) -> bool:
        return bool(self.facts["state"] == state)

    async def _turn(self, moving: ValveState, end: ValveState) -> None:
        if await self.obeys():
            self.become(state=moving)
            self.move(self.settle(state=end))
