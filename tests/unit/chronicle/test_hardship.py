"""What the chronicle loses when things go badly wrong, on a real file and in a real process: no more than it promises."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select, text

from chronicles import HOME, change, readings
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.measuring import measured
from homesteward.chronicle.tables import entities, state_changes
from homesteward.chronicle.writer import Writer, WriterLimits
from homesteward.store import Database

KILLS = 40 if os.environ.get("HOMESTEWARD_SOAK") else 3
IMPATIENT = WriterLimits(retry_s=0.01, longest_retry_s=0.02, linger_s=0.001)

BUSY_HOUSE = """
import asyncio, sys
from pathlib import Path
from chronicles import HOME, change
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.record import Context
from homesteward.chronicle.writer import Writer, WriterLimits
from homesteward.store import Database

async def live(file):
    database = await Database.open(Path(file), CHRONICLE)
    writer = await Writer.start(database, HOME, limits=WriterLimits(batch=100))
    begun = int(sys.argv[2])
    for n in range(begun, begun + 1_000_000):
        context = Context(f"context {n // 7}", None, f"user {n % 50}")
        writer.put(change(n / 100, f"light.l{n % 40}", str(n), attributes={"brightness": n // 3}, context=context))
        if n % 97 == 0:
            await writer.flush()
            print(n, flush=True)

asyncio.run(live(sys.argv[1]))
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "chronicle.db"


@pytest.fixture
async def database(file):
    opened = await Database.open(file, CHRONICLE)
    yield opened
    await opened.close()


async def stored(database):
    return [int(state) for state in await database.read(lambda c: c.execute(select(state_changes.c.state).order_by(state_changes.c.id)).scalars().all())]  # fmt: skip


async def test_a_killed_process_loses_at_most_what_was_not_acknowledged_and_damages_nothing(file):
    chance, begun = Random(5), 0
    for _ in range(KILLS):
        acknowledged = _kill_while_it_writes(file, begun, acknowledgements=chance.randint(1, 30))
        database = await Database.open(file, CHRONICLE)
        rows = await stored(database)
        assert rows == list(range(len(rows)))
        assert len(rows) > acknowledged
        assert await database.read(lambda c: c.execute(text("PRAGMA integrity_check")).scalar()) == "ok"
        dangling = (
            select(state_changes)
            .outerjoin(entities, entities.c.key == state_changes.c.entity)
            .where(entities.c.key.is_(None))
        )
        assert await database.read(lambda c, q=dangling: c.execute(q).first()) is None
        await database.close()
        begun = len(rows)


async def test_a_disk_that_is_full_and_then_is_not_loses_nothing(database):
    writer = await Writer.start(database, HOME, limits=IMPATIENT)
    pages = await database.read(lambda c: c.execute(text("PRAGMA page_count")).scalar())
    await database.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={pages + 20}"))
    for record in readings(5_000):
        writer.put(record)
    await failed(writer)
    assert writer.failure.code == "disk_full"

    await database.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count=100000"))
    await writer.flush()

    assert writer.failure is None
    assert len(await database.read(lambda c: c.execute(select(state_changes.c.id)).all())) == 5_000
    await writer.close()


async def test_a_burst_of_a_hundred_thousand_loses_nothing(database):
    writer = await Writer.start(database, HOME)
    taken = [writer.put(change(n / 1000, f"sensor.s{n % 60}", str(n))) for n in range(100_000)]

    await writer.flush()

    assert all(taken)
    assert await stored(database) == list(range(100_000))
    await writer.close()


async def test_a_change_takes_no_more_room_than_it_may(database):
    writer = await Writer.start(database, HOME)
    for record in readings(30_000):
        writer.put(record)
    await writer.close()

    assert (
        await measured(database, HOME)
    ).per_row < 85  # bytes, indexes included; 99 is the bar, and Home Assistant takes 166


async def test_a_file_that_is_damaged_is_told_of_with_what_to_do(file):
    database = await Database.open(file, CHRONICLE)
    writer = await Writer.start(database, HOME)
    for record in readings(20_000):
        writer.put(record)
    await writer.close()
    await database.close()
    with file.open("r+b") as damaged:
        damaged.seek(-300 * 4096, os.SEEK_END)
        damaged.write(b"\xff" * 300 * 4096)

    database = await Database.open(file, CHRONICLE)
    writer = await Writer.start(database, HOME, limits=WriterLimits(retry_s=0.01, longest_retry_s=0.02, closing_s=1))
    for record in readings(5_000, seed=2):
        writer.put(record)
    await failed(writer)

    assert writer.failure.code == "database_unreadable"
    assert writer.failure.next
    await writer.close()
    await database.close()


async def failed(writer):
    """Wait until a batch could not be stored."""
    failure, struck = writer._delivery._failed, asyncio.Event()
    writer._delivery._failed = lambda error: (struck.set(), failure(error))[1]
    await struck.wait()


def _kill_while_it_writes(file: Path, begun: int, acknowledgements: int) -> int:
    """Let a process write until it has acknowledged so often, kill it in the middle, and return the last number it acknowledged."""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-c", BUSY_HOUSE, str(file), str(begun)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        last = -1
        for _ in range(acknowledgements):
            last = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            last = int(line) if line.endswith("\n") else last
    return last
