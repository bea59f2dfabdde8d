"""Blinds, the garage door and the gate: they move, and can be stopped on the way."""

import asyncio
from typing import Any

from homeassistant.components.cover import (
    ATTR_POSITION,
    ATTR_TILT_POSITION,
    CoverEntity,
    CoverEntityFeature,
    CoverState,
)
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

    @property
    def supported_features(self) -> CoverEntityFeature:
        """Return what it can do."""
        features = CoverEntityFeature.OPEN | CoverEntityFeature.CLOSE | CoverEntityFeature.STOP
        if self.traits.get("positions", True):
            features |= CoverEntityFeature.SET_POSITION
        if self.traits.get("tilts"):
            features |= (
                CoverEntityFeature.OPEN_TILT | CoverEntityFeature.CLOSE_TILT | CoverEntityFeature.SET_TILT_POSITION
            )
        return features

    @property
    def current_cover_position(self) -> int | None:
        """Return the position: 0 closed, 100 open; none where it does not tell."""
        return self._position if self.traits.get("positions", True) else None

    @property
    def current_cover_tilt_position(self) -> int | None:
        """Return how its slats stand: 0 closed, 100 open."""
        tilt: int | None = self.facts.get("current_tilt_position")
        return tilt

    @property
    def is_closed(self) -> bool:
        """Return whether it is wholly closed."""
        return self._position == 0

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

    async def async_open_cover_tilt(self, **kwargs: Any) -> None:
        """Open the slats."""
        await self._tilt(100)

    async def async_close_cover_tilt(self, **kwargs: Any) -> None:
        """Close the slats."""
        await self._tilt(0)

    async def async_set_cover_tilt_position(self, **kwargs: Any) -> None:
        """Turn the slats."""
        await self._tilt(kwargs[ATTR_TILT_POSITION])

    async def async_stop_cover(self, **kwargs: Any) -> None:
        """Stop on the way."""
        if await self.obeys():
            self.halt()
            self.become(state=self._rest())

    @property
    def _position(self) -> int:
        return int(self.facts["current_position"])

    async def _tilt(self, to: int) -> None:
        if await self.obeys():
            self.become(current_tilt_position=to)

    async def _go(self, end: int) -> None:
        if not await self.obeys():
            return
        here = self._position
        if end == here:
            self.halt()
            self.become(state=self._rest())
            return
        self.become(state=CoverState.OPENING if end > here else CoverState.CLOSING)
        self.move(self._travel(end))

    async def _travel(self, end: int) -> None:
        while (here := self._position) != end:
            step = min(STEP, abs(end - here))
            await asyncio.sleep(self.behaviour.travel * step / 100)
            self.facts["current_position"] = here + step if end > here else here - step
            if self._position != end:
                self.report()
            if self.behaviour.sticks:
                return
        self.become(state=self._rest())

    def _rest(self) -> CoverState:
        return CoverState.CLOSED if self.is_closed else CoverState.OPEN
