"""What the gate is tied to outside of itself: who can prove who they are, and where it is put down what was decided and done."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from sqlalchemy import Connection

from homesteward.actions.entries import GateKind
from homesteward.actions.windows import WindowOf, nothing_learned
from homesteward.chronicle.record import Act
from homesteward.core.json import JsonObject
from homesteward.people import Caller

type Record = Callable[[Act], None]
"""Takes one act. It runs on the event loop and must be quick."""
type HasPin = Callable[[str], Awaitable[bool]]
"""Returns whether the person of this id has a PIN."""
type Still = Callable[[Caller], Awaitable[None]]
"""Returns where the caller is who they were when they came in; raises not_allowed where they were put out or made less since."""
type Tell = Callable[[str, str, str, str], None]
"""Takes what somebody is to be told: the kind, the subject (a plan's id), the text, and the person's id (empty: every owner).

It runs on the event loop and must be quick."""


class CodeBook(Protocol):
    """The codes of locks and alarms that are kept, each under the id of its entity."""

    async def code_of(self, entity_id: str) -> str | None:
        """Return the code of the entity, None where none is kept; raise a HomestewardError for one that cannot be read."""
        ...

    async def has_code(self, entity_id: str) -> bool:
        """Return whether a code is kept for the entity, without reading it."""
        ...


class NoCodes:
    """Keep no code."""

    async def code_of(self, _entity_id: str) -> str | None:
        """Return none."""
        return None

    async def has_code(self, _entity_id: str) -> bool:
        """Return that there is none."""
        return False


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


async def _as_they_were(_caller: Caller) -> None:
    """Take everybody for who they were."""


def _not_recorded(_act: Act) -> None:
    """Keep nothing."""


def not_told(_kind: str, _subject: str, _text: str, _person_id: str) -> None:
    """Tell nobody."""


def not_witnessed(_connection: Connection, _kind: GateKind, _actor: str, _subject: str, _data: JsonObject) -> None:
    """Keep nothing."""


def nothing_witnessed(_connection: Connection, _kind: str, _actor: str, _subject: str, _data: JsonObject) -> None:
    """Keep nothing."""


@dataclass(frozen=True, slots=True)
class Ties:
    """What is asked before something is done, and who hears of it.

    `has_pin` says who has a PIN to give, `still` is asked before anything is done; `record` is the chronicle's, `witness` the audit's, `tell` leads
    to the notices, `codes` to those that are kept, `windows` knows how long things take in this home.
    """

    has_pin: HasPin = _nobody_has
    record: Record = _not_recorded
    witness: Witness = not_witnessed
    tell: Tell = not_told
    codes: CodeBook = field(default_factory=NoCodes)
    still: Still = _as_they_were
    windows: WindowOf = nothing_learned
