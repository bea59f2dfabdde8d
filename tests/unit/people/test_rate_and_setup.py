"""How often somebody may ask, and how the first owner comes to be."""

import asyncio
import re
from datetime import timedelta

import pytest

from homesteward.people import Role
from homesteward.people.errors import InvalidPersonError, RateLimitedError, SetupClosedError, WrongCodeError
from homesteward.people.rate import MOST, Limit, RateLimits

SECOND = timedelta(seconds=1)


@pytest.fixture
def rates(clock):
    return RateLimits(clock, {"ask": Limit(3, 10 * SECOND)})


def test_a_burst_is_let_through_and_then_one_at_a_time(rates, clock):
    for _ in range(3):
        rates.take("ask", "person:1")
    with pytest.raises(RateLimitedError) as refused:
        rates.take("ask", "person:1")
    assert refused.value.wait == 10 * SECOND

    clock.advance(10 * SECOND)
    rates.take("ask", "person:1")
    with pytest.raises(RateLimitedError):
        rates.take("ask", "person:1")


def test_each_subject_has_its_own_and_the_emptiest_decides(rates):
    for _ in range(3):
        rates.take("ask", "person:1", "address:a")
    rates.take("ask", "person:2", "address:b")
    with pytest.raises(RateLimitedError):
        rates.take("ask", "person:2", "address:a")
    rates.take("ask", "person:2")
    rates.take("ask", "person:2")


def test_who_was_refused_has_used_up_nothing(rates):
    for _ in range(3):
        rates.take("ask", "address:a")
    for _ in range(5):
        with pytest.raises(RateLimitedError):
            rates.take("ask", "person:1", "address:a")
    for _ in range(3):
        rates.take("ask", "person:1")


def test_the_memory_it_takes_is_bounded(rates):
    for n in range(MOST + 50):
        rates.take("ask", f"address:{n}")
    assert len(rates._buckets) == MOST


def code_in(said):
    return re.search(r"([A-Z2-9]{4}-[A-Z2-9]{4})", said[-1])[1]


async def test_whoever_reads_the_code_at_the_machine_becomes_the_first_owner(desk, said, witnessed):
    assert await desk.setup.needed()
    await desk.setup.begin()

    person = await desk.setup.finish(code_in(said).lower(), "Olga", address="127.0.0.1")

    assert (person.name, person.role, person.ha_user_id) == ("Olga", Role.OWNER, None)
    assert not await desk.setup.needed()
    assert witnessed.kinds == ["person.added", "setup.done"]
    assert code_in(said) not in str(witnessed.entries)


async def test_a_code_is_good_once(desk, said):
    await desk.setup.begin()
    await desk.setup.finish(code_in(said), "Olga")
    with pytest.raises(SetupClosedError):
        await desk.setup.finish(code_in(said), "Mallory")


async def test_a_code_is_good_for_ten_minutes(desk, said, clock):
    await desk.setup.begin()
    clock.advance(timedelta(minutes=10))
    with pytest.raises(SetupClosedError):
        await desk.setup.finish(code_in(said), "Olga")


async def test_after_five_wrong_codes_the_right_one_is_refused_too(desk, said, witnessed):
    await desk.setup.begin()
    results = await asyncio.gather(
        *(desk.setup.finish(f"AAAA-AAA{letter}", "Mallory") for letter in "ABCDEFGH"), return_exceptions=True
    )
    assert [type(one) for one in results] == [WrongCodeError] * 5 + [SetupClosedError] * 3
    with pytest.raises(SetupClosedError):
        await desk.setup.finish(code_in(said), "Olga")
    assert witnessed.kinds == ["setup.failed"] * 5


async def test_a_new_code_ends_the_one_before(desk, said):
    await desk.setup.begin()
    before = code_in(said)
    await desk.setup.begin()
    with pytest.raises(WrongCodeError):
        await desk.setup.finish(before, "Olga")
    await desk.setup.finish(code_in(said), "Olga")


async def test_without_a_code_nothing_is_set_up(desk):
    with pytest.raises(SetupClosedError):
        await desk.setup.finish("", "Mallory")


async def test_a_home_with_an_owner_is_not_set_up_again(desk, olga, said):
    with pytest.raises(SetupClosedError):
        await desk.setup.begin()
    assert said == []


async def test_somebody_who_signs_in_while_a_code_is_open_closes_the_set_up(desk, said):
    await desk.setup.begin()
    await desk.people.signed_in_with_ha("ha_olga", "Olga", is_admin=True)
    with pytest.raises(SetupClosedError):
        await desk.setup.finish(code_in(said), "Mallory")


async def test_a_name_that_is_none_leaves_the_set_up_open(desk, said):
    await desk.setup.begin()
    with pytest.raises(InvalidPersonError):
        await desk.setup.finish(code_in(said), " ")
    await desk.setup.finish(code_in(said), "Olga")
