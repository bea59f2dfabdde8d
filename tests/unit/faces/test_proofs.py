"""A plan that takes a PIN, over the API: whoever approves proves who they are for this very plan, and a PIN comes out nowhere."""

import pytest

from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.people import Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings

PIN, WRONG = "738291", "902755"


@pytest.fixture
async def house(home, tmp_path):
    """A Homesteward where whatever opens a lock takes a PIN beside the approval."""
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    (tmp_path / policy.file).write_text(
        "version: 1\nrules: [{name: locks, when: {domain: lock}, then: approve, pin: true}]"
    )
    async with wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, SystemClock(), Redactor()) as built:
        yield built


@pytest.fixture
async def owner(household):
    """The owner, who has a PIN."""
    somebody = await household.person(Role.OWNER)
    async with household.client(somebody) as client:
        assert (await client.put(f"/api/v1/people/{somebody.person_id}/pin", json={"pin": PIN})).status_code == 204
    return somebody


async def test_a_plan_that_takes_a_pin_runs_with_the_proof_for_it_and_not_without(household, owner, home, tmp_path):
    async with household.client(owner) as client:
        plan = (await client.post("/api/v1/ask", json={"text": "unlock the front door"})).json()["plan"]
        assert plan["state"] == "waiting"
        refused = await client.post(f"/api/v1/plans/{plan['id']}/approve")
        assert (refused.status_code, refused.json()["code"]) == (403, "proof_needed")
        for purpose, pin, status in (("people", PIN, 200), (plan["id"], WRONG, 403)):
            answer = await client.post("/api/v1/step-up", json={"purpose": purpose, "pin": pin})
            assert answer.status_code == status
            assert pin not in answer.text
            assert (await client.post(f"/api/v1/plans/{plan['id']}/approve")).status_code == 403
        assert home.calls == []
        await client.post("/api/v1/step-up", json={"purpose": plan["id"], "pin": PIN})
        done = (await client.post(f"/api/v1/plans/{plan['id']}/approve")).json()
    assert done["state"] == "completed"
    assert len(home.calls) == 1
    await household.chronicle.flush()
    written = b"".join(file.read_bytes() for file in tmp_path.glob("*.db*"))
    assert PIN.encode() not in written
    assert WRONG.encode() not in written


async def test_a_proof_of_one_session_is_worth_nothing_in_another(household, owner, home):
    other = await household.person(Role.OWNER)
    async with household.client(owner) as mine, household.client(other) as theirs:
        plan = (await mine.post("/api/v1/ask", json={"text": "unlock the front door"})).json()["plan"]
        await mine.post("/api/v1/step-up", json={"purpose": plan["id"], "pin": PIN})
        answer = await theirs.post(f"/api/v1/plans/{plan['id']}/approve")
    assert (answer.status_code, answer.json()["code"]) == (403, "proof_needed")
    assert home.calls == []


@pytest.mark.parametrize(
    "form", [{"purpose": "people"}, {"purpose": "Plan 1", "pin": PIN}, {"purpose": "x", "pin": PIN * 10}]
)
async def test_a_form_that_is_wrong_repeats_no_pin(household, form):
    guest = await household.person(Role.GUEST)
    async with household.client(guest) as client:
        answer = await client.post("/api/v1/step-up", json=form)
    assert PIN not in answer.text


async def test_the_services_own_token_has_no_person_to_prove(household):
    async with household.client(household.service()) as client:
        answer = await client.post("/api/v1/step-up", json={"purpose": "people", "pin": PIN})
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
