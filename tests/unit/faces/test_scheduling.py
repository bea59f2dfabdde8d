"""Schedules over HTTP: asked for, listed, called off; and each only for whom it exists."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from homesteward.people import Reach, Role, Scope

LIGHT = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness_pct": 40}}
UNLOCK = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}


async def add(client, call=LIGHT, **when):
    return await client.post("/api/v1/schedules", json={"call": call, "request": "for later", **when})


async def test_what_is_asked_for_is_listed_soonest_first_and_called_off(household, home):
    async with household.client(await household.person(Role.MEMBER)) as client:
        for minutes in (20, 10):
            assert (await add(client, **{"in": {"minutes": minutes}})).json()["state"] == "completed"
        first, second = (await client.get("/api/v1/schedules")).json()
        assert [round(each["in_s"] / 60) for each in (first, second)] == [10, 20]
        by_home = datetime.fromisoformat(first["at"]).astimezone(ZoneInfo(home.config.time_zone))
        assert first["when"] == f"{by_home:%Y-%m-%d %H:%M}"
        assert (first["call"]["data"], first["state"], first["request"]) == (LIGHT["data"], "waiting", "for later")
        gone = await client.post(f"/api/v1/schedules/{first['id']}/cancel")
        assert (gone.status_code, gone.json()["state"]) == (200, "completed")
        assert [each["id"] for each in (await client.get("/api/v1/schedules")).json()] == [second["id"]]
        shown = (await client.get(f"/api/v1/schedules/{first['id']}")).json()
        assert (shown["state"], home.calls) == ("cancelled", [])
        everything = (await client.get("/api/v1/schedules", params={"ended": True})).json()
        assert [each["state"] for each in everything] == ["waiting", "cancelled"]


async def test_for_a_while_is_one_call_now_and_one_that_is_linked(household, home):
    async with household.client(await household.person(Role.OWNER)) as client:
        answer = await add(client, **{"for": "01:00:00"})
        assert answer.status_code == 200, answer.text
        (kept,) = (await client.get("/api/v1/schedules")).json()
        assert [call.id for call in home.calls] == ["light.turn_on"]
        assert (kept["call"]["service"], kept["ends"]["service"]) == ("turn_off", "turn_on")


async def test_what_needs_an_approval_says_so(household):
    async with household.client(await household.person(Role.MEMBER)) as client:
        assert (await add(client, UNLOCK, at="23:59:59")).json()["needs"] == "approve"
        assert (await client.get("/api/v1/schedules")).json() == []


@pytest.mark.parametrize(
    ("when", "status", "code"),
    [
        ({}, 400, "bad_time"),
        ({"in": 0}, 400, "bad_time"),
        ({"in": 31 * 86_400}, 400, "bad_time"),
        ({"at": "25:99"}, 400, "bad_time"),
        ({"at": "0001-01-01T00:00+14:00"}, 400, "bad_time"),
        ({"at": "9999-12-31T23:59-14:00"}, 400, "bad_time"),
        ({"at": "0001-01-01T00:00"}, 400, "bad_time"),
        ({"at": "9999-12-31T23:59"}, 400, "bad_time"),
        ({"in": 60, "until": "9999-12-31T23:59-14:00"}, 400, "bad_time"),
        ({"in": True}, 400, "invalid_call"),
        ({"in": {"seconds": True}}, 400, "invalid_call"),
        ({"in": 60, "for": True}, 400, "invalid_call"),
        ({"at": "12:00", "in": 60}, 400, "bad_time"),
        ({"in": 60, "until": "12:00", "for": 60}, 400, "bad_time"),
        ({"in": [1]}, 400, "invalid_call"),
        ({"in": 60, "if": [{"entity_id": "light.hall"}]}, 400, "invalid_call"),
        ({"in": 60, "if": [{"entity_id": "light.nowhere", "state": "on"}]}, 404, "unknown_entity"),
        ({"in": 60, "when": "soon"}, 422, "invalid_request"),
    ],
)
async def test_what_is_no_time_is_an_error(household, when, status, code):
    """Acceptance 24."""
    async with household.client(household.service()) as client:
        answer = await add(client, **when)
        assert (answer.status_code, answer.json()["code"]) == (status, code), answer.text
        assert (await client.get("/api/v1/schedules")).json() == []


async def test_what_somebody_else_scheduled_is_not_there_but_for_an_owner(household):
    async with household.client(await household.person(Role.MEMBER)) as member:
        await add(member, **{"in": 600})
        (kept,) = (await member.get("/api/v1/schedules")).json()
    path = f"/api/v1/schedules/{kept['id']}"
    for somebody in (
        await household.person(Role.GUEST),
        await household.token(Scope.READ, Scope.ACT, role=Role.MEMBER),
        await household.token(Scope.READ, Scope.ACT, reach=Reach.of(areas=["kitchen"])),
    ):
        async with household.client(somebody) as client:
            assert (await client.get("/api/v1/schedules")).json() == []
            for answer in (await client.get(path), await client.post(f"{path}/cancel")):
                assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    async with household.client(await household.person(Role.OWNER)) as owner:
        assert (await owner.post(f"{path}/cancel")).json()["state"] == "completed"


async def test_a_token_that_may_only_look_schedules_nothing(household):
    async with household.client(await household.token(Scope.READ)) as client:
        assert (await add(client, **{"in": 600})).status_code == 403
