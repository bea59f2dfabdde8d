"""Home Assistant's users, looked at whenever they are others."""

import asyncio

import pytest

from homesteward.home.errors import NotConnectedError, UnexpectedAnswerError
from homesteward.home.users import HaUser, users_of
from homesteward.people import Role
from homesteward.people.looking import Lookout


class Far:
    """Home Assistant as far as its users go: answers with them, and tells that they are others."""

    def __init__(self, *users):
        self.users = list(users)
        self.failing = None
        self.asked = asyncio.Event()
        self.listeners, self.knowing = {}, []

    async def send(self, kind, /):
        assert kind == "config/auth/list"
        self.asked.set()
        if self.failing:
            raise self.failing
        return self.users

    async def listen(self, event_type, handler):
        self.listeners[event_type] = handler
        return lambda: self.listeners.pop(event_type)

    def on_known(self, callback):
        self.knowing.append(callback)
        return lambda: self.knowing.remove(callback)


def user(user_id, *groups, **more):
    return {"id": user_id, "name": user_id, "is_owner": False, "is_active": True, "group_ids": list(groups)} | more


ADMIN = "system-admin"


async def test_who_administrates_home_assistant_is_read_from_its_own_list():
    far = Far(
        user("owner", is_owner=True),
        user("admin", ADMIN),
        user("gone", ADMIN, is_active=False),
        user("ben", "system-users"),
        user("supervisor", ADMIN, system_generated=True),
    )
    assert await users_of(far) == (
        HaUser("owner", "owner", is_admin=True),
        HaUser("admin", "admin", is_admin=True),
        HaUser("gone", "gone", is_admin=False, is_active=False),
        HaUser("ben", "ben", is_admin=False),
    )


async def test_an_answer_that_is_no_list_is_an_error():
    far = Far()
    far.users = {}
    with pytest.raises(UnexpectedAnswerError):
        await users_of(far)


@pytest.fixture
async def looks(desk, olga):
    """Start to look, and return what to wait on for the next look's result; ended after the test."""
    results, ends = asyncio.Queue(), []

    async def start(far):
        ends.append(await Lookout(far, far, desk.people, results.put_nowait).start())
        return results

    yield start
    for end in ends:
        await end()


async def test_an_owner_who_is_no_longer_an_administrator_is_a_member_as_soon_as_that_is_told(looks):
    far = Far(user("ha_olga", ADMIN), user("ha_anna", ADMIN))
    results = await looks(far)
    assert await results.get() == ()
    far.users[0] = user("ha_olga")

    far.listeners["user_updated"]({})

    assert [person.role for person in await results.get()] == [Role.MEMBER]


async def test_a_look_that_failed_is_made_again_when_the_home_is_known_anew(looks):
    far = Far(user("ha_olga"), user("ha_anna", ADMIN))
    far.failing = NotConnectedError()
    results = await looks(far)
    await far.asked.wait()
    assert results.empty()
    far.failing = None

    far.knowing[0](None)

    assert [person.role for person in await results.get()] == [Role.MEMBER]


async def test_whoever_stops_looking_listens_to_nothing_any_more(desk, olga):
    far = Far(user("ha_olga", ADMIN))
    end = await Lookout(far, far, desk.people).start()
    await end()
    assert (far.listeners, far.knowing) == ({}, [])
