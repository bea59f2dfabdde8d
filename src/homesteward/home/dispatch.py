"""Everything that sends a change to a home. Only the gate and the composition root may import this file."""

from collections.abc import Mapping
from typing import Protocol

from homesteward.core.json import JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.errors import CallFailedError, CallUncertainError, ConnectionLostError, HaError, HaTimeoutError
from homesteward.home.live import Dispatched
from homesteward.home.view import HomeView

__all__ = ["Dispatched", "Dispatcher", "HaDispatcher"]

# Home Assistant answers when the service is done, and waits for slow devices and whole scripts without a limit of its own.
CALL_TIMEOUT_S = 60.0


class Dispatcher(Protocol):
    """Send one call to the home."""

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Send `call` and return when the home accepted it.

        Raises CallFailedError if the home refused it, NotConnectedError if nothing was sent, and CallUncertainError if it
        was sent and no answer came.
        """
        ...


class Line(Protocol):
    """What a command can be sent over: one connection, or a link that outlives them."""

    async def send(self, kind: str, /, *, timeout_s: float, **fields: object) -> JsonValue:
        """Send one command and return its result; raises as Connection.send does."""
        ...


class HaDispatcher:
    """Send calls to Home Assistant over its WebSocket."""

    def __init__(self, connection: Line, home: HomeView) -> None:
        """Send over `connection`; `home` knows which services give something back."""
        self._connection = connection
        self._home = home

    async def call(self, call: ResolvedCall) -> Dispatched:
        """Send `call` once; see Dispatcher. It is never repeated by itself."""
        try:
            result = await self._connection.send("call_service", timeout_s=CALL_TIMEOUT_S, **self._fields(call))
        except HaError as error:
            raise CallFailedError(
                error.message, code=error.code, next="See what Home Assistant says; nothing was retried."
            ) from error
        except (ConnectionLostError, HaTimeoutError) as error:
            raise CallUncertainError(
                f"{call.id} was sent, but no answer came: {error.message}",
                next="Look at the state before asking again.",
            ) from error
        return _dispatched(result)

    def _fields(self, call: ResolvedCall) -> dict[str, object]:
        fields: dict[str, object] = {"domain": call.domain, "service": call.service, "service_data": dict(call.data)}
        if call.entity_ids:
            fields["target"] = {"entity_id": list(call.entity_ids)}
        service = self._home.services.get(call.id)
        if service and service.response == "only":
            fields["return_response"] = True  # such a service refuses to run without
        return fields


def _dispatched(result: JsonValue) -> Dispatched:
    answer = result if isinstance(result, Mapping) else {}
    context = answer.get("context")
    context_id = context.get("id") if isinstance(context, Mapping) else None
    return Dispatched(str(context_id) if context_id else None, answer.get("response"))
