"""A gate that writes a configuration on paper."""

import pytest

from configurations import PaperConfiguration
from homesteward.actions import Gate
from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.people import Caller

LAMP = {
    "id": "lamp",
    "alias": "Lamp",
    "triggers": [{"trigger": "state", "entity_id": "binary_sensor.gate", "to": "on"}],
    "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}],
}


@pytest.fixture
def paper(home) -> PaperConfiguration:
    """One automation is there: `lamp`."""
    paper = PaperConfiguration(home)
    paper.add("automation", "lamp", LAMP)
    return paper


@pytest.fixture
def room(paper, home, database, clock) -> ConfigRoom:
    async def pause(_seconds: float) -> None:
        """Look again at once."""

    versions = Versions(database, home.home_id, clock)
    kinds = kinds_of(paper, paper, home, clock, versions.newest)
    return ConfigRoom(kinds, versions, home, clock, pause)


@pytest.fixture
async def configured(make_gate, room) -> Gate:
    return await make_gate(reserved=ReservedCalls(room))


@pytest.fixture
def agreed(configured):
    """Ask for a change of configuration and approve it."""

    async def agree(call, by: Caller):
        (plan,) = await configured.submit([call], by, request="change it")
        return await configured.approve(plan.id, by)

    return agree
