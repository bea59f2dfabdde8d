"""The front desk: everything that knows who is asking, in one hand, for whoever builds a house or a face."""

from collections.abc import Callable
from dataclasses import dataclass, field
from secrets import token_bytes

from argon2 import PasswordHasher

from homesteward.core import Clock
from homesteward.people.audit import Witness
from homesteward.people.devices import Devices
from homesteward.people.leaving import Leaving
from homesteward.people.lockout import Lockouts
from homesteward.people.person_rows import PersonRows
from homesteward.people.persons import People
from homesteward.people.pins import Pins
from homesteward.people.proofs import StepUp
from homesteward.people.rate import RateLimits
from homesteward.people.sessions import Sessions
from homesteward.people.setup import Setup
from homesteward.people.still import StillThere
from homesteward.people.tokens import Tokens
from homesteward.store import Database


@dataclass(frozen=True, slots=True)
class FrontDesk:
    """Persons, devices, tokens, PINs, lockouts, proofs, sessions, the first-run set-up, the rate limits, and who is still let in, of one home."""

    people: People
    devices: Devices
    tokens: Tokens
    pins: Pins
    lockouts: Lockouts
    step_up: StepUp
    sessions: Sessions
    setup: Setup
    rates: RateLimits
    leaving: Leaving
    still: StillThere
    page_key: bytes = field(default_factory=lambda: token_bytes(32), repr=False)
    """What page tokens are made with: the same after a restart where it was given, so that open pages go on."""

    @classmethod
    def over(
        cls,
        database: Database,
        home_id: str,
        clock: Clock,
        witness: Witness,
        *,
        say: Callable[[str], None],
        hasher: PasswordHasher | None = None,
        page_key: bytes | None = None,
    ) -> FrontDesk:
        """Return the desk of one home over its database. `say` tells the set-up code at this machine; `hasher` hashes PINs.

        Without a `page_key` that is kept, page tokens are worth nothing after a restart.
        """
        leaving = Leaving()
        witness = leaving.told_by(witness)
        people = People(database, home_id, clock, witness)
        lockouts = Lockouts(database, home_id, clock, witness)
        pins = Pins(database, home_id, clock, witness, lockouts, hasher)
        return cls(
            people=people,
            devices=Devices(database, home_id, clock, witness),
            tokens=Tokens(database, home_id, clock, witness),
            pins=pins,
            lockouts=lockouts,
            step_up=StepUp(database, clock, witness, pins),
            sessions=Sessions(database, home_id, clock, witness),
            setup=Setup(database, clock, witness, people, say),
            rates=RateLimits(clock),
            leaving=leaving,
            still=StillThere(database, home_id, clock, PersonRows(home_id, clock, witness)),
            page_key=page_key or token_bytes(32),
        )

    async def tidy(self) -> None:
        """Forget what is over: sessions and lockouts. To be called now and then, at night for one."""
        await self.sessions.tidy()
        await self.lockouts.tidy()
