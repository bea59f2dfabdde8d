"""Other processes: started with a clean environment, waited for, and always ended."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import perf_counter_ns

import aiohttp

from bench.sample import ms_since
from homesteward.demo.environment import clean_environ

ROOT = Path(__file__).parent.parent
ANSWER_S = 60.0
POLL_S = 0.005


def environ(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return an environment in which compiled Python is kept and no setting of Homesteward's is inherited."""
    kept = {name: value for name, value in clean_environ().items() if not name.startswith("HOMESTEWARD_")}
    return {**kept, **(extra or {})}


async def output_of(*command: str, extra: Mapping[str, str] | None = None) -> str:
    """Run a command to its end and return what it printed; raise RuntimeError if it failed."""
    pipe = asyncio.subprocess.PIPE
    child = await asyncio.create_subprocess_exec(*command, cwd=ROOT, env=environ(extra), stdout=pipe, stderr=pipe)
    out, err = await child.communicate()
    if child.returncode:
        raise RuntimeError(f"{command[-2:]} ended with {child.returncode}: {err.decode()[-2000:]}")
    return out.decode()


@asynccontextmanager
async def served(*command: str, health: str) -> AsyncIterator[tuple[int, float]]:
    """Run a server until the end; give its process id and the milliseconds until `health` answered.

    Raises RuntimeError if the server ends before it answers, TimeoutError if it never does.
    """
    began = perf_counter_ns()
    null = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, env=environ(), stdin=null, stdout=null, stderr=null
    )
    try:
        async with asyncio.timeout(ANSWER_S):
            await _answers(health, child)
        yield child.pid, ms_since(began)
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()


async def _answers(url: str, child: asyncio.subprocess.Process) -> None:
    async with aiohttp.ClientSession() as session:
        while child.returncode is None:
            try:
                async with session.get(url) as answer:
                    if answer.ok:
                        return
            except aiohttp.ClientConnectionError:
                await asyncio.sleep(POLL_S)
    raise RuntimeError(f"the server ended with {child.returncode} before it answered")
