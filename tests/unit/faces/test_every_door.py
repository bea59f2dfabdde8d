"""Whichever door a call comes in by (a model, the HTTP API, a token), every way to what guards the house waits or is refused."""

import os
from itertools import product
from random import Random

import pytest

from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.steward import Outcome, Request, Route
from routes import GUARDS, LAMP, ROUTES, routed_home

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))
# What a tool may ask of Home Assistant itself; changes of the set-up and schedules have tools of their own.
CALLS = [
    (route.name, end, raw)
    for route, end in product(ROUTES, GUARDS)
    if (raw := route.call(end)) is not None and not str(raw["service"]).startswith(("homesteward.", "ha_config."))
]
SAMPLE = CALLS if SOAKING else Random(11).sample(CALLS, 40)
ROLES = (Role.OWNER, Role.MEMBER, Role.GUEST)


@pytest.fixture
def home():
    return routed_home()


@pytest.mark.usefixtures("let_in")
@pytest.mark.parametrize("role", ROLES)
async def test_a_model_gets_nothing_out_by_any_route(house, home, role):
    caller = Caller(role, Channel.CLI, role.value)
    for name, end, raw in SAMPLE:
        model = ScriptedModel([{"tool_call": {"arguments": raw}}, {"text": "Done."}])
        answer = await house.with_model(lambda model=model: model).ask(Request("do it", caller, route=Route.KERNEL))
        assert home.calls == [], f"{name} to the {end.name}"
        assert answer.outcome in {Outcome.WAITING, Outcome.REFUSED, Outcome.FAILED}, f"{name} to the {end.name}"
        for plan in answer.plans:
            if plan.state == "waiting":
                await house.gate.reject(plan.id, Caller(Role.OWNER, Channel.CLI, "owner"))


@pytest.mark.usefixtures("let_in")
async def test_a_model_does_what_is_everyday(house, home):
    model = ScriptedModel([{"tool_call": {"arguments": ROUTES[0].call(LAMP)}}, {"text": "Done."}])
    answer = await house.with_model(lambda: model).ask(
        Request("do it", Caller(Role.OWNER, Channel.CLI, "owner"), route=Route.KERNEL)
    )
    assert (answer.outcome, len(home.calls)) == (Outcome.ACTED, 1)


@pytest.mark.parametrize("who", ["owner", "member", "guest", "token", "token that only proposes", "token of a guest"])
async def test_the_api_gets_nothing_out_by_any_route(household, home, who):
    somebody = {
        "owner": lambda: household.person(Role.OWNER),
        "member": lambda: household.person(Role.MEMBER),
        "guest": lambda: household.person(Role.GUEST),
        "token": lambda: household.token(Scope.READ, Scope.PROPOSE, Scope.ACT, Scope.CONFIGURE),
        "token that only proposes": lambda: household.token(Scope.READ, Scope.PROPOSE),
        "token of a guest": lambda: household.token(Scope.READ, Scope.PROPOSE, Scope.ACT, role=Role.GUEST),
    }[who]
    async with household.client(await somebody()) as client:
        for name, end, raw in SAMPLE:
            answer = await client.post("/api/v1/tools/call_service", json={"arguments": raw})
            assert home.calls == [], f"{name} to the {end.name}"
            assert answer.status_code != 500, answer.text
            for plan in await household.house.gate.plans():
                assert plan.state in {"waiting", "rejected"}, f"{name} to the {end.name}"
                if plan.state == "waiting":
                    await household.house.gate.reject(plan.id, Caller(Role.OWNER, Channel.CLI, "owner"))


async def test_the_api_does_what_is_everyday(household, home):
    async with household.client(await household.person(Role.MEMBER)) as client:
        await client.post("/api/v1/tools/call_service", json={"arguments": ROUTES[0].call(LAMP)})
    assert len(home.calls) == 1
