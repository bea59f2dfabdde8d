"""Years of uptime in a minute: Home Assistant restarts, dies, hangs and is cut off, while everything in it changes."""

import asyncio
import os
import signal
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from itertools import cycle

import aiohttp
import pytest

from hass.proxy import CERTIFICATE, Proxy, proxy_to
from hass.raw import RawError, RawSocket, raw_socket
from homesteward.demo import DemoHome
from homesteward.home.access import Access, access_of
from homesteward.home.connection import Connection, Heartbeat
from homesteward.home.errors import NotConnectedError
from homesteward.home.life import Limits, Phase
from homesteward.home.link import HomeLink
from homesteward.home.mirror import Mirror
from homesteward.settings.settings import HomeAssistantSettings

pytestmark = pytest.mark.hass

SOAK = bool(os.environ.get("HOMESTEWARD_SOAK"))
RESTARTS, CUTS = (10, 20) if SOAK else (4, 3)
QUICK = Limits(first_s=0.2, longest_s=2, restart_s=0.5, stable_s=0.5)
HEARTBEAT = Heartbeat(every_s=0.5, answer_s=1.0)
LIGHTS = ["light.kitchen_ceiling_light", "light.landing_light", "light.study_lamp"]
ENDS = (aiohttp.ClientError, OSError, RawError, TimeoutError, TypeError)  # what a socket to a dying home ends in


@pytest.fixture(scope="module")
async def home(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoHome]:
    """A furnished house that may be ended in any way."""
    started = await DemoHome.start(tmp_path_factory.mktemp("home-to-end"))
    try:
        yield started
    finally:
        await started.stop()


@asynccontextmanager
async def linked(url: str, token: str, **rest: object) -> AsyncIterator[HomeLink]:
    mirror = Mirror("home_1")
    link = HomeLink(Access(url, url, f"{url}/api", token), mirror, limits=QUICK, heartbeat=HEARTBEAT, **rest)
    await link.start()
    try:
        await link.settled()
        yield link
    finally:
        await link.close()


async def until(link: HomeLink, holds: Callable[[Phase], bool], seconds: float = 40) -> None:
    """Wait for a phase that `holds`."""
    there = asyncio.Event()
    undo = link.life.watch(lambda phase: there.set() if holds(phase) else None)
    try:
        async with asyncio.timeout(seconds):
            if not holds(link.life.phase):
                await there.wait()
    finally:
        undo()


async def away_and_back(link: HomeLink, end: Callable[[], Awaitable[object]]) -> None:
    """Do what ends the connection, and wait until the link is live over a new one."""
    lives = link.reconnects
    lost = asyncio.create_task(until(link, lambda phase: phase is not Phase.LIVE))
    await asyncio.sleep(0)
    await end()
    await lost
    while link.reconnects == lives:
        await until(link, lambda phase: phase is Phase.LIVE)
        await asyncio.sleep(0)


async def disturb(home: DemoHome) -> None:
    """Change lights without a pause, for as long as the home lets it."""
    states = cycle(("on", "off"))
    while True:
        with suppress(*ENDS):
            async with raw_socket(home.address.url, home.address.token) as socket:
                while True:
                    async with asyncio.timeout(30):
                        await socket.call("homesteward_demo", "set_state", LIGHTS, state=next(states))
                    await asyncio.sleep(0.02)
        await asyncio.sleep(0.05)


@asynccontextmanager
async def disturbed(home: DemoHome) -> AsyncIterator[None]:
    task = asyncio.create_task(disturb(home))
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def require_same(link: HomeLink, home: DemoHome) -> None:
    """Require that the mirror is the home, and that what changes now arrives, in states and registries alike."""
    async with raw_socket(home.address.url, home.address.token) as socket:
        await require_alive(link, socket)
        await link.send("get_config")  # what was sent before has arrived
        real = {state["entity_id"]: state for state in await socket.ask("get_states")}
    assert {name: (state.state, state.attributes) for name, state in link.mirror.states.items()} == {
        name: (state["state"], state["attributes"]) for name, state in real.items()
    }


async def require_alive(link: HomeLink, socket: RawSocket) -> None:
    mirror = link.mirror
    for state in ("on", "off"):
        await socket.call("homesteward_demo", "set_state", LIGHTS[0], state=state)
        assert await mirror.wait_for(LIGHTS[0], lambda now, wanted=state: now.state == wanted, 5)
    for name in ("Den", "Study"):
        await socket.ask("config/area_registry/update", area_id="study", name=name)
        async with asyncio.timeout(30):
            while mirror.areas["study"].name != name:  # noqa: ASYNC110 - the mirror has no event for it
                await asyncio.sleep(0.02)


