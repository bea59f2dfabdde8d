"""Every route has its authority, walked from the route table itself: nobody reaches further than they may, by any proof."""

from datetime import timedelta

import pytest
from fastapi.routing import APIRoute

from homesteward.faces.web.authority import GRANTED, OPENED_BY, ROUTES, Authority
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.people.person import Change
from places import PLACES, QUERIES

KITCHEN = Reach.of(areas=["kitchen"])
SERVICE = Caller(Role.OWNER, Channel.API, "owner")
FORMS = {
    ("POST", "/api/v1/ask"): {"text": "which lights are on?"},
    ("POST", "/api/v1/runs"): {"text": "which lights are on?"},
    ("POST", "/api/v1/policy/explain"): {
        "call": {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}
    },
    ("POST", "/api/v1/tools/{name}"): {"arguments": {"query": "kitchen"}},
    ("POST", "/api/v1/chronicle/purge"): {"before": "2020-01-01T00:00:00Z"},
    ("PUT", "/api/v1/policy"): {"rules": "version: 1"},
    ("POST", "/api/v1/policy/restore"): {"n": 1},
    ("POST", "/api/v1/policy/test"): {
        "tests": "home: {lock.a: {}}\ncases: [{name: a, call: {service: lock.unlock, target: {entity_id: lock.a}}, expect: deny}]"
    },
    ("POST", "/api/v1/policy/simulate"): {"since": "1d", "rules": "version: 1"},
    ("POST", "/api/v1/plans/{plan_id}/edit"): {
        "calls": [{"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}]
    },
    ("POST", "/api/v1/people"): {"name": "Kim", "role": "guest", "ends": "2026-12-02T00:00:00Z"},
    ("PATCH", "/api/v1/people/{person_id}"): {"name": "Kim"},
    ("PUT", "/api/v1/people/{person_id}/pin"): {"pin": "738291"},
    ("POST", "/api/v1/devices"): {"device_id": "none"},
    ("POST", "/api/v1/tokens"): {"name": "program", "scopes": ["read"]},
    ("POST", "/api/v1/step-up"): {"purpose": "people"},
    ("PUT", "/api/v1/secrets/{name}"): {"value": "4711"},
}
LAST = ("POST", "/settings/sessions")  # signs whoever walks the table out
GUARDED = {
    route: ROUTES[route]
    for route in sorted(ROUTES, key=lambda route: route == LAST)
    if ROUTES[route].authority is not Authority.NONE
}


@pytest.fixture
async def client(household):
    async with household.client() as opened:
        yield opened


def served(routes):
    """Yield every route that is served, those of routers within routers too."""
    for route in routes:
        inner = getattr(route, "original_router", None)
        yield from served(inner.routes) if inner else [route]


def routes_of(api):
    """Return every (method, path) that the application serves, from its routes and from its own OpenAPI document."""
    return {(method, route.path) for route in served(api.routes) for method in route.methods} | {
        (method.upper(), path) for path, methods in api.openapi()["paths"].items() for method in methods
    }


async def send(client, route, **headers):
    method, path = route
    return await client.request(
        method, path.format(**PLACES), headers=headers, json=FORMS.get(route), params=QUERIES.get(path)
    )


def test_the_table_names_every_route_and_no_other(house):
    assert routes_of(house.api) == set(ROUTES)


def test_whatever_is_served_is_a_route_of_the_table(house):
    """Nothing is mounted beside the table: no files, no documentation pages, no WebSocket."""
    assert all(isinstance(route, APIRoute) for route in served(house.api.routes))


@pytest.mark.parametrize(
    "wrong",
    [None, "Bearer", "Bearer ", "Bearer wrong", "Basic d3Jvbmc6d3Jvbmc=", "Bearer hs_none_none", "Bearer \u00e9"],
)
async def test_without_a_proof_only_open_routes_answer(client, household, wrong):
    headers = {"authorization": wrong.encode("latin-1")} if wrong else {}
    for route in GUARDED:
        household.desk.rates._buckets.clear()
        assert (await send(client, route, **headers)).status_code == 401, route


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.GUEST])
async def test_the_services_own_token_lowered_to_a_role_reaches_what_that_role_does(client, household, role):
    for route, access in GUARDED.items():
        answer = await send(client, route, **household.service().headers, **{"x-homesteward-role": role})
        if access.authority in GRANTED[role]:
            assert answer.status_code not in {401, 500}, route  # what is not their own may still be kept from them
        else:
            assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), route


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.GUEST])
async def test_a_person_in_a_browser_reaches_what_their_role_does(household, role):
    somebody = await household.person(role)
    async with household.client(somebody) as client:
        for route, access in GUARDED.items():
            household.desk.rates._buckets.clear()
            answer = await send(client, route)
            if access.authority in GRANTED[role]:
                assert answer.status_code not in {401, 500}, route
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), route


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.TOKEN])
async def test_a_token_reaches_what_its_scope_opens_of_its_role_and_nothing_else(household, role, scope):
    somebody = await household.token(scope, role=role)
    async with household.client(somebody) as client:
        for route, access in GUARDED.items():
            household.desk.rates._buckets.clear()
            answer = await send(client, route)
            opened = access.authority in GRANTED[role] and (
                scope is Scope.ADMIN or scope in OPENED_BY[access.authority]
            )
            if opened:
                assert answer.status_code not in {401, 500}, route
            else:
                assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed"), route


