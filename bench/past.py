"""Ten million rows of a house that could be one: `python -m bench.past FILE ROWS` fills a chronicle that has its tables already.

Rows are written straight into the tables, in the order of time, as the writer would have left them: 1,000 entities of which two thirds are sensors, a few
that change all the time and many that hardly do, and routines whose contexts hang together.
"""

import random
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

ENTITIES = 1000
SENSORS = 650
LIGHTS = 150
MOTION = 100
AUTOMATIONS = 60
DAYS = 90
DAY_US = 86_400_000_000
END_US = 1_795_000_000_000_000  # a fixed moment, so that two runs give the same rows
START_US = END_US - DAYS * DAY_US
SEED = 4
CHAIN_EVERY = 400  # one row in so many begins a routine
DEPTH = 5  # automations that set each other off


def names() -> tuple[str, ...]:
    """Return the entities of the house; the key of each is its place, from 1 on."""
    sensors = [f"sensor.meter_{n:03d}" for n in range(SENSORS)]
    motion = [f"binary_sensor.motion_{n:03d}" for n in range(MOTION)]
    lights = [f"light.lamp_{n:03d}" for n in range(LIGHTS)]
    automations = [f"automation.habit_{n:02d}" for n in range(AUTOMATIONS)]
    rest = ENTITIES - len(sensors) - len(motion) - len(lights) - len(automations)
    return (*sensors, *motion, *lights, *automations, *(f"switch.plug_{n:02d}" for n in range(rest)))


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of the tables, each in the order of its columns there."""

    states: list[tuple[Any, ...]]
    runs: list[tuple[Any, ...]]
    calls: list[tuple[Any, ...]]
    targets: list[tuple[Any, ...]]
    contexts: list[tuple[Any, ...]]


def fill(path: Path, rows: int) -> None:
    """Fill the empty chronicle at `path` with `rows` state changes and what belongs to them."""
    known = names()
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        for pragma in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-400000"):
            database.execute(f"PRAGMA {pragma}")
        indexes = database.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        for name, _ in indexes:
            database.execute(f"DROP INDEX {name}")
        database.execute("BEGIN")
        database.execute("INSERT INTO homes (key, home_id, last_id) VALUES (1, 'home_bench', 100000000)")
        _insert(database, "entities", [(1, n, name) for n, name in enumerate(known, 1)])
        for part in _story(rows):
            _insert(database, "state_changes", part.states)
            _insert(database, "runs", part.runs)
            _insert(database, "calls", part.calls)
            _insert(database, "targets", part.targets)
            _insert(database, "contexts", part.contexts)
        for _, sql in indexes:
            database.execute(sql)
        database.execute("COMMIT")
        database.execute("ANALYZE")
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")


COLUMNS = {
    "entities": "home_id, key, entity_id",
    "state_changes": "home_id, at, id, entity, state, attributes, context, own, source",
    "runs": "home_id, at, id, kind, entity, name, trigger, trigger_entity, item_id, run_id, context, source",
    "calls": "home_id, at, id, service, data, context, source",
    "targets": "home_id, entity, at, id",
    "contexts": "home_id, key, context_id, parent_id, user, at",
}


def _insert(database: sqlite3.Connection, table: str, rows: list[tuple[Any, ...]]) -> None:
    columns = COLUMNS[table]
    places = ", ".join("?" * len(columns.split(",")))
    # Names of tables and columns are the literals of this module.
    database.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)


def _story(rows: int) -> Iterator[Rows]:
    """Yield the rows in parts, in the order of time."""
    chance = random.Random(SEED)
    weights = list(accumulate(1.0 / (1 + n % SENSORS) ** 0.7 for n in range(ENTITIES)))
    step = (END_US - START_US) / rows
    number, context, made, at = 0, 0, 0, float(START_US)
    while made < rows:
        part = Rows([], [], [], [], [])
        chosen = chance.choices(range(1, ENTITIES + 1), cum_weights=weights, k=50_000)
        for entity in chosen:
            if made >= rows:
                break
            at += step
            number += 1
            made += 1
            own = chance.randbytes(10)
            part.states.append((1, int(at), number, entity, _state(entity, number), None, None, own, 0))
            if number % CHAIN_EVERY == 0:
                extra, number, context = _routine(part, chance, int(at), own, number, context)
                made += extra
        yield part


def _state(entity: int, number: int) -> str:
    return f"{number % 500 / 10}" if entity <= SENSORS else ("on" if number % 2 else "off")


def _routine(part: Rows, chance: random.Random, at: int, own: bytes, number: int, context: int) -> tuple[int, int, int]:
    """Add automations that set each other off: each is run, calls a service and changes three lights; the last change starts the next."""
    parent = (at // 1000).to_bytes(6) + own
    made = 0
    for _ in range(DEPTH):
        at += 2_000
        context += 1
        mine = (at // 1000).to_bytes(6) + chance.randbytes(10)
        part.contexts.append((1, context, mine, parent, None, at))
        automation = SENSORS + MOTION + LIGHTS + 1 + chance.randrange(AUTOMATIONS)
        trigger = SENSORS + 1 + chance.randrange(MOTION + LIGHTS)
        number += 1
        run = (
            "automation",
            automation,
            "Habit",
            "state of something",
            trigger,
            str(automation),
            f"{number:x}",
            context,
            0,
        )
        part.runs.append((1, at, number, *run))
        number += 1
        part.calls.append((1, at + 500, number, "light.turn_on", None, context, 0))
        call = number
        for light in chance.sample(range(SENSORS + MOTION + 1, SENSORS + MOTION + LIGHTS + 1), 3):
            number += 1
            part.targets.append((1, light, at + 500, call))
            part.states.append((1, at + 1_000, number, light, "on", None, context, None, 0))
            made += 1
        parent = mine
    return made, number, context


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]))
