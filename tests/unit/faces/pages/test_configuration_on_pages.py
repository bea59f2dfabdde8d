"""The configuration on pages: how an automation is written, its versions, and putting one back by a plan."""

import re
from dataclasses import replace
from html import unescape

import pytest

from configurations import PaperConfiguration
from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.home.inventory import Thing
from homesteward.people import Role

HTML = {"accept": "text/html"}
LAMP = {"alias": "Lamp", "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}
YAML = "alias: Lamp\nactions:\n- action: light.turn_on\n  target: {entity_id: light.study}\n"
PATH = "/house/automation.lamp"


@pytest.fixture
def home(home):
    """The small home with an automation."""
    home._place(Thing("automation.lamp", "Lamp", state="on"))
    return home


@pytest.fixture
async def configured(household, new_place, open_database):
    """The household, in a house whose configuration lies on paper."""
    house, paper = household.house, PaperConfiguration(household.house.home)
    paper.add("automation", "lamp", {"id": "lamp", **LAMP})
    versions = Versions(await open_database(place=await new_place()), house.home.home_id, house.clock)
    room = ConfigRoom(
        kinds_of(paper, paper, house.home, house.clock, versions.newest), versions, house.home, house.clock
    )
    put_out = house.gate._reserved.add(room)
    household.house = replace(house, configuration=room)
    yield household
    put_out()


@pytest.fixture
async def owner(configured):
    async with configured.client(await configured.person(Role.OWNER)) as client:
        yield client


async def page(client, path=PATH, **headers) -> str:
    return (await client.get(path, headers={**HTML, **headers})).text


def words(text: str) -> str:
    return unescape(" ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split()))


async def posted(client, path, **fields):
    csrf = re.search(r'name="csrf" value="([^"]+)"', await page(client, "/settings"))[1]
    return await client.post(path, data={"csrf": csrf, **fields}, headers=HTML)


async def proposed(client) -> str:
    form = {"kind": "automation", "id": "lamp", "config": YAML, "edit": True}
    return (await client.post("/api/v1/config/propose", json=form)).json()["id"]


async def changed(client) -> None:
    plan = await proposed(client)
    assert (await client.post(f"/api/v1/plans/{plan}/approve")).json()["state"] == "completed"


async def test_an_automation_shows_how_it_is_written(owner):
    text = words(await page(owner))
    assert "alias: Lamp actions: - action: light.turn_on target: entity_id: light.hall" in text
    assert "Nothing was changed from here yet" in text


async def test_the_plan_of_a_change_says_it_in_words_and_line_by_line(owner):
    text = await page(owner, f"/plans/{await proposed(owner)}")
    assert "Change the automation “Lamp”" in words(text)
    assert re.search(r'diff-line gone"><span class="diff-mark">-</span> +entity_id: light.hall', text)
    assert re.search(r'diff-line added"><span class="diff-mark">\+</span> +entity_id: light.study', text)
    german = await page(owner, f"/plans/{await proposed(owner)}", **{"accept-language": "de-DE"})
    assert 'lang="en">Change the automation' in german


async def test_a_version_is_put_back_by_a_plan(owner):
    await changed(owner)
    assert "Version 2" in words(await page(owner))
    text = words(await page(owner, f"{PATH}/versions/1"))
    assert "What putting it back would change" in text
    asked = await posted(owner, f"{PATH}/versions/1")
    assert (asked.status_code, "/plans/" in asked.headers["location"]) == (303, True)
    plan = asked.headers["location"].rpartition("/")[2]
    assert "restore version 1" in words(await page(owner, f"/plans/{plan}"))
    await owner.post(f"/api/v1/plans/{plan}/approve")
    assert "light.hall" in words(await page(owner))


async def test_what_is_so_already_is_not_put_back_and_says_so(owner):
    await changed(owner)
    assert "It is the same as what holds now." in words(await page(owner, f"{PATH}/versions/2"))
    assert (await posted(owner, f"{PATH}/versions/2")).status_code == 409
    assert (await owner.get(f"{PATH}/versions/9", headers=HTML)).status_code == 404


async def test_a_member_and_a_light_have_no_configuration_to_look_at(configured, owner):
    await changed(owner)
    assert "How it is written" not in words(await page(owner, "/house/light.kitchen"))
    async with configured.client(await configured.person(Role.MEMBER)) as member:
        assert "How it is written" not in words(await page(member))
        assert (await member.get(f"{PATH}/versions/1", headers=HTML)).status_code == 403


async def test_what_cannot_be_read_says_why_and_the_rest_of_the_page_stands(owner, configured):
    """An automation written by hand has no id, nothing of it is remembered either."""
    configured.house.home._place(Thing("automation.by_hand", "By hand", state="on"))
    text = words(await page(owner, "/house/automation.by_hand"))
    assert "in the file where it stands" in text
    assert "Who may do what" in text
