"""Home Assistant's scripts as a source: the first controls that are found. Exposed or not, each says what it is."""

from collections.abc import Mapping

from homesteward.actions.offers.tool import Tool
from homesteward.core.json import JsonObject
from homesteward.home.live import LiveHome
from homesteward.home.model import Service, State
from homesteward.home.schema import field_schema
from homesteward.home.view import HomeView

HA_SCRIPT = "ha_script"
RUN = "script.turn_on"  # it acts on the entity, so that what the script reaches is judged whatever the script is called
SCRIPT = "script."


class HomeScripts:
    """The scripts of a home, with their fields as arguments."""

    def __init__(self, home: LiveHome) -> None:
        """Look at `home`."""
        self._home = home

    @property
    def name(self) -> str:
        """Return the id of the source."""
        return HA_SCRIPT

    @property
    def connected(self) -> bool:
        """Return whether the home is what it is now."""
        return self._home.connected

    @property
    def revision(self) -> int:
        """Return the home's own: it grows with names, exposure and services."""
        return self._home.revision

    def tools(self) -> tuple[Tool, ...]:
        """Return every script whose service is there as well: while Home Assistant reloads one, it lacks one of both."""
        states = self._home.states
        found = (_tool(self._home, states[entity_id]) for entity_id in sorted(states) if entity_id.startswith(SCRIPT))
        return tuple(tool for tool in found if tool)


def _tool(home: HomeView, state: State) -> Tool | None:
    entity = home.entities.get(state.entity_id)
    # a script keeps its own name for good, whatever its entity is called
    name = (entity.unique_id if entity else "") or state.entity_id
    own = home.services.get(f"{SCRIPT}{name.removeprefix(SCRIPT)}") or home.services.get(state.entity_id)
    if own is None:
        return None
    return Tool(
        name.removeprefix(SCRIPT),
        state.name,
        RUN,
        state.entity_id,
        _schema(own),
        own.description,
        exposed=state.entity_id in home.exposed,
    )


def _schema(service: Service) -> JsonObject:
    fields: Mapping[str, JsonObject] = {name: field_schema(field) for name, field in service.fields.items()}
    return {
        "type": "object",
        "properties": fields,
        "required": sorted(name for name, field in service.fields.items() if field.required),
    }
