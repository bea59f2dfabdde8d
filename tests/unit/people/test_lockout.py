"""Guessing a PIN: however it is spread over time, channels, addresses, restarts and parallel requests, it gets nowhere."""

import asyncio
from datetime import timedelta
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.people.errors import LockedOutError, NotAllowedError, PinNotSetError, WrongPinError
from homesteward.people.lockout import STEPS, Lockouts, of_address, of_pin
from homesteward.people.pins import Pins

PIN, WRONG = "7391", "6042"
DAY = timedelta(days=1)
SOMEBODY = count()


async def guess(desk, person, pin=WRONG, address=""):
    """Try a PIN once; return whether it was right, None where it was not even looked at."""
    try:
        await desk.pins.check(person.id, pin, purpose="plan_1", address=address)
    except WrongPinError, PinNotSetError:
        return False
    except LockedOutError:
        return None
    return True


async def until_locked(desk, person):
    while await guess(desk, person) is False:
        pass


async def wait_for(desk, person):
    """Return how long the person's PIN is refused from now."""
    return (await desk.lockouts.standing(of_pin(person.id))).until - desk.lockouts._clock.now()


async def test_four_wrong_pins_in_a_row_cost_nothing(desk, guarded):
    assert [await guess(desk, guarded) for _ in range(4)] == [False] * 4
    assert await guess(desk, guarded, PIN) is True


async def test_after_the_fifth_wrong_pin_the_right_one_is_refused_too(desk, guarded):
    assert [await guess(desk, guarded) for _ in range(5)] == [False] * 5
    assert await guess(desk, guarded, PIN) is None


async def test_the_right_pin_during_the_lockout_neither_shortens_nor_prolongs_it(desk, guarded, clock):
    await until_locked(desk, guarded)
    clock.advance(timedelta(seconds=29))
    assert await guess(desk, guarded, PIN) is None
    clock.advance(timedelta(seconds=1))
    assert await guess(desk, guarded, PIN) is True


async def test_each_further_failure_locks_for_longer_up_to_a_day(desk, guarded, clock):
    waits = []
    for _ in range(len(STEPS) + 2):
        await until_locked(desk, guarded)
        waits.append(await wait_for(desk, guarded))
        clock.advance(waits[-1])
    assert waits == [*STEPS, DAY, DAY]


async def test_three_months_of_guessing_without_pause_get_about_a_hundred_looks(desk, guarded, clock):
    end, looks = clock.now() + 91 * DAY, 0
    while clock.now() < end:
        looks += await guess(desk, guarded) is False
        until = (await desk.lockouts.standing(of_pin(guarded.id))).until
        if until and until > clock.now():
            clock.advance(until - clock.now())
    assert looks < 110


async def test_the_right_pin_forgives_what_was_wrong_before(desk, guarded):
    for _ in range(3):
        assert [await guess(desk, guarded) for _ in range(4)] == [False] * 4
        assert await guess(desk, guarded, PIN) is True


async def test_failures_are_forgiven_one_a_day(desk, guarded, clock):
    for _ in range(4):
        await guess(desk, guarded)
    clock.advance(2 * DAY)
    assert (await desk.lockouts.standing(of_pin(guarded.id))).failures == 2


async def test_a_hundred_guesses_at_once_get_no_more_looks_than_five(desk, guarded):
    results = await asyncio.gather(*(guess(desk, guarded, f"60{n:02}") for n in range(100)))
    assert results.count(False) == 5
    assert results.count(None) == 95


async def test_the_right_pin_among_a_hundred_guesses_at_once_is_found_only_with_luck_within_the_first_five(
    desk, guarded
):
    guesses = [f"60{n:02}" for n in range(99)]
    results = await asyncio.gather(*(guess(desk, guarded, pin) for pin in [*guesses, PIN]))
    assert True not in results


async def test_a_restart_forgives_nothing(desk, guarded, database, clock, witnessed):
    await until_locked(desk, guarded)
    lockouts = Lockouts(database, "home_1", clock, witnessed)
    anew = Pins(database, "home_1", clock, witnessed, lockouts)
    with pytest.raises(LockedOutError):
        await anew.check(guarded.id, PIN, purpose="plan_1")


