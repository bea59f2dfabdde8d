"""Locks that take a moment, and one that jams."""

from typing import Any

from homeassistant.components.lock import LockEntity, LockEntityFeature, LockState
from homeassistant.const import ATTR_CODE
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the locks."""
    add(entry.runtime_data.make("lock", DemoLock))


class DemoLock(DemoEntity, LockEntity):
    """A lock. `traits.latch`: it can also pull the latch; `traits.code`: it wants that code.

    One that `jams` ends `jammed` whichever way it was turned.
    """

    @property
    def supported_features(self) -> LockEntityFeature:
        """Return whether it can pull the latch."""
        return LockEntityFeature.OPEN if self.traits.get("latch") else LockEntityFeature(0)

    @property
    def code_format(self) -> str | None:
        """Return what a code looks like, where it wants one."""
        return r"^\d{4}$" if self.traits.get("code") else None

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
        self._check(kwargs)
        await self._turn(LockState.LOCKING, LockState.LOCKED)

    async def async_unlock(self, **kwargs: Any) -> None:
        """Start to unlock."""
        self._check(kwargs)
        await self._turn(LockState.UNLOCKING, LockState.UNLOCKED)

    async def async_open(self, **kwargs: Any) -> None:
        """Start to pull the latch."""
        await self._turn(LockState.OPENING, LockState.OPEN)

    def _check(self, data: dict[str, Any]) -> None:
        code = self.traits.get("code")
        if code and data.get(ATTR_CODE) != code:
            raise ServiceValidationError("Invalid lock code")

    def _is(self, state: LockState) -> bool:
        return bool(self.facts["state"] == state)

    async def _turn(self, moving: LockState, end: LockState) -> None:
        if await self.obeys():
            self.become(state=moving)
            self.move(self.settle(state=LockState.JAMMED if self.behaviour.jams else end))
