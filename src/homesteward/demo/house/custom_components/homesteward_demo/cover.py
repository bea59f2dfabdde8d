"""Blinds, the garage door and the gate: they move, and can be stopped on the way."""

import asyncio
from typing import Any

from homeassistant.components.cover import ATTR_POSITION, CoverEntity, CoverEntityFeature, CoverState
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the covers."""
    add(entry.runtime_data.make("cover", DemoCover))


STEP = 10  # per cent of the way between two reports
POSITIONS = {CoverState.OPEN: 100, CoverState.CLOSED: 0}


class DemoCover(DemoEntity, CoverEntity):
    """A cover whose way from closed to open takes `behaviour.travel` seconds."""

    _attr_supported_features = (
        CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP | CoverEntityFeature.SET_POSITION
    )

    @property
    def current_cover_position(self) -> int:
        """Return the position: 0 closed, 100 open."""
        return int(self.facts["current_position"])

    @property
    def is_closed(self) -> bool:
        """Return whether it is wholly closed."""
        return self.current_cover_position == 0

    @property
    def is_opening(self) -> bool:
        """Return whether it is on its way up."""
        return bool(self.facts["state"] == CoverState.OPENING)

    @property
    def is_closing(self) -> bool:
        """Return whether it is on its way down."""
        return bool(self.facts["state"] == CoverState.CLOSING)

    @callback
    def adopt(self, facts: Spec) -> None:
        """Take over a state; without a position, the one that belongs to it."""
        if facts.get("state") in POSITIONS and "current_position" not in facts:
            facts = {**facts, "current_position": POSITIONS[facts["state"]]}
        super().adopt(facts)

    async def async_open_cover(self, **kwargs: Any) -> None:
        """Start to open."""
        await self._go(100)

    async def async_close_cover(self, **kwargs: Any) -> None:
        """Start to close."""
        await self._go(0)

    async def async_set_cover_position(self, **kwargs: Any) -> None:
        """Start to move to a position."""
        await self._go(kwargs[ATTR_POSITION])

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stop on the way."""
        if await self.obeys():
            self.halt()
            self.become(state=self._rest())

    async def _go(self, end: int) -> None:
        if not await self.obeys():
            return
        here = self.current_cover_position
        if end == here:
            self.halt()
            self.become(state=self._rest())
            return
        self.become(state=CoverState.OPENING if end > here else CoverState.CLOSING)
        self.move(self._travel(end))

    async def _travel(self, end: int) -> None:
        while (here := self.current_cover_position) != end:
            step = min(STEP, abs(end - here))
            await asyncio.sleep(self.behaviour.travel * step / 100)
            self.facts["current_position"] = here + step if end > here else here - step
            if self.current_cover_position != end:
                self.async_write_ha_state()
        self.become(state=self._rest())

    def _rest(self) -> CoverState:
        return CoverState.CLOSED if self.is_closed else CoverState.OPEN
