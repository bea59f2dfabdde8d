"""Who is asking: persons, devices and tokens, what proves who they are, and how far they reach.

A `Caller` is made by the application at the door, by the `FrontDesk` that knows everybody, and only ever narrows on its way; no
content can raise it. `scoped` gives the home as far as a caller reaches. Every change and every failure is handed to a `Witness`,
in the transaction in which it happens, and nothing of a PIN, a token or a cookie is in what it is told.
"""

from homesteward.people.audit import AuditKind, Witness, actor_of
from homesteward.people.caller import SYSTEM, Caller, Channel, Proof, ProofKind, Role, Scope
from homesteward.people.reach import Reach

__all__ = [
    "SYSTEM",
    "AuditKind",
    "Caller",
    "Channel",
    "Proof",
    "ProofKind",
    "Reach",
    "Role",
    "Scope",
    "Witness",
    "actor_of",
]
