"""Who may change people, devices, PINs, tokens and sessions: an owner, and everybody what is their own."""

from homesteward.people.caller import Caller, Role, Scope
from homesteward.people.errors import NotAllowedError


def require_owner(by: Caller) -> None:
    """Raise NotAllowedError unless `by` is an owner, over a token only with the scope admin and over the whole home."""
    if by.role is Role.SYSTEM:
        return
    if by.role is not Role.OWNER or not by.may(Scope.ADMIN) or by.reach is not None:
        raise NotAllowedError("Only an owner may change this.", next="Ask an owner of this home.")


def require_own(by: Caller, person_id: str) -> None:
    """Raise NotAllowedError unless it is their own, with no token in between, or `by` is an owner."""
    if not (person_id and by.person_id == person_id and not by.token_id):
        require_owner(by)
