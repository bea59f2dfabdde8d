"""Actions: what waits and for whom, deciding about it, and what came of it, page by page."""

import re

import pytest

from homesteward.home.calls import Call, Target
from homesteward.people import Channel, Role

HTML = {"accept": "text/html"}


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


@pytest.fixture
def ask(household):
    async def asked(client, text):
        household.desk.rates._buckets.clear()
        return (await client.post("/api/v1/ask", json={"text": text})).json()

    return asked


async def page(client, path="/actions", **params) -> str:
    return (await client.get(path, params=params, headers=HTML)).text


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


async def test_what_waits_is_told_with_its_risk_its_steps_and_when_it_ends(owner, ask):
    await ask(owner, "unlock the front door")
    text = words(await page(owner))
    assert "Waits for you 1" in text
    assert "Unlocking Front door" in text
    assert "Sensitive" in text
    assert "locked unlocked" in text
    assert "lock.unlock lock.front_door" in text
    assert "Ends by itself" in text


async def test_the_way_of_an_indirect_route_is_shown(owner, ask, household):
    call = {"domain": "script", "service": "turn_on", "target": {"entity_id": "script.let_in"}}
    assert "script.let_in" in household.house.home.states
    await owner.post("/api/v1/tools/call_service", json={"arguments": call})
    assert re.search("Reaches: [^:]*Front door", words(await page(owner)))


async def test_nothing_waiting_is_said_in_words(owner):
    assert "Nothing waits" in words(await page(owner))
    assert "Nothing was decided yet" in words(await page(owner, "/actions/past"))


async def test_approved_without_a_script_it_is_among_the_past_with_what_was_seen(owner, ask):
    plan = (await ask(owner, "unlock the front door"))["plan"]["id"]
    csrf = re.search(r'name="csrf" value="([^"]+)"', await page(owner))[1]
    answer = await owner.post(
        f"/plans/{plan}/approve", data={"csrf": csrf, "onward": "/actions"}, headers={"accept": "text/html"}
    )
    assert (answer.status_code, answer.headers["location"]) == (303, "../../actions")
    text = words(await page(owner, "/actions/past"))
    assert "Unlocked Front door." in text
    assert "Seen" in text
    assert "Decided by Owner" in text
    assert "Undo" in text


async def test_part_of_a_plan_can_be_approved(owner, household, home):
    calls = [Call("lock", "unlock", Target(entity_id=(name,))) for name in ("lock.front_door", "lock.back_door")]
    caller = household.desk.people.caller_of(
        await household.desk.people.signed_in_with_ha("ha_owner", "Owner", is_admin=True), Channel.PAGE
    )
    [plan] = await household.house.gate.submit(calls, caller, request="unlock both")
    text = await page(owner)
    assert text.count('type="checkbox" name="step-') == 2
    csrf = re.search(r'name="csrf" value="([^"]+)"', text)[1]
    await owner.post(f"/plans/{plan.id}/approve", data={"csrf": csrf, "chosen": "1", "step-1": "on"}, headers=HTML)
    assert [entity_id for call in home.calls for entity_id in call.entity_ids] == ["lock.front_door"]


async def test_past_plans_are_found_by_what_came_of_them_and_by_name(owner, ask):
    refused = (await ask(owner, "unlock the front door"))["plan"]["id"]
    await owner.post(f"/api/v1/plans/{refused}/reject")
    await ask(owner, "turn on the kitchen light")
    done = words(await page(owner, "/actions/past", outcome="done"))
    assert "Kitchen light" in done
    assert "Front door" not in done
    assert "Front door" in words(await page(owner, "/actions/past", outcome="refused"))
    named = words(await page(owner, "/actions/past", text="kitchen LIGHT"))
    assert "Kitchen light" in named
    assert "Front door" not in named
    assert "Nothing fits" in words(await page(owner, "/actions/past", text="no such thing"))


async def test_past_plans_go_on_page_by_page_and_none_is_missed(owner, ask, monkeypatch):
    monkeypatch.setattr("homesteward.faces.web.pages.past_plans.PER_PAGE", 2)
    monkeypatch.setattr("homesteward.faces.web.pages.past_plans.PORTION", 3)
    asked = [await ask(owner, f"turn {'on' if n % 2 == 0 else 'off'} the kitchen light") for n in range(7)]
    made = [answer["plans"][0]["id"] for answer in asked]
    seen, before = [], ""
    while True:
        text = await page(owner, "/actions/past", before=before)
        seen += re.findall(r'class="past" data-plan="([^"]+)"', text)
        older = re.search(r"before=([\w-]+)", text)
        if older is None:
            break
        before = older[1]
    assert seen == made[::-1]


async def test_what_waits_goes_on_page_by_page(owner, ask, monkeypatch):
    monkeypatch.setattr("homesteward.faces.web.pages.actions.PER_PAGE", 2)
    for name in ("front door", "back door", "front door"):
        await ask(owner, f"unlock the {name}")
    first, second = await page(owner), await page(owner, page=2)
    assert "Page 1 of 2" in words(first)
    shown = [re.findall(r'<article class="plan[^"]*" id="card-([^"]+)"', text) for text in (first, second)]
    assert [len(ids) for ids in shown] == [2, 1]
    assert not set(shown[0]) & set(shown[1])


async def test_what_somebody_else_has_to_decide_is_set_apart(household, ask, owner):
    async with household.client(await household.person(Role.GUEST)) as guest:
        await ask(guest, "turn on the kitchen light")
        assert "Waits for you 1" in words(await page(guest))
    text = words(await page(owner))
    assert "Waits for somebody else" in text
    assert "Waits for you" not in text
    assert "Yes, do it" not in text


async def test_a_guest_sees_nothing_of_what_others_asked_for(household, owner, ask):
    await ask(owner, "unlock the front door")
    await ask(owner, "turn on the kitchen light")
    async with household.client(await household.person(Role.GUEST)) as guest:
        assert "Front door" not in await page(guest)
        assert "Kitchen light" not in await page(guest, "/actions/past")


async def test_a_part_keeps_what_was_decided_on_the_page(owner, ask):
    plan = (await ask(owner, "unlock the front door"))["plan"]["id"]
    await owner.post(f"/api/v1/plans/{plan}/reject")
    answer = await owner.get("/actions", params={"kept": plan}, headers={**HTML, "hx-request": "true"})
    assert "<html" not in answer.text
    assert f'id="card-{plan}"' in answer.text
