"""Chronicle: what happened in words and drawn, why it did, and the house at a moment."""

import re
from datetime import timedelta

import pytest

from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind
from homesteward.people import Role
from pasts import context, ran

HTML = {"accept": "text/html"}


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


async def page(client, path="/chronicle", **params) -> str:
    return (await client.get(path, params=params, headers=HTML)).text


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


@pytest.fixture
async def lit(owner, household, home):
    """The kitchen light was asked for, and what that came to is written down."""
    await owner.post("/api/v1/ask", json={"text": "turn on the kitchen light"})
    home.set_state("sensor.study_temperature", "25.5")
    await household.chronicle.flush()


async def test_what_happened_stands_in_words_with_who_did_it(owner, lit):
    text = words(await page(owner))
    assert "Kitchen light" in text
    assert "Turning on Kitchen light: done" in text
    assert "light.turn_on" not in text
    assert "by Owner" in text


async def test_it_is_drawn_in_lanes_with_an_arrow_from_cause_to_effect(owner, lit):
    text = await page(owner, text="kitchen")
    svg = re.search(r"<figure class=\"lanes\">.*?</figure>", text, re.DOTALL)[0]
    assert "Asked for" in svg
    assert ">Kitchen<" in svg
    assert re.search(r'class="arrow (certain|likely)"', svg.partition("</svg>")[0])
    assert svg.count("<circle") == svg.count("chronicle/why?ref=")


@pytest.mark.parametrize(
    ("asked", "there", "absent"),
    [
        ({"text": "kitchen"}, "Kitchen light", "Study temperature"),
        ({"area": "study"}, "Study temperature", "Kitchen light"),
        ({"kind": "act"}, "Turning on Kitchen light", "Study temperature"),
        ({"user": "Owner"}, "Kitchen light", "Study temperature"),
        ({"entity": "sensor.study_temperature"}, "Study temperature", "Kitchen light"),
    ],
)
async def test_a_filter_leaves_what_fits(owner, lit, asked, there, absent):
    found = words(await page(owner, **asked)).partition("Show")[2]
    assert there in found
    assert absent not in found


async def test_what_cannot_be_asked_is_said_on_the_page(owner, lit):
    assert "There is no area nowhere" in words(await page(owner, area="nowhere"))
    assert "cannot be asked like this" in words(await page(owner, kind="nothing"))
    assert "is not a moment" in words(await page(owner, since="when pigs fly"))


async def test_pages_go_on_and_no_row_is_missed(owner, household, home, monkeypatch):
    monkeypatch.setattr("homesteward.faces.web.pages.past_questions.PER_PAGE", 3)
    for n in range(8):
        home.set_state("light.hall", "on" if n % 2 == 0 else "off")
    await household.chronicle.flush()
    rows = (await household.chronicle.history.rows(Query(("light.hall",)))).rows
    seen, query = [], "entity=light.hall"
    while query:
        text = (await owner.get(f"/chronicle?{query}", headers=HTML)).text
        seen += re.findall(r'<li><a class="row" href="\./chronicle/why\?ref=([\d-]+)"', text)
        older = re.search(r'href="\./chronicle\?([^"]*cursor=[^"]*)"', text)
        query = older[1].replace("&amp;", "&") if older else ""
    assert seen == [row.ref for row in rows]


async def test_why_is_a_sentence_a_chain_and_what_it_led_to(owner, lit, household):
    text = words(await page(owner, "/chronicle/why", entity="light.kitchen"))
    assert "Kitchen light" in text
    assert "because" in text or "after" in text or "Owner" in text
    [act] = (await household.chronicle.history.rows(Query(kinds=frozenset({Kind.ACT})))).rows
    of_row = words(await page(owner, "/chronicle/why", ref=act.ref))
    assert "What it led to" in of_row
    assert "Kitchen light" in of_row


