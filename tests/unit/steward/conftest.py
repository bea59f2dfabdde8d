"""A Homesteward whose owner asks for a PIN at locks, and people who live there."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from argon2 import PasswordHasher

from homesteward.app import House, wire
from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Proof, ProofKind, pins
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings

type Meet = Callable[..., Awaitable[Caller]]
type OpenHouse = Callable[[], Awaitable[House]]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
async def open_guarded(home, clock, tmp_path, monkeypatch) -> AsyncIterator[OpenHouse]:
    """Open the house; once more is a restart on the same data. A PIN is hashed as always, in a hundredth of the time."""
    monkeypatch.setattr(pins, "PasswordHasher", partial(PasswordHasher, time_cost=1, memory_cost=64))
    opened = []

    async def close_last() -> None:
        if opened:
            await opened.pop().__aexit__(None, None, None)

    async def make() -> House:
        await close_last()
        policy = PolicySettings(dry_run=False, verify_factor=0.01)
        (tmp_path / policy.file).write_text(
            "version: 1\nrules: [{name: locks, when: {domain: lock, not: {role: guest}}, then: confirm, pin: true}]"
        )
        built = wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, clock, Redactor())
        house = await built.__aenter__()
        opened.append(built)
        return house

    yield make
    await close_last()


@pytest.fixture
async def guarded(open_guarded) -> House:
    """A house of preset family in which every lock takes a PIN."""
    return await open_guarded()


@pytest.fixture
def meet(clock) -> Meet:
    """Let somebody sign in, who chooses `pin` where one is given."""

    async def somebody(house: House, name: str, pin: str = "", *, is_admin: bool = False) -> Caller:
        person = await house.desk.people.signed_in_with_ha(f"ha_{name}", name, is_admin=is_admin)
        caller = house.desk.people.caller_of(person, Channel.PAGE)
        if pin:
            proof = Proof(ProofKind.SIGN_IN, pins.CHANGE_PIN, clock.now() + timedelta(minutes=5))
            await house.desk.pins.put(replace(caller, proof=proof), person.id, pin)
        return caller

    return somebody
