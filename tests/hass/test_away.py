"""A Homesteward whose Home Assistant is away: it starts, holds, answers from what it knows, and goes on when it is there again."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from hass.processes import CommandLine, Service, running_service
from hass.proxy import proxy_to
from hass.raw import raw_socket
from homesteward.actions.plan import StepState
from homesteward.app import open_house
from homesteward.demo import DemoHome
from homesteward.home.life import Limits
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Request

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
DELAY_S = 1.5  # how long the lock lets its call wait: time for the way to be cut and to be whole again


async def until(holds: Callable[[], Awaitable[Any]], seconds: float = 30) -> None:
    """Ask until the answer is yes: another process has no event for it."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - as the docstring says
            await asyncio.sleep(0.05)


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[DemoHome]:
    """A furnished house that may be ended."""
    started = await DemoHome.start(tmp_path / "home")
    try:
        yield started
    finally:
        await started.stop()


def settings_for(home: DemoHome, folder: Path) -> Path:
    file = folder / "homesteward.yaml"
    address = home.address
    file.write_text(
        f"ha: {{url: {address.url}, token: {address.token}}}\nweb: {{port: 0}}\npolicy: {{dry_run: false}}\n"
    )
    return file


async def health(service: Service) -> str:
    return str((await service.json("GET", "/health"))["status"])


async def outcome(service: Service, text: str) -> dict[str, Any]:
    answer: dict[str, Any] = await service.json("POST", "/ask", {"text": text})
    return answer


@pytest.mark.timeout(300)
async def test_a_service_started_before_its_home_waits_for_it_and_holds_what_waits(tmp_path: Path, home: DemoHome):
    """E60: up and degraded from the start, one line per outage, tools listed, nothing done, and all well once the home is there."""
    line, config = CommandLine(tmp_path / "data"), settings_for(home, tmp_path)
    await home.stop()
    async with running_service(line, config) as service:
        assert await health(service) == "degraded"
        status, _ = await service.ask("GET", "/api/v1/tools")
        assert status == 200
        status, told = await service.ask(
            "POST",
            "/api/v1/tools/call_service",
            {"arguments": {"domain": "lock", "service": "unlock", "target": {"entity_id": "lock.front_door"}}},
        )
        assert (status, "not_connected" in told) == (503, True)
        assert (await outcome(service, "turn on the kitchen light"))["error"]["code"] == "not_connected"
        assert service.said.count(b"cannot be reached") == 1

        await home.restart()
        await until(lambda: _is(health(service), "ok"))
        assert (await outcome(service, "turn on the kitchen light"))["outcome"] == "acted"
        waiting = (await outcome(service, "unlock the front door"))["plan"]["id"]

        await home.kill()
        await until(lambda: _is(health(service), "degraded"))
        status, told = await service.ask("POST", f"/api/v1/plans/{waiting}/approve", {})
        assert (status, "not_connected" in told) == (503, True)
        known = await outcome(service, "is the kitchen light on?")
        assert (known["outcome"], known["reply"].startswith("As of ")) == ("answered", True)
        connection = (await service.json("GET", "/status"))["connection"]
        assert connection["state"] in {"cooling_down", "connecting"}
        doctor = {check["check"]: check for check in await service.json("GET", "/doctor")}
        assert doctor["home assistant"]["status"] == "fail"

        await home.restart()
        await until(lambda: _is(health(service), "ok"))
        assert (await service.json("GET", f"/plans/{waiting}"))["state"] == "waiting"
        assert (await service.json("POST", f"/plans/{waiting}/approve", {}))["state"] == "completed"
        assert len((await service.json("GET", "/status"))["mirror"]["gaps"]) == 1
        assert service.said.count(b"cannot be reached") == 1
        await service.kill()

    # What was written when the connection ended is there at the next start, before Home Assistant is.
    await home.stop()
    async with running_service(line, config) as service:
        known = await outcome(service, "is the kitchen light on?")
        assert (known["outcome"], known["reply"].startswith("As of ")) == ("answered", True)


async def _is(found: Awaitable[str], wanted: str) -> bool:
    return await found == wanted


@pytest.mark.parametrize(("fault", "state"), [({"delay": DELAY_S, "travel": 0}, "done"), ({"dead": True}, "uncertain")])
async def test_a_call_cut_off_in_flight_is_settled_by_what_is_seen_afterwards_and_never_done_twice(
    tmp_path: Path, demo_home: DemoHome, fault: dict[str, Any], state: str
):
    address = demo_home.address
    async with proxy_to(address.url) as way, raw_socket(address.url, address.token) as socket:
        await socket.watch_calls()
        await socket.call("homesteward_demo", "set_fault", "lock.front_door", **{"delay": DELAY_S, **fault})
        overrides = {
            "ha": {"url": way.url, "token": address.token},
            "policy": {"dry_run": False, "verify_factor": 0.5},
            "data": tmp_path / "data",
        }
        async with open_house(None, overrides, limits=Limits(first_s=0.1, stable_s=0)) as house:
            asked = await house.steward.ask(Request("unlock the front door", OWNER))
            assert asked.plan
            acting = asyncio.create_task(house.gate.approve(asked.plan.id, OWNER))
            await socket.until_called("lock", "unlock")
            way.cut()
            plan = await acting
            assert house.home.connected
            assert [step.state for step in plan.steps] == [StepState(state)]
            assert socket.called("lock", "unlock") == 1
