"""The service as a process: how soon it answers, how much memory it holds, how fast it answers a question over its API."""

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns

import aiohttp

from bench.accepting import AGENT
from bench.bare import HEALTH
from bench.children import served
from bench.machine import resident_mb
from bench.real import Site, extra_lights
from bench.sample import Effort, Row, Sample, ms_since
from homesteward.app.serve import SERVICE_FILE
from homesteward.core.json import dumps, loads
from homesteward.demo.process import free_port
from homesteward.demo.socket import setup_socket

JUDGED = ("memory", "serving")
IDLE_S = 10.0
BARE = "a bare FastAPI service"


@dataclass(frozen=True, slots=True)
class Service:
    """Where a service of ours is set up: its settings file, its data folder, its address."""

    config: Path
    data: Path
    url: str

    @classmethod
    def on(cls, site: Site, name: str) -> Service:
        """Set one up for the running home, in a folder of this name; nothing is started."""
        folder = site.folder / name
        folder.mkdir(mode=0o700)
        port, config, data = free_port(), folder / "settings.yaml", folder / "data"
        settings = {
            "ha": {"url": site.demo.address.url, "token": site.demo.address.token},
            "web": {"port": port},
            "policy": {"dry_run": False},
            "data": str(data),
        }
        config.write_text(dumps(settings), encoding="utf-8")  # JSON is YAML
        return cls(config, data, f"http://127.0.0.1:{port}")

    @property
    def command(self) -> Sequence[str]:
        """Return the command that runs it."""
        return (sys.executable, "-m", "homesteward", "run", "--config", str(self.config))

    @property
    def token(self) -> str:
        """Return the token of the service while it runs."""
        written = loads((self.data / SERVICE_FILE).read_bytes())
        return str(written["token"]) if isinstance(written, dict) else ""


async def measure(effort: Effort, site: Site) -> list[Row]:
    """Return start times, idle memory, and the answer to a question over the API; the home has the entities that the bar names."""
    starts: dict[str, list[float]] = {"first": [], "again": [], "bare": []}
    memory: dict[str, list[float]] = {"ours": [], "bare": []}
    laps = effort.times(9)
    service = Service.on(site, "service")
    await _started(service.command, f"{service.url}{HEALTH}", 0, [])  # so that compiled Python is on disk
    for lap in range(laps):
        idle = IDLE_S * min(1.0, effort.factor) if lap < effort.times(3) else 0.0
        service = Service.on(site, f"service-{lap}")
        starts["first"].append(await _started(service.command, f"{service.url}{HEALTH}", 0, []))
        starts["again"].append(await _started(service.command, f"{service.url}{HEALTH}", idle, memory["ours"]))
        port = free_port()
        bare = (sys.executable, "-m", "bench.bare", str(port))
        starts["bare"].append(await _started(bare, f"http://127.0.0.1:{port}{HEALTH}", idle, memory["bare"]))
    sizes = f"{site.demo.entities:,} entities"
    peer_start, peer_memory = Sample.of(starts["bare"]), Sample.of(memory["bare"])
    return [
        Row(f"idle memory after {IDLE_S:g} s, {sizes}", Sample.of(memory["ours"]), BARE, peer_memory, "memory", "MB"),
        Row(f"start to serving, {sizes}", Sample.of(starts["again"]), BARE, peer_start, "serving"),
        Row(f"first start of all, empty data folder, {sizes}", Sample.of(starts["first"]), BARE, peer_start, "serving"),
        await _questions(effort, site, Service.on(site, "asked")),
    ]


async def _started(command: Sequence[str], health: str, idle_s: float, memory: list[float]) -> float:
    """Start a service and return the ms until it answers; where it idles, add its memory afterwards to `memory`."""
    async with served(*command, health=health) as (pid, ms):
        if idle_s:
            await asyncio.sleep(idle_s)
            memory.append(resident_mb(pid))
        return ms


async def _questions(effort: Effort, site: Site, service: Service) -> Row:
    """Ask our API and Home Assistant's own agent the same questions, each another one: both may remember a sentence."""
    ours, theirs = [], []
    async with AsyncExitStack() as undo:
        await undo.enter_async_context(served(*service.command, health=f"{service.url}{HEALTH}"))
        ha = await undo.enter_async_context(setup_socket(site.demo.address.url, site.demo.address.token))
        headers = {"Authorization": f"Bearer {service.token}"}
        session = await undo.enter_async_context(aiohttp.ClientSession(service.url, headers=headers))
        lights = extra_lights(state["entity_id"] for state in await ha.ask("get_states"))
        for name in lights[: effort.times(200) + 1]:
            text = f"is the {name} on?"
            began = perf_counter_ns()
            async with session.post("/api/v1/ask", json={"text": text}) as answer:
                told = await answer.json()
            ours.append(ms_since(began))
            began = perf_counter_ns()
            said = await ha.ask("conversation/process", text=text, language="en", agent_id=AGENT)
            theirs.append(ms_since(began))
            if told["outcome"] != "answered" or said["response"]["response_type"] != "query_answer":
                raise RuntimeError(f"{text} was answered with {told['reply']!r} and {said['response']}")
    what = f"a question over the API, {site.demo.entities:,} entities"
    return Row(
        what, Sample.of(ours[1:] or ours), "Home Assistant's own agent over its socket", Sample.of(theirs[1:] or theirs)
    )
