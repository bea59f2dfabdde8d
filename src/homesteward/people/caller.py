"""The caller of a request: who, in which role, over which channel, how far it reaches and how fresh the proof is. It only ever narrows."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from homesteward.core.errors import HomestewardError
from homesteward.people.reach import Reach


class Role(StrEnum):
    """What somebody is to the house, from the most to the least authority."""

    OWNER = "owner"
    MEMBER = "member"
    GUEST = "guest"
    TOKEN = "token"  # noqa: S105 - a role, not a secret
    TRIGGER = "trigger"
    SYSTEM = "system"


class Channel(StrEnum):
    """Through which face a request came in."""

    CLI = "cli"
    API = "api"
    PAGE = "page"
    INGRESS = "ingress"
    TRIAL = "trial"
    TRIGGER = "trigger"
    """Nobody at that moment: what somebody had asked for comes to its time."""


class Scope(StrEnum):
    """What a token may be used for. Each is given by itself; only `admin` holds all."""

    READ = "read"
    PROPOSE = "propose"
    """Ask for changes, which then wait for a person, also those that its role could make at once."""
    ACT = "act"
    CONFIGURE = "configure"
    ADMIN = "admin"


class ProofKind(StrEnum):
    """How somebody proved anew who they are."""

    PIN = "pin"
    SIGN_IN = "sign_in"


@dataclass(frozen=True, slots=True)
class Proof:
    """A step-up: good until `until`, and for one purpose only (a plan's id, or the name of what is to be changed)."""

    kind: ProofKind
    purpose: str
    until: datetime


# What each role may be lowered to. A role that is not named here cannot be changed at all.
LOWER: dict[Role, frozenset[Role]] = {
    Role.OWNER: frozenset({Role.OWNER, Role.MEMBER, Role.GUEST}),
    Role.MEMBER: frozenset({Role.MEMBER, Role.GUEST}),
    Role.TOKEN: frozenset({Role.TOKEN, Role.GUEST}),
    Role.GUEST: frozenset({Role.GUEST}),
}


class CannotRaiseError(HomestewardError):
    """Somebody asked to act with more authority than they have."""

    code = "cannot_raise_role"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks. Made by the application at the door; nothing in a request, a text or a model's words can change it."""

    role: Role
    channel: Channel
    person: str = ""
    """The name that is shown and written down."""
    area_id: str | None = None
    """Where it was said, where that is known."""
    person_id: str = ""
    """The id of a person on record; empty for the service's own token and for a trial."""
    device_id: str | None = None
    """A satellite or kiosk, as Home Assistant knows it."""
    token_id: str = ""
    scopes: frozenset[Scope] | None = None
    """What a token may be used for; None is all that the role holds."""
    reach: Reach | None = None
    """The entities that exist for this caller; None is all of them. It binds reads as well."""
    proof: Proof | None = None
    address: str = field(default="", compare=False, repr=False)
    """The network address the request comes from, where one is known: wrong PINs count against it as well."""

    def lowered(self, role: Role) -> Caller:
        """Return this caller with the authority of `role`; raise CannotRaiseError if that would be more."""
        if role not in LOWER.get(self.role, frozenset({self.role})):
            raise CannotRaiseError(
                f"{self.role} cannot act as {role}: a role can only be lowered.",
                next=f"Leave it out, or choose one of {', '.join(sorted(LOWER.get(self.role, frozenset({self.role}))))}.",
            )
        return replace(self, role=role)

    def may(self, scope: Scope) -> bool:
        """Return whether its token, if it has one, was given this scope."""
        return self.scopes is None or scope in self.scopes or Scope.ADMIN in self.scopes

    def same_as(self, other: Caller) -> bool:
        """Return whether both are the same somebody: the same person on record, or the same name in the same role."""
        if self.person_id or other.person_id:
            return self.person_id == other.person_id
        return (self.role, self.person) == (other.role, other.person)


SYSTEM = Caller(Role.SYSTEM, Channel.API, "Homesteward")
