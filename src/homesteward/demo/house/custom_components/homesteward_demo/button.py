"""Buttons: they are pressed, and some set a sensor back."""

from homeassistant.components.button import ButtonEntity
from homeassistant.core import HomeAssistant
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import Moment
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the buttons."""
    add(entry.runtime_data.make("button", DemoButton))


class DemoButton(Moment, ButtonEntity):
    """A button. `traits.sets` says which things take which state when it is pressed: a meter starts anew."""

    never = ("_ButtonEntity__last_pressed_isoformat",)

    async def async_press(self) -> None:
        """Press it."""
        if await self.obeys():
            for entity_id, state in self.traits.get("sets", {}).items():
                self._house.entities[entity_id].become(state=state)
