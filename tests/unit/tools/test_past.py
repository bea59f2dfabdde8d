"""Asking about the past: local times, what is exposed and in reach, and no answer that looks like one and is none."""

from datetime import timedelta

import pytest

from homesteward.chronicle.record import Outage
from homesteward.core import FrozenClock
from homesteward.core.json import dumps
from homesteward.home.inventory import Thing
from homesteward.home.recorder import Recorder
from homesteward.people import Caller, Channel, Reach, Role
from homesteward.tools import ToolContext, standard_tools
from pasts import ANNA, EVENING, after, called, change, context, ran
from rooms import acting_gate
from unit.home.far_recorder import FarMeter, FarRecorder

OWNER = ToolContext(Caller(Role.OWNER, Channel.CLI), "test")
KITCHEN = ToolContext(Caller(Role.TOKEN, Channel.API, reach=Reach(areas=frozenset({"kitchen"}))), "test")
NOW = after(3600)  # 19:02 in Berlin


@pytest.fixture
async def tools(past, tmp_path):
    """The tools of the evening's home, over its chronicle alone."""
    async with acting_gate(past.home, tmp_path) as gate:
        yield standard_tools(past.home, gate, past.history, clock=past.clock)


@pytest.fixture
def recorded(past, tmp_path):
    """Build the tools over the chronicle and a recorder that knows these meters."""

    def build(**meters: FarMeter):
        line = FarRecorder(
            {f"sensor.{name}": meter for name, meter in meters.items()}, NOW, EVENING - timedelta(days=10)
        )
        return standard_tools(past.home, None, past.history, Recorder(line, FrozenClock(NOW)), clock=past.clock)

    return build


async def ask(tools, name, context=OWNER, **arguments):
    return await tools.call(name, arguments, context)


async def motion_light(past):
    motion = context(after(0), "motion")
    run = context(after(0.1), "run", motion)
    await past.tell(
        change(after(0), "binary_sensor.hall", "off", "on", motion),
        ran(after(0.1), "automation.hall_motion", run, "state of binary_sensor.hall"),
        called(after(0.12), "light.turn_on", run, "light.hall"),
        change(after(0.2), "light.hall", "off", "on", run),
        change(after(300), "light.hall", "on", "off", context(after(300), "hand", user=ANNA)),
        users={ANNA: "Anna"},
    )


async def test_changes_come_in_order_at_local_time_with_who_was_behind_them(past, tools):
    await motion_light(past)
    result = await ask(tools, "get_history", entity="Hall light", since="18:00")
    assert result.data["entity_id"] == "light.hall"
    assert [(row["at"], row["state"], row.get("by")) for row in result.data["changes"]] == [
        ("2026-11-03T18:02:00+01:00", "on", None),
        ("2026-11-03T18:07:00+01:00", "off", "Anna"),
    ]
    assert result.data["truncated"] is False


async def test_a_local_time_with_a_z_that_has_not_come_is_an_error_that_says_so(past, tools):
    """E37: 18:55Z is 19:55 here, and it is 19:02."""
    await motion_light(past)
    result = await ask(
        tools, "get_history", entity="light.hall", since="2026-11-03T17:55:00Z", until="2026-11-03T18:55:00Z"
    )
    assert (result.ok, result.error.code) == (False, "in_the_future")
    assert "it is 2026-11-03T19:02:00+01:00 (Europe/Berlin)" in result.error.message
    assert "without Z" in result.error.next


async def test_a_time_without_an_offset_is_the_households(past, tools):
    """E37, its first variant."""
    await motion_light(past)
    result = await ask(
        tools, "get_history", entity="light.hall", since="2026-11-03T18:01:00", until="2026-11-03T18:10:00"
    )
    assert len(result.data["changes"]) == 2
    assert result.data["since"] == "2026-11-03T18:01:00+01:00"


async def test_a_time_in_which_nothing_changed_names_what_held(past, tools):
    """E37, its second variant."""
    await motion_light(past)
    result = await ask(tools, "get_history", entity="light.hall", since="18:30", until="18:45")
    assert (result.ok, result.data["changes"]) == (True, [])
    assert (result.data["before"]["state"], result.data["before"]["at"]) == ("off", "2026-11-03T18:07:00+01:00")
    assert (result.data["since"], result.data["until"]) == ("2026-11-03T18:30:00+01:00", "2026-11-03T18:45:00+01:00")


