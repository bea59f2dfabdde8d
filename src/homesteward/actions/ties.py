"""What the gate is tied to outside of itself: who can prove who they are, and where it is put down what was decided and done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from sqlalchemy import Connection

from homesteward.actions.entries import GateKind
from homesteward.chronicle.record import Act
from homesteward.core.json import JsonObject
from homesteward.people import Caller
from homesteward.policy import NO_PINS, PinRule

type Record = Callable[[Act], None]
"""Takes one act. It runs on the event loop and must be quick."""
type HasPin = Callable[[str], Awaitable[bool]]
"""Returns whether the person of this id has a PIN."""
type Still = Callable[[Caller], Awaitable[None]]
"""Returns where the caller is who they were when they came in; raises not_allowed where they were put out or made less since."""


class Witness(Protocol):
    """Take down what happened, inside the transaction in which it happens: both are kept, or neither is."""

    def __call__(self, connection: Connection, kind: GateKind, actor: str, subject: str, data: JsonObject, /) -> None:
        """Keep one entry of the audit. It runs on a thread of the database."""
        ...


async def _nobody_has(_person_id: str) -> bool:
    return False


async def _as_they_were(_caller: Caller) -> None:
    """Take everybody for who they were."""


def _not_recorded(_act: Act) -> None:
    """Keep nothing."""


def not_witnessed(_connection: Connection, _kind: GateKind, _actor: str, _subject: str, _data: JsonObject) -> None:
    """Keep nothing."""


@dataclass(frozen=True, slots=True)
class Ties:
    """`pins` is where an owner asks for a PIN, `has_pin` who has one; `record` is the chronicle's, `witness` the audit's; `still` is asked before anything is done."""

    pins: PinRule = NO_PINS
    has_pin: HasPin = _nobody_has
    record: Record = _not_recorded
    witness: Witness = not_witnessed
    still: Still = _as_they_were
