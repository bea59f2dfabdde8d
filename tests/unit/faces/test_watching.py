"""A stream over the face itself: it begins while the run goes on, says that it lives, and ends with the session it was opened in."""

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from homesteward.faces.web.api import create_api
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.steward import Request

SERVICE = Caller(Role.OWNER, Channel.API, "owner")


@pytest.fixture
def household(household, monkeypatch):
    """The household, with a face that asks every moment whether whoever watches is still signed in."""
    monkeypatch.setattr("homesteward.app.house.create_api", lambda rooms: create_api(replace(rooms, beat_s=0.01)))
    return household


@asynccontextmanager
async def watching(household, somebody, run_id, **headers):
    """Open the stream of a run as a server would, and give what comes out of it."""
    parts, gone = asyncio.Queue(), asyncio.Event()
    sent = {"host": "localhost", **somebody.headers, **headers}
    scope = {
        "type": "http", "method": "GET", "path": f"/api/v1/runs/{run_id}/events", "query_string": b"", "scheme": "http",
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()], "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80), "http_version": "1.1", "raw_path": b"", "root_path": "",
    }  # fmt: skip
    asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

    async def receive():
        if message := next(asked, None):
            return message
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        await parts.put(message.get("body", b"") if message["type"] == "http.response.body" else message["status"])

    serving = asyncio.create_task(household.api(scope, receive, send))
    try:
        yield parts, serving
    finally:
        gone.set()
        await serving


async def until(parts, wanted: bytes):
    async with asyncio.timeout(30):
        while wanted not in (part := await parts.get()):
            pass
    return part


async def going_on(household, somebody):
    """A run of somebody's that is still under way, and who asks in it."""
    async with household.client(somebody) as client:
        me = (await client.get("/api/v1/me")).json()
    caller = Caller(Role(me["role"]), Channel.PAGE, me["person"], person_id=me["person_id"])
    run = household.house.steward.runs.start(Request("hello", caller))
    household.house.steward.runs.record(run, "started", {"text": "hello"})
    return run


async def test_a_stream_ends_when_whoever_watches_signs_out(household):
    member = await household.person(Role.MEMBER)
    run = await going_on(household, member)
    async with watching(household, member, run.id) as (parts, serving):
        assert await parts.get() == 200
        await until(parts, b"event: started")
        await until(parts, b": still here")
        async with household.client(member) as client:
            await client.post("/auth/sign-out", data={"csrf": member.headers["x-homesteward-csrf"]})
        await until(parts, b"not_signed_in")
        async with asyncio.timeout(30):
            await serving


async def test_a_stream_ends_when_its_token_is_revoked(household):
    somebody = await household.token(Scope.READ, Scope.ACT, role=Role.MEMBER)
    async with household.client(somebody) as client:
        started = (await client.post("/api/v1/runs", json={"text": "which lights are on?"})).json()["run_id"]
    run = household.house.steward.runs.get(started)
    unfinished = household.house.steward.runs.start(run.request)
    async with watching(household, somebody, unfinished.id) as (parts, serving):
        assert await parts.get() == 200
        await until(parts, b": still here")
        [token] = await household.desk.tokens.list(SERVICE)
        await household.desk.tokens.revoke(SERVICE, token.id)
        await until(parts, b"not_signed_in")
        async with asyncio.timeout(30):
            await serving


async def test_whoever_leaves_a_stream_leaves_nothing_behind(household):
    member = await household.person(Role.MEMBER)
    run = await going_on(household, member)
    before = len(asyncio.all_tasks())
    async with watching(household, member, run.id) as (parts, _):
        await until(parts, b"event: started") if await parts.get() == 200 else None
    assert len(asyncio.all_tasks()) == before


async def test_a_stream_goes_on_after_the_event_that_was_heard_last(household):
    member = await household.person(Role.MEMBER)
    run = await going_on(household, member)
    async with watching(household, member, run.id, **{"last-event-id": "1"}) as (parts, _):
        assert await parts.get() == 200
        household.house.steward.runs.record(run, "done", {"outcome": "answered"})
        part = await parts.get()
        while part.startswith(b":"):
            part = await parts.get()
        assert part.startswith(b"event: done")
