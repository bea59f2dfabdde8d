"""Notices and secrets over HTTP: a page hears of what waits without being loaded again, and nobody looks a secret up."""

import asyncio

import pytest

from homesteward.actions.notice import NoticeKind
from homesteward.core.json import loads
from homesteward.faces.web import notifying
from homesteward.faces.web.notifying import watched
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.steward import Request

pytestmark = pytest.mark.usefixtures("let_in")

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")


async def wait_for_approval(house, caller=BEN):
    return (await house.steward.ask(Request("unlock the front door", caller, language="en"))).plan


class Page:
    """A page that watches the stream, as a browser does: each part as it is sent."""

    def __init__(self, api, headers):
        self._api, self._headers = api, headers
        self._parts, self._gone = asyncio.Queue(), asyncio.Event()
        self._asked = False
        self.status = 0

    async def __aenter__(self):
        headers = [(name.encode(), value.encode()) for name, value in {"host": "localhost", **self._headers}.items()]
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "scheme": "http",
            "path": "/api/v1/notices/events", "raw_path": b"/api/v1/notices/events", "query_string": b"", "root_path": "",
            "headers": headers, "client": ("127.0.0.1", 1), "server": ("localhost", 80),
        }  # fmt: skip
        self._task = asyncio.create_task(self._api(scope, self._receive, self._send))
        return self

    async def __aexit__(self, *_):
        self._gone.set()
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _receive(self):
        if not self._asked:
            self._asked = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message):
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif body := message.get("body"):
            self._parts.put_nowait(body.decode())

    async def next(self):
        async with asyncio.timeout(30):
            kind, data = (await self._parts.get()).splitlines()[:2]
        return kind.removeprefix("event: "), loads(data.removeprefix("data: "))


async def test_a_page_shows_what_waits_within_two_seconds_and_drops_it_when_it_is_decided_elsewhere(household):
    """E53."""
    owner, house = household.service(), household.house
    async with Page(household.api, owner.headers) as page:
        plan = await wait_for_approval(house)
        kind, told = await page.next()
        assert (page.status, kind, told["kind"], told["subject"]) == (200, "notice", "plan_waits", plan.id)
        assert (told["title"], told["severity"], told["for"]) == ("Waits for approval", "action", "owners")
        await house.gate.approve(plan.id, ANN)
        while kind != "settled":
            kind, told = await page.next()
        assert told["subject"] == plan.id


async def test_a_stream_that_begins_anew_tells_all_that_is_open(household):
    owner, house = household.service(), household.house
    first, second = await wait_for_approval(house), await wait_for_approval(house)
    async with Page(household.api, owner.headers) as page:
        assert [(await page.next())[1]["subject"] for _ in range(2)] == [first.id, second.id]


async def test_one_who_is_too_far_behind_is_let_go_and_begins_anew(house, monkeypatch):
    monkeypatch.setattr(notifying, "MOST_BEHIND", 3)
    stream = watched(house.notices, ANN)
    await house.notices.add(NoticeKind.RULE_DECIDED, "first", "allowed")
    assert (await anext(stream)).notice.subject == "first"
    for n in range(5):
        await house.notices.add(NoticeKind.RULE_DECIDED, f"plan_{n}", "allowed")
    await asyncio.sleep(0)
    assert len([change async for change in stream]) <= 3


async def test_notices_are_listed_in_a_language_and_seen(household):
    owner = household.service()
    await household.house.notices.add(NoticeKind.RULE_DECIDED, "plan_1", "allowed")
    async with household.client(owner) as client:
        (listed,) = (await client.get("/api/v1/notices", params={"language": "de"})).json()
        assert listed["title"] == "Eine Regel hat entschieden"
        seen = await client.post(f"/api/v1/notices/{listed['id']}/seen")
        assert (seen.status_code, seen.json()["settled"] is not None) == (200, True)
        assert (await client.get("/api/v1/notices")).json() == []
        assert len((await client.get("/api/v1/notices", params={"settled": "true"})).json()) == 1
        unknown = await client.post("/api/v1/notices/notice_none/seen")
        assert (unknown.status_code, unknown.json()["code"]) == (404, "unknown_notice")


@pytest.mark.parametrize("role", [Role.MEMBER, Role.GUEST])
async def test_nobody_else_sees_what_is_for_owners(household, role):
    await wait_for_approval(household.house)
    somebody = await household.person(role)
    async with household.client(somebody) as client:
        assert (await client.get("/api/v1/notices")).json() == []
        streamed = await client.get("/api/v1/notices/events", params={"follow": "false"})
        assert (streamed.status_code, streamed.text) == (200, "")


async def test_a_secret_is_kept_and_named_and_never_shown(household):
    owner = household.service()
    async with household.client(owner) as client:
        assert (await client.put("/api/v1/secrets/lock.front_door", json={"value": "4711"})).status_code == 204
        listed = await client.get("/api/v1/secrets")
        assert listed.json() == [{"name": "lock.front_door"}]
        assert (await client.delete("/api/v1/secrets/lock.front_door")).status_code == 204
        gone = await client.delete("/api/v1/secrets/lock.front_door")
        assert (gone.status_code, gone.json()["code"]) == (404, "secret_missing")
        bad = await client.put("/api/v1/secrets/~store", json={"value": "4711"})
        assert (bad.status_code, bad.json()["code"], "4711" in bad.text) == (400, "bad_secret", False)
        wrong = await client.put("/api/v1/secrets/lock.front_door", json={"value": ["4711"]})
        assert (wrong.status_code, "4711" in wrong.text) == (422, False)


async def test_a_secret_takes_a_fresh_proof(household):
    program = await household.token(Scope.ADMIN)
    async with household.client(program) as client:
        answer = await client.put("/api/v1/secrets/lock.front_door", json={"value": "4711"})
        assert (answer.status_code, answer.json()["code"]) == (403, "proof_needed")
