"""Real servers for the wire: a small language model, a scripted provider, and one of our own that keeps what it was sent."""

import shutil
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import web

from homes import small_home
from homesteward.home.simulation import SimulatedHome
from homesteward.tools import ToolRegistry, standard_tools
from rooms import acting_gate
from wire.servers import Provider, free_port, running, wait_until_healthy

ROOT = Path(__file__).parent.parent.parent
AIMOCK = Path(__file__).parent / "aimock"
CANNOT_INSTALL = 3  # what scripts/install-llama-server exits with where it has no way


@pytest.fixture
def home() -> SimulatedHome:
    """The small home."""
    return small_home()


@pytest.fixture
async def registry(home, tmp_path) -> AsyncIterator[ToolRegistry]:
    """The tools on `home`; what they ask for is really done."""
    async with acting_gate(home, tmp_path) as gate:
        yield standard_tools(home, gate)


@pytest.fixture(scope="session")
def small_model() -> Iterator[str]:
    """A llama-server with a real small model; its base address."""
    installed = subprocess.run([ROOT / "scripts" / "install-llama-server"], capture_output=True, text=True, check=False)
    if installed.returncode == CANNOT_INSTALL:
        pytest.skip(f"NO REAL MODEL WAS ASKED: llama-server cannot be installed here ({installed.stderr.strip()})")
    assert installed.returncode == 0, installed.stderr
    model = subprocess.run(
        [ROOT / "scripts" / "small-model"], capture_output=True, text=True, check=True
    ).stdout.strip()
    port = free_port()
    command = ["llama-server", "-m", model, "--host", "127.0.0.1", "--port", str(port), "-c", "4096", "--jinja"]
    with running(command) as server:
        wait_until_healthy(server, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"


@pytest.fixture(scope="session")
def aimock() -> Iterator[str]:
    """A scripted OpenAI-compatible server that answers as `aimock/fixtures.json` says; its base address."""
    if not shutil.which("npm"):
        pytest.skip("NO SCRIPTED PROVIDER WAS ASKED: there is no npm here")
    if not (AIMOCK / "node_modules" / ".bin" / "llmock").exists():
        subprocess.run(["npm", "ci", "--silent"], cwd=AIMOCK, check=True, capture_output=True)
    port = free_port()
    command = [AIMOCK / "node_modules" / ".bin" / "llmock", "--port", str(port), "--strict", "--log-level", "warn"]
    with running([*command, "--fixtures", AIMOCK / "fixtures.json"]) as server:
        wait_until_healthy(server, f"http://127.0.0.1:{port}/health")
        yield f"http://127.0.0.1:{port}/v1"


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    """A provider on this machine that keeps what it was sent."""
    made = Provider()
    app = web.Application()
    app.router.add_post("/v1/chat/completions", made.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.base_url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    yield made
    await runner.cleanup()
