"""The caller of a request: role, channel and where it was said."""

from dataclasses import dataclass, replace
from enum import StrEnum

from homesteward.core.errors import HomestewardError


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
    TRIAL = "trial"


# What each role may be lowered to. A role that is not named here cannot be changed at all.
LOWER: dict[Role, frozenset[Role]] = {
    Role.OWNER: frozenset({Role.OWNER, Role.MEMBER, Role.GUEST}),
    Role.MEMBER: frozenset({Role.MEMBER, Role.GUEST}),
    Role.GUEST: frozenset({Role.GUEST}),
}


class CannotRaiseError(HomestewardError):
    """Somebody asked to act with more authority than they have."""

    code = "cannot_raise_role"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, through which channel, and from which area where that is known."""

    role: Role
    channel: Channel
    person: str = ""
    area_id: str | None = None

    def lowered(self, role: Role) -> Caller:
        """Return this caller with the authority of `role`; raise CannotRaiseError if that would be more."""
        if role not in LOWER.get(self.role, frozenset({self.role})):
            raise CannotRaiseError(
                f"{self.role} cannot act as {role}: a role can only be lowered.",
                next=f"Leave it out, or choose one of {', '.join(sorted(LOWER.get(self.role, frozenset({self.role}))))}.",
            )
        return replace(self, role=role)


SYSTEM = Caller(Role.SYSTEM, Channel.API, "Homesteward")
