"""What is put on record about who asked: kinds of entries, and the witness that takes them down. No secret is ever part of one."""

from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from homesteward.core.json import JsonObject
from homesteward.people.caller import Caller

if TYPE_CHECKING:
    from sqlalchemy import Connection  # a command that only asks a running service does not load it


class AuditKind(StrEnum):
    """What happened, as the audit names it."""

    SIGNED_IN = "sign_in.done"
    SIGN_IN_FAILED = "sign_in.failed"
    SIGNED_OUT = "sign_in.ended"
    SESSION_REUSED = "session.reused"
    STEPPED_UP = "step_up.done"
    STEP_UP_FAILED = "step_up.failed"
    LOCKED_OUT = "lockout.begun"
    UNLOCKED = "lockout.lifted"
    PIN_SET = "pin.set"
    PIN_REMOVED = "pin.removed"
    PERSON_ADDED = "person.added"
    PERSON_CHANGED = "person.changed"
    PERSON_REMOVED = "person.removed"
    DEVICE_ADDED = "device.added"
    DEVICE_CHANGED = "device.changed"
    DEVICE_REMOVED = "device.removed"
    TOKEN_ADDED = "token.added"  # noqa: S105 - a kind of entry, not a secret
    TOKEN_USED = "token.used"  # noqa: S105 - as above; the first use, and the first of each day
    TOKEN_FAILED = "token.failed"  # noqa: S105 - as above
    TOKEN_REVOKED = "token.revoked"  # noqa: S105 - as above
    SETUP_DONE = "setup.done"
    SETUP_FAILED = "setup.failed"


class Witness(Protocol):
    """Take down what happened, inside the transaction in which it happens: both are kept, or neither is."""

    def __call__(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
        """Keep one entry. It runs on a thread of the database."""
        ...


NOBODY = "nobody"
HOME_ASSISTANT = "home_assistant"


def actor_of(caller: Caller) -> str:
    """Return how the audit names `caller`: by the id of its token, person or device, else by its role."""
    if caller.token_id:
        return f"token:{caller.token_id}"
    if caller.person_id:
        return f"person:{caller.person_id}"
    if caller.device_id:
        return f"device:{caller.device_id}"
    return f"{caller.role}"
