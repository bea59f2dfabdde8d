"""Step-up: one purpose, five minutes, whoever proved it and nobody else."""

from datetime import timedelta

import pytest

from homesteward.people import Proof, ProofKind
from homesteward.people.errors import NotAllowedError, ProofNeededError, WrongPinError
from homesteward.people.proofs import MOST

MINUTE = timedelta(minutes=1)


async def test_a_pin_gives_a_proof_for_five_minutes(desk, guarded, asks, clock):
    proof = await desk.step_up.with_pin(asks(guarded), "7391", "tokens", holder="s1")
    assert (proof.kind, proof.purpose, proof.until) == (ProofKind.PIN, "tokens", clock.now() + 5 * MINUTE)

    assert desk.step_up.carried(asks(guarded), "tokens", holder="s1").proof == proof
    clock.advance(5 * MINUTE)
    assert desk.step_up.carried(asks(guarded), "tokens", holder="s1").proof is None


async def test_a_wrong_pin_gives_none(desk, guarded, asks):
    with pytest.raises(WrongPinError):
        await desk.step_up.with_pin(asks(guarded), "7392", "tokens", holder="s1")
    assert desk.step_up.carried(asks(guarded), "tokens", holder="s1").proof is None


@pytest.mark.parametrize(("purpose", "holder"), [("plan_2", "s1"), ("tokens", "s1"), ("plan_1", "s2"), ("plan_1", "")])
async def test_a_proof_is_for_its_purpose_in_its_session_and_nothing_else(desk, guarded, asks, purpose, holder):
    await desk.step_up.with_pin(asks(guarded), "7391", "plan_1", holder="s1")
    assert desk.step_up.carried(asks(guarded), purpose, holder=holder).proof is None


async def test_a_proof_is_worth_nothing_to_somebody_else(desk, guarded, olga, asks):
    await desk.step_up.with_pin(asks(guarded), "7391", "plan_1", holder="s1")
    assert desk.step_up.carried(asks(olga), "plan_1", holder="s1").proof is None


async def test_a_proof_for_a_plan_is_carried_once(desk, guarded, asks):
    proof = await desk.step_up.with_pin(asks(guarded), "7391", "plan_1", holder="s1")
    assert desk.step_up.carried(asks(guarded), "plan_1", holder="s1").proof == proof
    assert desk.step_up.carried(asks(guarded), "plan_1", holder="s1").proof is None


async def test_a_proof_for_a_page_holds_until_it_ends(desk, guarded, asks, clock):
    proof = await desk.step_up.with_pin(asks(guarded), "7391", "tokens", holder="s1")
    clock.advance(4 * MINUTE)
    assert [desk.step_up.carried(asks(guarded), "tokens", holder="s1").proof for _ in range(3)] == [proof] * 3


async def test_a_proof_that_somebody_brings_along_is_worth_nothing_by_itself(desk, guarded, asks, clock):
    made_up = Proof(ProofKind.PIN, "tokens", clock.now() + MINUTE)
    assert desk.step_up.carried(asks(guarded, proof=made_up), "tokens", holder="s1").proof is None


async def test_a_fresh_sign_in_is_a_proof_until_five_minutes_after_it(desk, ben, asks, clock):
    signed_in = clock.now()
    clock.advance(3 * MINUTE)
    proof = await desk.step_up.with_sign_in(asks(ben), signed_in, "pin", holder="s1")
    assert proof.until == signed_in + 5 * MINUTE
    clock.advance(2 * MINUTE)
    with pytest.raises(ProofNeededError):
        await desk.step_up.with_sign_in(asks(ben), signed_in, "pin", holder="s1")


async def test_whoever_is_no_person_on_record_can_prove_nothing(desk, service):
    with pytest.raises(NotAllowedError):
        await desk.step_up.with_pin(service, "7391", "plan_1", holder="s1")


async def test_the_proofs_of_a_session_end_with_it(desk, guarded, asks):
    await desk.step_up.with_pin(asks(guarded), "7391", "plan_1", holder="s1")
    desk.step_up.forget("s1")
    assert desk.step_up.carried(asks(guarded), "plan_1", holder="s1").proof is None


async def test_the_proofs_that_are_held_are_bounded(desk, ben, asks, clock):
    for n in range(MOST + 5):
        await desk.step_up.with_sign_in(asks(ben), clock.now(), f"plan_{n}", holder="s1")
    assert len(desk.step_up._held) == MOST
    assert desk.step_up.carried(asks(ben), "plan_0", holder="s1").proof is None


async def test_a_step_up_is_on_record_with_its_purpose(desk, guarded, asks, witnessed):
    witnessed.entries.clear()
    await desk.step_up.with_pin(asks(guarded), "7391", "plan_1", holder="s1")
    kind, actor, subject, data = witnessed.entries[0]
    assert (kind, actor, subject) == ("step_up.done", f"person:{guarded.id}", guarded.id)
    assert (data["with"], data["purpose"]) == ("pin", "plan_1")
