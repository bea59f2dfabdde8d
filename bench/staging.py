"""A sentence by the stage that understands it: said for the first time, said again, with a slip in it, and of no shape; beside Home Assistant's own agent."""

import asyncio
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.children import ROOT, output_of
from bench.homes import furnished
from bench.sample import Effort, Row, Sample, ms_of
from bench.sentences import SENTENCES
from homesteward.core import SystemClock
from homesteward.core.json import dumps, loads
from homesteward.demo.environment import ha_environment
from homesteward.home.simulation import SimulatedHome
from homesteward.home.view import area_of
from homesteward.language import Acts, Stage, Understander

SIZES = (200, 5000)
JUDGED = ("heard_200", "heard_5000", "remembered", "slip", "retrieval")
ASKING = tuple(text for language, text in SENTENCES if language == "en")
SLIPS = (
    "turn on the kithcen ceiling light",
    "switch off the bedroom flor lamp",
    "open the bedrom blinds",
    "turn on the sauna lihgts",
    "turn on the flux capacitr",
)
SHAPELESS = (
    "kitchen ceiling light turn on",
    "turn the blessed bedroom floor lamp off",
    "bedroom blinds would you open",
    "sauna lights switch off",
    "turn the shiny flux capacitor off",
)
MOST_AT_ONCE = 20  # things in one call: with hundreds of lamps, it is their states that take the time
AGENT = "Home Assistant's agent in process, same home: "


async def measure(effort: Effort) -> list[Row]:
    """Return, per size of home, the time of each stage."""
    rows: list[Row] = []
    for size in SIZES:
        home = furnished(size)
        theirs = await _theirs(home, effort)
        rows += _rows(size, _ours(home, effort), theirs)
    return rows


def _rows(size: int, ours: dict[str, list[float]], theirs: dict[str, list[float]]) -> list[Row]:
    matched, again = Sample.of(theirs["matched"]), Sample.of(theirs["again"])
    unmatched = Sample.of(theirs["unmatched"])
    large = size == SIZES[-1]
    return [
        Row(
            f"a request understood, {size:,} entities",
            Sample.of(ours["new"]),
            f"{AGENT}matched",
            matched,
            f"heard_{size}",
        ),
        Row(
            f"the same said again, {size:,} entities",
            Sample.of(ours["again"]),
            f"{AGENT}said again",
            again,
            "remembered" if large else "",
            note=f"requests that reach at most {MOST_AT_ONCE} things",
        ),
        Row(
            f"a sentence with a slip in it, {size:,} entities",
            Sample.of(ours["slip"]),
            f"{AGENT}unmatched",
            unmatched,
            "slip" if large else "",
            note="all other stages have tried before",
        ),
        Row(
            f"a sentence of no shape, {size:,} entities",
            Sample.of(ours["shapeless"]),
            f"{AGENT}unmatched",
            unmatched,
            "retrieval" if large else "",
            note="all other stages have tried before",
        ),
    ]


def _ours(home: SimulatedHome, effort: Effort) -> dict[str, list[float]]:
    """Return the ms of every sentence that asks for something, of the same at once again, of those with a slip, and of those of no shape."""
    found: dict[str, list[float]] = defaultdict(list)
    for lap in range(effort.times(30) + 1):
        understander = Understander(home, SystemClock())  # one that has heard nothing
        understander.read("turn on the flux capacitor", "en")  # ... and knows the names
        for text in ASKING:
            new = ms_of(understander.read, text, "en")
            again = ms_of(understander.read, text, "en")
            reading = understander.read(text, "en")
            if lap and isinstance(reading, Acts) and reading.how.stage is Stage.REMEMBERED:
                found["new"].append(new)
                if sum(len(call.target.entity_id) for call in reading.calls) <= MOST_AT_ONCE:
                    found["again"].append(again)
        for kind, texts in (("slip", SLIPS), ("shapeless", SHAPELESS)):
            for text in texts:
                took = ms_of(understander.read, text, "en")
                if lap:
                    found[kind].append(took)
    return found


async def _theirs(home: SimulatedHome, effort: Effort) -> dict[str, list[float]]:
    """Have Home Assistant's own agent hear the same sentences about a home of the same names."""
    python = await asyncio.to_thread(ha_environment, print)
    with TemporaryDirectory(prefix="homesteward-bench-") as folder:
        file = Path(folder) / "asked.json"
        file.write_text(dumps(_written(home, effort)), encoding="utf-8")
        told = loads(await output_of(str(python), str(ROOT / "bench" / "agent" / "ha_agent.py"), str(file)))
    if not isinstance(told, dict):
        raise TypeError("the agent told nothing")
    return {kind: [float(str(ms)) for ms in times] for kind, times in told.items() if isinstance(times, list)}


def _written(home: SimulatedHome, effort: Effort) -> dict[str, object]:
    return {
        "laps": effort.times(3),
        "sentences": list(ASKING),
        "floors": [{"id": floor.floor_id, "name": floor.name} for floor in home.floors.values()],
        "areas": [{"id": area.area_id, "name": area.name, "floor": area.floor_id} for area in home.areas.values()],
        "entities": [
            {
                "id": entity_id,
                "name": state.name,
                "state": state.state,
                "area": area.area_id if (area := area_of(home, entity_id)) else None,
                "attributes": {
                    key: value
                    for key, value in state.attributes.items()
                    if key in {"device_class", "supported_features"}
                },
            }
            for entity_id, state in sorted(home.states.items())
        ],
    }
