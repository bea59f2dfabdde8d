"""Locks that take a moment, and one that jams."""

from typing import Any

from homeassistant.components.lock import LockEntity, LockEntityFeature, LockState
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the locks."""
    add(entry.runtime_data.make("lock", DemoLock))


class DemoLock(DemoEntity, LockEntity):
    """A lock; `traits.latch` says that it can also pull the latch. One that `jams` ends `jammed` whichever way it was turned."""

    @property
    def supported_features(self) -> LockEntityFeature:
        """Return whether it can pull the latch."""
        return LockEntityFeature.OPEN if self.traits.get("latch") else LockEntityFeature(0)

    @property
    def is_opening(self) -> bool:
        """Return whether the latch is being pulled."""
        return self._is(LockState.OPENING)

    @property
    def is_open(self) -> bool:
        """Return whether the latch is pulled."""
        return self._is(LockState.OPEN)

    @property
    def is_locked(self) -> bool:
        """Return whether it is locked."""
        return self._is(LockState.LOCKED)

    @property
    def is_locking(self) -> bool:
        """Return whether it is locking."""
        return self._is(LockState.LOCKING)

    @property
    def is_unlocking(self) -> bool:
        """Return whether it is unlocking."""
        return self._is(LockState.UNLOCKING)

    @property
    def is_jammed(self) -> bool:
        """Return whether it is stuck."""
        return self._is(LockState.JAMMED)

    async def async_lock(self, **kwargs: Any) -> None:
        """Start to lock."""
        await self._turn(LockState.LOCKING, LockState.LOCKED)

    async def async_unlock(self, **kwargs: Any) -> None:
        """Start to unlock."""
        await self._turn(LockState.UNLOCKING, LockState.UNLOCKED)

    async def async_open(self, **kwargs: Any) -> None:
        """Start to pull the latch."""
        await self._turn(LockState.OPENING, LockState.OPEN)

    def _is(self, state: LockState) -> bool:
        return bool(self.facts["state"] == state)

    async def _turn(self, moving: LockState, end: LockState) -> None:
        if await self.obeys():
            self.become(state=moving)
            self.move(self.settle(state=LockState.JAMMED if self.behaviour.jams else end))
