"""A growing lockout against guessing: per person across every channel, and per address. It is kept, so that no restart forgives it.

A try counts before it is checked, in a transaction of its own: of a hundred guesses sent at once, only as many are looked at as
a hundred in a row would be. What is right is refused too while it lasts, else guessing would go on behind it.
"""

import ipaddress
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select

from homesteward.core import Clock
from homesteward.core.json import JsonObject
from homesteward.people.audit import NOBODY, AuditKind, Witness, actor_of
from homesteward.people.caller import Caller
from homesteward.people.errors import LockedOutError
from homesteward.people.rights import require_owner
from homesteward.store import Database
from homesteward.store.tables import lockouts

# How long, from the failure on with which a subject has no free try left: the last step holds for every further one.
STEPS = tuple(timedelta(minutes=minutes) for minutes in (0.5, 1, 5, 15, 60, 240, 720, 1440))
LAST = len(STEPS) - 1
DECAY = timedelta(hours=24)
"""One failure is forgiven for each such time without another: guessing at the last step's pace gains nothing by waiting."""
KEPT_FOR = timedelta(days=60)
MOST = 20_000  # subjects; addresses can be made up, and the oldest of them go first


@dataclass(frozen=True, slots=True)
class Kind:
    """What failures count against: how many are free, and what is forgiven to it when somebody gets it right."""

    free: int
    forgiven: bool
    """Whether getting it right forgives all; where not, only the try itself: else one's own PIN would reset an address."""


KINDS: Mapping[str, Kind] = {
    "pin": Kind(free=5, forgiven=True),
    "address": Kind(
        free=20, forgiven=False
    ),  # a household shares one, and so does everybody behind Home Assistant's panel
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How many failures count against a subject, and until when it is refused."""

    failures: int = 0
    until: datetime | None = None


class Lockouts:
    """The lockouts of one home. A subject is `pin:<person>` or `address:<ip>`."""

    def __init__(self, database: Database, home_id: str, clock: Clock, witness: Witness) -> None:
        self._database = database
        self._home_id = home_id
        self._clock = clock
        self._witness = witness

    async def count(self, *subjects: str) -> None:
        """Count one try against each subject before it is checked; raise LockedOutError, counting nothing, where one is refused."""
        refused = await self._database.write(lambda connection: self._count(connection, subjects))
        if refused:
            raise LockedOutError("There were too many wrong tries.", refused - self._clock.now())

    async def failed(self, *subjects: str) -> None:
        """Put on record which of the subjects are refused from now on: the try was wrong."""
        await self._database.write(lambda connection: self._tell(connection, subjects))

    async def succeeded(self, *subjects: str) -> None:
        """Take back what the try counted: it was right."""
        await self._database.write(lambda connection: self._settle(connection, subjects))

    async def standing(self, subject: str) -> Standing:
        """Return what counts against a subject now."""
        return await self._database.read(lambda connection: self._now(connection, subject))

    async def locked(self) -> Mapping[str, datetime]:
        """Return every subject that is refused now, with until when."""
        query = select(lockouts.c.subject, lockouts.c.until).where(
            lockouts.c.home_id == self._home_id, lockouts.c.until > self._clock.now()
        )
        return await self._database.read(lambda c: {row.subject: row.until for row in c.execute(query)})

    async def lift(self, by: Caller, subject: str) -> None:
        """Forgive a subject everything; raise NotAllowedError for anybody but an owner."""
        require_owner(by)

        def work(connection: Connection) -> None:
            connection.execute(delete(lockouts).where(*self._key(subject)))
            self._witness(connection, AuditKind.UNLOCKED, actor_of(by), subject, {})

        await self._database.write(work)

    async def tidy(self) -> int:
        """Drop what no longer counts, and the oldest beyond the bound; return how many rows went."""
        return await self._database.write(self._tidy)

    def _count(self, connection: Connection, subjects: Sequence[str]) -> datetime | None:
        """Count, and return nothing; or count nothing, and return until when the longest lockout lasts."""
        now = self._clock.now()
        before = {subject: self._now(connection, subject, lock=True) for subject in dict.fromkeys(subjects)}
        until = [standing.until for standing in before.values() if standing.until and standing.until > now]
        if until:
            return max(until)
        for subject, standing in before.items():
            failures = standing.failures + 1
            beyond = failures - kind_of(subject).free
            self._write(connection, subject, failures, now + STEPS[min(beyond, LAST)] if beyond >= 0 else None)
        return None

    def _tell(self, connection: Connection, subjects: Sequence[str]) -> None:
        for subject in dict.fromkeys(subjects):
            standing = self._now(connection, subject)
            if standing.until and standing.until > self._clock.now():
                told: JsonObject = {"failures": standing.failures, "until": standing.until.isoformat()}
                self._witness(connection, AuditKind.LOCKED_OUT, NOBODY, subject, told)

    def _settle(self, connection: Connection, subjects: Sequence[str]) -> None:
        for subject in dict.fromkeys(subjects):
            kind, standing = kind_of(subject), self._now(connection, subject, lock=True)
            left = standing.failures - 1
            if kind.forgiven or left <= 0:
                connection.execute(delete(lockouts).where(*self._key(subject)))
            else:
                self._write(connection, subject, left, standing.until if left >= kind.free else None)

    def _now(self, connection: Connection, subject: str, *, lock: bool = False) -> Standing:
        """Return what counts now, as it was written less what time has forgiven; with `lock`, nobody else counts meanwhile."""
        query = select(lockouts).where(*self._key(subject))
        row = connection.execute(query.with_for_update() if lock else query).first()
        if row is None:
            return Standing()
        forgiven = max(0, (self._clock.now() - row.last) // DECAY)
        return Standing(max(0, row.failures - forgiven), row.until)

    def _write(self, connection: Connection, subject: str, failures: int, until: datetime | None) -> None:
        values = {"failures": failures, "last": self._clock.now(), "until": until}
        done = connection.execute(lockouts.update().where(*self._key(subject)).values(**values))
        if not done.rowcount:
            connection.execute(lockouts.insert().values(home_id=self._home_id, subject=subject, **values))

    def _tidy(self, connection: Connection) -> int:
        own = lockouts.c.home_id == self._home_id
        gone = connection.execute(delete(lockouts).where(own, lockouts.c.last < self._clock.now() - KEPT_FOR)).rowcount
        beyond = select(lockouts.c.subject).where(own, lockouts.c.subject.like("address:%"))
        beyond = beyond.order_by(lockouts.c.last.desc()).offset(MOST)
        subjects = connection.execute(beyond).scalars().all()
        for subject in subjects:
            connection.execute(delete(lockouts).where(*self._key(subject)))
        return gone + len(subjects)

    def _key(self, subject: str) -> tuple[Any, ...]:
        return (lockouts.c.home_id == self._home_id, lockouts.c.subject == subject)


def of_pin(person_id: str) -> str:
    """Return the subject of a person's PIN."""
    return f"pin:{person_id}"


def of_address(address: str) -> str:
    """Return the subject of a network address; of IPv6 the /64 that one household or host has for itself."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "address:unknown"
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return f"address:{found.ipv4_mapped}"
        return f"address:{ipaddress.ip_network((found, 64), strict=False).network_address}/64"
    return f"address:{found}"


def kind_of(subject: str) -> Kind:
    """Return the kind of a subject; an unknown one has the fewest free tries."""
    return KINDS.get(subject.partition(":")[0], KINDS["pin"])
