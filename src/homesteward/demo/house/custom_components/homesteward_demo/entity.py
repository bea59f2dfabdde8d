"""What every thing in the house has in common: facts that commands change, a behaviour, and one movement at a time."""

import asyncio
from collections.abc import Coroutine
from typing import Any, ClassVar

from homeassistant.const import STATE_UNAVAILABLE, EntityCategory
from homeassistant.core import Context, callback
from homeassistant.exceptions import HomeAssistantError
from homeassistant.helpers.device_registry import DeviceInfo
from homeassistant.helpers.entity import Entity

from .behaviour import Behaviour
from .house import DOMAIN, House, Spec


class DemoEntity(Entity):
    """A thing whose whole condition is `facts`, so that a reset or a test can replace it."""

    _attr_has_entity_name = True
    _attr_should_poll = False

    defaults: ClassVar[Spec] = {}
    """Facts that hold unless the inventory says otherwise."""

    def __init__(self, house: House, device: Spec, spec: Spec) -> None:
        """Build the thing that `spec` describes, as a part of `device`."""
        super().__init__()
        self.entity_id = spec["id"]
        self._attr_unique_id = spec["id"].partition(".")[2]
        self._attr_name = spec.get("name")
        self._attr_device_class = spec.get("device_class")
        self._attr_entity_registry_visible_default = not spec.get("hidden", False)
        self._attr_entity_category = EntityCategory.DIAGNOSTIC if spec.get("diagnostic") else None
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, f"{device.get('area', '')}/{device['name']}")},
            name=device["name"],
            manufacturer="Homesteward",
            model="Demo",
            suggested_area=device.get("area"),
        )
        self._house = house
        self._spec = spec
        self._movement: asyncio.Task[None] | None = None
        self.traits: Spec = spec.get("traits", {})
        self.facts: Spec = {}
        self.behaviour = Behaviour()
        self.reset()

    @property
    def available(self) -> bool:
        """Return whether the thing can be reached."""
        return not self.behaviour.unavailable

    async def async_added_to_hass(self) -> None:
        """Join the house."""
        self._house.entities[self.entity_id] = self

    async def async_will_remove_from_hass(self) -> None:
        """Leave the house."""
        self.halt()
        self._house.entities.pop(self.entity_id, None)

    @callback
    def reset(self) -> None:
        """Go back to what the inventory says."""
        self.halt()
        self.facts = {**self.defaults, **self._spec.get("attributes", {}), "state": self._spec.get("state")}
        self.behaviour = Behaviour().changed(self._spec.get("behaviour", {}))

    @callback
    def adopt(self, facts: Spec) -> None:
        """Take over some facts at once, as if by hand; a thing that is seen in a state can be reached."""
        self.halt()
        if "state" in facts:
            unavailable = facts["state"] == STATE_UNAVAILABLE
            self.behaviour = self.behaviour.changed({"unavailable": unavailable})
            if unavailable:
                facts = {key: value for key, value in facts.items() if key != "state"}
        self.facts.update(facts)

    @callback
    def write(self, context: Context) -> None:
        """Write the state as an effect of `context`, whatever was called a moment ago."""
        self.async_set_context(context)
        self.async_write_ha_state()

    @callback
    def become(self, **facts: Any) -> None:
        """Change some facts and write the state."""
        self.facts.update(facts)
        self.async_write_ha_state()

    async def obeys(self) -> bool:
        """Return whether a command takes effect, after the delay and the error that the behaviour asks for."""
        if self.behaviour.delay:
            await asyncio.sleep(self.behaviour.delay)
        if self.behaviour.error:
            raise HomeAssistantError(self.behaviour.error)
        return not self.behaviour.dead

    @callback
    def move(self, movement: Coroutine[Any, Any, None]) -> None:
        """Start a movement, in place of the one that is under way."""
        self.halt()
        self._movement = self.hass.async_create_background_task(movement, f"{self.entity_id} moves")

    @callback
    def halt(self) -> None:
        """Stop the movement that is under way."""
        if self._movement is not None:
            self._movement.cancel()
            self._movement = None

    async def settle(self, **facts: Any) -> None:
        """Take as long as a movement takes, then change some facts."""
        await asyncio.sleep(self.behaviour.travel)
        self.become(**facts)
