"""People as a real Home Assistant knows them."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from homesteward.app import House
from homesteward.home.users import HaUser, users_of
from homesteward.people import Role
from homesteward.people.looking import Lookout

pytestmark = pytest.mark.hass


@pytest.fixture
async def admin(socket) -> AsyncIterator[str]:
    """The id of a second administrator of Home Assistant, who is gone after the test."""
    made = await socket.ask("config/auth/create", name="Ada", group_ids=["system-admin"], local_only=False)
    user_id = made["user"]["id"]
    yield user_id
    await socket.ask("config/auth/delete", user_id=user_id)


async def test_home_assistants_users_are_told_apart_by_what_they_may_there(house: House, admin: str):
    users = {user.user_id: user for user in await users_of(house.link)}
    assert users[admin] == HaUser(admin, "Ada", is_admin=True)
    assert [user.is_admin for user in users.values() if user.user_id != admin].count(True) == 1
    assert [user.is_admin for user in users.values()].count(False) >= 1


async def test_who_stops_administrating_home_assistant_is_a_member_here_without_signing_in_again(house, socket, admin):
    people = house.desk.people
    ada = await people.signed_in_with_ha(admin, "Ada", is_admin=True)
    looks: asyncio.Queue[tuple] = asyncio.Queue()
    end = await Lookout(house.link.mirror, house.link, people, looks.put_nowait).start()
    try:
        async with asyncio.timeout(20):
            await looks.get()
            assert (await people.get(ada.id)).role is Role.OWNER

            await socket.ask("config/auth/update", user_id=admin, group_ids=["system-users"])
            await looks.get()  # the house looks as well: whichever came first, it is so after both
            assert (await people.get(ada.id)).role is Role.MEMBER

            await socket.ask("config/auth/update", user_id=admin, is_active=False)
            await looks.get()
            assert (await people.get(ada.id)).disabled
    finally:
        await end()
