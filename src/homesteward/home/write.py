"""Everything that changes Home Assistant's configuration. Only the gate's rooms and the composition root may import this file."""

from typing import Protocol

from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.access import Access
from homesteward.home.courier import Answer, Courier
from homesteward.home.errors import (
    AuthFailedError,
    CallFailedError,
    CallUncertainError,
    ConnectionLostError,
    HaError,
    HaTimeoutError,
    NotConnectedError,
)
from homesteward.home.rest import said, within
from homesteward.home.tokens import Tokens

__all__ = ["CHANGING", "HaWriter", "Writer"]

TIMEOUT_S = 30.0
LOOK = "Look at what is there before asking again."
# The commands that change configuration, and nothing else is sent from here.
CHANGING = frozenset(
    {
        "blueprint/delete",
        "blueprint/save",
        "config/device_registry/update",
        "config/entity_registry/update",
        "homeassistant/expose_entity",
        "homeassistant/expose_new_entities/set",
        "lovelace/config/delete",
        "lovelace/config/save",
        *(
            f"{prefix}/{verb}"
            for prefix in (
                "config/area_registry",
                "config/floor_registry",
                "config/label_registry",
                "counter",
                "input_boolean",
                "input_button",
                "input_datetime",
                "input_number",
                "input_select",
                "input_text",
                "lovelace/dashboards",
                "schedule",
                "timer",
            )
            for verb in ("create", "update", "delete")
        ),
    }
)


class Writer(Protocol):
    """Change the configuration of a home. Nothing is repeated by itself.

    Each raises CallFailedError with Home Assistant's own words where it refused, and CallUncertainError where no answer came; a
    command raises NotConnectedError where nothing was sent.
    """

    async def put(self, kind: str, key: str, body: JsonObject) -> None:
        """Store the automation, script or scene `body` under `key`."""
        ...

    async def remove(self, kind: str, key: str) -> None:
        """Take the automation, script or scene under `key` away."""
        ...

    async def command(self, command: str, /, **fields: object) -> JsonValue:
        """Send a command of `CHANGING`."""
        ...


class Line(Protocol):
    """What a command can be sent over."""

    async def send(self, kind: str, /, *, timeout_s: float, **fields: object) -> JsonValue:
        """Send one command and return its result."""
        ...


class Changes(Protocol):
    """Whatever carries a change to Home Assistant."""

    async def change(self, method: str, url: str, *, token: str, body: JsonValue = None) -> Answer:
        """Send `body` as JSON to `url`."""
        ...


class HaWriter:
    """Change a real Home Assistant."""

    def __init__(self, access: Access, tokens: Tokens, line: Line, courier: Changes | None = None) -> None:
        """Write to the home at `access`, by another `courier` than one of its own where one is given; nothing is sent yet."""
        self._base = access.rest.rstrip("/")
        self._tokens = tokens
        self._line = line
        self._own = Courier(tls=access.tls, timeout_s=TIMEOUT_S)
        self._courier: Changes = courier or self._own

    async def put(self, kind: str, key: str, body: JsonObject) -> None:
        """Store; see Writer."""
        await self._change("POST", f"/config/{kind}/config/{key}", dict(body))

    async def remove(self, kind: str, key: str) -> None:
        """Take away; see Writer."""
        await self._change("DELETE", f"/config/{kind}/config/{key}", None)

    async def command(self, command: str, /, **fields: object) -> JsonValue:
        """Send; see Writer."""
        if command not in CHANGING:
            raise ValueError(command)
        try:
            return await self._line.send(command, timeout_s=TIMEOUT_S, **fields)
        except HaError as error:
            raise _refused(error) from error
        except (ConnectionLostError, HaTimeoutError) as error:
            raise CallUncertainError(f"{command} was sent, but no answer came: {error.message}", next=LOOK) from error

    async def close(self) -> None:
        """End its own session."""
        await self._own.close()

    async def _change(self, method: str, path: str, body: JsonValue) -> None:
        url = self._base + within(path)
        token = await self._tokens.current()
        answer = await self._sent(method, url, token, body)
        if answer.status == 401:  # refused at the door: nothing was done
            answer = await self._sent(method, url, await self._tokens.renewed(token), body)
        if answer.status == 401:
            raise AuthFailedError(f"for {path}; it may be for administrators only")
        if not answer.ok:
            raise _refused(said(path, answer))

    async def _sent(self, method: str, url: str, token: str, body: JsonValue) -> Answer:
        try:
            return await self._courier.change(method, url, token=token, body=body)
        except (HaTimeoutError, NotConnectedError) as error:  # it may have ended after Home Assistant had taken it
            raise CallUncertainError(f"No answer came: {error.message}", next=LOOK) from error


def _refused(error: HaError) -> CallFailedError:
    return CallFailedError(error.message, code=error.code, next="Read what Home Assistant says; nothing was retried.")
