"""Who is asking. A `Caller` is made by the application at the door and only ever narrows on its way; no content can raise it."""

from homesteward.people.caller import SYSTEM, Caller, Channel, Proof, ProofKind, Role, Scope
from homesteward.people.reach import Reach

__all__ = ["SYSTEM", "Caller", "Channel", "Proof", "ProofKind", "Reach", "Role", "Scope"]
