"""A real browser, a real Home Assistant, and Homesteward between them on ports of its own."""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from shutil import which
from typing import Any

import pytest
import uvicorn
from playwright.async_api import Browser, BrowserContext, Page, async_playwright, expect

from homesteward.app import House, open_house
from homesteward.demo import DemoHome
from homesteward.people import Caller, Channel, Role

ROOT = Path(__file__).parent.parent.parent
LONG_MS = 30_000  # a page of Home Assistant's takes its time on a busy machine
GRACE_S = 2  # an open stream is cut after that: a page that still listens must not keep a test from ending
expect.set_options(timeout=LONG_MS)


@pytest.fixture(scope="session")
async def browser() -> AsyncIterator[Browser]:
    """Chromium, put there where it is missing. Without one nothing here is proven, so its absence is a failure and not a skip."""
    installing = await asyncio.create_subprocess_exec(
        ROOT / "scripts" / "install-chromium", stderr=asyncio.subprocess.PIPE
    )
    _, said = await installing.communicate()
    assert installing.returncode == 0, f"tests/browser needs Chromium: {said.decode().strip()}"
    chromium = which("chromium")
    assert chromium
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            yield opened
        finally:
            await opened.close()


@pytest.fixture(scope="session")
async def demo(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[DemoHome]:
    """The furnished house, a real Home Assistant."""
    home = await DemoHome.start(tmp_path_factory.mktemp("demo-home"))
    try:
        yield home
    finally:
        await home.stop()


@pytest.fixture
async def house(demo: DemoHome, tmp_path: Path) -> AsyncIterator[House]:
    """A new Homesteward on the furnished house, which believes a proxy and ingress on this machine."""
    overrides = {
        "ha": {"url": demo.address.url, "token": demo.address.token},
        "web": {"ingress": True, "ingress_from": ["127.0.0.2"], "proxies": ["127.0.0.3"]},
        "policy": {"dry_run": False},
        "data": tmp_path / "data",
    }
    async with open_house(None, overrides) as opened:
        yield opened


async def signed_in(
    browser: Browser, house: House, address: str, role: str = "owner", **options: Any
) -> BrowserContext:
    """Return a browser of its own in which somebody is signed in, without the way through Home Assistant; a test of that way takes it."""
    assert house.desk
    people = house.desk.people
    if role == "guest":
        ends = house.clock.now() + timedelta(days=2)
        person = await people.add(Caller(Role.OWNER, Channel.API, "owner"), "Guest", Role.GUEST, ends=ends)
    else:
        person = await people.signed_in_with_ha(f"ha_{role}", role.title(), is_admin=role == "owner")
    cookie = (await house.desk.sessions.begin(person, Channel.PAGE)).cookie
    opened = await browser.new_context(**{"locale": "en-GB", **options})
    opened.set_default_timeout(LONG_MS)
    name = f"homesteward-session-{address.rstrip('/').rpartition(':')[2]}"
    await opened.add_cookies([{"name": name, "value": cookie, "url": address}])
    return opened


@asynccontextmanager
async def served(house: House) -> AsyncIterator[str]:
    """Serve `house` on a free port, and give its address."""
    server = uvicorn.Server(
        uvicorn.Config(house.api, log_config=None, proxy_headers=False, timeout_graceful_shutdown=GRACE_S)
    )
    listener = socket.create_server(("127.0.0.1", 0))
    serving = asyncio.create_task(server.serve([listener]))
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        await serving


@pytest.fixture
async def address(house: House) -> AsyncIterator[str]:
    """Where a browser finds Homesteward."""
    async with served(house) as url:
        yield url


@pytest.fixture
async def context(browser: Browser, address: str) -> AsyncIterator[BrowserContext]:
    """A browser that nobody has used before. It leaves before what it looks at does, hence `address`."""
    opened = await browser.new_context(locale="en-GB")
    opened.set_default_timeout(LONG_MS)
    try:
        yield opened
    finally:
        await opened.close()


@pytest.fixture
async def page(context: BrowserContext) -> AsyncIterator[Page]:
    """A page of it; what the browser complains of is an error."""
    opened = await context.new_page()
    complaints: list[str] = []
    opened.on("console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None)
    yield opened
    assert complaints == []
