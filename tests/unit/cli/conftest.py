"""The command line as a person or a program meets it: words in, two streams and an exit code out."""

import asyncio
import io
import logging
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import pytest

from homesteward.app import House
from homesteward.app.serve import _announced, _Server
from homesteward.cli import main
from homesteward.core.json import loads


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one document on stdout; anything beside it is an error of the test."""
        assert self.out.endswith("\n")
        assert self.out.count("\n") == 1
        return loads(self.out)


type Homesteward = Callable[..., Awaitable[Ended]]


def _ended(words: tuple[str, ...]) -> Ended:
    before = sys.argv
    sys.argv = ["homesteward", *words]
    try:
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            try:
                main()
            except SystemExit as end:
                code = end.code
            else:
                code = 0
    finally:
        sys.argv = before
    assert isinstance(code, int)
    return Ended(code, out.getvalue(), err.getvalue())


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of this test's own, with nothing in it and no service named."""
    folder = tmp_path / "data"
    monkeypatch.setenv("HOMESTEWARD_DATA", str(folder))
    for name in ("HOMESTEWARD_URL", "HOMESTEWARD_TOKEN", "HOMESTEWARD_HA__URL", "HOMESTEWARD_HA__TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(autouse=True)
def _logs_as_before() -> object:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


@pytest.fixture
def homesteward() -> Homesteward:
    """Run the command line in this process, in a thread of its own: its words in, its end out."""

    async def run(*words: str) -> Ended:
        return await asyncio.to_thread(_ended, words)

    return run


@pytest.fixture
async def service(house: House, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[str]:
    """The simulated home's Homesteward behind a port, announced in its data folder; its address."""
    monkeypatch.setenv("HOMESTEWARD_DATA", str(house.settings.data))
    ready = asyncio.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = _Server(house, ready.set)
        serving = asyncio.create_task(server.serve([listener]))
        await ready.wait()
        with _announced(house, url):
            yield url
        serving.cancel()  # at once: an end in order takes a fifth of a second, and tests/hass shows it
        await asyncio.wait([serving])
        await server.lifespan.shutdown()
        for one in server.servers:
            one.close()
