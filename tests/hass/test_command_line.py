"""The command line against the real thing: a Homesteward in the background beside a real Home Assistant."""

import asyncio
import json
import signal
import stat

import pytest

from hass.processes import CommandLine, processes_in
from hass.raw import raw_socket
from homesteward.core.json import loads

pytestmark = pytest.mark.hass

LOCK = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}


@pytest.fixture
def homesteward(detached_demo):
    return detached_demo.line


async def state(demo, entity_id):
    async with raw_socket(demo.told["ha_url"], demo.told["ha_token"]) as socket:
        return next(found["state"] for found in await socket.ask("get_states") if found["entity_id"] == entity_id)


async def test_the_demo_tells_where_everything_is(detached_demo):
    keys = {"url", "token", "ha_url", "ha_token", "ha_user", "ha_password", "entities", "ready_s"}
    assert keys <= set(detached_demo.told)
    assert detached_demo.told["entities"] >= 60
    status = await detached_demo.line("demo", "status", "--json")
    assert (status.code, status.json) == (0, detached_demo.told)
    assert detached_demo.told["url"] in (await detached_demo.line("demo", "status")).out


async def test_what_the_demo_wrote_down_is_for_this_account_alone(detached_demo):
    for name in ("demo.json", "service.json", "homesteward.db"):
        assert stat.S_IMODE((detached_demo.line.demo_data / name).stat().st_mode) == 0o600, name


async def test_a_second_demo_is_told_that_one_runs_already(homesteward):
    for words in (["demo", "up"], ["demo", "up", "--detach"]):
        second = await homesteward(*words, "--json")
        assert (second.code, second.json["error"]["code"]) == (1, "already_running")


async def test_a_light_is_turned_on_seen_and_then_already_on(homesteward, detached_demo):
    acted = await homesteward("ask", "turn on the kitchen light", "--json")
    assert (acted.code, acted.json["outcome"]) == (0, "acted")
    assert acted.json["plan"]["steps"][0]["evidence"][0]["status"] == "verified"
    assert await state(detached_demo, "light.kitchen_ceiling_light") == "on"
    again = await homesteward("ask", "turn on the kitchen light", "--json")
    assert (again.code, again.json["outcome"]) == (0, "answered")
    assert "already on" in again.json["reply"]


async def test_a_door_waits_is_listed_and_opens_once_approved(homesteward, detached_demo):
    asked = await homesteward("ask", "unlock the front door", "--json")
    plan = asked.json["plan"]["id"]
    assert (asked.code, asked.json["outcome"]) == (4, "waiting")
    assert await state(detached_demo, "lock.front_door") == "locked"
    listed = await homesteward("plans", "list", "--state", "waiting", "--json")
    assert plan in {found["id"] for found in listed.json}
    approved = await homesteward("plans", "approve", plan, "--json")
    assert (approved.code, approved.json["state"]) == (0, "completed")
    assert await state(detached_demo, "lock.front_door") == "unlocked"


async def test_a_jamming_lock_exits_as_failed_and_says_jammed(homesteward):
    asked = await homesteward("ask", "unlock the back door", "--json")
    approved = await homesteward("plans", "approve", asked.json["plan"]["id"])
    assert approved.code == 1
    assert "jammed" in approved.out


async def test_a_rejected_plan_stays_undone(homesteward, detached_demo):
    plan = (await homesteward("ask", "unlock the front door", "--json")).json["plan"]["id"]
    assert (await homesteward("plans", "reject", plan, "--json")).code == 0
    approved = await homesteward("plans", "approve", plan, "--json")
    assert (approved.code, approved.json["error"]["code"]) == (1, "already_decided")
    assert await state(detached_demo, "lock.front_door") == "locked"


async def test_a_guest_is_refused(homesteward):
    asked = await homesteward("ask", "--as", "guest", "unlock the front door", "--json")
    assert (asked.code, asked.json["outcome"]) == (3, "refused")


async def test_tools_are_listed_and_called(homesteward):
    listed = await homesteward("tools", "list", "--json")
    assert {"find", "get_state", "overview", "call_service"} <= {tool["name"] for tool in listed.json}
    read = await homesteward("tools", "call", "get_state", '{"entities": "lock.front_door"}', "--json")
    assert read.code == 0
    assert "locked" in read.out


