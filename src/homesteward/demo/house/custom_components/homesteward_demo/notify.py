"""Phones that take messages, which tests can read."""

from typing import ClassVar

from homeassistant.components.notify import NotifyEntity, NotifyEntityFeature
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import Moment
from .house import HouseEntry, Spec


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the phones."""
    add(entry.runtime_data.make("notify", DemoNotify))


KEPT = 20


class DemoNotify(Moment, NotifyEntity):
    """A phone. Its attribute `messages` holds what it was sent since the last reset, the newest last."""

    _attr_supported_features = NotifyEntityFeature.TITLE
    _unrecorded_attributes = frozenset({"messages"})
    never = ("_NotifyEntity__last_notified_isoformat",)
    defaults: ClassVar[Spec] = {"messages": []}

    @property
    def extra_state_attributes(self) -> Spec:
        """Return the messages."""
        return {"messages": self.facts["messages"]}

    async def async_send_message(self, message: str, title: str | None = None) -> None:
        """Take a message."""
        if await self.obeys():
            self.facts["messages"] = [*self.facts["messages"], {"title": title, "message": message}][-KEPT:]
