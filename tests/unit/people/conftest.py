"""A front desk over a new database, with a clock that stands still and everything that was witnessed in a list."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from argon2 import PasswordHasher
from argon2.profiles import CHEAPEST

from homes import small_home
from homesteward.core import FrozenClock
from homesteward.people import Caller, Channel, Proof, ProofKind, Role
from homesteward.people.desk import FrontDesk
from homesteward.people.pins import CHANGE_PIN

HOME = "home_1"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


@dataclass
class Witnessed:
    """What was put on record, in order."""

    entries: list[tuple[str, str, str, dict]] = field(default_factory=list)

    def __call__(self, _connection, kind, actor, subject, data):
        self.entries.append((str(kind), actor, subject, dict(data)))

    @property
    def kinds(self) -> list[str]:
        """The kinds of the entries, in order."""
        return [kind for kind, *_ in self.entries]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(NOW)


@pytest.fixture
def witnessed() -> Witnessed:
    return Witnessed()


@pytest.fixture
def said() -> list[str]:
    """What was told at the machine itself."""
    return []


@pytest.fixture
async def database(open_database):
    return await open_database()


@pytest.fixture
def desk(database, clock, witnessed, said) -> FrontDesk:
    """The desk of one home; PINs are hashed as cheaply as argon2 can."""
    return FrontDesk.over(
        database, HOME, clock, witnessed, say=said.append, hasher=PasswordHasher.from_parameters(CHEAPEST)
    )


@pytest.fixture
def home(clock):
    return small_home(clock)


@pytest.fixture
def service() -> Caller:
    """The service's own token: the owner at this machine, who is no person on record."""
    return Caller(Role.OWNER, Channel.API, "owner")


@pytest.fixture
async def olga(desk):
    """An administrator of Home Assistant, and so an owner."""
    return await desk.people.signed_in_with_ha("ha_olga", "Olga", is_admin=True)


@pytest.fixture
async def ben(desk, olga):
    """Another user of Home Assistant, and so a member."""
    return await desk.people.signed_in_with_ha("ha_ben", "Ben", is_admin=False)


@pytest.fixture
def asks(desk):
    """Make a caller of a person who is signed in on a page."""
    return lambda person, **more: desk.people.caller_of(person, Channel.PAGE, **more)


@pytest.fixture
async def guarded(desk, ben, asks, clock):
    """Ben with a PIN of his own choice: 7391."""
    proof = Proof(ProofKind.SIGN_IN, CHANGE_PIN, clock.now() + timedelta(minutes=5))
    await desk.pins.put(asks(ben, proof=proof), ben.id, "7391")
    return ben