@pytest.mark.parametrize("since", ["the other day", "", "99:00", "NaN", "2026-13-01"])
async def test_a_time_that_is_none_is_never_a_default(past, tools, since):
    result = await ask(tools, "get_history", entity="light.hall", since=since)
    assert result.error.code == "bad_time"


async def test_more_changes_than_asked_for_leave_out_the_oldest_and_say_so(past, tools):
    states = ["on", "off"] * 10
    await past.tell(*(change(after(n), "light.hall", None, state) for n, state in enumerate(states)))
    result = await ask(tools, "get_history", entity="light.hall", limit=5)
    assert (len(result.data["changes"]), result.data["truncated"]) == (5, True)
    assert result.data["changes"][-1]["at"] == "2026-11-03T18:02:19+01:00"
    assert "left out" in result.data["notes"][0]


async def test_what_is_not_exposed_has_no_past_either(past, tools):
    await motion_light(past)
    past.home.expose("light.hall", exposed=False)
    for name, arguments in {"get_history": {}, "why": {}}.items():
        result = await ask(tools, name, entity="light.hall", **arguments)
        assert result.error.code == "not_exposed"
    everything = [
        await ask(tools, "chronicle"),
        await ask(tools, "home_at", at="18:03"),
        await ask(tools, "why", entity="binary_sensor.hall"),
    ]
    assert "light.hall" not in dumps([result.json for result in everything])
    assert "Hall light" not in dumps([result.json for result in everything])


async def test_a_token_for_the_kitchen_learns_nothing_of_the_hall(past, tools):
    await motion_light(past)
    await past.tell(change(after(400), "light.kitchen", "off", "on"))
    for name in ("get_history", "why"):
        assert (await ask(tools, name, KITCHEN, entity="light.hall")).error.code == "unknown_entity"
        assert (await ask(tools, name, KITCHEN, entity="light.kitchen")).ok
    told = dumps([(await ask(tools, name, KITCHEN, **more)).json for name, more in (
        ("chronicle", {}), ("home_at", {"at": "NOW"}), ("find", {}), ("overview", {}), ("get_state", {"entities": "Hall light"}),
    )])  # fmt: skip
    assert "light.kitchen" in told
    assert "hall" not in told.replace("Hall light", "").casefold()


async def test_a_token_for_the_kitchen_cannot_aim_beyond_it(past, tools):
    for target in ({"entity_id": "light.hall"}, {"name": "Hall light"}, {"area_id": "hall"}):
        result = await ask(tools, "call_service", KITCHEN, service="light.turn_on", target=target)
        assert result.error.code in {"unknown_entity", "unknown_area"}
        assert past.home.states["light.hall"].state == "off"


async def test_why_tells_the_automation_though_only_the_light_is_exposed(past, tools):
    await motion_light(past)
    past.home.exposed = frozenset({"light.hall"})
    result = await ask(tools, "why", entity="light.hall", at="18:05")
    assert "Hall motion" in result.data["text"]
    assert "binary_sensor.hall" not in dumps(result.json)
    assert result.data["complete"] is False or "Hall sensor" not in result.data["text"]


async def test_why_an_automation_ran_may_be_asked_by_its_name(past, tools):
    await motion_light(past)
    past.home.exposed = frozenset({"light.hall", "binary_sensor.hall"})
    result = await ask(tools, "why", entity="Hall motion")
    assert result.data["entity_id"] == "automation.hall_motion"
    assert "Hall sensor" in result.data["text"]


async def test_why_is_a_sentence_in_the_language_of_the_request_with_its_chain_at_local_time(past, tools):
    await motion_light(past)
    german = ToolContext(OWNER.caller, "test", language="de")
    result = await ask(tools, "why", german, entity="light.hall", at="18:05")
    assert result.data["text"].startswith("Hall light ging um 18:02 an, weil die Automation Hall motion lief")
    assert [row["at"][11:] for row in result.data["chain"]] == ["18:02:00+01:00"] * 3


async def test_the_chronicle_is_searched_and_a_ref_leads_to_the_chain_around_it(past, tools):
    await motion_light(past)
    found = await ask(tools, "chronicle", text="hall light", kinds=["state"], since="18:00", until="18:05")
    (row,) = found.data["rows"]
    assert (row["at"], row["text"]) == ("2026-11-03T18:02:00+01:00", "Hall light turned on")
    chain = (await ask(tools, "chronicle", chain=row["ref"])).data
    assert [each["kind"] for each in chain["rows"]] == ["state", "automation", "state"]
    assert {"cause": 1, "effect": 2, "certainty": "certain"} in chain["links"]


