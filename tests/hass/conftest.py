"""Homes for the tests: one of each kind per session, put back in order before each test."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest

from hass.processes import CommandLine, processes_in
from hass.raw import RawSocket, raw_socket
from homesteward.actions.plan import PlanState
from homesteward.app import House, open_house
from homesteward.demo import DemoHome, inventory
from homesteward.people import Caller, Channel, Role
from homesteward.trial.homes import Recorder, Sender, settled

OWNER = Caller(Role.OWNER, Channel.CLI, "owner")


@pytest.fixture(scope="session")
async def running_demo_home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoHome]:
    """The furnished house, as the test before left it."""
    home = await DemoHome.start(tmp_path_factory.mktemp("demo-home"))
    try:
        yield home
    finally:
        await home.stop()


@pytest.fixture
async def demo_home(running_demo_home: DemoHome) -> DemoHome:
    """The furnished house, everything where the inventory has it."""
    await running_demo_home.wait_running()
    async with raw_socket(running_demo_home.address.url, running_demo_home.address.token) as socket:
        await socket.call("homesteward_demo", "reset")
    return running_demo_home


@pytest.fixture(scope="session")
async def ha_demo_home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoHome]:
    """Home Assistant's own demo, as the test before left it."""
    home = await DemoHome.start(tmp_path_factory.mktemp("ha-demo-home"), kind="ha-demo")
    try:
        yield home
    finally:
        await home.stop()


@pytest.fixture
async def socket(demo_home: DemoHome) -> AsyncIterator[RawSocket]:
    """A WebSocket to the furnished house, as its owner."""
    async with raw_socket(demo_home.address.url, demo_home.address.token) as opened:
        yield opened


@pytest.fixture(scope="session")
async def running_house(
    running_demo_home: DemoHome, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[House, Recorder]]:
    """A Homesteward on the furnished house, acting for real, with what it sends on record."""
    recorders: list[Recorder] = []

    def recorded(sender: Sender) -> Recorder:
        recorders.append(Recorder(sender))
        return recorders[-1]

    address = running_demo_home.address
    overrides = {
        "ha": {"url": address.url, "token": address.token},
        "policy": {"dry_run": False},
        "data": tmp_path_factory.mktemp("homesteward"),
    }
    async with open_house(None, overrides, through=recorded) as opened:
        yield opened, recorders[0]


@pytest.fixture
async def house(
    demo_home: DemoHome,  # resets the furnished house first
    running_house: tuple[House, Recorder],
) -> House:
    """The Homesteward, once it sees the house where the inventory has it."""
    opened, recorder = running_house
    for plan in await opened.gate.plans(PlanState.WAITING):  # of the tests before: one asker has only so many
        await opened.gate.reject(plan.id, OWNER)
    await settled(opened.home, {entity_id: thing.state for entity_id, thing in inventory().entities.items()})
    recorder.calls.clear()
    return opened


@pytest.fixture
def recorder(running_house: tuple[House, Recorder]) -> Recorder:
    """What reached the home in this test."""
    return running_house[1]


@dataclass(frozen=True, slots=True)
class DetachedDemo:
    """A `demo up --detach` as a person starts it: how to ask it, and what it said about itself."""

    line: CommandLine
    told: dict[str, Any]


@pytest.fixture(scope="session")
async def running_detached_demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DetachedDemo]:
    """The demo in the background, as the test before left it."""
    line = CommandLine(tmp_path_factory.mktemp("detached") / "data")
    started = await line("demo", "up", "--detach", "--json")
    assert started.code == 0, started
    try:
        yield DetachedDemo(line, started.json)
    finally:
        stopped = await line("demo", "down", "--json")
    assert stopped.json == {"stopped": True}
    assert processes_in(line.demo_data) == []
    assert not {file.name for file in line.demo_data.iterdir()} & {"demo.json", "service.json"}


@pytest.fixture
async def detached_demo(running_detached_demo: DetachedDemo) -> DetachedDemo:
    """The demo in the background, everything where the inventory has it."""
    told = running_detached_demo.told
    async with raw_socket(told["ha_url"], told["ha_token"]) as socket:
        await socket.call("homesteward_demo", "reset")
    return running_detached_demo
