"""What the gate is tied to outside of itself: who can prove who they are, and where it is put down what was decided and done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection

from homesteward.actions.entries import GateKind
from homesteward.chronicle.record import Act
from homesteward.core.json import JsonObject

type Record = Callable[[Act], None]
"""Takes one act. It runs on the event loop and must be quick."""
type HasPin = Callable[[str], Awaitable[bool]]
"""Returns whether the person of this id has a PIN."""


class Witness(Protocol):
    """Take down what happened, inside the transaction in which it happens: both are kept, or neither is."""

    def __call__(self, connection: Connection, kind: GateKind, actor: str, subject: str, data: JsonObject, /) -> None:
        """Keep one entry of the audit. It runs on a thread of the database."""
        ...


class AnyWitness(Protocol):
    """The same for whatever kind of entry."""

    def __call__(self, connection: Connection, kind: str, actor: str, subject: str, data: JsonObject, /) -> None:
        """Keep one entry of the audit. It runs on a thread of the database."""
        ...


async def _nobody_has(_person_id: str) -> bool:
    return False


def _not_recorded(_act: Act) -> None:
    """Keep nothing."""


def not_witnessed(_connection: Connection, _kind: GateKind, _actor: str, _subject: str, _data: JsonObject) -> None:
    """Keep nothing."""


def nothing_witnessed(_connection: Connection, _kind: str, _actor: str, _subject: str, _data: JsonObject) -> None:
    """Keep nothing."""


@dataclass(frozen=True, slots=True)
class Ties:
    """`has_pin` says who has a PIN to give; `record` is the chronicle's, `witness` the audit's."""

    has_pin: HasPin = _nobody_has
    record: Record = _not_recorded
    witness: Witness = not_witnessed
