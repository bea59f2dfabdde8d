"""Enabling, disabling and forgetting an offer: by whom, with which proof, and bound to what it is."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions.errors import GateError, NotAllowedError
from homesteward.actions.offers import OfferState
from homesteward.actions.offers.enabling import OfferCalls
from homesteward.actions.offers.errors import OfferChangedError, UnknownOfferError
from homesteward.actions.plan import PlanState
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.home.calls import InvalidCallError
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.people.errors import ProofNeededError
from offers_made import BOILER, FORECAST, GUEST, MEMBER, OWNER, decision


async def test_enabling_waits_for_an_owner_and_then_holds(gate, find, enable, clock):
    plan = await enable("welcome")
    offer = await find("welcome")
    assert (plan.state, offer.state) == (PlanState.COMPLETED, OfferState.ENABLED)
    assert (offer.enabling.person_id, offer.enabling.plan_id, offer.enabling.at) == (
        "person_olive",
        plan.id,
        clock.now(),
    )
    assert offer.enabling.fingerprint == offer.tool.fingerprint


async def test_without_a_fresh_proof_nobody_can_even_ask(gate, find, proven, clock):
    offer = await find("welcome")
    for caller in (OWNER, proven(OWNER, "people"), proven(OWNER, "plan_1")):
        with pytest.raises(ProofNeededError):
            await gate.submit([decision("enable_offer", offer)], caller, request="")
    stale = proven(OWNER)
    clock.advance(timedelta(minutes=6))
    with pytest.raises(ProofNeededError):
        await gate.submit([decision("enable_offer", offer)], stale, request="")
    assert (await find("welcome")).state is OfferState.PROPOSED


async def test_a_token_of_an_owner_needs_the_proof_as_well(gate, find):
    token = Caller(Role.OWNER, Channel.API, "program", token_id="token_1", scopes=frozenset({Scope.ADMIN}))
    with pytest.raises(ProofNeededError):
        await gate.submit([decision("enable_offer", await find("welcome"))], token, request="")


@pytest.mark.parametrize("caller", [MEMBER, GUEST, replace(OWNER, reach=Reach.of(areas=["kitchen"]))])
async def test_nobody_but_an_owner_of_the_whole_home_enables_one(gate, find, proven, caller):
    with pytest.raises(NotAllowedError):
        await gate.submit([decision("enable_offer", await find("welcome"))], proven(caller), request="")


async def test_a_member_disables_at_once_and_a_guest_does_not(gate, find, enable):
    await enable("welcome")
    with pytest.raises(NotAllowedError):
        await gate.submit([decision("disable_offer", await find("welcome"))], GUEST, request="")
    (plan,) = await gate.submit([decision("disable_offer", await find("welcome"))], MEMBER, request="")
    assert (plan.state, (await find("welcome")).state) == (PlanState.COMPLETED, OfferState.DISABLED)


async def test_what_changed_while_it_waited_is_not_enabled(gate, find, proven, server):
    (plan,) = await gate.submit([decision("enable_offer", await find("forecast"))], proven(OWNER), request="")
    server.put(replace(FORECAST, entity_id="weather.elsewhere"))
    over = await gate.approve(plan.id, OWNER)
    assert (over.state, (await find("forecast")).state) == (PlanState.FAILED, OfferState.PROPOSED)
    assert "not what it was" in over.steps[0].error


async def test_only_the_form_that_was_looked_at_is_enabled(gate, find, proven, server):
    looked_at = (await find("boiler")).tool.fingerprint
    server.put(replace(BOILER, entity_id="lock.front_door", service="lock.unlock"))
    with pytest.raises(OfferChangedError):
        await gate.submit(
            [decision("enable_offer", await find("boiler"), fingerprint=looked_at)], proven(OWNER), request=""
        )


async def test_a_plan_says_in_words_what_would_be_said_and_done(gate, find, proven):
    call = decision("enable_offer", await find("let_in"), phrases=["Open up"], roles=["owner", "guest"], areas=["hall"])
    (plan,) = await gate.submit([call], proven(OWNER), request="")
    summary = plan.steps[0].summary
    assert all(word in summary for word in ("guest, owner", '"Open up"', "hall", "script.let_in", "sensitive"))


async def test_forgetting_waits_for_an_owner_and_the_next_look_proposes_it_anew(gate, find, enable, offers, server):
    await enable("boiler")
    before = await find("boiler")
    (plan,) = await gate.submit([decision("forget_offer", before)], OWNER, request="")
    await gate.approve(plan.id, OWNER)
    with pytest.raises(UnknownOfferError):
        await offers.get(before.id, OWNER)
    server.change()
    assert ((await find("boiler")).state, (await find("boiler")).enabling) == (OfferState.PROPOSED, None)


async def test_undoing_an_enabling_disables_it_and_undoing_a_disabling_is_refused(gate, find, enable):
    plan = await enable("boiler")
    undone = await gate.undo(plan.id, OWNER)
    assert [each.state for each in undone.plans] == [PlanState.COMPLETED]
    assert (await find("boiler")).state is OfferState.DISABLED
    with pytest.raises(GateError, match="owner"):
        await gate.undo(undone.plans[0].id, OWNER)


@pytest.mark.parametrize(
    "data",
    [
        {"phrases": ["1234"]},
        {"phrases": ["x" * 81]},
        {"phrases": [f"name {letter}" for letter in "abcdefghijk"]},
        {"phrases": [7]},
        {"phrases": {"a": 1}},
        {"roles": ["system"]},
        {"areas": ["attic"]},
    ],
)
async def test_what_cannot_be_said_or_is_not_there_is_refused(gate, find, proven, data):
    with pytest.raises(InvalidCallError):
        await gate.submit([decision("enable_offer", await find("boiler"), **data)], proven(OWNER), request="")


async def test_what_is_done_already_is_said_to_be(gate, find, proven, enable):
    await enable("boiler")
    with pytest.raises(InvalidCallError, match="enabled already"):
        await gate.submit([decision("enable_offer", await find("boiler"))], proven(OWNER), request="")


async def test_every_decision_and_every_find_is_on_record(gate, find, enable, witnessed):
    await enable("boiler")
    await gate.submit([decision("disable_offer", await find("boiler"))], MEMBER, request="")
    assert {(kind, actor) for kind, actor, _ in witnessed} == {
        ("offer.found", "system"),
        ("offer.enabled", "person:person_olive"),
        ("offer.disabled", "person:person_mia"),
    }


async def test_a_dry_run_enables_nothing(make_gate, offers, home, find, proven):
    dry = await make_gate(reserved=ReservedCalls(OfferCalls(offers, home)), dry_run=True)
    (plan,) = await dry.submit([decision("enable_offer", await find("boiler"))], proven(OWNER), request="")
    assert (plan.state, (await find("boiler")).state) == (PlanState.SIMULATED, OfferState.PROPOSED)