async def test_it_holds_against_the_person_whatever_address_it_comes_from(desk, guarded):
    results = [await guess(desk, guarded, address=f"192.0.2.{n}") for n in range(10)]
    assert results == [False] * 5 + [None] * 5


async def test_one_address_guessing_at_many_persons_is_refused_for_all_of_them(desk, guarded, olga):
    for n in range(20):
        await guess(desk, _Somebody(f"person_{n}"), address="192.0.2.1")
    assert await guess(desk, guarded, PIN, address="192.0.2.1") is None
    assert await guess(desk, guarded, PIN, address="192.0.2.2") is True


async def test_ones_own_pin_does_not_clear_an_address_from_which_others_were_guessed_at(desk, guarded):
    for n in range(19):
        await guess(desk, _Somebody(f"person_{n}"), address="192.0.2.1")
    assert await guess(desk, guarded, PIN, address="192.0.2.1") is True
    assert (await desk.lockouts.standing(of_address("192.0.2.1"))).failures == 19


@pytest.mark.parametrize(
    ("address", "subject"),
    [
        ("192.0.2.1", "address:192.0.2.1"),
        ("2001:db8::1", "address:2001:db8::/64"),
        ("2001:db8::ffff:0:2", "address:2001:db8::/64"),
        ("::ffff:192.0.2.1", "address:192.0.2.1"),
        ("fe80::1%eth0", "address:fe80::/64"),
        ("testclient", "address:unknown"),
    ],
)
def test_an_address_counts_as_the_household_or_host_behind_it(address, subject):
    assert of_address(address) == subject


async def test_an_owner_lifts_a_lockout_and_nobody_else_does(desk, guarded, service, asks):
    await until_locked(desk, guarded)
    with pytest.raises(NotAllowedError):
        await desk.lockouts.lift(asks(guarded), of_pin(guarded.id))
    await desk.lockouts.lift(service, of_pin(guarded.id))
    assert await guess(desk, guarded, PIN) is True


async def test_whoever_is_locked_out_is_told_for_how_long(desk, guarded):
    await until_locked(desk, guarded)
    with pytest.raises(LockedOutError) as refused:
        await desk.pins.check(guarded.id, PIN, purpose="plan_1")
    assert refused.value.wait == timedelta(seconds=30)
    assert (refused.value.retry, refused.value.next) == (True, "Try again in 30 seconds.")


async def test_every_wrong_pin_and_every_lockout_is_on_record_and_no_pin_is(desk, guarded, witnessed):
    witnessed.entries.clear()
    await until_locked(desk, guarded)
    assert witnessed.kinds == ["step_up.failed"] * 5 + ["lockout.begun"]
    assert PIN not in str(witnessed.entries)
    assert WRONG not in str(witnessed.entries)


async def test_what_no_longer_counts_is_forgotten(desk, guarded, clock):
    await guess(desk, guarded, address="192.0.2.1")
    clock.advance(61 * DAY)
    await desk.tidy()
    assert (await desk.lockouts.standing(of_pin(guarded.id))).failures == 0


@given(st.lists(st.sampled_from(["wrong", "right", "hour", "day"]), max_size=25))
async def test_a_right_pin_is_refused_only_while_a_lockout_lasts_which_is_a_day_at_most(desk, clock, events):
    """Whatever happens in whatever order."""
    lockouts, subject = desk.lockouts, f"pin:{next(SOMEBODY)}"
    for event in events:
        if event in {"hour", "day"}:
            clock.advance(timedelta(hours=1) if event == "hour" else DAY)
            continue
        until = (await lockouts.standing(subject)).until
        locked = until is not None and until > clock.now()
        assert not locked or until - clock.now() <= DAY
        try:
            await lockouts.count(subject)
        except LockedOutError:
            assert locked
            continue
        assert not locked
        if event == "right":
            await lockouts.succeeded(subject)
            assert (await lockouts.standing(subject)).failures == 0


class _Somebody:
    def __init__(self, person_id):
        self.id = person_id
