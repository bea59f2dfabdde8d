"""The alarm."""

from homeassistant.components.alarm_control_panel import (
    AlarmControlPanelEntity,
    AlarmControlPanelEntityFeature,
    AlarmControlPanelState,
    CodeFormat,
)
from homeassistant.core import HomeAssistant
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers.entity_platform import AddConfigEntryEntitiesCallback

from .entity import DemoEntity
from .house import HouseEntry


async def async_setup_entry(hass: HomeAssistant, entry: HouseEntry, add: AddConfigEntryEntitiesCallback) -> None:
    """Furnish the alarm."""
    add(entry.runtime_data.make("alarm_control_panel", DemoAlarm))


class DemoAlarm(DemoEntity, AlarmControlPanelEntity):
    """An alarm that arms without a code and wants `traits.code` to disarm."""

    _attr_code_arm_required = False
    _attr_code_format = CodeFormat.NUMBER
    _attr_supported_features = (
        AlarmControlPanelEntityFeature.ARM_HOME
        | AlarmControlPanelEntityFeature.ARM_AWAY
        | AlarmControlPanelEntityFeature.ARM_NIGHT
        | AlarmControlPanelEntityFeature.TRIGGER
    )

    @property
    def alarm_state(self) -> AlarmControlPanelState:
        """Return whether it watches."""
        return AlarmControlPanelState(self.facts["state"])

    async def async_alarm_disarm(self, code: str | None = None) -> None:
        """Disarm with the right code."""
        if code != self.traits["code"]:
            raise ServiceValidationError("Invalid alarm code")
        if await self.obeys():
            self.halt()
            self.become(state=AlarmControlPanelState.DISARMED)

    async def async_alarm_arm_home(self, code: str | None = None) -> None:
        """Arm with people at home."""
        await self._arm(AlarmControlPanelState.ARMED_HOME)

    async def async_alarm_arm_away(self, code: str | None = None) -> None:
        """Arm with nobody at home."""
        await self._arm(AlarmControlPanelState.ARMED_AWAY)

    async def async_alarm_arm_night(self, code: str | None = None) -> None:
        """Arm for the night."""
        await self._arm(AlarmControlPanelState.ARMED_NIGHT)

    async def async_alarm_trigger(self, code: str | None = None) -> None:
        """Raise the alarm."""
        if await self.obeys():
            self.halt()
            self.become(state=AlarmControlPanelState.TRIGGERED)

    async def _arm(self, end: AlarmControlPanelState) -> None:
        if await self.obeys():
            self.become(state=AlarmControlPanelState.ARMING)
            self.move(self.settle(state=end))