def endings(home: DemoHome, link: HomeLink) -> dict[str, Callable[[], Awaitable[object]]]:
    """Return the ways in which a home leaves and comes back, by the reason that is told of the gap afterwards."""

    async def restart() -> None:
        times = home.restarts + 1
        async with raw_socket(home.address.url, home.address.token) as socket:
            with suppress(*ENDS):
                await socket.call("homeassistant", "restart")
        await home.wait_restarted(times)

    async def kill() -> None:
        await home.kill()
        await home.restart()

    async def hang() -> None:
        assert home.pid
        os.kill(home.pid, signal.SIGSTOP)
        try:
            await until(link, lambda phase: phase is not Phase.LIVE)
        finally:
            os.kill(home.pid, signal.SIGCONT)

    return {"restart": restart, "stopped": home.restart, "cut": kill, "hung": hang}


@pytest.mark.timeout(400 if SOAK else 300)
async def test_after_restarts_and_cuts_under_steady_changes_the_mirror_is_the_home(home: DemoHome):
    reasons: list[str] = []
    async with proxy_to(home.address.url) as way, linked(way.url, home.address.token) as link:
        tasks = len(asyncio.all_tasks())
        async with disturbed(home):
            for reason, end in [
                pair for _, pair in zip(range(RESTARTS), cycle(endings(home, link).items()), strict=False)
            ]:
                await away_and_back(link, end)
                reasons.append(reason)
            for _ in range(CUTS):
                await away_and_back(link, cutting(way))
                reasons.append("cut")
        await require_same(link, home)
        assert [gap.reason for gap in link.mirror.gaps] == reasons
        assert all(gap.start < gap.end for gap in link.mirror.gaps)
        assert (link.reconnects, link.overflows) == (RESTARTS + CUTS, 0)
        assert link.mirror.counts.dropped == 0
        async with asyncio.timeout(30):
            while len(asyncio.all_tasks()) > tasks:  # noqa: ASYNC110 - what the proxy passed on for the last time ends
                await asyncio.sleep(0.02)
        for gap in link.mirror.gaps:
            print(f"{gap.reason}: {(gap.end - gap.start).total_seconds():.2f} s, {gap.changed} changed")


def cutting(way: Proxy) -> Callable[[], Awaitable[object]]:
    async def cut() -> None:
        way.cut()

    return cut


async def test_a_change_while_nobody_listened_is_told_when_the_way_is_whole_again(home: DemoHome):
    async with (
        proxy_to(home.address.url) as way,
        linked(way.url, home.address.token) as link,
        raw_socket(home.address.url, home.address.token) as socket,
    ):
        await socket.call("homesteward_demo", "reset")
        assert await link.mirror.wait_for(LIGHTS[0], lambda now: now.state == "off", 5)

        async def change_behind_its_back() -> None:
            way.cut()
            await socket.call("homesteward_demo", "set_state", LIGHTS[0], state="on")

        heard: list[str] = []
        link.mirror.watch(lambda _old, new: heard.append(new.state if new else "gone"), [LIGHTS[0]])
        await away_and_back(link, change_behind_its_back)
        assert heard == ["on"]
        await socket.call("homesteward_demo", "reset")


async def test_more_than_its_queue_holds_makes_home_assistant_drop_us_and_nothing_is_lost(home: DemoHome):
    """HA closes with 1000 at 4,096 waiting messages: here all lights change at once, and each is told many times over."""
    async with (
        linked(home.address.url, home.address.token) as link,
        raw_socket(home.address.url, home.address.token) as socket,
    ):
        lights = [name for name in link.mirror.states if name.startswith("light.")]
        ours = [name for name in lights if link.mirror.entities[name].platform == "homesteward_demo"]
        connection = link._connection
        assert connection
        for _ in range(2 * 4096 // len(ours)):
            await connection.subscribe("subscribe_events", lambda _event: None, event_type="state_changed")

        async def flood() -> None:
            await socket.call("homesteward_demo", "set_state", ours, state="on")

        await away_and_back(link, flood)
        assert link.overflows == 1
        assert link.mirror.gaps[-1].reason == "overflow"
        await require_same(link, home)
        await socket.call("homesteward_demo", "reset")


async def test_a_home_behind_a_certificate_that_nobody_signed_is_reached_by_option(home: DemoHome):
    token = home.address.token
    async with proxy_to(home.address.url, secure=True) as way:
        with pytest.raises(NotConnectedError, match="prove") as told:
            await Connection.open(way.url, token)
        assert "ha.verify_tls" in told.value.next
        for tls in (False, trusting()):
            connection = await Connection.open(way.url, token, tls=tls)
            assert await connection.send("get_config")
            await connection.close()


def trusting() -> ssl.SSLContext | bool:
    return access_of(HomeAssistantSettings(url="https://x", ca_file=CERTIFICATE), {}).tls
