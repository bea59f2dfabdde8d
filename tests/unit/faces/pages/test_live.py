"""The one stream of a page: how things are, and every change of it, for whoever looks and nobody else."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from homesteward.faces.web.address import Seen
from homesteward.faces.web.asker import Asker, Source
from homesteward.faces.web.callers import Entrance
from homesteward.faces.web.pages import live
from homesteward.faces.web.pages.local import Local
from homesteward.faces.web.pages.stage import Stage
from homesteward.faces.web.pages.texts import Words
from homesteward.faces.web.pages.visit import Visit
from homesteward.faces.web.rooms import Rooms
from homesteward.people import Channel, Role
from homesteward.people.scoped import scoped


@pytest.fixture
def stage(house) -> Stage:
    rooms = Rooms(
        token=house.token, home=house.home, gate=house.gate, registry=house.registry, steward=house.steward,
        describe=house.describe, examine=lambda: None, clean=str, desk=house.desk, doings=house.doings,
    )  # fmt: skip
    return Stage(rooms, Entrance(rooms))


@asynccontextmanager
async def watched(household, stage, role=Role.OWNER):
    """What a page of somebody of this role hears; the first is told already."""
    somebody = await household.person(role)
    caller = household.desk.people.caller_of(await household.desk.people.get(somebody.person_id), Channel.PAGE)
    visit = Visit(
        Asker(caller, Source.SESSION, "key"), Seen("http", "localhost"), scoped(stage.rooms.home, caller), "./", "/", "",
        "", Words("en"), Local("en", None, "UTC"), household.house.clock.now(),
    )  # fmt: skip
    events = live.told(stage, visit)
    try:
        yield events, await anext(events), caller
    finally:
        await events.aclose()


async def until(events, kind):
    """The next event of this kind."""
    async with asyncio.timeout(5):
        found, data = await anext(events)
        while found != kind:
            found, data = await anext(events)
    return data


async def ask(household, text):
    async with household.client(household.service()) as client:
        return (await client.post("/api/v1/ask", json={"text": text})).json()["plan"]["id"]


async def test_it_begins_with_how_things_are(household, stage):
    await ask(household, "unlock the front door")
    async with watched(household, stage) as (_, first, _caller):
        kind, told = first
        assert (kind, told["waiting"], told["connected"]) == ("hello", 1, True)


async def test_a_page_that_missed_something_before_its_stream_began_learns_so_by_its_mark(household, stage):
    async with household.client(await household.person(Role.OWNER)) as client:
        page = (await client.get("/")).text
        async with watched(household, stage) as (_, first, _caller):
            assert f'data-mark="{first[1]["mark"]}"' in page
        await ask(household, "unlock the front door")
        async with watched(household, stage) as (_, first, _caller):
            assert f'data-mark="{first[1]["mark"]}"' not in page


async def test_a_plan_that_comes_to_wait_and_one_that_is_decided_elsewhere_are_heard_of(household, stage):
    async with watched(household, stage) as (events, _, _caller):
        plan = await ask(household, "unlock the front door")
        assert await until(events, "plan") == {"waiting": 1, "id": plan, "state": "waiting"}
        async with household.client(household.service()) as client:
            await client.post(f"/api/v1/plans/{plan}/approve")
        heard = await until(events, "plan")
        while heard["state"] != "completed":
            heard = await until(events, "plan")
        assert heard == {"waiting": 0, "id": plan, "state": "completed"}


async def test_whoever_may_not_see_a_plan_hears_only_that_something_is_another(household, stage):
    async with watched(household, stage, Role.GUEST) as (events, first, _caller):
        assert first[1]["waiting"] == 0
        await ask(household, "unlock the front door")
        assert await until(events, "plan") == {"waiting": 0}


async def test_a_door_that_is_unlocked_by_hand_makes_something_unusual(household, stage, home):
    async with watched(household, stage) as (events, _, _caller):
        home.set_state("lock.front_door", "unlocked")
        assert await until(events, "unusual") == {}


async def test_a_measure_that_moves_makes_nothing_unusual(household, stage, home):
    async with watched(household, stage) as (events, _, _caller):
        home.set_state("sensor.study_temperature", "22.5")
        home.set_state("lock.front_door", "unlocked")
        heard = [await anext(events)]
        assert heard == [("unusual", {})]


async def test_a_stream_that_ends_listens_to_nothing_any_more(household, stage):
    before = len(stage.rooms.doings._listeners)
    async with watched(household, stage):
        assert len(stage.rooms.doings._listeners) == before + 1
    assert len(stage.rooms.doings._listeners) == before


async def test_the_route_streams_and_asks_nothing(household):
    owner = await household.person(Role.OWNER)
    async with household.client(owner) as client:
        answers = [await client.get("/live?follow=false", headers={"last-event-id": "7"}) for _ in range(2)]
    for answer in answers:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert "event: hello" in answer.text
