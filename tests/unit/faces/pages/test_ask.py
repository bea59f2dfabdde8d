"""Ask: a sentence with and without scripts, which one, conversations of before, and an end put to what takes too long."""

import asyncio
import re

import pytest

from homesteward.people import Role

HTML = {"accept": "text/html"}
FIELDS = {**HTML, "content-type": "application/x-www-form-urlencoded"}
SCRIPTED = {**FIELDS, "hx-request": "true", "x-homesteward-depth": "0"}


@pytest.fixture
async def somebody(household):
    return await household.person(Role.MEMBER)


@pytest.fixture
async def member(household, somebody):
    async with household.client(somebody) as client:
        yield client


def form(somebody, text, **fields) -> str:
    given = {"csrf": somebody.headers["x-homesteward-csrf"], "text": text.replace(" ", "+"), **fields}
    return "&".join(f"{name}={value}" for name, value in given.items())


async def send(client, somebody, text, headers=FIELDS, **fields):
    return await client.post("/ask", content=form(somebody, text, **fields), headers=headers)


def run_in(text: str) -> str:
    return re.search(r'id="(run_\w+)"', text)[1]


async def told(client, run: str) -> str:
    """The turn once the run is over: its events say when."""
    async with client.stream("GET", f"/api/v1/runs/{run}/events") as events:
        async for _ in events.aiter_lines():
            pass
    return (await client.get(f"/ask/{run}", headers=SCRIPTED)).text


async def test_without_scripts_the_answer_is_waited_for_and_shown(member, somebody):
    answer = await send(member, somebody, "turn on the kitchen light")
    assert answer.status_code == 303
    page = (await member.get(answer.headers["location"].removeprefix("."), headers=HTML)).text
    assert "turn on the kitchen light" in page
    assert "Turned on Kitchen light." in page
    assert "without a language model" in page


async def test_with_scripts_a_turn_is_there_at_once_and_is_made_anew_when_its_stream_says_so(member, somebody):
    begun = (await send(member, somebody, "turn on the kitchen light", SCRIPTED)).text
    run = run_in(begun)
    assert f'hx-sse:connect="./api/v1/runs/{run}/events"' in begun
    assert 'hx-sse:close="done"' in begun
    over = await told(member, run)
    assert "Turned on Kitchen light." in over
    assert "aria-busy" not in over
    assert "hx-sse" not in over


async def test_the_plan_stands_in_the_turn_as_it_is_now(household, member, somebody):
    answer = await send(member, somebody, "unlock the front door")
    where = answer.headers["location"].removeprefix(".")
    page = (await member.get(where, headers=HTML)).text
    plan = re.search(r'data-plan="(\w+)"', page)[1]
    assert "Waits for approval" in page
    async with household.client(await household.person(Role.OWNER)) as owner:
        await owner.post(f"/api/v1/plans/{plan}/approve")
    assert "Unlocked Front door." in (await member.get(where, headers=HTML)).text


async def test_which_one_is_a_button_for_each_until_it_is_answered(member, somebody, home):
    first = await send(member, somebody, "turn on the reading lamp")
    where = first.headers["location"].removeprefix(".")
    page = (await member.get(where, headers=HTML)).text
    options = re.findall(r'name="text" value="([^"]+)"', page)
    assert options == ["Reading lamp (Bedroom)", "Reading lamp (Study)"]
    conversation = where.partition("=")[2]
    await send(member, somebody, "Reading lamp (Study)", conversation_id=conversation)
    assert [call.entity_ids for call in home.calls] == [("light.reading_lamp_study",)]
    assert 'name="text" value=' not in (await member.get(where, headers=HTML)).text


async def test_what_was_asked_before_is_listed_by_how_it_began_and_only_ones_own(household, member, somebody):
    await send(member, somebody, "turn on the kitchen light")
    async with household.client(await household.person(Role.OWNER)) as owner:
        await owner.post("/api/v1/ask", json={"text": "unlock the front door"})
        theirs = (await owner.get("/ask", headers=HTML)).text
    own = (await member.get("/ask", headers=HTML)).text
    assert "turn on the kitchen light" in own
    assert "unlock the front door" not in own
    assert "turn on the kitchen light" not in theirs


async def test_a_turn_of_somebody_else_is_not_there(household, member, somebody):
    run = run_in((await send(member, somebody, "turn on the kitchen light", SCRIPTED)).text)
    await told(member, run)
    async with household.client(await household.person(Role.GUEST)) as guest:
        assert (await guest.get(f"/ask/{run}", headers=HTML)).status_code == 404
        assert (await guest.get("/ask", headers=HTML)).text.count("kitchen light") == 0


async def test_a_run_that_takes_too_long_can_be_ended(household, member, somebody, monkeypatch):
    begun = asyncio.Event()

    async def never(*_given):
        begun.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(household.house.steward, "_answer", never)
    turn = (await send(member, somebody, "think about it", SCRIPTED)).text
    run = run_in(turn)
    assert f"./ask/{run}/cancel" in turn
    async with asyncio.timeout(5):
        await begun.wait()
        await member.post(f"/ask/{run}/cancel", content=form(somebody, ""), headers=SCRIPTED)
        assert "Cancelled." in await told(member, run)


@pytest.mark.parametrize("text", ["", "+", "a" * 4001])
async def test_nothing_and_too_much_are_told_with_what_was_typed(member, somebody, text):
    answer = await send(member, somebody, text)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


async def test_no_mode_wider_than_the_house_is_set_to_is_offered(member):
    page = (await member.get("/ask", headers=HTML)).text
    assert re.findall(r'<option value="(auto|plan|observe)">', page) == ["auto", "plan", "observe"]


async def test_a_mode_that_was_chosen_holds(member, somebody, home):
    answer = await send(member, somebody, "turn on the kitchen light", mode="observe", profile="")
    page = (await member.get(answer.headers["location"].removeprefix("."), headers=HTML)).text
    assert "Refused" in page
    assert home.calls == []


@pytest.mark.parametrize("text", ["", "x" * 4001])
async def test_with_scripts_a_text_that_cannot_be_taken_is_answered_by_the_alert_alone(member, somebody, text):
    """It is put after the last turn: a whole page there would be a page within the page."""
    answer = await send(member, somebody, text, SCRIPTED)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "That is empty or too long. Say it in fewer words." in answer.text
    assert "<html" not in answer.text
