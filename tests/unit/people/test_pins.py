"""PINs: which are refused, who sets them, and what is kept of them."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import CHEAPEST
from hypothesis import given
from hypothesis import strategies as st

from homesteward.people import Proof, ProofKind
from homesteward.people.errors import (
    NotAllowedError,
    PinMustChangeError,
    PinNotSetError,
    PinRefusedError,
    ProofNeededError,
    UnknownPersonError,
    WrongPinError,
)
from homesteward.people.pin_rules import check_strength, normalised
from homesteward.people.pins import CHANGE_PIN, Pins
from homesteward.store.tables import pins


def proven(caller, clock, purpose=CHANGE_PIN, kind=ProofKind.SIGN_IN):
    return replace(caller, proof=Proof(kind, purpose, clock.now() + timedelta(minutes=5)))


@pytest.mark.parametrize(
    ("pin", "why"),
    [
        ("739", "4 to 12"),
        ("7391739173917", "4 to 12"),
        ("73!91", "4 to 12"),
        ("", "4 to 12"),
        ("0000", "repeats"),
        ("1212", "repeats"),
        ("123123", "repeats"),
        ("aaaaaa", "repeats"),
        ("1234", "runs"),
        ("4321", "runs"),
        ("7890", "runs"),
        ("abcd", "runs"),
        ("qwertz", "runs"),
        ("2580", "everybody"),
        ("password", "everybody"),
        ("1984", "year"),
        ("2026", "year"),
        ("311299", "date"),
        ("24121985", "date"),
        ("19851224", "date"),
    ],
)
def test_a_pin_that_is_easy_to_guess_is_refused_with_the_reason(pin, why):
    with pytest.raises(PinRefusedError, match=why) as refused:
        check_strength(normalised(pin))
    assert not pin or pin not in refused.value.message + refused.value.next


@pytest.mark.parametrize("pin", ["7391", "4711", "83027", "haus7", "lampe", "sonnenblume9"])
def test_any_other_pin_is_taken(pin):
    check_strength(normalised(pin))


@pytest.mark.parametrize("typed", ["7391", " 73 91 ", "7-3-9-1", "７３９１", "٧٣٩١", "73.91"])
def test_a_pin_is_the_same_however_it_is_typed(typed):
    assert normalised(typed) == "7391"


@given(st.text(max_size=60))
def test_normalising_twice_changes_nothing_more_and_no_text_breaks_the_rules(text):
    once = normalised(text)
    assert normalised(once) == once
    try:
        check_strength(once)
    except PinRefusedError:
        return
    assert 4 <= len(once) <= 12


async def test_the_right_pin_proves_it_and_a_wrong_one_does_not(desk, guarded):
    await desk.pins.check(guarded.id, "73 91", purpose="plan_1")
    with pytest.raises(WrongPinError):
        await desk.pins.check(guarded.id, "7392", purpose="plan_1")


async def test_ones_own_pin_is_set_only_with_a_fresh_proof_for_it(desk, ben, asks, clock):
    for caller in (
        asks(ben),
        proven(asks(ben), clock, "plan_1"),
        replace(asks(ben), proof=Proof(ProofKind.SIGN_IN, CHANGE_PIN, clock.now())),
    ):
        with pytest.raises(ProofNeededError):
            await desk.pins.put(caller, ben.id, "7391")
    await desk.pins.put(proven(asks(ben), clock), ben.id, "7391")
    assert (await desk.pins.state(ben.id)).is_set


async def test_an_owners_own_pin_needs_the_proof_as_well(desk, olga, asks):
    with pytest.raises(ProofNeededError):
        await desk.pins.put(asks(olga), olga.id, "7391")


async def test_nobody_but_an_owner_sets_the_pin_of_somebody_else(desk, olga, ben, asks, clock):
    with pytest.raises(NotAllowedError):
        await desk.pins.put(proven(asks(ben), clock), olga.id, "7391")


async def test_a_pin_that_an_owner_chose_is_good_for_choosing_ones_own_only(desk, ben, service, asks, clock):
    await desk.pins.put(service, ben.id, "7391")
    assert (await desk.pins.state(ben.id)).must_change

    with pytest.raises(PinMustChangeError):
        await desk.pins.check(ben.id, "7391", purpose="plan_1")
    proof = await desk.step_up.with_pin(asks(ben), "7391", CHANGE_PIN, holder="session")
    await desk.pins.put(replace(asks(ben), proof=proof), ben.id, "8402")

    assert not (await desk.pins.state(ben.id)).must_change
    await desk.pins.check(ben.id, "8402", purpose="plan_1")


async def test_a_pin_for_nobody_is_refused(desk, service):
    with pytest.raises(UnknownPersonError):
        await desk.pins.put(service, "person_none", "7391")


async def test_without_a_pin_one_is_told_how_to_get_one_and_the_try_counts(desk, ben):
    with pytest.raises(PinNotSetError) as refused:
        await desk.pins.check(ben.id, "7391", purpose="plan_1")
    assert "homesteward people pin" in refused.value.next
    assert (await desk.lockouts.standing(f"pin:{ben.id}")).failures == 1


async def test_where_there_is_no_pin_as_much_is_hashed_as_for_a_wrong_one(
    database, desk, clock, witnessed, ben, guarded, olga, service
):
    """A check that is over at once would tell whose PIN is worth guessing at; how long it takes hangs on the machine as well."""
    hashed = []

    class Counting(PasswordHasher):
        def hash(self, password, **more):
            hashed.append((self.time_cost, self.memory_cost))
            return super().hash(password, **more)

        def verify(self, kept, password):
            used = extract_parameters(kept)
            hashed.append((used.time_cost, used.memory_cost))
            return super().verify(kept, password)

    pins_of = Pins(
        database, "home_1", clock, witnessed, desk.lockouts, Counting(time_cost=1, memory_cost=64, parallelism=1)
    )
    await pins_of.put(service, guarded.id, "7391")
    hashed.clear()
    with pytest.raises(WrongPinError):
        await pins_of.check(guarded.id, "6042", purpose="plan_1")
    with pytest.raises(PinNotSetError):
        await pins_of.check(olga.id, "6042", purpose="plan_1")
    assert hashed == [(1, 64), (1, 64)]


async def test_what_is_kept_of_a_pin_is_an_argon2id_hash(desk, guarded, database):
    row = await database.read(lambda connection: connection.execute(pins.select()).one())
    assert re.match(r"\$argon2id\$v=19\$", row.hash)
    assert "7391" not in str(row)


async def test_the_same_pin_of_two_persons_is_kept_differently(desk, guarded, olga, service, database):
    await desk.pins.put(service, olga.id, "7391")
    rows = await database.read(lambda connection: connection.execute(pins.select()).all())
    assert len({row.hash for row in rows}) == 2


async def test_a_pin_is_kept_under_todays_parameters_after_the_next_right_try(
    database, desk, clock, witnessed, guarded
):
    today = PasswordHasher(time_cost=2, memory_cost=CHEAPEST.memory_cost, parallelism=1, hash_len=16, salt_len=8)
    renewed = Pins(database, "home_1", clock, witnessed, desk.lockouts, today)
    await renewed.check(guarded.id, "7391", purpose="plan_1")
    row = await database.read(lambda connection: connection.execute(pins.select()).one())
    assert ",t=2," in row.hash
    await renewed.check(guarded.id, "7391", purpose="plan_1")


async def test_the_hash_of_a_service_is_that_of_rfc_9106(database, desk, clock, witnessed):
    hasher = Pins(database, "home_1", clock, witnessed, desk.lockouts)._hasher
    assert (hasher.type.name, hasher.memory_cost, hasher.time_cost, hasher.parallelism) == ("ID", 65536, 3, 4)


async def test_a_removed_pin_proves_nothing(desk, guarded, service):
    await desk.pins.remove(service, guarded.id)
    with pytest.raises(PinNotSetError):
        await desk.pins.check(guarded.id, "7391", purpose="plan_1")


async def test_setting_a_pin_is_on_record_without_the_pin(desk, ben, service, witnessed):
    witnessed.entries.clear()
    await desk.pins.put(service, ben.id, "7391")
    assert witnessed.entries == [("pin.set", "owner", ben.id, {"must_change": True})]