async def test_a_call_is_explained_by_the_running_home(homesteward, tmp_path):
    file = tmp_path / "call.json"
    file.write_text(json.dumps({"service": "cover.open_cover", "target": {"entity_id": "cover.garage_door"}}))
    explained = await homesteward("policy", "explain", str(file), "--json")
    assert (explained.code, explained.json[0]["action"]) == (0, "approve")
    assert "class garage" in explained.json[0]["reason"]


async def test_the_doctor_finds_nothing_wrong(homesteward):
    examined = await homesteward("doctor", "--json")
    assert examined.code == 0
    assert {check["status"] for check in examined.json} == {"ok"}


async def test_a_wrong_token_is_refused_and_a_silent_address_is_no_connection(homesteward):
    wrong = await homesteward("ask", "hello", "--token", "wrong", "--json")
    silent = await homesteward("ask", "hello", "--url", "http://127.0.0.1:1", "--json")
    assert (wrong.code, wrong.json["error"]["code"]) == (3, "not_signed_in")
    assert (silent.code, silent.json["error"]["code"]) == (5, "service_silent")


async def test_without_a_service_a_home_and_an_answer_nothing_is_connected(tmp_path):
    nothing = await CommandLine(tmp_path / "data")("ask", "hello", "--json")
    assert (nothing.code, nothing.json["error"]["code"]) == (5, "not_connected")


async def test_a_running_demo_whose_answer_cannot_be_found_keeps_its_folder(homesteward, detached_demo):
    """The file that says where it answers is gone: the folder is in use, and nobody else may act from it."""
    file = homesteward.demo_data / "service.json"
    hidden = file.rename(file.with_name("hidden.json"))
    try:
        line = CommandLine(homesteward.demo_data)
        locked = await line("ask", "hello", "--json")
    finally:
        hidden.rename(file)
    assert (locked.code, locked.json["error"]["code"]) == (5, "data_folder_locked")


async def test_without_a_service_a_sentence_is_carried_out_in_its_own_process(tmp_path, demo_home):
    address = demo_home.address
    home = {"HOMESTEWARD_HA__URL": address.url, "HOMESTEWARD_HA__TOKEN": address.token}
    line = CommandLine(tmp_path / "data", home)
    simulated = await line("ask", "turn on the kitchen light", "--json")
    assert (simulated.code, simulated.json["outcome"]) == (0, "simulated")
    acted = await line("ask", "turn on the kitchen light", "--json", HOMESTEWARD_POLICY__DRY_RUN="false")
    assert (acted.code, acted.json["outcome"]) == (0, "acted")
    assert len((await line("plans", "list", "--json")).json) == 2
    refused = await line("ask", "hello", "--json", HOMESTEWARD_HA__TOKEN="wrong-wrong-wrong")
    assert (refused.code, refused.json["error"]["code"]) == (5, "auth_failed")


@pytest.mark.parametrize("stage", ["while Home Assistant starts", "once it runs"])
async def test_ctrl_c_ends_both_and_leaves_nothing_behind(tmp_path, stage):
    line = CommandLine(tmp_path / "data")
    child = await line.start("demo", "up", "--json")
    assert child.stdout
    assert child.stderr
    if stage == "once it runs":
        told = loads(await child.stdout.readline())
        assert processes_in(line.demo_data)
        assert (await line("ask", "which lights are on?", "--json")).code == 0
        assert told["url"]
    else:
        assert b"Starting Home Assistant" in await child.stderr.readline()
        while not processes_in(line.demo_data):
            assert child.returncode is None
            await asyncio.sleep(0)
    child.send_signal(signal.SIGINT)
    out, err = await child.communicate()
    assert child.returncode == 0, err.decode()
    assert out == b""
    assert b"Traceback" not in err
    assert processes_in(line.demo_data) == []
    left = {file.name for file in line.demo_data.iterdir()}
    assert not left & {"demo.json", "service.json"}
    assert (await line("demo", "status", "--json")).json == {}
