"""Policy: rules in words and as a file, looked at while they are written, tried, saved, compared and put back."""

import re
from datetime import timedelta

import pytest

from homesteward.people import Role

HTML = {"accept": "text/html"}
GARAGE = """version: 1
rules:
- name: The garage stays shut
  when: {device_class: garage}
  then: deny
"""


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


def words(text: str) -> str:
    """The page as plain words."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def field(text: str, name: str) -> str:
    """The value of a hidden field."""
    return re.search(rf'name="{name}" value="([^"]*)"', text)[1]


async def page(client, path: str = "/policy", **query) -> str:
    return (await client.get(path, headers=HTML, params=query)).text


async def save(client, rules: str, before: str | None = None, **more):
    before = field(await page(client), "before") if before is None else before
    return await client.post("/policy", headers=HTML, data={"rules": rules, "before": before, **more})


async def test_without_rules_the_preset_is_told_and_the_editor_begins_with_something_that_can_be_saved(owner):
    text = await page(owner)
    assert "There is no rule of your own yet." in text
    assert "family" in words(text)
    assert "version: 1" in text


async def test_a_rule_is_saved_holds_at_once_and_is_told_as_a_sentence(owner, household):
    answer = await save(owner, GARAGE.replace("\n", "\r\n"))
    assert (answer.status_code, answer.headers["location"]) == (303, "./policy")
    assert household.house.rules.text == GARAGE  # as files end their lines, not as forms do
    text = words(await page(owner))
    assert "The garage stays shut" in text
    assert "it is refused" in text


async def test_what_cannot_be_used_is_not_saved_and_stays_in_the_editor_with_its_lines(owner, household):
    wrong = GARAGE.replace("then: deny", "then: perhaps")
    answer = await save(owner, wrong)
    assert answer.status_code == 400
    assert "then: perhaps" in answer.text
    assert "Line 5" in words(answer.text)
    assert household.house.rules.text == ""


async def test_a_draft_is_told_in_words_while_it_is_written_and_holds_no_more_than_before(owner, household):
    answer = await owner.post("/policy/check", headers={**HTML, "hx-request": "true"}, data={"rules": GARAGE})
    assert "<html" not in answer.text
    assert "The garage stays shut" in answer.text
    assert household.house.rules.text == ""


async def test_a_rule_about_what_the_home_does_not_have_is_warned_of(owner):
    draft = GARAGE.replace("device_class: garage", "area: Ballroom")
    answer = await owner.post("/policy/check", headers=HTML, data={"rules": draft})
    assert "Ballroom, which this home does not have" in words(answer.text)


async def test_nobody_saves_over_what_somebody_else_saved_meanwhile(owner, household):
    before = field(await page(owner), "before")
    await save(owner, GARAGE)
    answer = await save(owner, "version: 1\n", before)
    assert answer.status_code == 409
    assert "changed meanwhile" in answer.text
    assert household.house.rules.text == GARAGE


async def test_after_some_days_saving_takes_a_pin_and_the_text_is_not_lost(household, owner, monkeypatch):
    somebody = await household.person(Role.OWNER)
    async with household.client(somebody) as client:
        await client.put(f"/api/v1/people/{somebody.person_id}/pin", json={"pin": "738291"})
        later = household.house.clock.now() + timedelta(days=2)
        monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
        assert "Your PIN" in await page(client)
        without = await save(client, GARAGE)
        assert (without.status_code, household.house.rules.text) == (403, "")
        assert "The garage stays shut" in without.text
        wrong = await save(client, GARAGE, proof="111213")
        assert (wrong.status_code, household.house.rules.text) == (403, "")
        right = await save(client, GARAGE, proof="738291")
        assert (right.status_code, household.house.rules.text) == (303, GARAGE)


async def test_what_would_happen_to_a_call_is_told_with_its_rule_and_nothing_is_sent(owner, home):
    text = words(await page(owner, "/policy/try", service="lock.unlock", target="Front door", role="member"))
    assert "Waits for approval Front door" in text
    assert "Decided by preset family" in text
    assert home.calls == []


async def test_what_would_happen_depends_on_who_asks(owner):
    text = words(await page(owner, "/policy/try", service="lock.unlock", target="lock.front_door", role="guest"))
    assert "Refused Front door" in text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"service": "lock.unlock", "target": "lock.front_door", "data": "{"}, "The data is no JSON."),
        ({"service": "lock.unlock", "target": "lock.front_door", "data": "[1]"}, "one JSON object"),
        ({"service": "nonsense"}, "for example light.turn_on"),
        ({"service": "lock.unlock", "target": "lock.nowhere"}, "lock.nowhere"),
    ],
)
async def test_a_call_that_is_none_is_told_beside_the_form_which_keeps_what_was_written(owner, query, said):
    text = await page(owner, "/policy/try", **query)
    assert said in words(text)
    assert f'value="{query["service"]}"' in text


async def test_rules_that_hold_are_tried_on_the_past(owner, household):
    await owner.post("/api/v1/ask", json={"text": "unlock the front door"})
    await owner.post("/api/v1/ask", json={"text": "turn on the kitchen light"})
    await household.chronicle.flush()
    text = await page(owner, "/policy/past", since="1d")
    assert "2 calls were judged" in words(text)
    assert "Waits for approval 1 1" in words(text)
    assert '<rect class="bar approve"' in text


async def test_a_draft_is_tried_on_the_past_and_can_be_saved_from_there(owner, household):
    await owner.post("/api/v1/ask", json={"text": "open the garage door"})
    await household.chronicle.flush()
    answer = await owner.post("/policy/past", headers=HTML, data={"rules": GARAGE, "since": "1d"})
    text = words(answer.text)
    assert "1 would be decided otherwise" in text
    assert "rule The garage stays shut" in text
    assert household.house.rules.text == ""
    await save(owner, GARAGE, field(answer.text, "before"))
    assert household.house.rules.text == GARAGE


async def test_a_draft_with_mistakes_cannot_be_tried_and_says_where_they_are(owner):
    answer = await owner.post("/policy/past", headers=HTML, data={"rules": "version: 1\nrules: 7", "since": "1d"})
    assert answer.status_code == 400
    assert "line 2" in answer.text


async def test_without_any_past_the_page_says_so(owner):
    assert "Nothing was asked for in this time" in await page(owner, "/policy/past", since="1d")


async def test_versions_are_listed_compared_and_put_back(owner, household):
    await save(owner, GARAGE)
    await save(owner, GARAGE.replace("deny", "approve"))
    listed = words(await page(owner, "/policy/versions"))
    assert re.search(r"Version 2 .* Owner holds now Version 1", listed)
    one = await page(owner, "/policy/versions/1")
    assert "- then: approve + then: deny" in words(one)
    answer = await owner.post("/policy/versions/1", headers=HTML, data={})
    assert answer.status_code == 303
    assert household.house.rules.text == GARAGE


async def test_a_version_that_is_not_there_is_said_to_be_not_there(owner):
    assert (await owner.get("/policy/versions/9", headers=HTML)).status_code == 404


async def test_a_file_that_cannot_be_used_is_told_first_and_mended_here(owner, household):
    await save(owner, GARAGE)
    household.house.rules.file.write_text("version: [")
    text = words(await page(owner))
    assert "Everything waits for an owner" in text
    await save(owner, GARAGE)
    assert "Everything waits for an owner" not in words(await page(owner))


@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST])
async def test_nobody_but_an_owner_is_led_to_the_rules(household, role):
    async with household.client(await household.person(role)) as client:
        assert 'href="./policy"' not in (await client.get("/", headers=HTML)).text
        assert (await client.get("/policy", headers=HTML)).status_code == 403


async def test_a_hostile_rule_is_text(owner):
    rules = 'version: 1\nrules:\n- name: "</textarea><script>alert(1)</script>"\n  then: deny\n'
    await save(owner, rules)
    text = await page(owner)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert" in text


async def test_it_speaks_german(owner):
    await save(owner, GARAGE)
    text = words((await owner.get("/policy", headers={**HTML, "accept-language": "de"})).text)
    assert "Was gilt" in text
