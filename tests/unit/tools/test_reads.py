"""The reading tools: what is found, what is said of it, and that nothing unexposed is ever told."""

import pytest

from homes import large_home, small_home
from homesteward.core.json import dumps
from homesteward.people import Caller, Channel, Role
from homesteward.tools import ToolContext, ToolRegistry
from homesteward.tools.find import find_tool
from homesteward.tools.overview import overview_tool

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")


async def ask(registry, tool, **arguments):
    return await registry.call(tool, arguments, OWNER)


def ids(result, key="entities"):
    return [row["entity_id"] for row in result.data[key]]


@pytest.mark.parametrize(
    "query", ["kitchen light", "KITCHEN  light", "cooking light", "lights kitchen", "light.kitchen"]
)
async def test_a_light_is_found_by_name_alias_kind_and_id(registry, query):
    assert ids(await ask(registry, "find", query=query))[0] == "light.kitchen"


async def test_things_of_one_name_are_all_found(registry):
    result = await ask(registry, "find", query="reading lamp")
    assert ids(result) == ["light.reading_lamp_bedroom", "light.reading_lamp_study"]
    assert [row["area"] for row in result.data["entities"]] == ["Bedroom", "Study"]


async def test_a_name_and_its_aliases_are_separate_fields(registry):
    """E06: joined into one text, models send the whole text back as the name."""
    (row,) = (await ask(registry, "find", query="coffee machine")).data["entities"]
    assert (row["name"], row["aliases"]) == ("Coffee machine", ["Espresso"])


async def test_an_area_is_found_by_its_alias_and_narrows(registry):
    result = await ask(registry, "find", domain="light", area="office")
    assert ids(result) == ["light.reading_lamp_study", "light.study"]


async def test_an_unknown_area_names_those_there_are(registry):
    result = await ask(registry, "find", area="ballroom")
    assert result.error.code == "unknown_area"
    assert "Kitchen" in result.error.next


async def test_what_is_not_exposed_is_not_found(registry):
    assert "light.cellar" not in ids(await ask(registry, "find", query="cellar", limit=100))


async def test_a_miss_shows_the_nearest(registry):
    result = await ask(registry, "find", query="kichen lihgt")
    assert result.data["total"] == 0
    assert "light.kitchen" in ids(result, "closest")


async def test_totals_tell_what_the_limit_hides(registry):
    result = await ask(registry, "find", domain="light", limit=2)
    assert (result.data["shown"], len(result.data["entities"])) == (2, 2)
    assert result.data["total"] > 2


async def test_a_state_comes_with_the_units_that_people_use(registry, home):
    home.set_state("light.kitchen", "on", brightness=128)
    result = await ask(registry, "get_state", entities=["light.kitchen", "Study temperature", "Thermostat"])
    light, sensor, climate = result.data["entities"]
    assert light["attributes"]["brightness_percent"] == 50
    assert (sensor["state"], sensor["unit"]) == ("21.5", "°C")
    assert (climate["attributes"]["temperature"], climate["attributes"]["temperature_unit"]) == (20, "°C")


async def test_a_name_that_fits_two_reads_both(registry):
    result = await ask(registry, "get_state", entities="reading lamp")
    assert ids(result) == ["light.reading_lamp_bedroom", "light.reading_lamp_study"]


async def test_an_unknown_entity_among_known_ones_is_an_error_of_its_own(registry):
    result = await ask(registry, "get_state", entities=["light.kitchen", "light.kitchn"])
    assert result.ok
    assert ids(result) == ["light.kitchen"]
    (error,) = result.data["errors"]
    assert error["code"] == "unknown_entity"
    assert "light.kitchen" in error["next"]


@pytest.mark.parametrize("asked", ["light.cellar", "Cellar light"])
async def test_what_is_not_exposed_is_named_as_such_and_not_read(registry, asked):
    result = await ask(registry, "get_state", entities=asked)
    assert (result.ok, result.error.code) == (False, "not_exposed")


async def test_the_overview_counts_and_names_what_is_on_and_what_is_gone(registry, home):
    home.set_state("light.kitchen", "on")
    result = await ask(registry, "overview")
    kitchen = next(area for area in result.data["areas"] if area["area_id"] == "kitchen")
    assert kitchen["counts"]["light"] == 1
    assert ids(kitchen_as_result(kitchen)) == ["light.kitchen"]
    assert [row["entity_id"] for row in result.data["unavailable"]] == ["light.porch"]


def kitchen_as_result(area):
    return type("Result", (), {"data": {"entities": area["notable"]}})


async def test_reads_of_a_large_home_stay_small():
    home = large_home(3000)
    registry = ToolRegistry()
    registry.add(find_tool(home))
    registry.add(overview_tool(home))
    for result in (await ask(registry, "find", limit=100), await ask(registry, "overview")):
        assert len(dumps(result.json)) <= 12_000


async def test_a_renamed_thing_is_found_under_its_new_name(home, registry):
    await ask(registry, "find", query="kitchen light")
    home.set_state("light.kitchen", "off", friendly_name="Stove lamp")
    home.revision += 1
    assert ids(await ask(registry, "find", query="stove lamp")) == ["light.kitchen"]


def test_the_small_home_is_the_one_these_tests_think_of():
    assert "light.cellar" not in small_home().exposed


@pytest.mark.parametrize("tool", ["find", "get_state", "overview"])
async def test_while_the_home_is_out_of_reach_no_tool_takes_what_was_for_what_is(registry, home, tool):
    arguments = {"find": {"query": "kitchen"}, "get_state": {"entities": "light.kitchen"}}.get(tool, {})
    assert (await ask(registry, tool, **arguments)).ok
    home.connected = False
    result = await ask(registry, tool, **arguments)
    assert (result.ok, result.error.code, result.error.retry) == (False, "not_connected", True)
