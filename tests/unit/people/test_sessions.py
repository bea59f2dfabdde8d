"""Sessions: new at every sign-in, another secret every quarter of an hour, over when anything is wrong."""

import asyncio
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.people import Channel
from homesteward.people.errors import NobodyError, NotAllowedError, UnknownSessionError
from homesteward.people.sessions import MOST, Sessions
from homesteward.store.tables import sessions

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


@pytest.fixture
async def opened(desk, ben):
    """Ben on a page."""
    return await desk.sessions.begin(ben, Channel.PAGE, address="192.0.2.1", agent="Browser")


async def rotated(desk, opened, clock):
    """Return the cookie after the next change of secret, which has arrived and was used."""
    clock.advance(16 * MINUTE)
    following = (await desk.sessions.resolve(opened.cookie)).cookie
    await desk.sessions.resolve(following)
    return following


async def test_a_cookie_opens_the_session_of_whoever_signed_in(desk, ben, opened):
    found = await desk.sessions.resolve(opened.cookie)
    assert (found.person.id, found.session.id, found.cookie) == (ben.id, opened.session.id, None)


async def test_nothing_of_the_cookie_is_kept_but_hashes(desk, opened, database, witnessed):
    row = await database.read(lambda connection: connection.execute(sessions.select()).one())
    for secret in opened.cookie.split(".")[1:]:
        assert secret not in str(row)
        assert secret not in str(witnessed.entries)
        assert secret not in repr(opened)


@pytest.mark.parametrize(
    "cookie", ["", ".", "..", "a.b.c", "x" * 5000, "{id}.b.c", "{id}..", "{id}.{family}.", "{id}.b.{secret}"]
)
async def test_a_made_up_cookie_opens_nothing(desk, opened, cookie):
    session_id, _, secret = opened.cookie.split(".")
    made_up = cookie.format(id=session_id, family="A" * 43, secret=secret)
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(made_up)
    assert (await desk.sessions.resolve(opened.cookie)).session.id == session_id


async def test_nobody_can_end_a_session_by_guessing_at_its_id(desk, opened):
    for _ in range(3):
        with pytest.raises(NobodyError):
            await desk.sessions.resolve(f"{opened.session.id}.{'A' * 43}.{'B' * 43}")
    await desk.sessions.resolve(opened.cookie)


async def test_a_sign_in_makes_a_new_session_whatever_the_browser_sent(desk, ben, opened):
    again = await desk.sessions.begin(ben, Channel.PAGE, instead_of=opened.cookie)

    assert set(again.cookie.split(".")).isdisjoint(opened.cookie.split("."))
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(opened.cookie)


async def test_a_cookie_planted_before_the_sign_in_never_becomes_the_session(desk, ben):
    planted = "0123456789abcdef.known.known"
    opened = await desk.sessions.begin(ben, Channel.PAGE, instead_of=planted)
    assert "known" not in opened.cookie
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(planted)


async def test_after_a_quarter_of_an_hour_the_secret_is_another(desk, opened, clock):
    clock.advance(14 * MINUTE)
    assert (await desk.sessions.resolve(opened.cookie)).cookie is None
    clock.advance(MINUTE)
    following = (await desk.sessions.resolve(opened.cookie)).cookie
    assert following.split(".")[:2] == opened.cookie.split(".")[:2]
    assert following != opened.cookie
    assert (await desk.sessions.resolve(following)).session.id == opened.session.id


async def test_of_requests_on_their_way_together_one_brings_the_new_secret_and_none_fails(desk, opened, clock):
    clock.advance(16 * MINUTE)
    found = await asyncio.gather(*(desk.sessions.resolve(opened.cookie) for _ in range(12)))
    assert [one.cookie for one in found].count(None) == 11
    assert {one.session.id for one in found} == {opened.session.id}


async def test_the_secret_before_is_good_for_half_a_minute_and_brings_no_new_one(desk, opened, clock):
    await rotated(desk, opened, clock)
    clock.advance(timedelta(seconds=29))
    assert (await desk.sessions.resolve(opened.cookie)).cookie is None


async def test_a_secret_used_later_than_that_was_copied_and_ends_the_session_for_both(desk, opened, clock, witnessed):
    following = await rotated(desk, opened, clock)
    clock.advance(timedelta(seconds=30))
    for cookie in (opened.cookie, following):
        with pytest.raises(NobodyError):
            await desk.sessions.resolve(cookie)
    assert witnessed.kinds[-1] == "session.reused"


async def test_a_secret_from_long_ago_ends_the_session_too(desk, opened, clock):
    latest = opened.cookie
    for _ in range(3):
        clock.advance(16 * MINUTE)
        latest = (await desk.sessions.resolve(latest)).cookie
        await desk.sessions.resolve(latest)
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(opened.cookie)
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(latest)


async def test_a_new_secret_that_was_lost_on_its_way_ends_nothing(desk, opened, clock):
    clock.advance(16 * MINUTE)
    lost = (await desk.sessions.resolve(opened.cookie)).cookie
    clock.advance(20 * MINUTE)

    another = (await desk.sessions.resolve(opened.cookie)).cookie

    assert another not in {None, lost}
    assert (await desk.sessions.resolve(another)).session.id == opened.session.id


