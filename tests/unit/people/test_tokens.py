"""Machine tokens: shown once, never above their person, dead as soon as anything about them is over."""

import hmac
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.model import Area
from homesteward.people import Channel, Reach, Role, Scope
from homesteward.people.errors import InvalidPersonError, NobodyError, NotAllowedError, UnknownTokenError
from homesteward.people.person import Change, Person
from homesteward.people.roles import ORDER, SCOPES
from homesteward.people.token import Token
from homesteward.people.tokens import Tokens, Wanted
from homesteward.store.tables import tokens

READ = frozenset({Scope.READ})
EVERYDAY = frozenset({Scope.READ, Scope.PROPOSE, Scope.ACT})
DAY = timedelta(days=1)


@pytest.fixture
def make(desk, home):
    """Make a token as somebody."""

    async def made(by, **wanted):
        return await desk.tokens.add(by, home, Wanted(**{"name": "Wall panel", "scopes": EVERYDAY} | wanted))

    return made


async def test_a_token_stands_for_its_person_with_its_scopes_and_reach(desk, make, ben, asks):
    new = await make(asks(ben), reach=Reach.of(areas=["kitchen"]))

    caller = await desk.tokens.caller_of(new.text, Channel.API)

    assert re.fullmatch(r"hs_[0-9a-f]{16}_[\w-]{43}", new.text)
    assert (caller.role, caller.person, caller.person_id, caller.token_id) == (
        Role.TOKEN,
        "Wall panel",
        ben.id,
        new.token.id,
    )
    assert (caller.scopes, caller.reach, caller.proof) == (EVERYDAY, Reach.of(areas=["kitchen"]), None)


async def test_nothing_of_the_token_is_kept_but_its_hash(desk, make, ben, asks, database, witnessed):
    new = await make(asks(ben))
    secret = new.text.split("_", 2)[2]

    row = await database.read(lambda connection: connection.execute(tokens.select()).one())

    assert secret not in str(row)
    assert secret not in str(witnessed.entries)
    assert secret not in repr(new)
    assert re.fullmatch(r"[0-9a-f]{64}", row.hash)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda _: "",
        lambda _: "hs_",
        lambda _: "hs__",
        lambda text: text[:-1],
        lambda text: text + "A",
        lambda text: text.swapcase(),
        lambda text: text.removeprefix("hs_"),
        lambda text: "hs_0000000000000000_" + text.split("_", 2)[2],
        lambda text: text.split("_", 2)[0] + "_" + text.split("_", 2)[1] + "_",
        lambda text: text.replace("_", "\x00"),
        lambda _: "Ā" * 50,
    ],
)
async def test_a_token_that_is_not_exactly_right_is_unknown_in_the_same_words(desk, make, ben, asks, spoil):
    new = await make(asks(ben))
    with pytest.raises(NobodyError, match="no token that is known here") as refused:
        await desk.tokens.caller_of(spoil(new.text), Channel.API)
    assert new.token.id not in refused.value.message


async def test_for_an_unknown_id_as_much_is_compared_as_for_a_wrong_secret(desk, make, ben, asks, monkeypatch):
    """What takes as long tells nothing; how long itself would hang on what else this machine does."""
    new = await make(asks(ben))
    compared = []
    compare = hmac.compare_digest
    monkeypatch.setattr(
        hmac, "compare_digest", lambda one, other: compared.append((len(one), len(other))) or compare(one, other)
    )
    for text in (f"hs_{new.token.id}_{'A' * 43}", f"hs_{'0' * 16}_{'A' * 43}"):
        with pytest.raises(NobodyError):
            await desk.tokens.caller_of(text, Channel.API)
    assert compared == [(64, 64), (64, 64)]


async def test_a_revoked_token_is_dead_at_once(desk, make, ben, asks):
    new = await make(asks(ben))
    await desk.tokens.revoke(asks(ben), new.token.id)
    with pytest.raises(NobodyError, match="revoked"):
        await desk.tokens.caller_of(new.text, Channel.API)
    assert not await desk.tokens.alive(new.token.id)


async def test_a_token_ends_when_its_time_is_over(desk, make, ben, asks, clock):
    new = await make(asks(ben), ends=clock.now() + DAY)
    assert await desk.tokens.alive(new.token.id)
    clock.advance(DAY)
    with pytest.raises(NobodyError, match="time is over"):
        await desk.tokens.caller_of(new.text, Channel.API)


async def test_a_token_is_dead_while_its_person_is_disabled(desk, make, ben, asks, service):
    new = await make(asks(ben))
    await desk.people.change(service, ben.id, Change(disabled=True))
    with pytest.raises(NobodyError):
        await desk.tokens.caller_of(new.text, Channel.API)
    await desk.people.change(service, ben.id, Change(disabled=False))
    assert (await desk.tokens.caller_of(new.text, Channel.API)).token_id == new.token.id


