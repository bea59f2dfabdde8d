"""Offers over HTTP: what was found, and a yes that takes a fresh proof and an owner's approval."""

import pytest

from homesteward.people import Role, Scope


async def offer_of(client, tool):
    return next(offer for offer in (await client.get("/api/v1/offers")).json() if offer["tool"] == tool)


async def test_an_owner_who_has_just_signed_in_enables_one_and_approves_it(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        offer = await offer_of(client, "welcome")
        assert (offer["state"], offer["effect"], offer["source"]) == ("proposed", "routine", "ha_script")
        asked = await client.post(f"/api/v1/offers/{offer['id']}/enable", json={"phrases": ["Party time"]})
        plan = asked.json()
        assert (asked.status_code, plan["state"], plan["needs"]) == (200, "waiting", "approve")
        over = await client.post(f"/api/v1/plans/{plan['id']}/approve")
        assert over.json()["state"] == "completed"
        kept = (await client.get(f"/api/v1/offers/{offer['id']}")).json()
        assert (kept["state"], kept["phrases"], kept["enabled"]["plan"]) == ("enabled", ["Party time"], plan["id"])


async def test_a_program_of_an_owner_cannot_enable_one_without_a_proof(household):
    async with household.client(await household.token(Scope.ADMIN)) as client:
        offer = await offer_of(client, "welcome")
        answer = await client.post(f"/api/v1/offers/{offer['id']}/enable", json={})
        assert (answer.status_code, answer.json()["code"]) == (403, "proof_needed")


@pytest.mark.parametrize("way", ["call_service", "policy"])
async def test_no_other_way_gets_around_the_proof(household, way):
    """A tool, or a call that is only judged: the same call meets the same door."""
    async with household.client(await household.person(Role.OWNER)) as client:
        offer = await offer_of(client, "welcome")
        call = {"domain": "homesteward", "service": "enable_offer", "data": {"offer": offer["id"]}}
        if way == "policy":
            answer = await client.post("/api/v1/policy/explain", json={"call": call})
        else:
            answer = await client.post("/api/v1/tools/call_service", json={"arguments": call})
        assert answer.json()["code"] in {"proof_needed", "unknown_service"}
        assert (await offer_of(client, "welcome"))["state"] == "proposed"


async def test_a_member_sees_what_was_found_and_disables_it_and_a_guest_sees_nothing_of_it(household):
    async with household.client(await household.person(Role.MEMBER)) as client:
        offer = await offer_of(client, "let_in")
        assert (await client.post(f"/api/v1/offers/{offer['id']}/enable")).status_code == 403
        done = await client.post(f"/api/v1/offers/{offer['id']}/disable")
        assert (done.json()["state"], (await offer_of(client, "let_in"))["state"]) == ("completed", "disabled")
    async with household.client(await household.person(Role.GUEST)) as client:
        assert (await client.get("/api/v1/offers")).json() == []
        assert (await client.post(f"/api/v1/offers/{offer['id']}/disable")).json()["code"] == "unknown_offer"


async def test_what_is_not_there_is_unknown(household):
    async with household.client(household.service()) as client:
        for way in ("enable", "disable", "forget"):
            answer = await client.post(f"/api/v1/offers/offer_none/{way}")
            assert (answer.status_code, answer.json()["code"]) == (404, "unknown_offer")
