"""Word that somebody may be out: whoever holds something open for people hears it at once, and looks who is still let in."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from homesteward.core.json import JsonObject
from homesteward.people.audit import AuditKind, Witness
from homesteward.store.database import after_commit

if TYPE_CHECKING:
    from sqlalchemy import Connection

type Heard = Callable[[], None]

# What somebody can lose their way in by. Each of these is witnessed wherever it happens, so that no way to be put out is overlooked.
PUTS_OUT = frozenset(
    {
        AuditKind.SIGNED_OUT,
        AuditKind.SESSION_REUSED,
        AuditKind.PERSON_CHANGED,
        AuditKind.PERSON_REMOVED,
        AuditKind.DEVICE_CHANGED,
        AuditKind.DEVICE_REMOVED,
        AuditKind.TOKEN_REVOKED,
    }
)


class Leaving:
    """Tell everybody who asked to hear it. It does not say who is out: that is looked up, by whoever needs to know."""

    def __init__(self) -> None:
        """Begin with nobody who listens."""
        self._heard: dict[Heard, asyncio.AbstractEventLoop] = {}

    def watch(self, heard: Heard) -> Callable[[], None]:
        """Call `heard` on this event loop after each such change, until the returned undo is called."""
        self._heard[heard] = asyncio.get_running_loop()

        def undo() -> None:
            self._heard.pop(heard, None)

        return undo

    def told_by(self, witness: Witness) -> Witness:
        """Return a witness that takes down what `witness` does, and tells of what puts somebody out once that is kept."""

        def witnessed(connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
            witness(connection, kind, actor, subject, data)
            if kind in PUTS_OUT:
                after_commit(connection, self._tell)

        return witnessed

    def _tell(self) -> None:
        """Tell it from a thread of the database; a loop that has ended has nobody left to tell."""
        for heard, loop in list(self._heard.items()):
            if not loop.is_closed():
                loop.call_soon_threadsafe(partial(self._tell_one, heard))

    def _tell_one(self, heard: Heard) -> None:
        if heard in self._heard:
            heard()