async def test_a_token_of_an_owner_is_less_as_soon_as_the_owner_is(desk, make, olga, ben, asks, service, clock):
    new = await make(asks(olga), role=Role.OWNER, scopes=frozenset(Scope))
    await desk.people.change(service, ben.id, Change(role=Role.OWNER))

    await desk.people.change(service, olga.id, Change(role=Role.MEMBER))
    as_member = await desk.tokens.caller_of(new.text, Channel.API)
    await desk.people.change(service, olga.id, Change(role=Role.GUEST, ends=clock.now() + DAY))
    as_guest = await desk.tokens.caller_of(new.text, Channel.API)

    assert (as_member.role, as_member.scopes) == (Role.MEMBER, EVERYDAY)
    assert (as_guest.role, as_guest.scopes) == (Role.GUEST, EVERYDAY)


@given(
    st.sampled_from(ORDER),
    st.sampled_from([Role.OWNER, Role.MEMBER, Role.GUEST]),
    st.frozensets(st.sampled_from(list(Scope))),
)
def test_a_token_is_never_more_than_its_role_its_scopes_and_its_person(role, of, scopes):
    now = datetime(2026, 11, 30, tzinfo=UTC)
    token = Token("t", "Panel", scopes, Reach(), "p", role, now)

    caller = token.caller(Person("p", "Ben", of, "ha_ben", now, "home_assistant"), Channel.API)

    assert ORDER.index(caller.role) >= max(ORDER.index(role), ORDER.index(of))
    assert caller.scopes <= scopes & SCOPES[of]
    assert caller.reach == Reach()


@pytest.mark.parametrize("scope", [Scope.CONFIGURE, Scope.ADMIN])
async def test_a_members_token_cannot_have_what_a_member_has_not(make, ben, asks, scope):
    with pytest.raises(InvalidPersonError, match=scope):
        await make(asks(ben), scopes=READ | {scope})


async def test_a_members_token_cannot_be_an_owner(make, ben, asks):
    with pytest.raises(InvalidPersonError, match="cannot be owner"):
        await make(asks(ben), role=Role.OWNER)


@pytest.mark.parametrize("role", [Role.SYSTEM, Role.TRIGGER])
async def test_no_token_is_the_system_or_a_trigger(make, service, role):
    with pytest.raises(InvalidPersonError):
        await make(service, role=role)


async def test_a_token_makes_no_tokens_and_neither_does_a_guest(desk, make, olga, asks, clock):
    new = await make(asks(olga), role=Role.OWNER, scopes=frozenset(Scope))
    guest = await desk.people.add(asks(olga), "Gina", Role.GUEST, ends=clock.now() + DAY)
    for by in (await desk.tokens.caller_of(new.text, Channel.API), asks(guest)):
        with pytest.raises(NotAllowedError):
            await make(by)


async def test_nobody_but_an_owner_makes_a_token_for_somebody_else(make, olga, ben, asks):
    with pytest.raises(NotAllowedError):
        await make(asks(ben), person_id=olga.id)
    assert (await make(asks(olga), person_id=ben.id)).token.person_id == ben.id


async def test_the_service_itself_makes_a_token_that_belongs_to_nobody(desk, make, service):
    caller = await desk.tokens.caller_of((await make(service)).text, Channel.API)
    assert (caller.role, caller.person_id) == (Role.TOKEN, "")


async def test_a_token_is_bound_only_to_what_the_home_has(make, ben, asks):
    with pytest.raises(InvalidPersonError, match=r"no attic, light\.none"):
        await make(asks(ben), reach=Reach.of(areas=["attic"], entities=["light.none", "light.kitchen"]))


async def test_a_token_without_a_scope_or_with_an_end_behind_it_is_refused(make, ben, asks, clock):
    with pytest.raises(InvalidPersonError, match="scope"):
        await make(asks(ben), scopes=frozenset())
    with pytest.raises(InvalidPersonError, match="end"):
        await make(asks(ben), ends=clock.now())


async def test_a_member_sees_and_revokes_their_own_tokens_and_an_owner_all(desk, make, olga, ben, asks):
    bens, olgas = await make(asks(ben)), await make(asks(olga))

    assert await desk.tokens.list(asks(ben)) == (bens.token,)
    assert set(await desk.tokens.list(asks(olga))) == {bens.token, olgas.token}
    with pytest.raises(NotAllowedError):
        await desk.tokens.revoke(asks(ben), olgas.token.id)
    assert (await desk.tokens.revoke(asks(olga), bens.token.id)).revoked
    with pytest.raises(UnknownTokenError):
        await desk.tokens.revoke(asks(olga), "none")


