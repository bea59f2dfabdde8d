"""Roles and scopes compared: which is less, and what a role can hand on. Authority is only ever narrowed by these tables."""

from homesteward.people.caller import Role, Scope

# From the most to the least. A token asks like a member and can never say the yes that a plan waits for; a guest asks for less.
ORDER = (Role.OWNER, Role.MEMBER, Role.TOKEN, Role.GUEST)

EVERYDAY = frozenset({Scope.READ, Scope.PROPOSE, Scope.ACT})
# What a token may be used for at most, by the role that its person has at that moment.
SCOPES: dict[Role, frozenset[Scope]] = {
    Role.OWNER: frozenset(Scope),
    Role.MEMBER: EVERYDAY,
    Role.GUEST: EVERYDAY,
}


def least(one: Role, other: Role) -> Role:
    """Return the role with less authority of two; raise ValueError for one that no person, device or token can have."""
    return max(one, other, key=ORDER.index)
