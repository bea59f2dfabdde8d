"""Home: how things stand, what waits for whoever looks, what came of it, and what is unusual."""

import re
from datetime import timedelta

import pytest

from homesteward.people import Role

HTML = {"accept": "text/html"}


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


async def ask(client, text):
    return (await client.post("/api/v1/ask", json={"text": text})).json()


def section(text: str, name: str) -> str:
    """One section of the page, as plain words."""
    found = re.search(rf'<section[^>]*id="{name}".*?</section>', text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[0]).split()) if found else ""


async def test_it_says_what_was_asked_what_was_seen_and_when(owner):
    await ask(owner, "turn on the kitchen light")
    text = section((await owner.get("/", headers=HTML)).text, "recent")
    assert "Turned on Kitchen light." in text
    assert "You: “turn on the kitchen light”" in text
    assert "Done" in text


async def test_what_waits_is_told_with_what_it_would_do_and_can_be_decided_there(owner):
    await ask(owner, "unlock the front door")
    page = (await owner.get("/", headers=HTML)).text
    text = section(page, "waiting")
    assert "Unlocking Front door" in text
    assert "Sensitive" in text
    assert "locked unlocked" in text
    assert "Approve" in text
    assert "lock.front_door" not in text.partition("Exactly")[0]  # no ids on the surface


async def test_nothing_that_waits_leaves_no_empty_box(owner):
    page = (await owner.get("/", headers=HTML)).text
    assert re.search(r'<section[^>]*id="waiting"[^>]* hidden>', page)


async def test_a_guest_is_told_neither_what_others_wait_for_nor_what_is_unusual(household, owner):
    await ask(owner, "unlock the front door")
    async with household.client(await household.person(Role.GUEST)) as guest:
        page = (await guest.get("/", headers=HTML)).text
    assert "Front door" not in page
    assert 'id="unusual"' not in page


async def test_a_guest_says_yes_to_what_they_asked_for_themselves(household, home):
    async with household.client(await household.person(Role.GUEST)) as guest:
        await ask(guest, "turn on the kitchen light")
        text = section((await guest.get("/", headers=HTML)).text, "waiting")
    assert "Yes, do it" in text


async def test_what_is_unusual_is_told_each_thing_once(owner, home):
    home.set_state("binary_sensor.leak", "on", friendly_name="Leak", device_class="moisture")
    for entity_id, state in (
        ("lock.front_door", "unlocked"),
        ("cover.garage_door", "open"),
        ("lock.back_door", "jammed"),
    ):
        home.set_state(entity_id, state)
    text = section((await owner.get("/", headers=HTML)).text, "unusual")
    assert re.search(r"Needs a look at once 1 Leak wet", text)
    assert re.search(r"Jammed 1 Back door Kitchen", text)
    assert re.search(r"Unlocked 1 Front door Hall unlocked", text)
    assert re.search(r"Open 1 Garage door Garage open", text)
    assert re.search(r"Out of reach 1 Porch light", text)
    assert text.count("Back door") == 1


async def test_a_light_that_is_on_for_long_is_unusual_and_one_just_switched_on_is_not(
    household, owner, home, monkeypatch
):
    home.set_state("light.hall", "on")
    assert "On for more" not in section((await owner.get("/", headers=HTML)).text, "unusual")
    later = household.house.clock.now() + timedelta(hours=13)
    monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
    assert "On for more than 12 hours 1 Hall light" in section((await owner.get("/", headers=HTML)).text, "unusual")


async def test_a_home_that_is_away_is_told_with_the_age_of_what_is_known(household, owner, home):
    home.connected, home.lost_at = False, household.house.clock.now() - timedelta(minutes=12)
    text = section((await owner.get("/", headers=HTML)).text, "connection")
    assert "Not connected to Home Assistant" in text
    assert "What is known is from" in text
    assert "12 minutes ago" in text


async def test_many_that_wait_are_counted_and_not_all_shown(household, owner):
    for name in ("front door", "back door"):
        for _ in range(4):
            await ask(owner, f"unlock the {name}")
    page = (await owner.get("/", headers=HTML)).text
    assert "Waits for you 8" in section(page, "waiting")
    assert "and 3 more" in section(page, "waiting")


async def test_a_part_is_the_section_of_the_page(owner):
    await ask(owner, "unlock the front door")
    for part in ("connection", "waiting", "recent", "unusual"):
        text = (await owner.get(f"/home/{part}", headers={**HTML, "hx-request": "true"})).text
        assert f'id="{part}"' in text
        assert "<html" not in text


async def test_what_was_decided_here_stays_until_the_page_is_left(owner):
    plan = (await ask(owner, "unlock the front door"))["plan"]["id"]
    await owner.post(f"/api/v1/plans/{plan}/approve")
    part = (await owner.get(f"/home/waiting?kept={plan}&kept=plan_none", headers={**HTML, "hx-request": "true"})).text
    assert "Unlocked Front door." in part
    assert plan not in (await owner.get("/home/waiting", headers=HTML)).text


async def test_it_speaks_german_to_a_german_browser(owner):
    await ask(owner, "unlock the front door")
    page = (await owner.get("/", headers={**HTML, "accept-language": "de-DE,de;q=0.9"})).text
    assert '<html lang="de">' in page
    assert "Wartet auf dich" in section(page, "waiting")
    assert "Ungewöhnlich" not in page
    assert "Jetzt ungewöhnlich" in page
