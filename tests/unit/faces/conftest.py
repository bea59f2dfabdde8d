"""Everybody who may knock: persons with a session in their browser, programs with tokens, and the service's own token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

import httpx2
import pytest

from homesteward.app import House, wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.people.desk import FrontDesk
from homesteward.people.tokens import Wanted
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings

ORIGIN = "http://localhost"
SESSION = "homesteward-session-80"
SERVICE = Caller(Role.OWNER, Channel.API, "owner")
KITCHEN = Reach.of(areas=["kitchen"])


@dataclass(slots=True)
class Somebody:
    """Who knocks: what they prove it with, and what they may do by that."""

    role: Role
    headers: dict[str, str] = field(default_factory=dict)
    scopes: frozenset[Scope] | None = None
    person_id: str = ""


class Household:
    """The people of a house, and clients for them."""

    def __init__(self, house: House) -> None:
        assert house.desk
        assert house.memory.chronicle
        self.house, self.desk, self.chronicle = house, house.desk, house.memory.chronicle

    async def person(self, role: Role) -> Somebody:
        """Somebody of this role, just signed in with a browser, whose page knows its token."""
        person = await person_of(self.desk, role, self.house)
        opened = await self.desk.sessions.begin(person, Channel.PAGE)
        headers = {"cookie": f"{SESSION}={opened.cookie}", "origin": ORIGIN}
        async with self.client(Somebody(role, headers)) as client:
            headers["x-homesteward-csrf"] = (await client.get("/api/v1/me")).json()["csrf"]
        return Somebody(role, headers, person_id=person.id)

    async def token(
        self, *scopes: Scope, role: Role = Role.OWNER, reach: Reach | None = None, days: int | None = None
    ) -> Somebody:
        """A program of the service's, in this role."""
        ends = self.house.clock.now() + timedelta(days=days) if days else None
        wanted = Wanted("program", frozenset(scopes), reach, role, ends=ends)
        made = await self.desk.tokens.add(SERVICE, self.house.home, wanted)
        return Somebody(role, {"authorization": f"Bearer {made.text}"}, frozenset(scopes))

    def service(self) -> Somebody:
        """Whoever reads service.json."""
        return Somebody(Role.OWNER, {"authorization": f"Bearer {self.house.token}"})

    @asynccontextmanager
    async def client(self, somebody: Somebody | None = None) -> AsyncIterator[httpx2.AsyncClient]:
        """A client for somebody, or for nobody; each on a face of its own unless it is asked for again."""
        transport = httpx2.ASGITransport(app=self.api, raise_app_exceptions=False)
        headers = dict(somebody.headers) if somebody else {}
        async with httpx2.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
            yield client

    @property
    def api(self):
        """The one face that everybody knocks at: page tokens of another would be worth nothing."""
        if not hasattr(self, "_api"):
            self._api = self.house.api
        return self._api


async def person_of(desk: FrontDesk, role: Role, house: House):
    if role is Role.GUEST:
        ends = house.clock.now() + timedelta(days=2)
        return await desk.people.add(SERVICE, "Guest", Role.GUEST, ends=ends)
    return await desk.people.signed_in_with_ha(f"ha_{role}", role.value.title(), is_admin=role is Role.OWNER)


@pytest.fixture
async def house(home, tmp_path) -> AsyncIterator[House]:
    """A Homesteward over `home` as in the other rooms' tests, which remembers besides what happens."""
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    async with wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, SystemClock(), Redactor()) as built:
        yield built


@pytest.fixture
def household(house) -> Household:
    """The people of `house`."""
    return Household(house)