async def test_why_names_no_plan_and_leads_to_it(owner, lit, household):
    text = await page(owner, "/chronicle/why", entity="light.kitchen")
    [act] = (await household.chronicle.history.rows(Query(kinds=frozenset({Kind.ACT})))).rows
    assert f'href="../plans/{act.record.plan_id}"' in text
    assert "(plan " not in words(text)
    assert act.record.plan_id not in words(text)


async def test_automations_that_set_each_other_off_are_listed(owner, household):
    now = household.house.clock.now() - timedelta(minutes=5)
    of = context(now, "c0")
    put = household.chronicle._parts.writer.put
    for n in range(1, 6):
        of = context(now + timedelta(seconds=n), f"c{n}", of)
        put(ran(now + timedelta(seconds=n), ("automation.echo", "automation.dusk")[n % 2], of, "state of light.hall"))
    alone = now - timedelta(hours=1)
    put(ran(alone, "automation.dusk", context(alone, "alone"), "time"))
    await household.chronicle.flush()
    text = words(await page(owner, "/chronicle/cascades"))
    assert "automation.dusk, automation.echo" in text
    assert "5 runs in 4 s" in text
    assert "in a circle" in text
    assert text.count("in a circle") == 2  # the one that was found, and what the page is about


async def test_where_no_chain_reaction_was_the_page_says_what_was_looked_through(owner, household):
    then = household.house.clock.now() - timedelta(hours=1)
    household.chronicle._parts.writer.put(ran(then, "automation.dusk", context(then, "alone"), "time"))
    await household.chronicle.flush()
    assert "1 run of a week was looked through." in words(await page(owner, "/chronicle/cascades"))


async def test_why_of_something_nobody_knows_is_said_and_no_error(owner):
    assert 'role="alert"' in await page(owner, "/chronicle/why", entity="light.nowhere")
    assert 'role="alert"' in await page(owner, "/chronicle/why", ref="1-1")


async def test_the_house_at_a_moment_says_what_was_different(owner, household, home, monkeypatch):
    await household.chronicle.flush()
    later = household.house.clock.now() + timedelta(hours=3)
    monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
    home.set_state("light.hall", "on")
    text = words(await page(owner, "/chronicle/then", back=4))
    assert re.search(r"Hall light Hall off on", text)
    assert "Kitchen light" not in text.partition("Different from now")[2].partition("were as they are")[0]


async def test_a_moment_before_anything_was_known_is_told_as_unknown(owner, lit):
    text = words(await page(owner, "/chronicle/then", over="month", back=96))
    assert re.search(r"Of \d+ things nothing is known from then", text)


async def test_a_moment_that_is_none_or_to_come_is_said(owner, lit):
    assert "is not a moment" in words(await page(owner, "/chronicle/then", at="gibberish"))
    assert "has not come yet" in words(await page(owner, "/chronicle/then", at="2027-01-01T00:00"))


async def test_a_moved_slider_is_answered_with_the_moment_alone(owner, lit):
    answer = await owner.get("/chronicle/then", params={"back": 2, "at": ""}, headers={**HTML, "hx-request": "true"})
    assert 'id="moment"' in answer.text
    assert "<html" not in answer.text


async def test_what_is_shown_can_be_saved_with_the_same_filters(owner, lit):
    text = await page(owner, text="kitchen")
    href = re.search(r'href="\./(api/v1/chronicle/export[^"]*)"', text)[1].replace("&amp;", "&")
    answer = await owner.get(f"/{href}")
    assert answer.status_code == 200
    assert "light.kitchen" in answer.text
    assert "study_temperature" not in answer.text


async def test_a_guest_does_not_read_in_the_chronicle(household, lit):
    async with household.client(await household.person(Role.GUEST)) as guest:
        answers = [await guest.get(path, headers=HTML) for path in ("/chronicle", "/chronicle/why", "/chronicle/then")]
        assert [answer.status_code for answer in answers] == [403] * 3
        assert "Chronicle" not in (await guest.get("/", headers=HTML)).text
