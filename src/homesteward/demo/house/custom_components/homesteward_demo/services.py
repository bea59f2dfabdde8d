"""The services that a test drives the house with."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from itertools import batched
from typing import Any

import probatio
from homeassistant.const import ATTR_ENTITY_ID, ATTR_STATE
from homeassistant.core import Context, HomeAssistant, ServiceCall, callback
from homeassistant.exceptions import ServiceValidationError
from homeassistant.helpers import config_validation as cv

from . import behaviour
from .entity import DemoEntity
from .house import DOMAIN, House
from .restoring import restored

SET_FAULT = cv.make_entity_service_schema(behaviour.SCHEMA)
SET_STATE = probatio.Schema(
    {
        probatio.Required(ATTR_ENTITY_ID): cv.entity_ids,
        probatio.Optional(ATTR_STATE): cv.string,
        probatio.Optional("attributes"): dict,
    }
)


PASS = 500  # states written before others have their turn: Home Assistant drops a client with 4,096 messages waiting


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
        async for entity in _in_passes(self.house.entities.values()):
            entity.reset()
            entity.write(call.context)
        for spec in self.house.inventory["others"]:
            state = self.hass.states.get(spec["id"])
            if "state" in spec and state and state.state != spec["state"]:
                domain, service, data = restored(spec["id"], spec["state"])
                await self.hass.services.async_call(domain, service, data, blocking=True, context=call.context)

    async def set_fault(self, call: ServiceCall) -> None:
        """Change how some things behave, until the next reset."""
        fields: dict[str, Any] = {key: value for key, value in call.data.items() if key in behaviour.FIELDS}
        named = self._named(call)
        if "undone" in fields:
            await self._let_undo(named, wanted=fields["undone"])
        async for entity in _in_passes(named):
            entity.behaviour = entity.behaviour.changed(fields)
            entity.write(Context())

    async def set_state(self, call: ServiceCall) -> None:
        """Change some things as if by hand: nobody's call is the cause."""
        facts: dict[str, Any] = dict(call.data.get("attributes", {}))
        if ATTR_STATE in call.data:
            facts["state"] = call.data[ATTR_STATE]
        async for entity in _in_passes(self._named(call)):
            entity.adopt(facts)
            if not entity.behaviour.frozen:
                entity.write(Context())

    async def _let_undo(self, entities: list[DemoEntity], *, wanted: bool) -> None:
        if alone := [entity.entity_id for entity in entities if "undone_by" not in entity.traits]:
            raise ServiceValidationError(f"No automation switches this back: {', '.join(alone)}")
        data = {ATTR_ENTITY_ID: [entity.traits["undone_by"] for entity in entities]}
        await self.hass.services.async_call("automation", "turn_on" if wanted else "turn_off", data, blocking=True)

    def _named(self, call: ServiceCall) -> list[DemoEntity]:
        wanted: list[str] = call.data[ATTR_ENTITY_ID]
        if unknown := [entity_id for entity_id in wanted if entity_id not in self.house.entities]:
            raise ServiceValidationError(f"Not part of the demo home: {', '.join(unknown)}")
        return [self.house.entities[entity_id] for entity_id in wanted]


async def _in_passes(entities: Iterable[DemoEntity]) -> AsyncIterator[DemoEntity]:
    """Yield the entities, and let Home Assistant send what was written after every so many."""
    for entities_of_pass in batched(list(entities), PASS, strict=False):
        for entity in entities_of_pass:
            yield entity
        await asyncio.sleep(0)
