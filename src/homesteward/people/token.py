"""A machine token, as a value: what it is for, how far it reaches and how long, never its secret."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Row

from homesteward.core.json import JsonObject
from homesteward.people.caller import Caller, Channel, Role, Scope
from homesteward.people.person import Person, shown
from homesteward.people.reach import Reach, reach_from
from homesteward.people.roles import SCOPES, least

PREFIX = "hs_"


@dataclass(frozen=True, slots=True)
class Token:
    """A named token on record. `reach` None is the whole home; `person_id` is empty for one that the service's own token made."""

    id: str
    name: str
    scopes: frozenset[Scope]
    reach: Reach | None
    person_id: str
    role: Role
    created: datetime
    ends: datetime | None = None
    used: datetime | None = None
    revoked: datetime | None = None

    def as_json(self) -> JsonObject:
        """Return the token as the API lists it."""
        return {
            "id": self.id,
            "name": self.name,
            "scopes": sorted(scope.value for scope in self.scopes),
            "reach": self.reach.as_json() if self.reach else None,
            "person_id": self.person_id,
            "role": self.role.value,
            "created": self.created.isoformat(),
            "ends": shown(self.ends),
            "used": shown(self.used),
            "revoked": shown(self.revoked),
        }

    def caller(self, person: Person | None, channel: Channel) -> Caller:
        """Return the token as a caller, with no more than its person's role holds at this moment; None is the service itself."""
        holds = SCOPES[person.role if person else Role.OWNER]
        return Caller(
            least(self.role, person.role) if person else self.role,
            channel,
            self.name,
            person_id=self.person_id,
            token_id=self.id,
            scopes=self.scopes & holds,
            reach=self.reach,
        )


def token_of(row: Row[Any]) -> Token:
    """Return the token that a row of `tokens` holds; a scope that this version does not know is left out."""
    known = set(Scope)
    return Token(
        row.id,
        row.name,
        frozenset(Scope(scope) for scope in row.scopes if scope in known),
        reach_from(row.reach),
        row.person_id,
        Role(row.role),
        row.created,
        row.ends,
        row.used,
        row.revoked,
    )


def dead(token: Token, person: Person | None, now: datetime) -> str:
    """Return why the token of `person` stands for nobody, or nothing."""
    if token.revoked:
        return "it was revoked"
    if token.ends and token.ends <= now:
        return "its time is over"
    if token.person_id and (person is None or not person.active(now)):
        return "whoever it belongs to is not let in at the moment"
    return ""


def parts_of(text: str) -> tuple[str, str] | None:
    """Return id and secret of `hs_<id>_<secret>`; None for anything else."""
    if not text.startswith(PREFIX):
        return None
    token_id, _, secret = text.removeprefix(PREFIX).partition("_")
    return (token_id, secret) if token_id and secret else None
