import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text

from chronicles import HOME, START, act, change
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.retention import Retention
from homesteward.chronicle.tables import state_changes
from homesteward.chronicle.writer import Writer, WriterLimits
from homesteward.core import FrozenClock

LAMP, OTHER = "light.lamp", "light.other"
JANUARY = datetime(2027, 1, 10, tzinfo=UTC)


@pytest.fixture
async def place(new_place):
    return await new_place(CHRONICLE)


@pytest.fixture
async def database(open_database, place):
    return await open_database(CHRONICLE, place)


@pytest.fixture
async def writer(database):
    started = await Writer.start(database, HOME, limits=WriterLimits(linger_s=0.001))
    yield started
    await started.close()


@pytest.fixture
def retention(database, writer):
    return Retention(database, writer, FrozenClock(START), timedelta(days=1))


@pytest.fixture
def store(writer):
    async def put(*records):
        for record in records:
            writer.put(record)
        await writer.flush()

    return put


@pytest.fixture
def read(database):
    async def rows(table):
        return await database.read(lambda c: c.execute(select(table).order_by(table.c.at, table.c.id)).all())

    return rows


def partitions(database):
    names = "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname LIKE 'state_changes_%'"
    return database.read(lambda c: set(c.execute(text(names)).scalars()))


async def test_each_row_lies_in_the_partition_of_its_month_however_old(store, database, read):
    await store(change(0, LAMP, "1"), change(-400 * 86_400, LAMP, "2"))

    assert await partitions(database) == {"state_changes_2026_11", "state_changes_2025_09", "state_changes_rest"}
    assert await database.read(lambda c: c.execute(text("SELECT count(*) FROM state_changes_rest")).scalar()) == 0


async def test_a_month_that_has_rows_among_the_rest_goes_on_there(database, store, read):
    row = "INSERT INTO state_changes (home_id, at, id, entity, state, source) VALUES (9, :at, 1, 1, 'x', 0)"
    stamp = int(START.timestamp() * 1_000_000)
    await database.write(lambda c: c.execute(text(row), {"at": stamp}))

    await store(change(0, LAMP, "1"))

    assert await partitions(database) == {"state_changes_rest"}
    assert len(await read(state_changes)) == 2


async def test_many_homes_that_begin_a_month_at_once_all_store(open_database, place, read):
    async def one(n):
        writer = await Writer.start(
            await open_database(CHRONICLE, place), f"home {n}", limits=WriterLimits(retry_s=0.01)
        )
        writer.put(change(0, LAMP, str(n)))
        await writer.flush()
        await writer.close()

    await asyncio.gather(*(one(n) for n in range(6)))

    assert sorted(row.state for row in await read(state_changes)) == ["0", "1", "2", "3", "4", "5"]


async def test_a_month_of_one_home_goes_with_its_partition(database, writer, store, read):
    await store(*(change(86_400 * n, LAMP, str(n)) for n in range(80)), change(0, OTHER, "other"), act(0, LAMP))
    retention = Retention(database, writer, FrozenClock(START), timedelta(days=1))

    purged = await retention.purge(datetime(2027, 1, 10, tzinfo=UTC))

    left = [row.state for row in await read(state_changes)]
    assert left == ["other", *(str(n) for n in range(68, 80))]
    assert purged.rows["state_changes"] == 68
    assert purged.partitions == 8  # two months of four tables


async def test_the_next_month_has_its_partitions_ahead(database, retention):
    await retention._make_ahead()

    names = await database.read(lambda c: set(c.execute(text("SELECT relname FROM pg_class")).scalars()))
    assert {"state_changes_2026_11", "acts_2026_11"} <= names


async def test_a_month_in_which_another_home_has_rows_is_trimmed_row_by_row(database, store, retention, read):
    other = await Writer.start(database, "another")
    other.put(change(0, LAMP, "theirs"))
    await other.close()
    await store(*(change(86_400 * n, LAMP, str(n)) for n in range(10)))

    purged = await retention.purge(JANUARY)

    assert sorted(row.state for row in await read(state_changes)) == ["9", "theirs"]
    assert purged.rows["state_changes"] == 9


async def test_a_month_that_somebody_reads_for_long_is_trimmed_row_by_row(open_database, place, store, retention, read):
    await store(*(change(86_400 * n, LAMP, str(n)) for n in range(10)))
    reader, reading, done = await open_database(CHRONICLE, place), asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def slow(connection):
        connection.execute(text("SELECT count(*) FROM state_changes"))
        loop.call_soon_threadsafe(reading.set)
        asyncio.run_coroutine_threadsafe(done.wait(), loop).result()

    task = asyncio.create_task(reader.read(slow))
    await reading.wait()
    purged = await retention.purge(JANUARY)
    done.set()
    await task

    assert [row.state for row in await read(state_changes)] == ["9"]
    assert purged.rows["state_changes"] == 9


async def test_a_server_that_restarts_costs_nothing_that_was_put(postgres, writer, store, read):
    await store(change(0, LAMP, "0"))
    postgres.tell(
        "CHECKPOINT"
    )  # the server of these tests does not wait for its disk, and is restarted without ceremony
    postgres.restart()
    for n in range(1, 2_000):
        writer.put(change(n / 1000, LAMP, str(n)))

    await writer.flush()

    assert [row.state for row in await read(state_changes)] == [str(n) for n in range(2_000)]
