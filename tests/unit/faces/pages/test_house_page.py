"""House: places, things, a search over all of it, and one thing with all that is known of it."""

import re

import pytest

from homesteward.home.model import Area
from homesteward.people import Reach, Role, Scope

HTML = {"accept": "text/html"}


@pytest.fixture
async def owner(household):
    async with household.client(await household.person(Role.OWNER)) as client:
        yield client


async def page(client, path="/house", **params) -> str:
    return (await client.get(path, params=params, headers=HTML)).text


def words(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text.partition("<main")[2]).split())


async def test_places_say_how_much_is_in_them_and_how_much_is_on(owner, home):
    home.set_state("light.kitchen", "on")
    text = words(await page(owner))
    assert re.search(r"Kitchen \d+ things 1 on or open", text)
    assert "No area" in text


async def test_an_area_lists_its_things_with_state_and_age(owner, home):
    text = words(await page(owner, area="study"))
    assert "Study temperature" in text
    assert "21.5 °C" in text
    assert "Kitchen light" not in text


@pytest.mark.parametrize(
    ("asked", "there", "absent"),
    [
        ({"text": "cooking"}, "Kitchen light", "Hall light"),
        ({"text": "LOCK.front"}, "Front door", "Back door"),
        ({"domain": "vacuum"}, "Robot", "Front door"),
        ({"exposed": "no"}, "Cellar light", "Kitchen light"),
        ({"text": "hall", "domain": "light"}, "Hall light", "Robot"),
    ],
)
async def test_things_are_found_by_name_id_kind_and_exposure(owner, asked, there, absent):
    text = words(await page(owner, **asked)).partition("Show")[2]
    assert there in text
    assert absent not in text


async def test_a_long_list_goes_on_page_by_page_and_nothing_is_missed(owner, home, monkeypatch):
    monkeypatch.setattr("homesteward.faces.web.pages.house.PER_PAGE", 4)
    wanted = {name for name in home.states if name.startswith("light.")}
    seen, number = [], 1
    while True:
        text = await page(owner, domain="light", page=number)
        seen += re.findall(r'class="row" href="\./house/([\w.]+)"', text)
        if f"page={number + 1}" not in text:
            break
        number += 1
    assert len(seen) == len(set(seen))
    assert set(seen) == wanted


async def test_nothing_found_is_said(owner):
    assert "Nothing fits" in words(await page(owner, text="no such thing"))


async def test_one_thing_says_who_may_do_what_with_it(owner):
    text = words(await page(owner, "/house/lock.front_door"))
    assert re.search(r"Unlock An owner: waits for approval A member: waits for approval A guest: never", text)
    light = words(await page(owner, "/house/light.hall"))
    assert re.search(r"Switch on An owner: at once .*?A guest: after a yes", light)


async def test_nothing_is_done_or_kept_by_looking_at_who_may_do_what(owner, home, household):
    await page(owner, "/house/lock.front_door")
    assert home.calls == []
    assert await household.house.gate.plans() == ()


async def test_one_thing_says_what_reaches_it_through_what(owner, home):
    text = words(await page(owner, "/house/lock.front_door"))
    reached = text.partition("What reaches it")[2].partition("Exactly")[0]
    assert "Going out Front door" in reached
    parents = [
        name
        for name, body in home.bodies.items()
        if any(step.call and "lock.front_door" in step.call.target.entity_id for step in body)
    ]
    assert parents
    for name in parents:
        assert f'house/{name}"' in await page(owner, "/house/lock.front_door")


async def test_one_thing_tells_its_last_change_and_its_course(owner, household, home):
    home.set_state("light.hall", "on")
    await household.chronicle.flush()
    text = await page(owner, "/house/light.hall")
    assert "Hall light" in words(text).partition("Why?")[2]
    assert '<svg class="band"' in text
    assert "uPlot" not in text


async def test_numbers_become_a_curve_with_its_bounds_in_words(owner, household, home):
    for value in ("19", "22", "20.5"):
        home.set_state("sensor.study_temperature", value, unit_of_measurement="°C", device_class="temperature")
    await household.chronicle.flush()
    text = await page(owner, "/house/sensor.study_temperature", span="week")
    assert 'data-points="[[' in text
    assert "Between 19 °C and 22 °C" in words(text)


async def test_a_thing_that_is_not_there_is_not_found(owner):
    answer = await owner.get("/house/light.nowhere", headers=HTML)
    assert answer.status_code == 404


async def test_a_guest_sees_the_state_and_what_they_may_do_themselves_and_no_more(household, owner):
    async with household.client(await household.person(Role.GUEST)) as guest:
        text = words(await page(guest, "/house/light.hall"))
    assert "after a yes" in text
    assert "An owner" not in text
    for absent in ("Why?", "How it was", "What reaches it"):
        assert absent not in text


async def test_what_is_beyond_the_reach_of_a_token_is_not_there(household):
    reach = Reach.of(areas=["kitchen"])
    async with household.client(await household.token(Scope.READ, reach=reach)) as client:
        assert "Kitchen light" in await page(client, area="kitchen")
        assert "Hall light" not in await page(client, text="light")
        assert (await client.get("/house/light.hall", headers=HTML)).status_code == 404


async def test_a_home_that_is_away_is_told_with_its_age(owner, home, household):
    home.connected, home.lost_at = False, household.house.clock.now()
    assert "What is known is from" in words(await page(owner))


async def test_an_empty_home_says_so(owner, home):
    for kept in (home.states, home.areas):
        kept.clear()
    assert "Nothing is here" in words(await page(owner))


async def test_floors_stand_from_the_lowest_up(owner, home):
    from homesteward.home.model import Floor  # noqa: PLC0415 - only here

    home.floors.update(up=Floor("up", "Upstairs", level=1), down=Floor("down", "Downstairs", level=0))
    home.areas.update(attic=Area("attic", "Attic", "up"), hall=Area("hall", "Hall", "down"))
    text = words(await page(owner))
    assert text.index("Downstairs") < text.index("Upstairs")
