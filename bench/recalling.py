"""Asking ten million rows: one entity's day, a chain of causes, what changed in an hour, and the whole house at a moment."""

import random
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter_ns

from bench.past import DAYS, END_US, fill, names
from bench.sample import Effort, Row, Sample, ms_of, ms_since
from homesteward.chronicle.chains import Direction, Start
from homesteward.chronicle.contexts import unpack
from homesteward.chronicle.history import History
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.query import Query
from homesteward.home.inventory import Inventory, Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.store import Database
from homesteward.store.tables import EPOCH

JUDGED = ("chronicle_day", "chronicle_chain", "chronicle_hour", "past_house")
ROWS = 10_000_000
LEAST = 20_000
END = EPOCH + timedelta(microseconds=END_US)
PAGE = 500
RAW = "one bare statement on the same file"


async def measure(effort: Effort) -> list[Row]:
    """Return how long each question takes, beside a bare statement that finds the same rows."""
    rows = max(LEAST, int(ROWS * min(1.0, effort.factor)))
    with TemporaryDirectory(prefix="homesteward-bench-") as folder:
        path = Path(folder) / "chronicle.db"
        await (await Database.open(path, CHRONICLE)).close()
        fill(path, rows)
        database = await Database.open(path, CHRONICLE)
        try:
            things = Inventory(tuple(Thing(name, exposed=False) for name in names()))
            home = SimulatedHome(things, home_id="home_bench")
            with closing(sqlite3.connect(path)) as raw:
                return await _asked(effort.times(200), History(database, home), raw, rows)
        finally:
            await database.close()


async def _asked(times: int, past: History, raw: sqlite3.Connection, rows: int) -> list[Row]:
    chance = random.Random(7)
    held = f"{rows:,} rows"
    return [
        await _row(f"one entity's day among {held}", "chronicle_day", times, lambda: _day(past, raw, chance)),
        await _row(
            f"a causal chain of depth 5 among {held}", "chronicle_chain", times, lambda: _chain(past, raw, chance)
        ),
        await _row(
            f"what changed in an hour among {held}, a page of {PAGE}",
            "chronicle_hour",
            times,
            lambda: _hour(past, raw, chance),
        ),
        await _row(
            f"the house of 1,000 entities at a moment among {held}",
            "past_house",
            times,
            lambda: _house(past, raw, chance),
        ),
    ]


async def _row(what: str, bar: str, times: int, ask: Callable[[], Awaitable[tuple[float, float]]]) -> Row:
    await ask()  # the first one of each kind compiles its statement
    found = [await ask() for _ in range(times)]
    return Row(what, Sample.of(ours for ours, _ in found), RAW, Sample.of(theirs for _, theirs in found), bar)


async def _day(past: History, raw: sqlite3.Connection, chance: random.Random) -> tuple[float, float]:
    key, end = chance.randrange(1, len(names()) + 1), _moment(chance)
    since = end - timedelta(days=1)
    query = Query(entities=(names()[key - 1],), since=since, until=end, limit=PAGE)
    began = perf_counter_ns()
    await past.rows(query)
    ours = ms_since(began)
    where = "home_id = 1 AND entity = ? AND at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?"
    return ours, _bare(raw, f"SELECT * FROM state_changes WHERE {where}", key, _us(since), _us(end), PAGE)


async def _chain(past: History, raw: sqlite3.Connection, chance: random.Random) -> tuple[float, float]:
    newest = raw.execute("SELECT max(key) FROM contexts").fetchone()[0]
    last = chance.randrange(5, newest // 5 * 5 + 1, 5)  # the last of the five automations of one routine
    context = raw.execute("SELECT context_id FROM contexts WHERE home_id = 1 AND key = ?", (last,)).fetchone()[0]
    began = perf_counter_ns()
    graph = await past.chain(Start(unpack(context), Direction.BOTH, 6))
    ours = ms_since(began)
    if len(graph.rows) < 5 * 5:
        raise RuntimeError(f"a routine of five automations has {len(graph.rows)} rows")
    bare = "SELECT * FROM state_changes WHERE home_id = 1 AND context BETWEEN ? AND ?"
    return ours, _bare(raw, bare, last - 4, last)


async def _hour(past: History, raw: sqlite3.Connection, chance: random.Random) -> tuple[float, float]:
    end = _moment(chance)
    since = end - timedelta(hours=1)
    began = perf_counter_ns()
    await past.rows(Query(since=since, until=end, limit=PAGE))
    ours = ms_since(began)
    where = "home_id = 1 AND at >= ? AND at < ? ORDER BY at DESC, id DESC LIMIT ?"
    return ours, _bare(raw, f"SELECT * FROM state_changes WHERE {where}", _us(since), _us(end), PAGE)


async def _house(past: History, raw: sqlite3.Connection, chance: random.Random) -> tuple[float, float]:
    at = _moment(chance)
    began = perf_counter_ns()
    house = await past.home_at(at)
    ours = ms_since(began)
    if not house.states:
        raise RuntimeError("nothing is known of that moment")
    newest = (
        "SELECT e.key, (SELECT s.state FROM state_changes s WHERE s.home_id = 1 AND s.entity = e.key AND s.at <= ? "
        "ORDER BY s.at DESC, s.id DESC LIMIT 1) FROM entities e WHERE e.home_id = 1"
    )
    return ours, _bare(raw, newest, _us(at))


def _bare(raw: sqlite3.Connection, statement: str, *values: int) -> float:
    return ms_of(lambda: raw.execute(statement, values).fetchall())


def _moment(chance: random.Random) -> datetime:
    return END - timedelta(seconds=chance.uniform(0, (DAYS - 2) * 86400))


def _us(at: datetime) -> int:
    return (at - EPOCH) // timedelta(microseconds=1)
