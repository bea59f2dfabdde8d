"""The users that Home Assistant knows: read, never kept, so that who may administrate there decides who is an owner here."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from homesteward.core.json import JsonValue
from homesteward.home.errors import UnexpectedAnswerError

ADMINS = "system-admin"
CHANGES = ("user_added", "user_updated", "user_removed")
"""The events that say that the users are others than before."""


@dataclass(frozen=True, slots=True)
class HaUser:
    """A person's user in Home Assistant."""

    user_id: str
    name: str
    is_admin: bool
    is_active: bool = True


class Asks(Protocol):
    """Whatever sends a command to Home Assistant and returns its result, as a Connection does."""

    async def send(self, kind: str, /) -> JsonValue:
        """Send one command."""
        ...


async def users_of(connection: Asks) -> tuple[HaUser, ...]:
    """Return the users that people sign in with; raise what `send` raises, also HaError `unauthorized` for a token that may not ask."""
    told = await connection.send("config/auth/list")
    if not isinstance(told, list):
        raise UnexpectedAnswerError("Home Assistant's list of users is none.", next="Update Home Assistant.")
    return tuple(_user(raw) for raw in told if isinstance(raw, Mapping) and not raw.get("system_generated"))


def _user(raw: Mapping[str, Any]) -> HaUser:
    """Return one user; an owner of Home Assistant administrates it whatever groups it is in."""
    active = bool(raw.get("is_active"))
    admin = bool(raw.get("is_owner")) or (active and ADMINS in (raw.get("group_ids") or ()))
    return HaUser(str(raw.get("id")), str(raw.get("name") or ""), admin, active)
