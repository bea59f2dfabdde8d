"""The very first sentence of a process, grammar load included. Run as a program it reads one and prints the milliseconds."""

import sys
from collections.abc import Callable, Mapping

from bench.children import output_of
from bench.homes import furnished
from bench.reading import PEER, hassil_lists, hassil_reads
from bench.sample import Effort, Row, Sample, ms_of
from homesteward.core import SystemClock
from homesteward.language import Understander

ENTITIES = 200
TEXT, LANGUAGE = "turn on the kitchen ceiling light", "en"


async def measure(effort: Effort) -> list[Row]:
    """Return how long the first sentence of a fresh process takes, each time in a process of its own."""
    times: dict[str, list[float]] = {who: [] for who in READERS}
    for _ in range(effort.times(9)):
        for who, found in times.items():
            found.append(float(await output_of(sys.executable, "-m", "bench.first", who)))
    what = f"the first sentence of a process, {ENTITIES} entities, grammar load included"
    note = "the service loads the grammar before it answers, so nobody waits for this"
    return [Row(what, Sample.of(times["ours"]), PEER, Sample.of(times["hassil"]), note=note)]


def _ours() -> float:
    understander = Understander(furnished(ENTITIES), SystemClock())
    return ms_of(understander.read, TEXT, LANGUAGE)


def _hassil() -> float:
    home = furnished(ENTITIES)
    return ms_of(lambda: hassil_reads(TEXT, LANGUAGE, hassil_lists(home)))


READERS: Mapping[str, Callable[[], float]] = {"ours": _ours, "hassil": _hassil}

if __name__ == "__main__":
    print(READERS[sys.argv[1]]())
