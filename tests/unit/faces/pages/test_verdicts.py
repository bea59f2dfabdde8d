"""One plan, and the forms by which a person decides: all or part, yes with a PIN, no, take back, each also without scripts."""

import re

import pytest

from homesteward.home.calls import parse_call
from homesteward.people import Channel, Role

HTML = {"accept": "text/html"}
FIELDS = {**HTML, "content-type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def somebody(household):
    return await household.person(Role.OWNER)


@pytest.fixture
async def owner(household, somebody):
    async with household.client(somebody) as client:
        yield client


async def asked(client, text="unlock the front door") -> str:
    return (await client.post("/api/v1/ask", json={"text": text})).json()["plan"]["id"]


def form(somebody, **fields) -> str:
    return "&".join(
        f"{name}={value}" for name, value in {"csrf": somebody.headers["x-homesteward-csrf"], **fields}.items()
    )


async def send(client, somebody, path, **fields):
    return await client.post(path, content=form(somebody, **fields), headers=FIELDS)


async def test_without_scripts_a_yes_is_a_form_that_leads_to_what_was_seen(owner, somebody, home):
    plan = await asked(owner)
    answer = await send(owner, somebody, f"/plans/{plan}/approve")
    assert (answer.status_code, answer.headers["location"]) == (303, f"../../plans/{plan}")
    page = (await owner.get(f"/plans/{plan}", headers=HTML)).text
    assert "Unlocked Front door." in page
    assert "Seen" in page
    assert home.states["lock.front_door"].state == "unlocked"


async def test_it_leads_back_to_where_it_was_decided_and_nowhere_else(owner, somebody):
    one, other = await asked(owner), await asked(owner)
    assert (await send(owner, somebody, f"/plans/{one}/reject", onward="/ask?conversation=conv_1")).headers[
        "location"
    ] == "../../ask?conversation=conv_1"
    assert (await send(owner, somebody, f"/plans/{other}/reject", onward="https://evil.example")).headers[
        "location"
    ] == "../../"


async def test_with_scripts_the_answer_is_the_card_as_it_is_now(owner, somebody):
    plan = await asked(owner)
    answer = await owner.post(
        f"/plans/{plan}/approve", content=form(somebody), headers={**FIELDS, "hx-request": "true"}
    )
    assert answer.status_code == 200
    assert "<html" not in answer.text
    assert "Unlocked Front door." in answer.text
    assert "/approve" not in answer.text


async def test_a_no_is_for_good_and_says_so(owner, somebody, home):
    plan = await asked(owner)
    await send(owner, somebody, f"/plans/{plan}/reject")
    late = await send(owner, somebody, f"/plans/{plan}/approve")
    assert 'role="alert"' in late.text
    assert home.calls == []


async def test_a_part_is_approved_by_the_steps_that_are_ticked(household, owner, somebody, home):
    calls = [
        parse_call({"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}),
        parse_call({"service": "cover.open_cover", "target": {"entity_id": "cover.garage_door"}}),
    ]
    owner_caller = household.desk.people.caller_of(await household.desk.people.get(somebody.person_id), Channel.PAGE)
    [plan] = await household.house.gate.submit(calls, owner_caller, request="let them in")
    assert len(plan.steps) == 2
    page = (await owner.get(f"/plans/{plan.id}", headers=HTML)).text
    assert 'name="step-2" checked' in page
    await send(owner, somebody, f"/plans/{plan.id}/approve", **{"chosen": "1", "step-1": "on"})
    assert [call.id for call in home.calls] == ["lock.unlock"]


async def test_a_jam_is_told_as_what_was_seen_and_not_as_done(owner, somebody, home):
    plan = await asked(owner, "unlock the back door")
    await send(owner, somebody, f"/plans/{plan}/approve")
    page = (await owner.get(f"/plans/{plan}", headers=HTML)).text
    assert "Not as expected" in page
    assert "expected: unlocked" in page
    assert re.search(r'class="chip bad">.*?Failed', page, re.DOTALL)


async def test_what_was_done_can_be_taken_back_once(owner, somebody, home):
    plan = await asked(owner, "turn on the kitchen light")
    assert "/undo" in (await owner.get(f"/plans/{plan}", headers=HTML)).text
    answer = await send(owner, somebody, f"/plans/{plan}/undo")
    undoing = answer.headers["location"].removeprefix("../../plans/")
    assert undoing != plan
    assert home.states["light.kitchen"].state == "off"
    assert "/undo" not in (await owner.get(f"/plans/{plan}", headers=HTML)).text


async def test_a_plan_of_somebody_else_is_not_there(household, owner):
    plan = await asked(owner)
    async with household.client(await household.person(Role.GUEST)) as guest:
        there = await guest.get(f"/plans/{plan}", headers=HTML)
        none = await guest.get("/plans/plan_none", headers=HTML)
    assert (there.status_code, none.status_code) == (404, 404)
    assert there.text.replace(plan, "plan_none") == none.text


async def test_a_guest_may_say_no_to_a_question_of_their_own(household):
    guest = await household.person(Role.GUEST)
    async with household.client(guest) as client:
        plan = await asked(client, "turn on the kitchen light")
        assert (await send(client, guest, f"/plans/{plan}/reject")).status_code == 303
        assert "Refused" in (await client.get(f"/plans/{plan}", headers=HTML)).text


async def test_a_yes_that_takes_a_pin_is_asked_for_it_and_told_where_it_is_wrong(household, home):
    rules = "version: 1\nrules:\n- name: Locks take a PIN\n  when: {domain: lock}\n  then: confirm\n  pin: true\n"
    owner = await household.person(Role.OWNER)
    async with household.client(owner) as client:
        await client.post("/api/v1/step-up", json={"purpose": "pin"})
        await client.put(f"/api/v1/people/{owner.person_id}/pin", json={"pin": "738291"})
        await client.post("/api/v1/step-up", json={"purpose": "policy"})
        told = await client.put("/api/v1/policy", json={"rules": rules})
        assert told.status_code == 200, told.text
        plan = await asked(client)
        page = (await client.get(f"/plans/{plan}", headers=HTML)).text
        assert 'type="password" name="pin"' in page
        wrong = await send(client, owner, f"/plans/{plan}/confirm", pin="111222")
        assert 'role="alert"' in wrong.text
        assert home.calls == []
        right = await send(client, owner, f"/plans/{plan}/confirm", pin="738291")
        assert right.status_code == 303
    assert home.states["lock.front_door"].state == "unlocked"
    assert "738291" not in page + wrong.text
