"""Homes for the tests: one of each kind per session, put back in order before each test."""

from collections.abc import AsyncIterator

import pytest

from hass.raw import RawSocket, raw_socket
from homesteward.app import House, open_house
from homesteward.demo import DemoHome, inventory
from homesteward.trial.homes import Recorder, Sender, settled


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
    await settled(opened.home, {entity_id: thing.state for entity_id, thing in inventory().entities.items()})
    recorder.calls.clear()
    return opened


@pytest.fixture
def recorder(running_house: tuple[House, Recorder]) -> Recorder:
    """What reached the home in this test."""
    return running_house[1]
