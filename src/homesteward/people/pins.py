"""PINs: one per person, kept under argon2id, checked in a thread behind the lockout. A PIN is never shown, logged or repeated."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import Connection, delete, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.people.audit import AuditKind, Witness, actor_of
from homesteward.people.caller import Caller
from homesteward.people.errors import PinMustChangeError, PinNotSetError, ProofNeededError, WrongPinError
from homesteward.people.lockout import Lockouts, of_address, of_pin
from homesteward.people.person_rows import PersonRows
from homesteward.people.pin_rules import LONGEST, check_strength, normalised
from homesteward.people.rights import require_own
from homesteward.store import Database
from homesteward.store.tables import pins

CHANGE_PIN = "pin"
"""The purpose of a proof that lets somebody choose their PIN anew."""
TOO_LONG = 4 * LONGEST  # what is longer, with spaces and dashes, is no PIN and is not hashed either
AT_ONCE = 1  # a check takes 64 MiB for a tenth of a second: on a small machine, one at a time


@dataclass(frozen=True, slots=True)
class PinState:
    """What may be known of somebody's PIN: whether there is one, since when, and whether it has to be changed first."""

    is_set: bool = False
    must_change: bool = False
    changed: datetime | None = None


class Pins:
    """The PINs of one home's persons."""

    def __init__(
        self,
        database: Database,
        home_id: str,
        clock: Clock,
        witness: Witness,
        lockouts: Lockouts,
        hasher: PasswordHasher | None = None,
    ) -> None:
        """Hash with `hasher`; its own parameters are those of RFC 9106 for machines with little memory."""
        self._database = database
        self._home_id = home_id
        self._clock = clock
        self._witness = witness
        self._lockouts = lockouts
        self._hasher = hasher or PasswordHasher()
        self._people = PersonRows(home_id, clock, witness)
        self._checking = asyncio.Semaphore(AT_ONCE)

    async def state(self, person_id: str) -> PinState:
        """Return what may be known of the PIN of a person."""
        row = await self._database.read(lambda connection: self._row(connection, person_id))
        return PinState(True, row.set_by != person_id, row.changed) if row else PinState()

    async def states(self) -> dict[str, PinState]:
        """Return what may be known of every PIN, by person."""
        query = select(pins.c.person_id, pins.c.set_by, pins.c.changed).where(pins.c.home_id == self._home_id)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.person_id: PinState(True, row.set_by != row.person_id, row.changed) for row in rows}

    async def put(self, by: Caller, person_id: str, pin: str) -> None:
        """Give a person a PIN: their own with a proof for `CHANGE_PIN`, or as an owner, after which they have to change it.

        Raises NotAllowedError, ProofNeededError, UnknownPersonError and PinRefusedError.
        """
        require_own(by, person_id)
        own = by.person_id == person_id
        if own and not self._proved(by):
            raise ProofNeededError(
                "Choosing your PIN needs a fresh sign-in, or the PIN you have.", next="Sign in again, then choose it."
            )
        chosen = normalised(pin[:TOO_LONG])
        check_strength(chosen)
        await self._database.read(lambda connection: self._people.one(connection, person_id))
        kept = await self._in_thread(chosen)
        await self._database.write(lambda connection: self._put(connection, by, person_id, kept, own=own))

    async def remove(self, by: Caller, person_id: str) -> None:
        """Take a person's PIN away; raise NotAllowedError, and ProofNeededError for one's own without a proof."""
        require_own(by, person_id)
        if by.person_id == person_id and not self._proved(by):
            raise ProofNeededError("Removing your PIN needs a fresh sign-in, or the PIN.", next="Sign in again first.")

        def work(connection: Connection) -> None:
            if connection.execute(delete(pins).where(*self._key(person_id))).rowcount:
                self._witness(connection, AuditKind.PIN_REMOVED, actor_of(by), person_id, {})

        await self._database.write(work)

    async def check(self, person_id: str, pin: str, *, purpose: str, address: str = "") -> None:
        """Return if this is the person's PIN; the try counts against person and address until it is known to be right.

        Raises LockedOutError whatever the PIN is, WrongPinError, PinNotSetError after as long as a wrong one takes, and
        PinMustChangeError for one that somebody else chose, unless the purpose is to change it.
        """
        subjects = (of_pin(person_id), *((of_address(address),) if address else ()))
        await self._lockouts.count(*subjects)
        row = await self._database.read(lambda connection: self._row(connection, person_id))
        given = normalised(pin[:TOO_LONG])
        right = await self._fits(row.hash if row else "", given)
        if not right:
            await self._refused(person_id, purpose, subjects)
            raise _not_set() if row is None else WrongPinError("That is not the PIN.", next="Try again.")
        await self._lockouts.succeeded(*subjects)
        if row and self._hasher.check_needs_rehash(row.hash):
            await self._rehash(person_id, row.hash, given)
        if row and row.set_by != person_id and purpose != CHANGE_PIN:
            raise PinMustChangeError(
                "This PIN was chosen for you, and is good for choosing your own only.",
                next="Choose your own PIN first.",
            )

    def _proved(self, by: Caller) -> bool:
        proof = by.proof
        return proof is not None and proof.purpose == CHANGE_PIN and self._clock.now() < proof.until

    async def _fits(self, kept: str, given: str) -> bool:
        """Return whether it fits. Without a PIN something is hashed all the same, so that both take as long."""
        if not kept:
            await self._in_thread(given)
            return False
        async with self._checking:
            return await asyncio.to_thread(self._verify, kept, given)

    def _verify(self, kept: str, given: str) -> bool:
        try:
            return self._hasher.verify(kept, given)
        except VerificationError, InvalidHashError:
            return False

    async def _in_thread(self, pin: str) -> str:
        async with self._checking:
            return await asyncio.to_thread(self._hasher.hash, pin)

    async def _refused(self, person_id: str, purpose: str, subjects: tuple[str, ...]) -> None:
        told: JsonObject = {"with": "pin", "purpose": purpose, "against": list(subjects)}
        actor = f"person:{person_id}"
        await self._database.write(lambda c: self._witness(c, AuditKind.STEP_UP_FAILED, actor, person_id, told))
        await self._lockouts.failed(*subjects)

    async def _rehash(self, person_id: str, before: str, pin: str) -> None:
        """Keep the PIN under today's parameters, unless it was changed meanwhile."""
        kept = await self._in_thread(pin)
        changed = pins.update().where(*self._key(person_id), pins.c.hash == before).values(hash=kept)
        await self._database.write(lambda connection: connection.execute(changed))

    def _put(self, connection: Connection, by: Caller, person_id: str, kept: str, *, own: bool) -> None:
        self._people.one(connection, person_id)  # they may have been removed while it was hashed
        row = {"hash": kept, "changed": self._clock.now(), "set_by": person_id if own else actor_of(by)}
        done = connection.execute(pins.update().where(*self._key(person_id)).values(**row))
        if not done.rowcount:
            connection.execute(pins.insert().values(home_id=self._home_id, person_id=person_id, **row))
        self._witness(connection, AuditKind.PIN_SET, actor_of(by), person_id, {"must_change": not own})

    def _row(self, connection: Connection, person_id: str) -> Any:  # noqa: ANN401 - a row of SQLAlchemy's, or None
        return connection.execute(select(pins).where(*self._key(person_id))).first()

    def _key(self, person_id: str) -> tuple[Any, ...]:
        return (pins.c.home_id == self._home_id, pins.c.person_id == person_id)


def _not_set() -> PinNotSetError:
    return PinNotSetError(
        "You have no PIN, and this needs one.",
        next="Ask an owner to give you one: homesteward people pin NAME. Then choose your own.",
    )