async def test_a_page_of_the_chronicle_goes_on_with_its_cursor(past, tools):
    await past.tell(*(change(after(n), "light.hall", None, "on") for n in range(7)))
    first = (await ask(tools, "chronicle", limit=5)).data
    rest = (await ask(tools, "chronicle", limit=5, cursor=first["cursor"])).data
    assert (first["truncated"], len(first["rows"]), len(rest["rows"]), rest["truncated"]) == (True, 5, 2, False)


async def test_a_long_chain_is_cut_at_whole_rows_and_says_so(past, tools):
    run = context(after(0), "run")
    await past.tell(
        ran(after(0), "automation.hall_motion", run, "time pattern"),
        *(change(after(1 + n / 10), "light.hall", "off", f"on{n}", run, {"brightness": n}) for n in range(150)),
    )
    chain = (await ask(tools, "chronicle", chain=run.id)).data
    assert (len(chain["rows"]), chain["truncated"]) == (50, True)
    assert all(max(link["cause"], link["effect"]) < 50 for link in chain["links"])


async def test_attributes_are_told_when_they_change_and_a_full_page_is_not_cut(past, tools):
    shades = [{"brightness": 100 + n // 60} for n in range(120)]
    await past.tell(*(change(after(n), "light.hall", None, "on", None, shade) for n, shade in enumerate(shades)))
    told = (await ask(tools, "get_history", entity="light.hall", limit=100)).data
    assert len(told["changes"]) == 100
    assert [row["attributes"] for row in told["changes"] if "attributes" in row] == [
        {"brightness": 100},
        {"brightness": 101},
    ]
    rows = (await ask(tools, "chronicle", limit=60)).data["rows"]
    assert len(rows) == 60


async def test_the_house_at_a_moment_and_what_differs_from_another(past, tools):
    await motion_light(past)
    then = (await ask(tools, "home_at", at="18:03", domain="light")).data
    assert then["states"] == {"light.hall": {"state": "on", "since": "2026-11-03T18:02:00+01:00"}}
    assert then["unknown"]["total"] == 2
    differs = (await ask(tools, "home_at", at="18:03", compare_with="NOW", area="hall", domain="light")).data
    assert [(row["entity_id"], row["before"], row["after"]) for row in differs["changed"]] == [
        ("light.hall", "on", "off")
    ]


async def test_a_moment_in_which_nobody_listened_is_said(past, tools):
    await past.tell(change(after(0), "light.hall", "off", "on"), outages=(Outage(after(60), after(600), "restart"),))
    then = (await ask(tools, "home_at", at="18:05", entities="Hall light")).data
    assert (then["not_heard_since"], then["states"]["light.hall"]["state"]) == ("2026-11-03T18:03:00+01:00", "on")


async def test_the_past_can_be_asked_about_while_the_home_is_out_of_reach(past, tools):
    await motion_light(past)
    past.home.connected = False
    assert (await ask(tools, "why", entity="light.hall")).ok
    assert (await ask(tools, "get_state", entities="light.hall")).error.code == "not_connected"


async def test_a_number_over_time_comes_in_steps_with_its_unit(past, recorded):
    power = FarMeter([(after(-7200), "100"), (after(-3600), "300"), (after(0), "200")], "W", "measurement")
    power.statistics = False
    result = await ask(
        recorded(power=power), "get_history", entity="sensor.power", mode="series", since="16:02", until="19:02"
    )
    assert result.data["unit"] == "W"
    assert [result.data["steps"][place]["mean"] for place in (0, -1)] == [100, 200]
    assert max(step["max"] for step in result.data["steps"]) == 300
    assert len(result.data["steps"]) <= 48


async def test_for_how_long_a_light_was_on_is_told_in_minutes(past, tmp_path):
    line = FarRecorder(
        {
            "light.hall": FarMeter(
                [(after(-600), "off"), (after(0), "on"), (after(1800), "off")], None, None, statistics=False
            )
        },
        NOW,
        EVENING - timedelta(days=1),
    )
    tools = standard_tools(past.home, None, past.history, Recorder(line, FrozenClock(NOW)), clock=past.clock)
    result = await ask(tools, "get_history", entity="light.hall", mode="series", since="18:00")
    assert result.data["minutes"] == {"on": 30.0, "off": 32.0}


async def test_what_a_meter_counted_is_told_with_what_is_not_in_it(past, recorded):
    """Acceptance 17, through the tool."""
    meter = FarMeter([(after(60 * n), f"{1000 + n}") for n in range(-600, 0)] + [(after(60), "0.5")], "kWh")
    result = await ask(
        recorded(power=meter), "get_history", entity="sensor.power", mode="total", since="12:00", until="19:00"
    )
    assert (result.data["total"], result.data["unit"], result.data["exact"]) == (362.5, "kWh", True)


async def test_asked_for_the_total_of_what_does_not_count_the_answer_names_the_meters(past, recorded):
    past.home._place(
        Thing(
            "sensor.energy", "Energy", "kitchen", "7", {"state_class": "total_increasing", "unit_of_measurement": "kWh"}
        )
    )
    power = FarMeter([(after(-3600), "300")], "W", "measurement")
    result = await ask(recorded(power=power), "get_history", entity="sensor.power", mode="total")
    assert (result.error.code, result.error.next) == ("not_counted", "Meters here are sensor.energy.")


async def test_no_data_is_an_error_in_local_time_and_never_a_number(past, recorded):
    meter = FarMeter([(after(-60), "1")], "kWh")
    result = await ask(
        recorded(power=meter),
        "get_history",
        entity="sensor.power",
        mode="total",
        since="2026-10-01 10:00",
        until="2026-10-01 12:00",
    )
    assert (result.ok, result.error.code, result.data) == (False, "nothing_recorded", None)
    assert "2026-10-01T10:00:00+02:00" in result.error.message
    assert "do not estimate" in result.error.next


async def test_without_a_recorder_there_are_no_series_and_that_is_said(past, tools):
    result = await ask(tools, "get_history", entity="sensor.power", mode="series")
    assert result.error.code == "not_enabled"


async def test_changes_before_the_chronicle_began_come_from_the_recorder(past, recorded):
    power = FarMeter([(after(-7200), "100"), (after(-3600), "300")], "W", "measurement")
    result = await ask(recorded(power=power), "get_history", entity="sensor.power", since="17:00")
    assert [(row["at"], row["state"]) for row in result.data["changes"]] == [("2026-11-03T17:02:00+01:00", "300")]
    assert result.data["before"] == {"state": "100"}


async def test_without_chronicle_and_recorder_none_of_them_is_offered(past):
    offered = [spec.name for spec in standard_tools(past.home, None).specs(OWNER.caller)]
    assert offered == ["find", "get_state", "overview", "call_service", "plans"]
    everything = standard_tools(past.home, None, past.history, clock=past.clock).specs(OWNER.caller)
    assert [spec.name for spec in everything][5:] == ["get_history", "why", "home_at", "chronicle"]
    assert not any(spec.changes for spec in everything[5:])
    assert sum(len(dumps(spec.parameters)) + len(spec.description) for spec in everything[5:]) < 6_000


PAST_TOOLS = {
    "why": {"entity": "light.hall"},
    "get_history": {"entity": "light.hall"},
    "home_at": {"at": "NOW-1h"},
    "chronicle": {},
}


@pytest.mark.parametrize("name", PAST_TOOLS)
async def test_a_guest_is_neither_offered_nor_told_the_past(past, tools, name):
    await motion_light(past)
    guest = ToolContext(Caller(Role.GUEST, Channel.API, "Kim"), "test")
    result = await ask(tools, name, guest, **PAST_TOOLS[name])
    assert (result.error.code, result.error.message) == ("not_allowed", "That is for the household to know.")
    assert "Anna" not in dumps(result.json)
    assert name not in {spec.name for spec in tools.specs(guest.caller)}
    assert (await ask(tools, name, **PAST_TOOLS[name])).ok


async def test_every_tool_that_needs_the_chronicle_is_one_of_the_past(past, tools, tmp_path):
    """A tool that is added on the chronicle later is refused to guests too, or this says so."""
    (tmp_path / "other").mkdir()
    async with acting_gate(past.home, tmp_path / "other") as gate:
        without = {spec.name for spec in standard_tools(past.home, gate, clock=past.clock).specs(OWNER.caller)}
    assert {spec.name for spec in tools.specs(OWNER.caller)} - without == set(PAST_TOOLS)
