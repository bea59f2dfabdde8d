"""The tool `configure`: looked at by owners, proposed by the household, decided by the gate."""

from datetime import UTC, datetime

import pytest

from configurations import PaperConfiguration
from homes import small_home
from homesteward.actions import Gate
from homesteward.actions.ha_config import ConfigRoom, Versions, kinds_of
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.core import FrozenClock
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.tools import ToolContext, ToolRegistry
from homesteward.tools.configure import configure_tool
from judging import GUEST, MEMBER, OWNER

LAMP = {"alias": "Lamp", "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hall"}}]}


@pytest.fixture
def clock():
    return FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


@pytest.fixture
def home(clock):
    return small_home(clock)


@pytest.fixture
def paper(home):
    return PaperConfiguration(home)


@pytest.fixture
async def registry(home, paper, clock, new_place, open_database):
    database = await open_database(place=await new_place())
    versions = Versions(database, home.home_id, clock)
    room = ConfigRoom(kinds_of(paper, paper, home, clock, versions.newest), versions, home, clock)
    gate = Gate(home, home, database, clock=clock, dry_run=False, reserved=ReservedCalls(room))
    registry = ToolRegistry()
    registry.add(configure_tool(gate, room))
    yield registry
    await gate.close()


async def used(registry, by=OWNER, **arguments):
    return await registry.call("configure", arguments, ToolContext(by, "do it"))


async def test_a_change_answers_with_its_plan_in_words_and_lines_and_nothing_is_written(registry, paper):
    result = await used(registry, action="write", kind="automation", config=LAMP)
    (plan,) = result.data["plans"]
    assert (result.ok, plan["state"], paper.wrote) == (True, "waiting", [])
    assert plan["steps"][0]["summary"].startswith("Make the automation “Lamp”")
    assert "+alias: Lamp" in plan["steps"][0]["diff"]


async def test_yaml_is_taken_as_well(registry):
    result = await used(registry, action="write", kind="scene", config="name: Quiet\nentities: {light.hall: 'on'}\n")
    assert result.data["plans"][0]["state"] == "waiting"


async def test_an_object_is_shown_as_yaml_with_its_versions(registry, paper):
    paper.add("automation", "lamp", {"id": "lamp", **LAMP})
    shown = await used(registry, action="show", kind="automation", id="automation.lamp")
    assert (shown.data["id"], shown.data["yaml"].startswith("id: lamp\nalias: Lamp")) == ("lamp", True)
    assert (await used(registry, action="versions", kind="automation", id="lamp")).data == {"versions": []}
    gone = await used(registry, action="restore", kind="automation", id="lamp", version=3)
    assert gone.error.code == "unknown_version"


async def test_what_does_not_fit_is_the_answer(registry):
    wrong = {**LAMP, "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.hal"}}]}
    result = await used(registry, action="write", kind="automation", config=wrong)
    assert (result.ok, result.error.code, "light.hall" in result.error.message) == (False, "unknown_reference", True)


async def test_a_member_proposes_and_does_not_see(registry, paper):
    paper.add("automation", "lamp", {"id": "lamp", **LAMP})
    assert (await used(registry, MEMBER, action="show", kind="automation", id="lamp")).error.code == "not_allowed"
    asked = await used(registry, MEMBER, action="delete", kind="automation", id="lamp")
    assert (asked.data["plans"][0]["state"], paper.wrote) == ("waiting", [])


async def test_a_guest_has_no_such_tool_and_part_of_a_home_no_configuration(registry):
    assert (await used(registry, GUEST, action="show", kind="automation", id="lamp")).error.code == "unknown_tool"
    part = Caller(
        Role.TOKEN, Channel.API, "t", token_id="t", scopes=frozenset(Scope), reach=Reach(areas=frozenset({"kitchen"}))
    )
    assert (await used(registry, part, action="show", kind="automation", id="lamp")).error.code == "not_allowed"
