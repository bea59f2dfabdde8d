"""Actions, scheduled: what is to be done later, for whom it is there, and calling it off."""

import re

import pytest

from homesteward.people import Role

HTML = {"accept": "text/html"}
LIGHT = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}
UNLOCK = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
PATH = "/actions/schedules"


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


@pytest.fixture
async def member(household):
    async with household.client(await household.person(Role.MEMBER)) as client:
        yield client


async def add(client, call=LIGHT, **when) -> dict:
    answer = await client.post("/api/v1/schedules", json={"call": call, "request": "for later", **when})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def page(client, path=PATH, **headers) -> str:
    return (await client.get(path, headers={**HTML, **headers})).text


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


async def posted(client, path, **fields):
    csrf = re.search(r'name="csrf" value="([^"]+)"', await page(client))[1]
    return await client.post(path, data={"csrf": csrf, **fields}, headers=HTML)


async def test_what_is_to_come_stands_soonest_first_with_its_time_and_who_asked(owner, member):
    await add(member, **{"in": {"hours": 3}})
    await add(owner, {**LIGHT, "service": "light.turn_off"}, **{"in": {"hours": 2}})
    text = words(await page(owner))
    assert text.index("Turning off Kitchen light") < text.index("Turning on Kitchen light")
    assert "( in 2 hours )" in text
    assert "Member: “for later”" in text
    assert "You: “for later”" in text


async def test_what_has_to_hold_then_is_told_in_words(owner):
    conditions = [
        {"entity_id": "lock.front_door", "state": "locked"},
        {"entity_id": "light.kitchen", "unchanged": True},
    ]
    await add(owner, **{"in": 600, "if": conditions})
    text = words(await page(owner))
    assert "only if Front door is locked then" in text
    assert "only if Kitchen light is still off then" in text


async def test_the_two_halves_of_what_is_done_for_a_while_are_one(owner):
    await add(owner, **{"in": 600, "for": 3600})
    text = await page(owner)
    assert text.count('class="row later"') == 1
    assert "and then: Turning off Kitchen light" in words(text)
    assert "Call off only the end" in words(text)


async def test_an_end_whose_beginning_was_done_says_what_it_ends(owner):
    await add(owner, **{"for": 3600})
    assert "the end of: Turning on Kitchen light" in words(await page(owner))


async def test_called_off_without_a_script_it_takes_its_end_along(owner):
    await add(owner, **{"in": 600, "for": 3600})
    first = (await owner.get("/api/v1/schedules")).json()[0]
    answer = await posted(owner, f"{PATH}/{first['id']}/cancel")
    assert (answer.status_code, answer.headers["location"]) == (303, "../../../actions/schedules")
    text = words(await page(owner))
    assert "Nothing is scheduled" in text
    assert text.count("Called off") == 2


async def test_what_is_over_already_is_not_called_off_twice_and_says_so(owner):
    await add(owner, **{"in": 600})
    [kept] = (await owner.get("/api/v1/schedules")).json()
    await posted(owner, f"{PATH}/{kept['id']}/cancel")
    again = await owner.post(
        f"{PATH}/{kept['id']}/cancel",
        data={"csrf": re.search(r'name="csrf" value="([^"]+)"', await page(owner, "/settings"))[1]},
        headers=HTML,
    )
    assert again.status_code == 404
    assert "there is nothing to cancel" in words(again.text)


async def test_what_somebody_else_scheduled_is_not_there(member, owner):
    await add(owner, **{"in": 600})
    [kept] = (await owner.get("/api/v1/schedules")).json()
    assert "Nothing is scheduled" in words(await page(member))
    csrf = re.search(r'name="csrf" value="([^"]+)"', await page(member, "/settings"))[1]
    answer = await member.post(f"{PATH}/{kept['id']}/cancel", data={"csrf": csrf}, headers=HTML)
    assert answer.status_code == 404
    assert len((await owner.get("/api/v1/schedules")).json()) == 1


async def test_a_plan_for_later_is_told_with_its_time_and_leads_to_what_it_was_kept_as(owner):
    waiting = await add(owner, UNLOCK, **{"in": {"hours": 2}})
    text = await page(owner, f"/plans/{waiting['plans'][0]['id']}" if "plans" in waiting else f"/plans/{waiting['id']}")
    assert re.search(r"Unlocking Front door, .*\d", words(text))
    assert "homesteward.schedule" in text
    done = await add(owner, **{"in": 600})
    text = await page(owner, f"/plans/{done['id']}")
    [kept] = (await owner.get("/api/v1/schedules")).json()
    assert f"actions/schedules#{kept['id']}" in text
    assert "What is scheduled scheduled Seen" in words(text)


async def test_the_page_speaks_german(owner):
    await add(owner, **{"in": {"hours": 2}, "if": [{"entity_id": "lock.front_door", "state": "locked"}]})
    text = words(await page(owner, **{"accept-language": "de-DE"}))
    assert "nur wenn Front door dann abgeschlossen ist" in text
    assert "Absagen" in text
