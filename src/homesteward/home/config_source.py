"""Home Assistant's configuration as it lies there: whole objects, read by REST or by a command. Nothing here changes anything."""

from typing import Protocol

from homesteward.core.json import JsonValue
from homesteward.home.errors import HaError
from homesteward.home.rest import Rest

TIMEOUT_S = 20.0
# The commands that are asked, and nothing else is.
ASKED = frozenset(
    {
        "automation/config",
        "blueprint/list",
        "blueprint/substitute",
        "config/area_registry/list",
        "config/device_registry/list",
        "config/entity_registry/get",
        "config/floor_registry/list",
        "config/label_registry/list",
        "counter/list",
        "homeassistant/expose_entity/list",
        "homeassistant/expose_new_entities/get",
        "input_boolean/list",
        "input_button/list",
        "input_datetime/list",
        "input_number/list",
        "input_select/list",
        "input_text/list",
        "lovelace/config",
        "lovelace/dashboards/list",
        "schedule/list",
        "script/config",
        "timer/list",
        "validate_config",
    }
)


class Asked(Protocol):
    """Where configuration is read from."""

    async def stored(self, kind: str, key: str) -> JsonValue:
        """Return the automation, script or scene that is stored under `key`, None where none is."""
        ...

    async def ask(self, command: str, /, **fields: object) -> JsonValue:
        """Return what a command of `ASKED` answers; raises HaError, NotConnectedError or HaTimeoutError."""
        ...


class Line(Protocol):
    """What a command can be sent over."""

    async def send(self, kind: str, /, *, timeout_s: float, **fields: object) -> JsonValue:
        """Send one command and return its result."""
        ...


class ConfigSource:
    """Ask a real Home Assistant."""

    def __init__(self, rest: Rest, line: Line) -> None:
        """Read over both."""
        self._rest = rest
        self._line = line

    async def stored(self, kind: str, key: str) -> JsonValue:
        """Return the object as it lies in its file; see Asked."""
        try:
            return await self._rest.json(f"/config/{kind}/config/{key}")
        except HaError as error:
            if error.code == "not_found":
                return None
            raise

    async def ask(self, command: str, /, **fields: object) -> JsonValue:
        """Ask; see Asked."""
        if command not in ASKED:
            raise ValueError(command)
        return await self._line.send(command, timeout_s=TIMEOUT_S, **fields)
