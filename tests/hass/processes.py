"""Homesteward from outside: the command line and the service as processes of their own, as a person or a program starts them."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from homesteward.core.json import loads

PROGRAM = Path(sys.executable).with_name("homesteward")
ENDING_S = 120  # no command of these tests may take longer on a busy machine, a first start of Home Assistant included


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout; anything beside it is an error of the test."""
        assert self.out.count("\n") == 1, self.out + self.err
        return loads(self.out)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """`homesteward` with a data folder of its own; the demo's is beside it."""

    data: Path
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def demo_data(self) -> Path:
        return self.data.with_name(f"{self.data.name}-demo")

    async def __call__(self, *words: str, **environ: str) -> Ended:
        child = await self.start(*words, **environ)
        try:
            async with asyncio.timeout(ENDING_S):
                out, err = await child.communicate()
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        assert child.returncode is not None
        return Ended(child.returncode, out.decode(), err.decode())

    async def start(self, *words: str, **environ: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            PROGRAM,
            *words,
            env={**clean_environ(), "HOMESTEWARD_DATA": str(self.data), **self.environ, **environ},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )


def clean_environ() -> dict[str, str]:
    """This environment without what would set Homesteward up; its cache stays, so that Home Assistant is not installed again."""
    ours = ("HOMESTEWARD_", "PYTHONDONTWRITEBYTECODE")
    return {
        name: value for name, value in os.environ.items() if name == "HOMESTEWARD_CACHE" or not name.startswith(ours)
    }


@dataclass(slots=True)
class Service:
    """A running `homesteward run`: its process, its API, and what it has said."""

    process: asyncio.subprocess.Process
    said: bytearray
    url: str
    token: str
    _session: aiohttp.ClientSession

    async def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str
    ) -> tuple[int, str]:
        """Return the status and the text of what `path` answers."""
        signed = {"Authorization": f"Bearer {self.token if token is None else token}", **headers}
        async with self._session.request(method, f"{self.url}{path}", json=body, headers=signed) as answer:
            return answer.status, await answer.text()

    async def json(self, method: str, path: str, body: Any = None) -> Any:
        status, text = await self.ask(method, f"/api/v1{path}", body)
        assert status < 400, text
        return loads(text)

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        await self.process.wait()


@asynccontextmanager
async def running_service(line: CommandLine, config: Path) -> AsyncIterator[Service]:
    """Start the service, give it once it answers, and stop it if it still runs."""
    process = await line.start("run", "--config", str(config))
    said, ready = bytearray(), asyncio.Event()
    listening = asyncio.create_task(_listen(process, said, ready))
    try:
        async with asyncio.timeout(ENDING_S):
            await ready.wait()
        assert process.returncode is None, said.decode()
        where = loads((line.data / "service.json").read_bytes())
        async with aiohttp.ClientSession() as session:
            yield Service(process, said, where["url"], where["token"], session)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()
        await listening


async def _listen(process: asyncio.subprocess.Process, said: bytearray, ready: asyncio.Event) -> None:
    """Keep everything that is said; ready is when it answers, or when it ended."""

    async def follow(stream: asyncio.StreamReader | None) -> None:
        assert stream
        async for text in stream:
            said.extend(text)
            if b"answers at" in text:
                ready.set()

    await asyncio.gather(follow(process.stdout), follow(process.stderr))
    ready.set()


def processes_in(folder: Path) -> list[int]:
    """Return the processes whose command names `folder`: the Home Assistants that live there."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if b"homeassistant" in command and str(folder).encode() in command:
            found.append(int(entry.name))
    return found
