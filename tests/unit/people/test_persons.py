"""Who somebody is: by Home Assistant's word, or by an owner's, and never more than that."""

from datetime import UTC, datetime, timedelta

import pytest

from homesteward.home.model import Device as HaDevice
from homesteward.home.users import HaUser
from homesteward.people import SYSTEM, Channel, Role
from homesteward.people.devices import Device
from homesteward.people.errors import (
    InvalidPersonError,
    LastOwnerError,
    NobodyError,
    NotAllowedError,
    UnknownPersonError,
)
from homesteward.people.person import Change
from homesteward.people.persons import People
from homesteward.store.tables import lockouts, persons, pins, sessions, tokens

WEEK = timedelta(days=7)
NEXT_WEEK = datetime(2026, 12, 7, tzinfo=UTC)


def users(*admins, members=()):
    return [HaUser(f"ha_{name}", name, is_admin=True) for name in admins] + [
        HaUser(f"ha_{name}", name, is_admin=False) for name in members
    ]


async def test_an_administrator_of_home_assistant_is_an_owner_and_everybody_else_a_member(desk, olga, ben):
    assert (olga.role, ben.role) == (Role.OWNER, Role.MEMBER)
    assert await desk.people.list() == (olga, ben)


async def test_who_signs_in_again_is_the_same_person_under_the_name_they_were_given_here(desk, olga, ben, asks):
    await desk.people.change(asks(olga), ben.id, Change(name="Benjamin"))

    again = await desk.people.signed_in_with_ha("ha_ben", "ben99", is_admin=False)

    assert (again.id, again.name) == (ben.id, "Benjamin")


async def test_an_owner_who_no_longer_administrates_home_assistant_is_a_member_at_the_next_sign_in(desk, olga):
    assert (await desk.people.signed_in_with_ha("ha_olga", "Olga", is_admin=False)).role is Role.MEMBER


async def test_becoming_an_administrator_there_makes_nobody_an_owner_here_without_an_owners_word(desk, ben):
    assert (await desk.people.signed_in_with_ha("ha_ben", "Ben", is_admin=True)).role is Role.MEMBER


async def test_a_look_at_home_assistants_users_demotes_and_disables_whom_it_no_longer_lets_in(desk, olga, ben, asks):
    session = await desk.sessions.begin(ben, Channel.PAGE)

    changed = await desk.people.look(users("anna", members=("olga",)))

    assert [(person.name, person.role, bool(person.disabled)) for person in changed] == [
        ("Olga", Role.MEMBER, False),
        ("Ben", Role.MEMBER, True),
    ]
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(session.cookie)
    with pytest.raises(NobodyError):
        asks(await desk.people.get(ben.id))


async def test_a_look_that_changes_nothing_puts_nothing_on_record(desk, olga, ben, witnessed):
    witnessed.entries.clear()
    assert await desk.people.look(users("olga", members=("ben",))) == ()
    assert witnessed.entries == []


async def test_a_list_of_users_without_an_administrator_is_not_believed(desk, olga, ben):
    assert await desk.people.look(users(members=("ben",))) == ()
    assert (await desk.people.get(olga.id)).role is Role.OWNER


async def test_a_guest_is_nobody_once_the_stay_is_over(desk, olga, asks, clock):
    guest = await desk.people.add(asks(olga), "Gina", Role.GUEST, ends=clock.now() + WEEK)
    assert asks(guest).role is Role.GUEST

    clock.advance(WEEK)

    with pytest.raises(NobodyError):
        asks(guest)


async def test_a_stay_is_prolonged_by_an_owner(desk, olga, asks, clock):
    guest = await desk.people.add(asks(olga), "Gina", Role.GUEST, ends=clock.now() + WEEK)
    longer = await desk.people.change(asks(olga), guest.id, Change(ends=clock.now() + 2 * WEEK))
    clock.advance(WEEK)
    assert asks(longer).role is Role.GUEST


@pytest.mark.parametrize("days", [None, -1, 0, 400])
async def test_a_guest_without_an_end_that_lies_ahead_is_refused(desk, olga, asks, clock, days):
    ends = None if days is None else clock.now() + timedelta(days=days)
    with pytest.raises(InvalidPersonError, match="stay ends"):
        await desk.people.add(asks(olga), "Gina", Role.GUEST, ends=ends)


@pytest.mark.parametrize("role", [Role.OWNER, Role.TOKEN, Role.TRIGGER, Role.SYSTEM])
async def test_nobody_is_added_as_more_than_a_member(desk, olga, asks, role):
    with pytest.raises(InvalidPersonError):
        await desk.people.add(asks(olga), "Zoe", role, ha_user_id="ha_zoe")


async def test_a_member_has_a_user_in_home_assistant(desk, olga, asks):
    with pytest.raises(InvalidPersonError, match="user in Home Assistant"):
        await desk.people.add(asks(olga), "Zoe", Role.MEMBER)


async def test_a_guest_with_a_user_stays_a_guest_however_they_sign_in(desk, olga, asks, clock):
    guest = await desk.people.add(asks(olga), "Gina", Role.GUEST, ha_user_id="ha_gina", ends=clock.now() + WEEK)
    signed_in = await desk.people.signed_in_with_ha("ha_gina", "Gina", is_admin=True)
    assert (signed_in.id, signed_in.role) == (guest.id, Role.GUEST)


async def test_one_user_of_home_assistant_is_one_person(desk, olga, asks):
    with pytest.raises(InvalidPersonError, match="already"):
        await desk.people.add(asks(olga), "Olga again", Role.MEMBER, ha_user_id="ha_olga")


