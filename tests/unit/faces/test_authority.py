"""Every route has its authority, walked from the route table itself: no role reaches further than it may."""

import httpx2
import pytest
from fastapi.routing import APIRoute

from homesteward.faces.web.authority import GRANTED, ROUTES, Authority
from homesteward.people import Role

PLACES = {"run_id": "run_none", "plan_id": "plan_none", "name": "find"}
FORMS = {
    "/api/v1/ask": {"text": "which lights are on?"},
    "/api/v1/runs": {"text": "which lights are on?"},
    "/api/v1/policy/explain": {"call": {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}},
    "/api/v1/tools/{name}": {"arguments": {"query": "kitchen"}},
}


@pytest.fixture
async def client(house):
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=house.api), base_url="http://localhost") as opened:
        yield opened


def routes_of(api):
    """Return every (method, path) that the application serves, from its own OpenAPI document and its route table."""
    return {
        (method, route.path)
        for route in api.routes
        if isinstance(route, APIRoute)
        for method in route.methods - {"HEAD", "OPTIONS"}
    } | {(method.upper(), path) for path, methods in api.openapi()["paths"].items() for method in methods}


async def send(client, method, path, token=None, role=None):
    headers = ({"authorization": f"Bearer {token}"} if token else {}) | ({"x-homesteward-role": role} if role else {})
    return await client.request(method, path.format(**PLACES), headers=headers, json=FORMS.get(path))


def test_the_table_names_every_route_and_no_other(house):
    assert routes_of(house.api) == set(ROUTES)


@pytest.mark.parametrize("wrong", [None, "", "wrong", "Bearer"])
async def test_without_the_token_only_open_routes_answer(client, wrong):
    for (method, path), authority in ROUTES.items():
        answer = await send(client, method, path, token=wrong)
        assert (answer.status_code == 401) == (authority is not Authority.NONE), path


@pytest.mark.parametrize("role", [Role.OWNER, Role.MEMBER, Role.GUEST])
async def test_each_role_reaches_what_it_is_granted_and_nothing_else(client, house, role):
    for (method, path), authority in ROUTES.items():
        answer = await send(client, method, path, token=house.token, role=role)
        refused = answer.status_code == 403
        assert refused == (authority is not Authority.NONE and authority not in GRANTED[role]), path


@pytest.mark.parametrize("role", ["trigger", "system", "admin", "OWNER "])
async def test_a_role_that_nobody_can_be_lowered_to_is_refused_everywhere(client, house, role):
    for (method, path), authority in ROUTES.items():
        if authority is not Authority.NONE:
            assert (await send(client, method, path, token=house.token, role=role)).status_code == 403, path


async def test_a_lowered_role_cannot_be_raised_by_what_is_sent(client, house, home):
    answer = await client.post(
        "/api/v1/ask",
        headers={"authorization": f"Bearer {house.token}", "x-homesteward-role": "guest"},
        json={"text": "unlock the front door", "role": "owner"},
    )
    assert answer.status_code == 422
    assert home.calls == []


async def test_an_unknown_host_is_not_served(client):
    """A page elsewhere must not reach the service by giving its own name this address."""
    answer = await client.get("/api/v1/health", headers={"host": "evil.example"})
    assert answer.status_code == 400


async def test_no_answer_holds_the_token(client, house):
    for method, path in ROUTES:
        answer = await send(client, method, path, token=house.token)
        assert house.token not in answer.text, path
