"""Firmware that can be updated."""

from typing import Any, ClassVar

from homeassistant.components.update import UpdateEntity, UpdateEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the updates."""
    add(entry.runtime_data.make("update", DemoUpdate))


class DemoUpdate(DemoEntity, UpdateEntity):
    """A firmware whose installation takes `behaviour.travel` seconds."""

    _attr_supported_features = UpdateEntityFeature.INSTALL | UpdateEntityFeature.PROGRESS
    defaults: ClassVar[Spec] = {"in_progress": False}

    @property
    def title(self) -> str | None:
        """Return what it is for."""
        return self.facts.get("title")

    @property
    def installed_version(self) -> str:
        """Return the version in use."""
        return str(self.facts["installed_version"])

    @property
    def latest_version(self) -> str:
        """Return the version there is."""
        return str(self.facts["latest_version"])

    @property
    def in_progress(self) -> bool:
        """Return whether it is being installed."""
        return bool(self.facts["in_progress"])

    async def async_install(self, version: str | None, backup: bool, **kwargs: Any) -> None:
        """Start to install."""
        if await self.obeys():
            self.become(in_progress=True)
            self.move(self.settle(in_progress=False, installed_version=version or self.latest_version))