async def test_a_request_whose_answer_takes_long_brings_no_new_secret(desk, opened, clock):
    clock.advance(16 * MINUTE)
    assert (await desk.sessions.resolve(opened.cookie, rotate=False)).cookie is None
    assert (await desk.sessions.resolve(opened.cookie)).cookie


async def test_a_session_that_nobody_uses_for_two_weeks_is_over(desk, opened, clock):
    clock.advance(14 * DAY - MINUTE)
    latest = (await desk.sessions.resolve(opened.cookie)).cookie
    clock.advance(14 * DAY)
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(latest)


async def test_a_session_that_is_used_every_day_is_over_after_ninety(desk, opened, clock):
    cookie, days = opened.cookie, 0
    while True:
        clock.advance(DAY)
        days += 1
        try:
            cookie = (await desk.sessions.resolve(cookie)).cookie or cookie
        except NobodyError:
            break
    assert days == 90


async def test_a_session_in_the_panel_is_short(desk, ben, clock):
    opened = await desk.sessions.begin(ben, Channel.INGRESS)
    clock.advance(timedelta(hours=2))
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(opened.cookie)


async def test_a_person_has_a_bounded_number_of_sessions_and_the_one_unused_longest_ends(desk, ben, asks, clock):
    first = await desk.sessions.begin(ben, Channel.PAGE)
    for _ in range(MOST):
        clock.advance(MINUTE)
        await desk.sessions.begin(ben, Channel.PAGE)
    assert len(await desk.sessions.list(asks(ben), ben.id)) == MOST
    with pytest.raises(NobodyError):
        await desk.sessions.resolve(first.cookie)


async def test_everybody_lists_and_ends_their_own_sessions_and_an_owner_all(desk, olga, ben, asks, opened):
    olgas = await desk.sessions.begin(olga, Channel.PAGE)

    assert [session.id for session in await desk.sessions.list(asks(ben), ben.id)] == [opened.session.id]
    with pytest.raises(NotAllowedError):
        await desk.sessions.list(asks(ben))
    for unknown_or_anothers in (olgas.session.id, "none"):
        with pytest.raises(NotAllowedError):
            await desk.sessions.end(asks(ben), unknown_or_anothers)
    with pytest.raises(UnknownSessionError):
        await desk.sessions.end(asks(olga), "none")
    await desk.sessions.end(asks(olga), opened.session.id)
    assert not await desk.sessions.alive(opened.session.id)


async def test_signing_out_ends_the_session(desk, opened, witnessed):
    await desk.sessions.sign_out(opened.cookie)
    assert not await desk.sessions.alive(opened.session.id)
    assert witnessed.kinds[-1] == "sign_in.ended"
    await desk.sessions.sign_out("nothing.of.ours")


async def test_proving_anew_who_one_is_makes_the_sign_in_fresh(desk, opened, clock):
    clock.advance(10 * MINUTE)
    await desk.sessions.proved(opened.session.id)
    assert (await desk.sessions.resolve(opened.cookie)).session.signed_in == clock.now()


async def test_sessions_that_are_over_are_forgotten(desk, opened, clock):
    clock.advance(15 * DAY)
    assert await desk.sessions.tidy() == 1


async def test_sessions_of_another_home_open_nothing_here(database, clock, witnessed, opened):
    with pytest.raises(NobodyError):
        await Sessions(database, "home_2", clock, witnessed).resolve(opened.cookie)


EVENTS = st.sampled_from(["request", "lost", "slow", "together", "second", "half", "minute", "quarter", "day"])
STEPS = {
    "second": timedelta(seconds=1),
    "half": timedelta(seconds=31),
    "minute": MINUTE,
    "quarter": 16 * MINUTE,
    "day": DAY,
}


@given(st.lists(EVENTS, max_size=30))
async def test_a_browser_that_keeps_what_it_is_given_stays_signed_in(desk, ben, clock, events):
    """Whatever gets lost on its way, however long it waits, and however many requests it sends together."""
    opened = await desk.sessions.begin(ben, Channel.PAGE)
    cookie, session_id = opened.cookie, opened.session.id
    for event in events:
        if event in STEPS:
            clock.advance(STEPS[event])
            continue
        many = 4 if event == "together" else 1
        found = [await desk.sessions.resolve(cookie, rotate=event != "slow") for _ in range(many)]
        assert {one.session.id for one in found} == {session_id}
        given = [one.cookie for one in found if one.cookie]
        assert len(given) <= 1
        if given and event != "lost":
            cookie = given[0]


@given(st.lists(st.sampled_from(["browser", "thief", "half", "quarter"]), max_size=25))
async def test_whoever_copied_a_cookie_is_out_once_the_browser_went_on(desk, ben, clock, events):
    """However the two of them took turns before: after the browser's next secret, a copy opens nothing, or nothing opens at all."""
    opened = await desk.sessions.begin(ben, Channel.PAGE)
    held: dict[str, str | None] = dict.fromkeys(("browser", "thief"), opened.cookie)

    for event in [*events, "quarter", "browser", "browser", "half", "thief"]:
        if event in STEPS:
            clock.advance(STEPS[event])
        elif held[event]:
            try:
                held[event] = (await desk.sessions.resolve(held[event])).cookie or held[event]
            except NobodyError:
                held[event] = None

    assert held["thief"] is None or not await desk.sessions.alive(opened.session.id)
