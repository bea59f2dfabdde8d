"""`python -m bench`: measure everything, say it as it comes, and write docs/benchmarks.md."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import (
    accepting,
    commands,
    deciding,
    first,
    hearing,
    keeping,
    looking,
    looping,
    nesting,
    reading,
    recalling,
    serving,
    staging,
)
from bench.bars import BARS
from bench.machine import environment, load
from bench.page import page, verdict
from bench.real import Site, enlarge
from bench.sample import Effort, Row
from homesteward.demo import DemoHome

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
ENTITIES = 1000  # what the bars on memory and start are about

# What needs nothing but this process and others like it.
ALONE: Mapping[str, Callable[[Effort], Awaitable[list[Row]]]] = {
    "reading": reading.measure,
    "staging": staging.measure,
    "first": first.measure,
    "deciding": deciding.measure,
    "nesting": nesting.measure,
    "looping": looping.measure,
    "hearing": hearing.measure,
    "recalling": recalling.measure,
    "looking": looking.measure,
}
# What needs a real Home Assistant: the demo home, or the same one with more in it.
REAL: Mapping[str, tuple[Callable[[Effort, Site], Awaitable[list[Row]]], bool]] = {
    "accepting": (accepting.measure, False),
    "serving": (serving.measure, True),
    "commands": (commands.measure, True),
    "keeping": (keeping.measure, False),
}
# The bars that each measurement is judged by.
JUDGED: Mapping[str, tuple[str, ...]] = {
    "reading": reading.JUDGED,
    "staging": staging.JUDGED,
    "deciding": deciding.JUDGED,
    "nesting": nesting.JUDGED,
    "looping": looping.JUDGED,
    "accepting": accepting.JUDGED,
    "serving": serving.JUDGED,
    "hearing": hearing.JUDGED,
    "recalling": recalling.JUDGED,
    "looking": looking.JUDGED,
    "keeping": keeping.JUDGED,
}


def main() -> None:
    """Measure what the command line names, or everything; only everything at full effort is written down."""
    words = argparse.ArgumentParser(prog="python -m bench", description="Measure Homesteward beside its peers.")
    words.add_argument("--only", nargs="+", choices=[*ALONE, *REAL], help="measure only these, and write nothing")
    words.add_argument("--effort", type=float, default=1.0, help="this part of the repetitions, and write nothing")
    asked = words.parse_args()
    loads = [load()]
    rows = asyncio.run(_measure(asked.only or [*ALONE, *REAL], Effort(asked.effort), loads))
    if not asked.only and asked.effort >= 1:
        PAGE.write_text(page(rows, environment(), loads), encoding="utf-8")
        print(f"written: docs/{PAGE.name}")


async def _measure(names: list[str], effort: Effort, loads: list[float]) -> list[Row]:
    """Measure what is named, in the order of the tables above; keep the load before each part in `loads`."""
    rows: list[Row] = []
    for name in ALONE:
        if name in names:
            rows += await _told(name, ALONE[name](effort), loads)
    wanted = [name for name in REAL if name in names]
    if not wanted:
        return rows
    async with _demo_home() as site:
        for name in wanted:
            measure, large = REAL[name]
            if large:
                await enlarge(site, ENTITIES)
            rows += await _told(name, measure(effort, site), loads)
    return rows


@asynccontextmanager
async def _demo_home() -> AsyncIterator[Site]:
    with TemporaryDirectory(prefix="homesteward-bench-") as folder:
        site = Site(await DemoHome.start(Path(folder) / "ha", progress=print), Path(folder))
        try:
            yield site
        finally:
            await site.demo.stop()


async def _told(name: str, work: Awaitable[list[Row]], loads: list[float]) -> list[Row]:
    """Wait for a measurement and print what it found."""
    loads.append(load())
    print(f"{name} (load {loads[-1]:.1f}) ...", flush=True)
    rows = await work
    for line in _lines(rows):
        print(line, flush=True)
    return rows


def _lines(rows: list[Row]) -> Iterator[str]:
    bars = {bar.name: bar for bar in BARS}
    for row in rows:
        ours, peer = row.sample, row.peer_sample
        judged = f"; {bars[row.bar].bar}: {verdict(bars[row.bar], row)}" if row.bar else ""
        yield f"  {row.what}: min {ours.min:.3g}, median {ours.median:.3g}, p95 {ours.p95:.3g} {row.unit} (n {ours.n}{judged})"
        yield f"    {row.peer}: median {peer.median:.3g}, p95 {peer.p95:.3g}; ratio {row.ratio:.2g}"
        if row.note:
            yield f"    {row.note}"


if __name__ == "__main__":
    main()
