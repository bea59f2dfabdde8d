"""What is shown is counted as it is asked for: a model that reads 35 % can write 45 %."""

import re

import pytest

from homes import DIMMABLE
from homesteward.core.json import dumps
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.tools import ToolContext, standard_tools
from rooms import acting_gate

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")


@pytest.fixture
def home():
    return SimulatedHome.build(
        [
            Thing("light.desk", "Desk light", state="on", attributes={**DIMMABLE, "brightness": 90}),
            Thing("media_player.radio", "Radio", state="playing", attributes={"volume_level": 0.35}),
            Thing("cover.blinds", "Blinds", state="open", attributes={"current_position": 35}),
            Thing("fan.ceiling", "Ceiling fan", state="on", attributes={"percentage": 35}),
        ]
    )


@pytest.fixture
async def registry(home, tmp_path):
    async with acting_gate(home, tmp_path) as gate:
        yield standard_tools(home, gate)


async def change(registry, service, entity_id, **data):
    arguments = {"service": service, "target": {"entity_id": entity_id}, "data": data}
    return await registry.call("call_service", arguments, OWNER)


@pytest.mark.parametrize(
    ("entity_id", "field"),
    [
        ("light.desk", "brightness_percent"),
        ("media_player.radio", "volume_percent"),
        ("cover.blinds", "position_percent"),
        ("fan.ceiling", "speed_percent"),
    ],
)
async def test_what_a_model_reads_is_in_percent_and_says_so(registry, entity_id, field):
    """E12: 90 of 255 was shown as 90 and taken for percent."""
    result = await registry.call("get_state", {"entities": entity_id}, OWNER)
    assert result.data["entities"][0]["attributes"][field] == 35


async def test_no_answer_of_any_tool_shows_the_raw_brightness(registry, home):
    """E12: not when it is read, nor when it was changed, nor when it came out wrong."""
    home.set_state("light.desk", "on", brightness=91)
    answers = [
        await registry.call("get_state", {"entities": "light.desk"}, OWNER),
        await registry.call("find", {"query": "desk"}, OWNER),
        await registry.call("overview", {}, OWNER),
        await change(registry, "light.turn_on", "light.desk", brightness=91),
        await change(registry, "light.turn_on", "light.desk", brightness_pct=36),
    ]
    told = [
        re.sub(r"plan_\w+|\d{4}-\d\d-\d\dT[\d:.+]+", "", dumps(answer.data)) for answer in answers
    ]  # ids and times hold any digits
    assert not [text for text in told if "91" in text]


@pytest.mark.parametrize("data", [{"brightness_pct": 229}, {"brightness_pct": "229%"}, {"brightness_pct": -1}])
async def test_a_percentage_out_of_range_is_refused_with_the_range_and_its_unit(registry, home, data):
    """E12: 229 was worked out on 0 to 255 and sent as percent."""
    result = await change(registry, "light.turn_on", "light.desk", **data)
    assert home.calls == []
    assert result.error.code == "invalid_data"
    assert "0 to 100 %" in result.error.next


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"brightness_step_pct": 10}, "brightness 45%"),
        ({"brightness_step_pct": -10}, "brightness 25%"),
        ({"brightness_step": 26}, "brightness 45%"),
        ({"brightness_pct": 45}, "brightness 45%"),
        ({"brightness": 115}, "brightness 45%"),
    ],
)
async def test_a_step_is_verified_against_where_it_started(registry, data, expected):
    """E12: 10 per cent brighter than 35 is 45, whichever way it is asked for."""
    result = await change(registry, "light.turn_on", "light.desk", **data)
    (seen,) = result.data["plans"][0]["steps"][0]["evidence"]
    assert (seen["status"], seen["expected"]) == ("verified", expected)
    assert seen["observed"] == f"on, {expected}"


@pytest.mark.parametrize(
    ("service", "entity_id", "data", "observed"),
    [
        ("media_player.volume_set", "media_player.radio", {"volume_level": 0.5}, "playing, volume 50%"),
        ("cover.set_cover_position", "cover.blinds", {"position": 50}, "open, position 50%"),
        ("fan.set_percentage", "fan.ceiling", {"percentage": 50}, "on, speed 50%"),
    ],
)
async def test_what_was_seen_is_told_in_percent(registry, service, entity_id, data, observed):
    """E12, for everything else that is counted in two ways."""
    result = await change(registry, service, entity_id, **data)
    (seen,) = result.data["plans"][0]["steps"][0]["evidence"]
    assert seen["observed"] == observed
