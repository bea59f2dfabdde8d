"""Hearing a house: events from a real WebSocket into mirror and chronicle, beside a bare loop that only parses and inserts them."""

import asyncio
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import aiohttp

from bench.children import served
from bench.sample import Effort, Row, Sample
from homesteward.chronicle.chronicle import Chronicle
from homesteward.core.json import loads
from homesteward.demo.process import free_port
from homesteward.home.connection import Connection
from homesteward.home.mirror import Mirror

JUDGED = ("events_rate", "events_latency", "events_load")
SENSORS = 1000
BURST = 120_000  # what the queue holds: a longer burst becomes an outage and is read afterwards
POLL_S = 0.005
PATIENCE_S = 300.0
LEAST = 20_000  # events of a burst, however little is repeated
BARE = "a bare aiohttp, orjson and SQLite loop"


@dataclass(frozen=True, slots=True)
class Heard:
    """A house that listens to a storm, and how to start one."""

    mirror: Mirror
    chronicle: Chronicle
    storm: aiohttp.ClientSession

    async def take(self, path: str, count: int, /, **params: float) -> tuple[float, float]:
        """Let the storm blow until `count` changes are heard and stored; return the seconds and our processor's seconds."""
        before, began, busy = self.mirror.counts.changes, perf_counter(), process_time()
        await _told(self.storm, path, **params)
        async with asyncio.timeout(PATIENCE_S):
            while self.mirror.counts.changes - before < count:  # noqa: ASYNC110 - an event would cost on the way that is measured
                await asyncio.sleep(POLL_S)
        await self.chronicle.flush()
        return perf_counter() - began, process_time() - busy


async def measure(effort: Effort) -> list[Row]:
    """Return the cost of an event in a burst, the time from socket to committed at 2,000 a second, and the load at 100 a second."""
    count = max(LEAST, int(BURST * min(1.0, effort.factor)))
    ours, theirs = [], []
    for _ in range(effort.times(3)):
        async with _listening() as heard:
            await _told(heard.storm, "/prepare", count=count)
            seconds, _busy = await heard.take("/burst", count)
            _require_whole(heard, count)
            ours.append(seconds * 1e6 / count)
        theirs.append(await _bare(count) * 1e6 / count)
    peer = Sample.of(theirs)
    late, load, idle = await _steady(effort)
    rate = f"{1e6 / Sample.of(ours).median:,.0f} a second, every one of them kept; the sender shares the two cores"
    return [
        Row("an event of a burst, heard, filtered and stored", Sample.of(ours), BARE, peer, "events_rate", "us", rate),
        Row(
            "socket to committed at 2,000 events/s, p99 of each run",
            Sample.of(late),
            BARE,
            peer,
            "events_latency",
            "ms",
        ),
        Row(
            "processor time at 100 events/s",
            Sample.of(load),
            "the same without events",
            Sample.of(idle),
            "events_load",
            "%",
        ),
    ]


async def _steady(effort: Effort) -> tuple[list[float], list[float], list[float]]:
    seconds = max(1.0, 10 * min(1.0, effort.factor))
    late, load, idle = [], [], []
    for _ in range(effort.times(3)):
        async with _listening() as heard:
            await heard.take("/steady", int(2000 * seconds), rate=2000, seconds=seconds)
            lag = heard.chronicle.health()["lag_ms"]
            late.append(float(lag["p99"]) if isinstance(lag, dict) else 0.0)
        async with _listening() as heard:
            began, busy = perf_counter(), process_time()
            await asyncio.sleep(seconds)
            idle.append(max(0.01, (process_time() - busy) * 100 / (perf_counter() - began)))
            took, busy = await heard.take("/steady", int(100 * seconds), rate=100, seconds=seconds)
            load.append(busy * 100 / took)
    return late, load, idle


def _require_whole(heard: Heard, count: int) -> None:
    health = heard.chronicle.health()
    stored = health["stored"]
    if health["dropped"] or not isinstance(stored, int) or stored < count:
        raise RuntimeError(f"of {count} events {health['stored']} were stored and {health['dropped']} found no room")


@asynccontextmanager
async def _storming() -> AsyncIterator[str]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    async with served(sys.executable, "-m", "bench.storm", str(port), str(SENSORS), health=f"{url}/health"):
        yield url


@asynccontextmanager
async def _listening() -> AsyncIterator[Heard]:
    with TemporaryDirectory(prefix="homesteward-bench-") as folder:
        async with _storming() as url, aiohttp.ClientSession(url) as storm:
            connection, mirror = await Connection.open(url, "token"), Mirror("home_bench")
            chronicle = await Chronicle.open(Path(folder), mirror)
            try:
                await mirror.follow(connection)
                await chronicle.flush()
                yield Heard(mirror, chronicle, storm)
            finally:
                await chronicle.close()
                await mirror.close()
                await connection.close()


async def _bare(count: int) -> float:
    """Return the seconds that the least possible takes: a socket, a parser, and one insert per frame in one thread."""
    with (
        TemporaryDirectory(prefix="homesteward-bench-") as folder,
        closing(sqlite3.connect(Path(folder) / "bare.db")) as database,
    ):
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        database.execute(
            "CREATE TABLE changes (at REAL, entity TEXT, state TEXT, context TEXT, PRIMARY KEY (at, entity)) WITHOUT ROWID"
        )
        async with (
            _storming() as url,
            aiohttp.ClientSession(url) as session,
            session.ws_connect("/api/websocket", max_msg_size=0) as socket,
        ):
            return await _counted(session, socket, database, count)


async def _counted(
    session: aiohttp.ClientSession, socket: aiohttp.ClientWebSocketResponse, database: sqlite3.Connection, count: int
) -> float:
    await socket.receive()
    await socket.send_str('{"type": "auth", "access_token": "token"}')
    await socket.receive()
    await socket.send_str('{"id": 1, "type": "subscribe_entities"}')
    await socket.receive()
    await socket.receive()
    await _told(session, "/prepare", count=count)
    began = perf_counter()
    blowing = asyncio.create_task(_told(session, "/burst"))
    heard = 0
    while heard < count:
        frame: Any = loads((await socket.receive()).data)
        rows = [
            (plus["lc"], entity_id, plus["s"], plus["c"])
            for message in (frame if isinstance(frame, list) else [frame])
            for entity_id, change in message["event"]["c"].items()
            for plus in (change["+"],)
        ]
        database.executemany("INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?)", rows)
        database.commit()
        heard += len(rows)
    took = perf_counter() - began
    await blowing
    return took


async def _told(storm: aiohttp.ClientSession, path: str, **params: float) -> None:
    async with storm.post(path, params={key: str(value) for key, value in params.items()}) as answer:
        answer.raise_for_status()
