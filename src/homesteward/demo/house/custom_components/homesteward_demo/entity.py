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
        self._attr_entity_registry_enabled_default = not spec.get("disabled", False)
        self._attr_entity_category = next((EntityCategory(name) for name in EntityCategory if spec.get(name)), None)
        self._attr_device_info = DeviceInfo(
            identifiers={(DOMAIN, "/".join((device.get("area", ""), device["name"], *device.get("key", "").split())))},
            name=device["name"],
            manufacturer="Homesteward",
            model="Demo",
            suggested_area=device.get("area"),
        )
        self._house = house
        self._spec = spec
        self._movement: asyncio.Task[None] | None = None
        self._report: asyncio.TimerHandle | None = None
        self._return: asyncio.TimerHandle | None = None
        self.traits: Spec = spec.get("traits", {})
        self.facts: Spec = {}
        self.behaviour = Behaviour()
        self.reset()

    @property
    def available(self) -> bool:
        """Return whether the thing can be reached."""
        return not self.behaviour.unavailable

    @property
    def assumed_state(self) -> bool:
        """Return whether the thing only believes what it was told."""
        return self.behaviour.assumed

    async def async_added_to_hass(self) -> None:
        """Join the house."""
        self._house.entities[self.entity_id] = self

    async def async_will_remove_from_hass(self) -> None:
        """Leave the house."""
        self.forget()
        self._house.entities.pop(self.entity_id, None)

    @callback
    def reset(self) -> None:
        """Go back to what the inventory says."""
        self.forget()
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
        """Change some facts and report them."""
        self.facts.update(facts)
        self.report()

    @callback
    def report(self) -> None:
        """Write the state as soon as the behaviour lets Home Assistant know of it."""
        if self.behaviour.frozen:
            return
        if not self.behaviour.lag:
            self.async_write_ha_state()
        elif self._report is None:
            self._report = self.hass.loop.call_later(self.behaviour.lag, self._report_now)

    async def obeys(self) -> bool:
        """Return whether a command takes effect, after the delay and the error that the behaviour asks for."""
        if self.behaviour.delay:
            await asyncio.sleep(self.behaviour.delay)
        if self.behaviour.error:
            raise HomeAssistantError(self.behaviour.error)
        if self.behaviour.drops:
            self._drop(self.behaviour.drops)
            return False
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

    @callback
    def forget(self) -> None:
        """Stop everything that was going to happen."""
        self.halt()
        for timer in (self._report, self._return):
            if timer is not None:
                timer.cancel()
        self._report = self._return = None

    async def settle(self, **facts: Any) -> None:
        """Take as long as a movement takes, then change some facts; a thing that sticks never gets there."""
        await asyncio.sleep(self.behaviour.travel)
        if not self.behaviour.sticks:
            self.become(**facts)

    @callback
    def _drop(self, seconds: float) -> None:
        self.behaviour = self.behaviour.changed({"unavailable": True})
        self.async_write_ha_state()
        if self._return is not None:
            self._return.cancel()
        self._return = self.hass.loop.call_later(seconds, self._come_back)

    @callback
    def _come_back(self) -> None:
        self._return = None
        self.behaviour = self.behaviour.changed({"unavailable": False})
        self.async_write_ha_state()

    @callback
    def _report_now(self) -> None:
        self._report = None
        self.async_write_ha_state()


class Moment(DemoEntity):
    """A thing whose state is the moment when something last happened to it: never, after a reset or a start."""

    never: ClassVar[tuple[str, ...]] = ()
    """The private fields of Home Assistant's class that hold the moment; it offers no way back to `unknown`."""

    async def async_added_to_hass(self) -> None:
        """Join the house, without what was restored."""
        await super().async_added_to_hass()
        self.reset()

    @callback
    def reset(self) -> None:
        """Go back to what the inventory says, and to never."""
        super().reset()
        for name in self.never:
            setattr(self, name, None)
        self.__dict__.pop("state", None)  # Home Assistant caches it