@pytest.mark.parametrize(
    "change", [Change(role=Role.MEMBER), Change(disabled=True), Change(role=Role.GUEST, ends=NEXT_WEEK), None]
)
async def test_the_last_owner_stays_one(desk, olga, ben, service, change):
    attempt = desk.people.remove(service, olga.id) if change is None else desk.people.change(service, olga.id, change)
    with pytest.raises(LastOwnerError):
        await attempt
    assert (await desk.people.get(olga.id)) == olga


async def test_an_owner_can_go_where_another_stays(desk, olga, ben, service):
    await desk.people.change(service, ben.id, Change(role=Role.OWNER))
    await desk.people.remove(service, olga.id)
    assert [person.name for person in await desk.people.list()] == ["Ben"]


async def test_nobody_is_made_an_owner_whom_home_assistant_knows_as_none(desk, olga, ben, service):
    await desk.people.look(users("olga", members=("ben",)))
    with pytest.raises(InvalidPersonError, match="administrator"):
        await desk.people.change(service, ben.id, Change(role=Role.OWNER))


async def test_another_role_ends_every_session_of_a_person(desk, ben, service):
    opened = await desk.sessions.begin(ben, Channel.PAGE)
    await desk.people.change(service, ben.id, Change(role=Role.OWNER))
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(opened.cookie)


async def test_disabling_ends_what_somebody_holds_and_enabling_lets_them_in_again(desk, ben, service, asks):
    opened = await desk.sessions.begin(ben, Channel.PAGE)
    disabled = await desk.people.change(service, ben.id, Change(disabled=True))

    with pytest.raises(NobodyError):
        asks(disabled)
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(opened.cookie)
    with pytest.raises(NobodyError):
        await desk.people.signed_in_with_ha("ha_ben", "Ben", is_admin=False)

    await desk.people.change(service, ben.id, Change(disabled=False))
    assert (await desk.people.signed_in_with_ha("ha_ben", "Ben", is_admin=False)).id == ben.id


async def test_only_an_owner_changes_people(desk, ben, asks, clock):
    by = asks(ben)
    for attempt in (
        desk.people.add(by, "Gina", Role.GUEST, ends=clock.now() + WEEK),
        desk.people.change(by, ben.id, Change(role=Role.OWNER)),
        desk.people.remove(by, ben.id),
        desk.lockouts.lift(by, f"pin:{ben.id}"),
    ):
        with pytest.raises(NotAllowedError):
            await attempt


async def test_a_removed_person_leaves_nothing_behind(desk, database, ben, service, home):
    await desk.pins.put(service, ben.id, "7391")
    await desk.sessions.begin(ben, Channel.PAGE)
    await desk.lockouts.count(f"pin:{ben.id}")

    await desk.people.remove(service, ben.id)

    for table in (persons, pins, sessions, tokens, lockouts):
        rows = await database.read(lambda connection, table=table: connection.execute(table.select()).all())
        assert not any(ben.id in map(str, row) or f"pin:{ben.id}" in row for row in rows), table.name
    with pytest.raises(UnknownPersonError):
        await desk.people.get(ben.id)


@pytest.mark.parametrize("name", ["", "   ", "\u200b\n", "x" * 81])
async def test_a_name_is_one_line_that_can_be_read(desk, ben, service, name):
    with pytest.raises(InvalidPersonError, match="name"):
        await desk.people.change(service, ben.id, Change(name=name))


async def test_persons_of_another_home_are_none_here(desk, database, olga, clock, witnessed):
    other = People(database, "home_2", clock, witnessed)
    assert await other.list() == ()
    with pytest.raises(UnknownPersonError):
        await other.get(olga.id)
    with pytest.raises(UnknownPersonError):
        await other.remove(SYSTEM, olga.id)


async def test_a_person_on_a_shared_device_has_the_lesser_of_both_roles(olga, ben, asks, clock):
    kiosk = Device("d1", "Hall kiosk", Role.GUEST, clock.now(), "owner")
    wall = Device("d2", "Wall", Role.MEMBER, clock.now(), "owner")
    roles = [asks(olga, device=kiosk).role, asks(olga, device=wall).role, asks(ben, device=wall).role]
    assert roles == [Role.GUEST, Role.MEMBER, Role.MEMBER]


async def test_a_satellite_asks_with_its_own_role_from_where_home_assistant_has_it(desk, home, service):
    home.devices["d1"] = HaDevice("d1", "Kitchen satellite", "kitchen")
    device = await desk.devices.put(service, home, "d1", Role.GUEST)

    caller = desk.devices.caller_of(device, Channel.API, home)

    assert (caller.role, caller.person, caller.area_id, caller.device_id) == (
        Role.GUEST,
        "Kitchen satellite",
        "kitchen",
        "d1",
    )
    del home.devices["d1"]
    with pytest.raises(NobodyError):
        desk.devices.caller_of(device, Channel.API, home)


async def test_a_device_is_never_an_owner(desk, home, service):
    home.devices["d1"] = HaDevice("d1", "Kitchen satellite", "kitchen")
    with pytest.raises(InvalidPersonError):
        await desk.devices.put(service, home, "d1", Role.OWNER)


async def test_every_change_of_people_is_on_record_with_who_made_it(desk, olga, ben, asks, witnessed, clock):
    witnessed.entries.clear()
    guest = await desk.people.add(asks(olga), "Gina", Role.GUEST, ends=clock.now() + WEEK)
    await desk.people.change(asks(olga), guest.id, Change(name="Georgina"))
    await desk.people.remove(asks(olga), guest.id)

    actor = f"person:{olga.id}"
    assert witnessed.entries == [
        ("person.added", actor, guest.id, {"name": "Gina", "role": "guest"}),
        ("person.changed", actor, guest.id, {"name": ["Gina", "Georgina"]}),
        ("person.removed", actor, guest.id, {"name": "Georgina", "role": "guest"}),
    ]
