"""The command line as a person waits for it: whole processes, from start to exit."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter_ns

from bench.bare import HEALTH
from bench.children import output_of, served
from bench.real import Site
from bench.sample import Effort, Row, Sample, ms_since
from bench.serving import Service

PROGRAM = str(Path(sys.executable).with_name("homesteward"))
PEER = "`python -c pass`"
QUESTION = "is the kitchen light on?"


async def measure(effort: Effort, site: Site) -> list[Row]:
    """Return the wall time of the help and of a question to a running service."""
    service = Service.on(site, "commands")
    async with served(*service.command, health=f"{service.url}{HEALTH}"):
        known = {"HOMESTEWARD_URL": service.url, "HOMESTEWARD_TOKEN": service.token}
        times: dict[str, list[float]] = {"help": [], "ask": [], "python": []}
        commands = {
            "help": (PROGRAM, "--help"),
            "ask": (PROGRAM, "ask", QUESTION),
            "python": (sys.executable, "-c", "pass"),
        }
        for _ in range(effort.times(20)):
            for name, command in commands.items():
                times[name].append(await _wall(command, known))
    peer = Sample.of(times["python"])
    return [
        Row("`homesteward --help`", Sample.of(times["help"]), PEER, peer),
        Row("`homesteward ask`, a question to a running service", Sample.of(times["ask"]), PEER, peer),
    ]


async def _wall(command: Sequence[str], extra: Mapping[str, str]) -> float:
    began = perf_counter_ns()
    await output_of(*command, extra=extra)
    return ms_since(began)
