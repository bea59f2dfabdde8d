"""Whose the past of a house is: what was done in it, when and by whom, is for those who live there and not for who visits them."""

from homesteward.people.caller import Caller, Role
from homesteward.people.errors import NotAllowedError

KNOWS_THE_PAST = frozenset(Role) - {Role.GUEST}


def knows_the_past(caller: Caller) -> bool:
    """Return whether the caller's role is one that is told of the past, whichever way it asks."""
    return caller.role in KNOWS_THE_PAST


def require_household(caller: Caller) -> None:
    """Raise NotAllowedError for a guest, who is told nothing of the past: not even of a thing that they may use."""
    if not knows_the_past(caller):
        raise NotAllowedError("That is for the household to know.", next="Ask somebody who lives here.")
