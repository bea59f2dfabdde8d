"""Home Assistant's configuration over the API: seen by owners, changed by plans, with an answer of its own for each reason."""

from dataclasses import replace

import pytest

from configurations import PaperConfiguration
from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.people import Role, Scope

LAMP = {"alias": "Lamp", "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}
YAML = "alias: Lamp\nactions:\n- action: light.turn_on\n  target: {entity_id: light.study}\n"


@pytest.fixture
def paper(household):
    paper = PaperConfiguration(household.house.home)
    paper.add("automation", "lamp", {"id": "lamp", **LAMP})
    return paper


BOMB = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 11))


@pytest.fixture
async def configured(household, paper, new_place, open_database):
    """The household, in a house whose configuration lies on paper."""
    house = household.house
    versions = Versions(await open_database(place=await new_place()), house.home.home_id, house.clock)
    kinds = kinds_of(paper, paper, house.home, house.clock, versions.newest)
    room = ConfigRoom(kinds, versions, house.home, house.clock)
    put_out = house.gate._reserved.add(room)
    household.house = replace(house, configuration=room)
    yield household
    put_out()


@pytest.fixture
async def owner(configured):
    async with configured.client(configured.service()) as client:
        yield client


async def test_an_object_is_shown_with_its_yaml(owner):
    shown = (await owner.get("/api/v1/config", params={"kind": "automation", "id": "automation.lamp"})).json()
    assert (shown["id"], shown["config"], shown["yaml"].splitlines()[1]) == (
        "lamp",
        {"id": "lamp", **LAMP},
        "alias: Lamp",
    )


async def test_a_change_is_a_plan_and_its_approval_writes_it_and_keeps_versions(owner, paper):
    form = {"kind": "automation", "id": "lamp", "config": YAML, "edit": True}
    plan = (await owner.post("/api/v1/config/propose", json=form)).json()
    assert (plan["state"], paper.wrote, "+      entity_id: light.study" in plan["steps"][0]["diff"]) == (
        "waiting",
        [],
        True,
    )

    done = (await owner.post(f"/api/v1/plans/{plan['id']}/approve")).json()
    assert (done["state"], paper.wrote) == ("completed", [("put automation", "lamp")])
    of = {"kind": "automation", "id": "lamp"}
    assert [each["n"] for each in (await owner.get("/api/v1/config/versions", params=of)).json()] == [2, 1]
    first = (await owner.get("/api/v1/config/versions/1", params=of)).json()
    assert first["config"]["actions"] == LAMP["actions"]

    back = (await owner.post("/api/v1/config/restore", json={**of, "n": 1})).json()
    assert (back["state"], back["request"]) == ("waiting", "restore version 1 of the automation lamp")


async def test_a_deletion_is_a_plan_too(owner, paper):
    plan = (await owner.post("/api/v1/config/delete", json={"kind": "automation", "id": "lamp"})).json()
    assert (plan["steps"][0]["summary"], paper.wrote) == ("Delete the automation “Lamp”", [])


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({"kind": "automation", "id": "lamp", "config": LAMP}, 409, "already_there"),
        ({"kind": "automation", "id": "la\0mp", "config": LAMP}, 422, "invalid_request"),
        ({"kind": "automation", "id": "lamp\nx", "config": LAMP}, 422, "invalid_request"),
        ({"kind": "automation\n", "id": "lamp", "config": LAMP}, 422, "invalid_request"),
        ({"kind": "automation", "id": "lamp\u2028", "config": LAMP}, 422, "invalid_request"),
        ({"kind": "automation", "config": BOMB}, 400, "bad_config"),
        ({"kind": "automation", "config": "[" * 30_000}, 400, "bad_config"),
        ({"kind": "automation", "id": "lamp", "config": {**LAMP, "id": "x"}, "edit": True}, 400, "other_id"),
        ({"kind": "automation", "id": "none", "config": LAMP, "edit": True}, 404, "unknown_object"),
        ({"kind": "automation", "config": "alias: ["}, 400, "bad_config"),
        ({"kind": "person", "id": "x", "config": {"a": 1}}, 400, "unknown_kind"),
        ({"kind": "automation", "config": LAMP, "editt": True}, 422, "invalid_request"),
    ],
)
async def test_each_reason_has_its_own_answer(owner, form, status, code):
    answer = await owner.post("/api/v1/config/propose", json=form)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


async def test_a_member_proposes_and_does_not_look(configured, paper):
    async with configured.client(await configured.person(Role.MEMBER)) as client:
        looked = await client.get("/api/v1/config", params={"kind": "automation", "id": "lamp"})
        asked = await client.post("/api/v1/config/delete", json={"kind": "automation", "id": "lamp"})
    assert (looked.status_code, asked.json()["state"], paper.wrote) == (403, "waiting", [])


async def test_a_program_that_may_configure_looks_and_its_change_waits_for_an_owner(configured, paper):
    async with configured.client(await configured.token(Scope.READ, Scope.PROPOSE, Scope.CONFIGURE)) as client:
        looked = await client.get("/api/v1/config", params={"kind": "automation", "id": "lamp"})
        asked = await client.post("/api/v1/config/delete", json={"kind": "automation", "id": "lamp"})
    assert (looked.status_code, asked.json()["state"], paper.wrote) == (200, "waiting", [])


async def test_a_home_without_a_configuration_says_so(household):
    async with household.client(household.service()) as client:
        answer = await client.get("/api/v1/config", params={"kind": "automation", "id": "lamp"})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_enabled")