PAST_TOOLS = {
    "why": {"entity": "light.kitchen"},
    "get_history": {"entity": "light.kitchen"},
    "home_at": {"at": "NOW"},
    "chronicle": {},
}


async def test_a_guest_is_told_nothing_of_the_past_by_any_way_in(household):
    """Routes, tools and sentences say the same, and no word of who did what."""
    await sent_by_the_owner(household)
    past = [route for route, access in GUARDED.items() if access.authority is Authority.REMEMBER]
    assert {path for _, path in past} >= {"/chronicle", "/api/v1/history", "/api/v1/why/{entity_id}", "/api/v1/recent"}
    async with household.client(await household.person(Role.GUEST)) as client:
        answers = [await send(client, route) for route in past]
        for name, arguments in PAST_TOOLS.items():
            household.desk.rates._buckets.clear()
            answers.append(await client.post(f"/api/v1/tools/{name}", json={"arguments": arguments}))
        for answer in answers:
            told = answer.json()
            assert (answer.status_code, told["code"]) == (403, "not_allowed"), answer.url
            assert told["message"] == "That is for the household to know.", answer.url
        asked = (await client.post("/api/v1/ask", json={"text": "why is the front door locked?"})).json()
        assert (asked["error"]["code"], asked["reply"]) == ("not_allowed", "That is for the household to know.")


async def test_a_token_that_was_revoked_opens_nothing(household):
    somebody = await household.token(Scope.ADMIN)
    async with household.client(somebody) as client:
        assert (await client.get("/api/v1/me")).status_code == 200
        [token] = await household.desk.tokens.list(SERVICE)
        await household.desk.tokens.revoke(SERVICE, token.id)
        for route in GUARDED:
            household.desk.rates._buckets.clear()
            assert (await send(client, route)).status_code == 401, route


async def test_a_token_whose_time_is_over_opens_nothing(household, monkeypatch):
    somebody = await household.token(Scope.ADMIN, days=1)
    later = household.house.clock.now() + timedelta(days=2)
    monkeypatch.setattr(type(household.house.clock), "now", lambda _: later)
    async with household.client(somebody) as client:
        for route in GUARDED:
            household.desk.rates._buckets.clear()
            assert (await send(client, route)).status_code == 401, route


async def test_a_person_who_was_disabled_reaches_nothing_any_more(household):
    somebody = await household.person(Role.MEMBER)
    async with household.client(somebody) as client:
        await household.desk.people.change(SERVICE, somebody.person_id, Change(disabled=True))
        for route in GUARDED:
            household.desk.rates._buckets.clear()
            assert (await send(client, route)).status_code == 401, route


async def test_a_token_of_another_set_of_entities_finds_no_word_of_this_one(household):
    """A token for the kitchen, asked for everything that there is, names nothing outside it: in no answer and in no error."""
    house = household.house
    somebody = await household.token(Scope.READ, Scope.PROPOSE, Scope.ACT, role=Role.TOKEN, reach=KITCHEN)
    refs = await sent_by_the_owner(household)
    secret = outside(house.home)
    async with household.client(somebody) as client:
        for route in GUARDED:
            household.desk.rates._buckets.clear()
            answer = await send(client, route)
            assert not said(secret, answer.text), route
        found = await client.post("/api/v1/tools/find", json={"arguments": {}})
        assert {thing["entity_id"] for thing in found.json()["data"]["entities"]} == inside(house.home)
        rows = (await client.get("/api/v1/history")).json()
        assert {row["entity_id"] for row in rows} <= inside(house.home)
        assert rows
        for path, body in [*SNOOPING, *((f"/api/v1/chain/{ref}", None) for ref in refs)]:
            household.desk.rates._buckets.clear()
            answer = await client.request("POST" if body else "GET", path, json=body)
            assert not said(secret - named(path, body), answer.text), (path, body, answer.text)


