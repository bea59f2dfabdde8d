"""Whoever is put out stops there and then: what they began does nothing any more, and what they watch ends."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from homesteward.people import Caller, Channel, Role, Scope
from homesteward.people.errors import NotAllowedError
from homesteward.people.person import Change
from homesteward.steward.answer import Outcome
from unit.faces.test_watching import going_on, until, watching

SERVICE = Caller(Role.OWNER, Channel.API, "owner")


async def disabled(household, somebody):
    await household.desk.people.change(SERVICE, somebody.person_id, Change(disabled=True))


async def removed(household, somebody):
    await household.desk.people.remove(SERVICE, somebody.person_id)


async def made_a_guest(household, somebody):
    ends = household.house.clock.now().replace(year=2027, month=1)
    await household.desk.people.change(SERVICE, somebody.person_id, Change(role=Role.GUEST, ends=ends))


async def signed_out_by_an_owner(household, somebody):
    for session in await household.desk.sessions.list(SERVICE, somebody.person_id):
        await household.desk.sessions.end(SERVICE, session.id)


WAYS = [disabled, removed, made_a_guest, signed_out_by_an_owner]


@asynccontextmanager
async def slow_thought(household, monkeypatch):
    """A steward that is still thinking when somebody is put out, and acts afterwards."""
    house = household.house
    thinking, go_on = asyncio.Event(), asyncio.Event()
    carry_out = house.steward._carry_out

    async def slowly(*given):
        thinking.set()
        await go_on.wait()
        return await carry_out(*given)

    monkeypatch.setattr(house.steward, "_carry_out", slowly)
    yield thinking, go_on
    go_on.set()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("route", ["/api/v1/runs", "/api/v1/ask"])
async def test_what_somebody_began_is_not_done_once_they_are_put_out(household, home, monkeypatch, way, route):
    member = await household.person(Role.MEMBER)
    await household.person(Role.OWNER)
    async with household.client(member) as client, slow_thought(household, monkeypatch) as (thinking, go_on):
        asked = asyncio.create_task(client.post(route, json={"text": "turn on the kitchen light"}))
        async with asyncio.timeout(30):
            await thinking.wait()
        await way(household, member)
        async with asyncio.timeout(20):  # it ends, while the thought would still go on
            answer = await asked
            if route == "/api/v1/ask":
                assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
            else:
                run = household.house.steward.runs.get(answer.json()["run_id"])
                while "outcome" not in run.events[-1].data:  # noqa: ASYNC110 - whoever watches it is put out as well
                    await asyncio.sleep(0.01)
                assert run.events[-1].data["outcome"] == Outcome.FAILED.value
        go_on.set()
    assert home.calls == []


async def test_what_somebody_else_began_goes_on(household, home, monkeypatch):
    member, owner = await household.person(Role.MEMBER), await household.person(Role.OWNER)
    async with household.client(owner) as client, slow_thought(household, monkeypatch) as (thinking, go_on):
        asked = asyncio.create_task(client.post("/api/v1/ask", json={"text": "turn on the kitchen light"}))
        async with asyncio.timeout(30):
            await thinking.wait()
        await disabled(household, member)
        go_on.set()
        assert (await asked).json()["outcome"] == "acted"
    assert len(home.calls) == 1


@pytest.mark.parametrize("way", [disabled, removed, made_a_guest])
async def test_the_gate_asks_again_who_a_caller_is_now(household, home, way):
    """Whatever was on its way past the door, a tool of a model's for one."""
    somebody = await household.person(Role.MEMBER)
    await household.person(Role.OWNER)
    person = await household.desk.people.get(somebody.person_id)
    caller = household.desk.people.caller_of(person, Channel.PAGE)
    await way(household, somebody)
    with pytest.raises(NotAllowedError):
        await household.house.gate.submit([], caller, request="turn it on")
    assert home.calls == []


async def test_the_gate_takes_no_yes_of_somebody_who_was_put_out(household, home):
    member, owner = await household.person(Role.MEMBER), await household.person(Role.OWNER)
    async with household.client(member) as client:
        plan = (await client.post("/api/v1/ask", json={"text": "unlock the front door"})).json()["plan"]
    assert plan["state"] == "waiting"
    caller = household.desk.people.caller_of(await household.desk.people.get(member.person_id), Channel.PAGE)
    await disabled(household, member)
    with pytest.raises(NotAllowedError):
        await household.house.gate.approve(plan["id"], caller)
    assert home.calls == []
    async with household.client(owner) as client:
        assert (await client.post(f"/api/v1/plans/{plan['id']}/approve")).json()["state"] == "completed"


async def test_the_gate_asks_again_what_a_token_is_good_for(household):
    await household.token(Scope.ACT, role=Role.MEMBER)
    [token] = await household.desk.tokens.list(SERVICE)
    caller = token.caller(None, Channel.API)
    await household.house.gate.submit([], caller, request="nothing")
    with pytest.raises(NotAllowedError):
        await household.house.gate.submit([], replace(caller, role=Role.OWNER), request="more than it is")
    await household.desk.tokens.revoke(SERVICE, token.id)
    with pytest.raises(NotAllowedError):
        await household.house.gate.submit([], caller, request="nothing")


async def test_the_gate_asks_again_whether_a_device_is_on_record(household):
    with pytest.raises(NotAllowedError):
        await household.house.gate.submit(
            [], Caller(Role.GUEST, Channel.API, "Kiosk", device_id="gone"), request="nothing"
        )


@pytest.mark.parametrize("way", WAYS)
async def test_a_stream_ends_at_once_and_not_at_its_next_beat(household, way):
    """The beat of this face is the usual one, of fifteen seconds."""
    member = await household.person(Role.MEMBER)
    await household.person(Role.OWNER)
    run = await going_on(household, member)
    async with watching(household, member, run.id) as (parts, serving):
        assert await parts.get() == 200
        await until(parts, b"event: started")
        await way(household, member)
        await until(parts, b"not_signed_in")
        async with asyncio.timeout(30):
            await serving


async def test_a_stream_of_a_token_ends_as_it_is_revoked(household):
    somebody = await household.token(Scope.READ, Scope.ACT, role=Role.MEMBER)
    [token] = await household.desk.tokens.list(SERVICE)
    run = household.house.steward.runs.start(
        replace((await going_on(household, household.service())).request, caller=token.caller(None, Channel.API))
    )
    async with watching(household, somebody, run.id) as (parts, _):
        assert await parts.get() == 200
        await asyncio.sleep(0.05)
        await household.desk.tokens.revoke(SERVICE, token.id)
        await until(parts, b"not_signed_in")