async def test_a_token_with_a_reach_administrates_nobody(desk, make, olga, asks, ben):
    new = await make(asks(olga), role=Role.OWNER, reach=Reach.of(areas=["kitchen"]))
    caller = replace(
        await desk.tokens.caller_of(new.text, Channel.API), scopes=frozenset(Scope)
    )  # of an earlier version
    with pytest.raises(NotAllowedError):
        await desk.people.remove(caller, ben.id)


@pytest.mark.parametrize("scope", [Scope.ADMIN, Scope.CONFIGURE])
async def test_a_token_for_a_part_of_the_home_cannot_be_made_for_the_whole_of_it(desk, make, olga, asks, scope):
    with pytest.raises(InvalidPersonError):
        await make(asks(olga), role=Role.OWNER, scopes=frozenset({scope}), reach=Reach.of(areas=["kitchen"]))


async def test_an_owners_token_without_the_scope_admin_administrates_nobody(desk, make, olga, asks, ben):
    new = await make(asks(olga), role=Role.OWNER, scopes=frozenset(Scope) - {Scope.ADMIN})
    caller = await desk.tokens.caller_of(new.text, Channel.API)
    with pytest.raises(NotAllowedError):
        await desk.people.remove(caller, ben.id)


async def test_the_last_use_is_noted_at_most_once_a_minute(desk, make, ben, asks, clock):
    new = await make(asks(ben))
    first = clock.now()
    await desk.tokens.caller_of(new.text, Channel.API)
    clock.advance(timedelta(seconds=59))
    await desk.tokens.caller_of(new.text, Channel.API)
    assert [token.used for token in await desk.tokens.list(asks(ben))] == [first]
    clock.advance(timedelta(seconds=1))
    await desk.tokens.caller_of(new.text, Channel.API)
    assert [token.used for token in await desk.tokens.list(asks(ben))] == [clock.now()]


async def test_the_first_use_and_the_first_of_each_day_are_on_record(desk, make, ben, asks, clock, witnessed):
    new = await make(asks(ben))
    witnessed.entries.clear()
    for step in (timedelta(0), timedelta(hours=1), DAY, timedelta(hours=1)):
        clock.advance(step)
        await desk.tokens.caller_of(new.text, Channel.API, address="192.0.2.1")
    assert [(kind, data["first"]) for kind, _, _, data in witnessed.entries] == [
        ("token.used", True),
        ("token.used", False),
    ]


async def test_a_dead_token_that_goes_on_being_sent_is_on_record_once_a_minute(desk, make, ben, asks, clock, witnessed):
    new = await make(asks(ben))
    await desk.tokens.revoke(asks(ben), new.token.id)
    witnessed.entries.clear()
    for _ in range(3):
        with pytest.raises(NobodyError):
            await desk.tokens.caller_of(new.text, Channel.API)
    assert witnessed.kinds == ["token.failed"]
    clock.advance(timedelta(minutes=1))
    with pytest.raises(NobodyError):
        await desk.tokens.caller_of(new.text, Channel.API)
    assert witnessed.kinds == ["token.failed"] * 2


async def test_a_token_of_another_home_is_unknown_here(database, clock, witnessed, make, ben, asks):
    new = await make(asks(ben))
    with pytest.raises(NobodyError):
        await Tokens(database, "home_2", clock, witnessed).caller_of(new.text, Channel.API)


async def test_a_reach_that_cannot_be_read_reaches_nothing(desk, make, ben, asks, database):
    new = await make(asks(ben), reach=Reach.of(areas=["kitchen"]))
    await database.write(lambda connection: connection.execute(tokens.update().values(reach="broken")))
    assert (await desk.tokens.caller_of(new.text, Channel.API)).reach == Reach()


async def test_lowering_a_caller_keeps_its_scopes_and_its_reach(desk, make, olga, asks):
    new = await make(asks(olga), role=Role.OWNER, scopes=READ, reach=Reach.of(areas=["kitchen"]))
    caller = await desk.tokens.caller_of(new.text, Channel.API)
    assert caller.lowered(Role.GUEST) == replace(caller, role=Role.GUEST)


async def test_a_token_is_bound_to_an_area_by_its_name_where_only_one_has_it(make, ben, asks, home):
    assert (await make(asks(ben), reach=Reach.of(areas=["Kitchen"]))).token.reach == Reach.of(areas=["kitchen"])
    home.areas["kitchen_2"] = Area("kitchen_2", "kitchen")
    with pytest.raises(InvalidPersonError):
        await make(asks(ben), reach=Reach.of(areas=["KITCHEN"]))