@pytest.mark.parametrize("role", ["trigger", "system", "admin", "OWNER "])
async def test_a_role_that_nobody_can_be_lowered_to_is_refused_everywhere(client, household, role):
    for route in GUARDED:
        answer = await send(client, route, **household.service().headers, **{"x-homesteward-role": role})
        assert answer.status_code == 403, route


async def test_a_lowered_role_cannot_be_raised_by_what_is_sent(client, household, home):
    answer = await client.post(
        "/api/v1/ask",
        headers={**household.service().headers, "x-homesteward-role": "guest"},
        json={"text": "unlock the front door", "role": "owner"},
    )
    assert answer.status_code == 422
    assert home.calls == []


async def test_an_unknown_host_is_not_served(client):
    """A page elsewhere must not reach the service by giving its own name this address."""
    answer = await client.get("/api/v1/health", headers={"host": "evil.example"})
    assert (answer.status_code, answer.json()["code"]) == (421, "unknown_host")


async def test_no_answer_holds_the_token(client, household):
    for route in ROUTES:
        answer = await send(client, route, **household.service().headers)
        assert household.house.token not in answer.text, route


SNOOPING = [
    ("/api/v1/tools/find", {"arguments": {}}),
    ("/api/v1/tools/find", {"arguments": {"query": "front door"}}),
    ("/api/v1/tools/find", {"arguments": {"area": "study"}}),
    ("/api/v1/tools/overview", {"arguments": {}}),
    ("/api/v1/tools/get_state", {"arguments": {"entities": "lock.front_door"}}),
    ("/api/v1/tools/get_state", {"arguments": {"entities": "light.stuby"}}),
    ("/api/v1/tools/call_service", {"arguments": {"domain": "lock", "service": "unlock", "target": {"entity_id": "lock.front_door"}}}),
    ("/api/v1/tools/call_service", {"arguments": {"domain": "light", "service": "turn_on", "target": {"area_id": "study"}}}),
    ("/api/v1/policy/explain", {"call": {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}}),
    ("/api/v1/policy/explain", {"call": {"service": "light.turn_on", "target": {"area_id": "study"}}}),
    ("/api/v1/ask", {"text": "unlock the front door"}),
    ("/api/v1/ask", {"text": "which lights are on?"}),
    ("/api/v1/ask", {"text": "turn on the study lihgt"}),
    ("/api/v1/ask", {"text": "turn on the reading lamp"}),
    ("/api/v1/ask", {"text": "turn off everything"}),
    ("/api/v1/status", None),
    ("/api/v1/plans?limit=500", None),
    ("/api/v1/history?entity=lock.front_door", None),
    ("/api/v1/history", None),
    ("/api/v1/history?text=door", None),
    ("/api/v1/history?area=study", None),
    ("/api/v1/history?user=owner", None),
    ("/api/v1/why/lock.front_door", None),
    ("/api/v1/why/light.kitchen", None),
    ("/api/v1/home-at?at=NOW", None),
    ("/api/v1/chronicle/export", None),
    ("/api/v1/recent", None),
    ("/api/v1/home-at?at=NOW&compare=NOW-1h", None),
]  # fmt: skip


async def sent_by_the_owner(household) -> list[str]:
    """The owner has asked for things all over the house before; return the references of what is remembered of it."""
    async with household.client(household.service()) as client:
        for text in ("unlock the front door", "turn on the study light", "turn on the kitchen light"):
            await client.post("/api/v1/ask", json={"text": text})
        await household.chronicle.flush()
        rows = (await client.get("/api/v1/history")).json()
    assert len({row["entity_id"] for row in rows}) > 3
    return [row["ref"] for row in rows] + [row["context_id"] for row in rows if row["context_id"]]


def inside(home) -> set[str]:
    return {entity_id for entity_id in home.states if KITCHEN.holds(home, entity_id)}


def outside(home) -> set[str]:
    """Return every id and name of an entity or an area that the kitchen does not hold."""
    names = set(home.states) - inside(home)
    names |= {home.states[entity_id].name for entity_id in names}
    return names | {area.name for area in home.areas.values() if area.area_id != "kitchen"}


def named(path: str, body: object) -> set[str]:
    """Return what the question itself names, as an id or in words: that may be repeated."""
    asked = f"{path} {body}".casefold()
    return {name for name in NAMES if name.casefold() in asked}


NAMES = {"lock.front_door", "Front door", "Study", "Study light"}


def said(secret: set[str], text: str) -> set[str]:
    return {name for name in secret if name in text}
