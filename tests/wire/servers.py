"""Servers of this folder's tests, the settings that lead to them, and one run against them."""

import json
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from homesteward.core import SystemClock
from homesteward.home.simulation import SimulatedHome
from homesteward.kernel import PROFILES, Kernel, KernelRequest, KernelResult
from homesteward.models import build_model
from homesteward.people import Caller, Channel, Role
from homesteward.settings import ModelKind, ModelSettings
from homesteward.tools import ToolRegistry

STARTED_S = 60.0  # two shared cores may take their time


def settings(base_url: str, **rest: Any) -> ModelSettings:
    """Return the settings for a server on this machine."""
    return ModelSettings(kind=ModelKind.OPENAI_COMPATIBLE, base_url=base_url, model="small", **rest)


async def run(
    home: SimulatedHome, registry: ToolRegistry, base_url: str, text: str = "hello", **rest: Any
) -> KernelResult:
    """Run one request of an owner with the model at `base_url`."""
    request = KernelRequest(text, Caller(Role.OWNER, Channel.CLI), "run")
    async with build_model(settings(base_url, **rest)) as model:
        return await Kernel(registry, home, SystemClock()).run(request, model, PROFILES["balanced"])


@dataclass(slots=True)
class Provider:
    """A provider of our own: what it was sent, and what it answers next."""

    base_url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    answer: Callable[[dict[str, Any]], web.Response | Awaitable[web.Response]] | None = None

    async def handle(self, request: web.Request) -> web.Response:
        """Keep the request and answer it."""
        self.bodies.append(await request.json())
        self.keys.append(request.headers.get("Authorization", ""))
        assert self.answer, "the test says what is answered"
        given = self.answer(self.bodies[-1])
        return given if isinstance(given, web.Response) else await given


def completion(message: dict[str, Any], **rest: Any) -> web.Response:
    """Return an answer in OpenAI's form."""
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": None} | message}
    body = {"id": "c1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]} | rest
    return web.Response(text=json.dumps(body), content_type="application/json")


@contextmanager
def running(command: list[str | Path]) -> Iterator[subprocess.Popen[bytes]]:
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(timeout=20)


def wait_until_healthy(server: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + STARTED_S
    while time.monotonic() < until:
        assert server.poll() is None, f"{server.args} ended with {server.returncode}"
        try:
            with urllib.request.urlopen(url, timeout=1) as answer:
                if answer.status == 200:
                    return
        except urllib.error.HTTPError as loading:
            loading.close()
        except OSError:
            time.sleep(0.05)
    pytest.fail(f"{server.args} did not become healthy in {STARTED_S:.0f} s")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
