"""Actions, found: what was found, what it would call, and an owner's yes to it."""

import re
from datetime import timedelta
from html import unescape

import pytest

from homesteward.faces.web.pages.offers import PER_PAGE
from homesteward.people import Role

HTML = {"accept": "text/html"}
PATH = "/actions/offers"


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


async def page(client, path=PATH, **params) -> str:
    return (await client.get(path, params=params, headers=HTML)).text


def words(text: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split()))


async def posted(client, path, **fields):
    csrf = re.search(r'name="csrf" value="([^"]+)"', await page(client))[1]
    return await client.post(path, data={"csrf": csrf, **fields}, headers=HTML)


async def offer_of(client, tool) -> dict:
    return next(offer for offer in (await client.get("/api/v1/offers")).json() if offer["tool"] == tool)


async def test_what_was_found_says_what_would_be_called_and_what_that_reaches(owner):
    text = words(await page(owner))
    assert "Proposed" in text
    assert "script.turn_on" in text
    assert "A script of Home Assistant's" in text
    assert "Sensitive" in text
    assert "Front door" in text


async def test_an_owner_asks_for_it_on_the_page_and_approves_it(owner):
    offer = await offer_of(owner, "welcome")
    asked = await posted(
        owner,
        f"{PATH}/{offer['id']}/enable",
        phrases="Party time\nFesta\n",
        fingerprint=offer["fingerprint"],
        **{"role-owner": "on"},
    )
    assert asked.status_code == 303
    plan = asked.headers["location"].rpartition("/")[2]
    assert "Waits for approval" in words(await page(owner, f"/plans/{plan}"))
    await posted(owner, f"/plans/{plan}/approve")
    kept = await offer_of(owner, "welcome")
    assert (kept["state"], kept["phrases"], kept["roles"]) == ("enabled", ["Party time", "Festa"], ["owner"])
    text = words(await page(owner))
    assert "Enabled by Owner" in text
    assert "Party time, Festa" in text


async def test_whoever_signed_in_a_while_ago_is_asked_for_a_proof_where_the_form_stands(household, owner, monkeypatch):
    offer = await offer_of(owner, "welcome")
    later = household.house.clock.now() + timedelta(minutes=10)
    monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
    text = await page(owner)
    assert "sign in again first" in text
    answer = await posted(owner, f"{PATH}/{offer['id']}/enable", phrases="Party time")
    assert answer.status_code == 403
    assert 'role="alert"' in answer.text
    assert (await offer_of(owner, "welcome"))["state"] == "proposed"


async def test_the_form_of_what_became_another_meanwhile_enables_nothing(owner):
    offer = await offer_of(owner, "welcome")
    answer = await posted(owner, f"{PATH}/{offer['id']}/enable", fingerprint="0" * 64)
    assert answer.status_code == 409
    assert "is not what it was" in words(answer.text)


async def test_disabled_and_forgotten_by_a_form(owner):
    offer = await offer_of(owner, "let_in")
    assert (await posted(owner, f"{PATH}/{offer['id']}/disable")).status_code == 303
    assert (await offer_of(owner, "let_in"))["state"] == "disabled"
    assert "Disabled" in words(await page(owner))
    asked = await posted(owner, f"{PATH}/{offer['id']}/forget")
    assert "/plans/" in asked.headers["location"]


async def test_a_member_sees_and_disables_and_has_no_form_to_enable(household, owner):
    offer = await offer_of(owner, "let_in")
    async with household.client(await household.person(Role.MEMBER)) as member:
        text = await page(member)
        assert "/disable" in text
        assert "/enable" not in text
        assert "/forget" not in text
        assert (await posted(member, f"{PATH}/{offer['id']}/enable")).status_code == 403
        assert (await posted(member, f"{PATH}/{offer['id']}/disable")).status_code == 303


async def test_a_guest_is_not_led_there(household):
    async with household.client(await household.person(Role.GUEST)) as guest:
        assert "actions/offers" not in await page(guest, "/actions")
        assert (await guest.get(PATH, headers=HTML)).status_code == 403


async def test_many_are_shown_page_by_page_and_found_by_name(owner, household, home):
    assert "Nothing fits" in words(await page(owner, text="no such thing"))
    assert await page(owner, page=99)
    assert (await page(owner, text="welcome")).count('class="past offer"') == 1
    assert PER_PAGE <= 50
