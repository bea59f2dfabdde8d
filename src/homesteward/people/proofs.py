"""Step-up: proving anew who one is, for one purpose and five minutes. What a plan needs it for, it is good for once."""

from collections import OrderedDict
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import Connection

from homesteward.core import Clock
from homesteward.people.audit import AuditKind, Witness, actor_of
from homesteward.people.caller import Caller, Proof, ProofKind
from homesteward.people.errors import NotAllowedError, ProofNeededError
from homesteward.people.pins import Pins
from homesteward.store import Database

GOOD_FOR = timedelta(minutes=5)
MOST = 1000  # proofs held at once; the oldest go first, and whoever needed one is asked again
ONCE = ("plan_",)
"""What the purposes begin with that a proof is used up by: the id of a plan."""


class StepUp:
    """Issues proofs and keeps them, in memory: after a restart everybody proves themselves anew.

    A proof is held for a *holder*: the session, token or conversation in which it was given, and no other one.
    """

    def __init__(self, database: Database, clock: Clock, witness: Witness, pins: Pins) -> None:
        self._database = database
        self._clock = clock
        self._witness = witness
        self._pins = pins
        self._held: OrderedDict[tuple[str, str, str], Proof] = OrderedDict()

    async def with_pin(self, caller: Caller, pin: str, purpose: str, *, holder: str, address: str = "") -> Proof:
        """Return the proof that the caller's own PIN gives, held for `holder`; a wrong one counts against the address, or the caller's own.

        Raises NotAllowedError for a caller who is no person on record, and what `Pins.check` raises.
        """
        person_id = _person(caller)
        await self._pins.check(person_id, pin, purpose=purpose, address=address or caller.address)
        return await self._issue(caller, Proof(ProofKind.PIN, purpose, self._clock.now() + GOOD_FOR), holder)

    async def with_sign_in(self, caller: Caller, signed_in: datetime, purpose: str, *, holder: str) -> Proof:
        """Return the proof that a sign-in at `signed_in` gives; it ends five minutes after that, not after now.

        Raises ProofNeededError where that is over, NotAllowedError for a caller who is no person on record.
        """
        _person(caller)
        until = signed_in + GOOD_FOR
        if not self._clock.now() < until:
            raise ProofNeededError("This needs a fresh sign-in.", next="Sign in again, then do it.")
        return await self._issue(caller, Proof(ProofKind.SIGN_IN, purpose, until), holder)

    def carried(self, caller: Caller, purpose: str, *, holder: str) -> Caller:
        """Return the caller with the proof that is held for this purpose, without any where none is or holds any longer.

        A proof for a plan goes with the caller once: it is held no more, whatever comes of it.
        """
        key = (caller.person_id, holder, purpose)
        proof = self._held.get(key)
        if proof and (purpose.startswith(ONCE) or self._clock.now() >= proof.until):
            del self._held[key]
        return replace(caller, proof=proof if proof and self._clock.now() < proof.until else None)

    def forget(self, holder: str) -> None:
        """Drop every proof of a holder: its session or conversation has ended."""
        for key in [key for key in self._held if key[1] == holder]:
            del self._held[key]

    async def _issue(self, caller: Caller, proof: Proof, holder: str) -> Proof:
        def work(connection: Connection) -> None:
            told = {"with": proof.kind.value, "purpose": proof.purpose, "until": proof.until.isoformat()}
            self._witness(connection, AuditKind.STEPPED_UP, actor_of(caller), caller.person_id, told)

        await self._database.write(work)
        key = (caller.person_id, holder, proof.purpose)
        self._held[key] = proof
        self._held.move_to_end(key)
        while len(self._held) > MOST:
            self._held.popitem(last=False)
        return proof


def _person(caller: Caller) -> str:
    if not caller.person_id:
        raise NotAllowedError(
            "Only a person on record can prove who they are.",
            next="Sign in as yourself: this token belongs to no person.",
        )
    return caller.person_id
