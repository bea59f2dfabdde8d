"""The services that a test drives the house with."""

from dataclasses import dataclass
from typing import Any

import probatio
from homeassistant.const import ATTR_ENTITY_ID, ATTR_STATE
from homeassistant.core import Context, HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv

from . import behaviour
from .entity import DemoEntity
from .house import DOMAIN, House

SET_FAULT = cv.make_entity_service_schema(behaviour.SCHEMA)
SET_STATE = probatio.Schema(
    {
        probatio.Required(ATTR_ENTITY_ID): cv.entity_ids,
        probatio.Optional(ATTR_STATE): cv.string,
        probatio.Optional("attributes"): dict,
    }
)


@callback
def register(hass: HomeAssistant, house: House) -> None:
    """Offer the services."""
    levers = _Levers(hass, house)
    hass.services.async_register(DOMAIN, "reset", levers.reset)
    hass.services.async_register(DOMAIN, "set_fault", levers.set_fault, schema=SET_FAULT)
    hass.services.async_register(DOMAIN, "set_state", levers.set_state, schema=SET_STATE)


@dataclass(frozen=True, slots=True)
class _Levers:
    hass: HomeAssistant
    house: House

    async def reset(self, call: ServiceCall) -> None:
        """Put everything back where the inventory has it, and stop all movements."""
        for entity in self.house.entities.values():
            entity.reset()
            entity.write(call.context)
        for spec in self.house.inventory["others"]:
            state = self.hass.states.get(spec["id"])
            if "state" in spec and state and state.state != spec["state"]:
                action, data = f"turn_{spec['state']}", {ATTR_ENTITY_ID: spec["id"]}
                await self.hass.services.async_call("homeassistant", action, data, blocking=True, context=call.context)

    @callback
    def set_fault(self, call: ServiceCall) -> None:
        """Change how some things behave, until the next reset."""
        fields: dict[str, Any] = {key: value for key, value in call.data.items() if key in behaviour.FIELDS}
        for entity in self._named(call):
            entity.behaviour = entity.behaviour.changed(fields)
            entity.write(Context())

    @callback
    def set_state(self, call: ServiceCall) -> None:
        """Change some things as if by hand: nobody's call is the cause."""
        facts: dict[str, Any] = dict(call.data.get("attributes", {}))
        if ATTR_STATE in call.data:
            facts["state"] = call.data[ATTR_STATE]
        for entity in self._named(call):
            entity.adopt(facts)
            entity.write(Context())

    def _named(self, call: ServiceCall) -> list[DemoEntity]:
        wanted: list[str] = call.data[ATTR_ENTITY_ID]
        if unknown := [entity_id for entity_id in wanted if entity_id not in self.house.entities]:
            raise ServiceValidationError(f"Not part of the demo home: {', '.join(unknown)}")
        return [self.house.entities[entity_id] for entity_id in wanted]
