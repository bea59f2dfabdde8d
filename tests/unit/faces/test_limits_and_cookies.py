"""How often and from where somebody asks, and which answer brings a browser its next cookie."""

import asyncio
from datetime import timedelta

import httpx2
import pytest

from homesteward.core import FrozenClock
from homesteward.faces.web.authority import ROUTES, Authority
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.people.rate import LIMITS
from unit.faces.test_authority import send

SERVICE = Caller(Role.OWNER, Channel.API, "owner")
COOKIE = "homesteward-session-80"


@pytest.fixture
def at(household, monkeypatch):
    """Have the clock stand a while from now."""
    start = household.house.clock.now()

    def moved(**later):
        monkeypatch.setattr(type(household.house.clock), "now", lambda _: start + timedelta(**later))

    return moved


def cookie_in(answer) -> str:
    jar = httpx2.Cookies()
    jar.extract_cookies(answer)
    return jar.get(COOKIE, "")


@pytest.mark.parametrize(
    "route",
    [route for route, access in ROUTES.items() if access.slow or (route[0] != "GET" and access.authority != "none")],
)
async def test_an_answer_that_may_take_its_time_brings_no_new_cookie(household, at, route):
    owner = await household.person(Role.OWNER)
    at(minutes=20)
    async with household.client(owner) as client:
        answer = await send(client, route)
    assert answer.status_code not in {401, 500}
    assert "set-cookie" not in answer.headers


async def test_a_cookie_that_another_has_taken_the_place_of_does_not_leave_with_a_late_answer(
    household, at, monkeypatch
):
    """One tab waits for its answer, another is given a newer cookie meanwhile: both stay signed in."""
    member = await household.person(Role.MEMBER)
    waiting, go_on = asyncio.Event(), asyncio.Event()
    gate_plans = household.house.gate.plans

    async def slowly(*given):
        waiting.set()
        await go_on.wait()
        return await gate_plans(*given)

    at(minutes=20)
    async with household.client(member) as client:
        monkeypatch.setattr(household.house.gate, "plans", slowly)
        late = asyncio.create_task(client.get("/api/v1/plans"))
        async with asyncio.timeout(30):
            await waiting.wait()
        at(minutes=20, seconds=16)
        newer = cookie_in(await client.get("/api/v1/me"))
        assert newer
        go_on.set()
        assert "set-cookie" not in (await late).headers
    async with household.client() as browser:
        answer = await browser.get("/api/v1/me", headers={"cookie": f"{COOKIE}={newer}"})
    assert answer.status_code == 200


@pytest.mark.parametrize("scope", [Scope.ADMIN, Scope.CONFIGURE])
@pytest.mark.parametrize("role", [Role.OWNER, Role.TOKEN])
async def test_a_token_for_a_part_of_the_home_has_no_say_about_the_whole(household, monkeypatch, role, scope):
    """Also one that an earlier version made, when it could still be had."""
    monkeypatch.setattr("homesteward.people.tokens.OF_THE_WHOLE", frozenset())
    somebody = await household.token(*Scope, role=role, reach=Reach.of(areas=["kitchen"]))
    async with household.client(somebody) as client:
        for route, access in ROUTES.items():
            if access.authority in {Authority.OWN, Authority.CONFIGURE, Authority.ADMIN}:
                household.desk.rates._buckets.clear()
                answer = await send(client, route)
                assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), route


@pytest.mark.parametrize(
    "route",
    [
        route
        for route, access in ROUTES.items()
        if access.authority not in {Authority.NONE, Authority.PROPOSE} and (access.slow or route[0] != "GET")
    ],
)
async def test_what_changes_something_or_reads_much_cannot_be_asked_for_without_end(household, monkeypatch, route):
    owner = await household.person(Role.OWNER)
    async with household.client(owner) as client:
        monkeypatch.setattr(
            household.desk.rates, "_clock", FrozenClock(household.house.clock.now())
        )  # nothing comes back
        for _ in range(LIMITS["change"].burst):
            household.desk.rates.take("change", f"person:{owner.person_id}")
        answer = await send(client, route)
        assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
        assert int(answer.headers["retry-after"]) >= 1
        assert (await client.get("/api/v1/me")).status_code == 200


async def test_of_ipv6_a_whole_household_is_one_address(household):
    from homesteward.faces.web.callers import Entrance  # noqa: PLC0415 - only what is counted is looked at

    taken = []
    household.desk.rates.take = lambda *given: taken.append(given)
    entrance = Entrance.__new__(Entrance)
    entrance._rooms = type("Rooms", (), {"desk": household.desk})()
    for address in ("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"):
        entrance.limit("sign_in", address)
    assert taken[0] == taken[1] != taken[2]


async def test_a_wrong_pin_in_a_conversation_counts_against_the_address_too(household):
    member = await household.person(Role.MEMBER)
    caller = household.desk.people.caller_of(await household.desk.people.get(member.person_id), Channel.PAGE)
    seen = []

    async def asked(request):
        seen.append(request.caller)
        return await ask(request)

    ask = household.house.steward.ask
    household.house.steward.ask = asked
    async with household.client(member) as client:
        await client.post("/api/v1/ask", json={"text": "which lights are on?"})
    assert seen[0] == caller
    assert seen[0].address == "127.0.0.1"
    with pytest.raises(Exception, match="PIN"):
        await household.desk.step_up.with_pin(seen[0], "902755", "plan_1", holder="conversation:c")
    assert (await household.desk.lockouts.standing("address:127.0.0.1")).failures == 1


async def test_a_row_beyond_reach_is_answered_like_one_that_is_not_there(household):
    async with household.client(household.service()) as owner:
        for text in ("turn on the reading lamp", "turn on the kitchen light"):
            await owner.post("/api/v1/ask", json={"text": text})
        await household.chronicle.flush()
        rows = (await owner.get("/api/v1/history")).json()
    beyond = next(row["ref"] for row in rows if row["entity_id"] not in {"light.kitchen", None})
    somebody = await household.token(Scope.READ, role=Role.TOKEN, reach=Reach.of(entities=["light.kitchen"]))
    async with household.client(somebody) as client:
        answers = [await client.get(f"/api/v1/chain/{ref}") for ref in (beyond, "1-1", "none")]
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1


async def test_a_guest_with_a_token_says_yes_to_what_they_asked_for_themselves_and_to_nothing_else(household, home):
    guest = await household.person(Role.GUEST)
    owner = await household.person(Role.OWNER)
    texts = []
    for role in (Role.GUEST, Role.MEMBER):
        person = guest.person_id if role is Role.GUEST else (await household.person(Role.MEMBER)).person_id
        async with household.client(owner) as client:
            form = {"name": "phone", "scopes": ["read", "act"], "role": role, "person_id": person}
            texts.append((await client.post("/api/v1/tokens", json=form)).json()["token"])
    headers = [{"authorization": f"Bearer {text}"} for text in texts]
    async with household.client() as client:
        ask = await client.post("/api/v1/ask", json={"text": "turn on the kitchen light"}, headers=headers[0])
        plan = ask.json()["plan"]
        assert plan["state"] == "waiting"
        other = await client.post(f"/api/v1/plans/{plan['id']}/confirm", headers=headers[1])
        assert other.status_code in {403, 404}
        assert home.calls == []
        done = await client.post(f"/api/v1/plans/{plan['id']}/confirm", headers=headers[0])
    assert done.json()["state"] == "completed"
    assert len(home.calls) == 1
