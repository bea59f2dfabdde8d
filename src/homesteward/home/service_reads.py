"""What can only be read of Home Assistant by calling a service: one table of such services, and the only way to call them.

None of them changes anything. Everything that does goes through the gate; no service that is not in the table can be called here.
"""

from collections.abc import Mapping
from typing import Protocol

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.errors import HaError, HomeError
from homesteward.home.model import EMPTY

TIMEOUT_S = 15.0
READS = frozenset({("weather", "get_forecasts"), ("calendar", "get_events"), ("todo", "get_items")})


class NoSuchReadError(HomeError):
    """Something that is no plain read was asked for as one."""

    code = "not_a_read"


class Line(Protocol):
    """A way to ask Home Assistant: the link to it, or one connection."""

    async def send(self, kind: str, /, *, timeout_s: float = TIMEOUT_S, **fields: object) -> JsonValue:
        """Send one command and return its result; raises as Connection.send does."""
        ...


class ServiceReads:
    """Read by services what no state holds."""

    def __init__(self, line: Line) -> None:
        """Ask over `line`."""
        self._line = line

    async def read(self, domain: str, service: str, entity_id: str, data: JsonObject = EMPTY) -> JsonObject:
        """Return what the service tells of the entity, nothing where it refuses to.

        Raises NoSuchReadError for a service that is not in the table, and what sending raises where nobody answers.
        """
        if (domain, service) not in READS:
            raise NoSuchReadError(
                f"{domain}.{service} is no plain read.", next="Ask for it as a call; the gate decides."
            )
        try:
            answer = await self._line.send(
                "call_service",
                timeout_s=TIMEOUT_S,
                domain=domain,
                service=service,
                service_data=dict(data),
                target={"entity_id": [entity_id]},
                return_response=True,
            )
        except HaError:  # such as a forecast of a kind that this service has not
            return EMPTY
        response = answer.get("response") if isinstance(answer, Mapping) else None
        told = response.get(entity_id) if isinstance(response, Mapping) else None
        return told if isinstance(told, Mapping) else EMPTY
