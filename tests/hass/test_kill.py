"""A service that is killed in the middle of an action: what is not known is shown as not known, and nothing is sent again."""

import asyncio

import pytest

from hass.processes import CommandLine, running_service

pytestmark = pytest.mark.hass

DELAY_S = 2  # how long the lock lets its call wait: time to be killed in, and short enough to see it end


@pytest.fixture
def line(tmp_path):
    return CommandLine(tmp_path / "data")


@pytest.fixture
def config(tmp_path, demo_home):
    file = tmp_path / "homesteward.yaml"
    address = demo_home.address
    file.write_text(
        f"ha: {{url: {address.url}, token: {address.token}}}\nweb: {{port: 0}}\npolicy: {{dry_run: false}}\n"
    )
    return file


async def test_a_plan_cut_off_by_a_kill_is_interrupted_shown_and_never_run_again(line, config, socket):
    await socket.watch()
    await socket.watch_calls()
    await socket.call("homesteward_demo", "set_fault", entity_id="lock.front_door", delay=DELAY_S)
    async with running_service(line, config) as service:
        asked = await service.json("POST", "/ask", {"text": "unlock the front door"})
        plan = asked["plan"]["id"]
        approving = asyncio.create_task(service.ask("POST", f"/api/v1/plans/{plan}/approve", {}))
        await socket.until_called("lock", "unlock")
        assert (await service.json("GET", f"/plans/{plan}"))["state"] == "executing"
        await service.kill()
        await asyncio.wait([approving])

    async with running_service(line, config) as service:
        found = (await service.json("GET", "/plans?state=interrupted"))[0]
        assert (found["id"], found["steps"][0]["state"]) == (plan, "uncertain")
        assert found["steps"][0]["evidence"] == []
        listed = await line("plans", "list", "--json")
        assert [(one["id"], one["state"]) for one in listed.json] == [(plan, "interrupted")]
        again = await line("plans", "approve", plan, "--json")
        assert (again.code, again.json["state"]) == (1, "interrupted")
        # The lock obeys at last: Home Assistant had taken the one call. There was no second one.
        await socket.until("lock.front_door", lambda now: now["state"] == "unlocked")
        assert socket.called("lock", "unlock") == 1
        notices = await service.json("GET", "/notices")
        assert plan in [notice["subject"] for notice in notices if notice["kind"] == "plan_interrupted"]
        # A person goes on with it: what is seen to be done is not sent again.
        resumed = await line("plans", "resume", plan, "--json")
        assert (resumed.code, resumed.json["state"], resumed.json["steps"][0]["state"]) == (0, "completed", "done")
        assert resumed.json["steps"][0]["evidence"][0]["status"] == "verified"
        assert socket.called("lock", "unlock") == 1


async def test_a_stop_lets_what_is_under_way_end(line, config, socket):
    await socket.watch_calls()
    await socket.call("homesteward_demo", "set_fault", entity_id="lock.front_door", delay=DELAY_S / 2, travel=0)
    async with running_service(line, config) as service:
        plan = (await service.json("POST", "/ask", {"text": "unlock the front door"}))["plan"]["id"]
        approving = asyncio.create_task(service.json("POST", f"/plans/{plan}/approve", {}))
        await socket.until_called("lock", "unlock")
        service.process.terminate()
        assert (await approving)["state"] == "completed"
        await service.process.wait()
        assert service.process.returncode == 0
    assert not (line.data / "service.json").exists()
