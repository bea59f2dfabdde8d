import asyncio
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text

from chronicles import HOME, START, act, after, change, ulid
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.purging import purge_rows
from homesteward.chronicle.record import Call, Context, Kind, Outage, Run
from homesteward.chronicle.retention import Retention, RetentionLimits
from homesteward.chronicle.tables import (
    acts,
    attributes,
    calls,
    contexts,
    outages,
    runs,
    state_changes,
    targets,
)
from homesteward.chronicle.writer import Writer, WriterLimits
from homesteward.core import FrozenClock

LAMP, OTHER = "light.lamp", "light.other"
SMALL = RetentionLimits(smallest=2, largest=3)


@pytest.fixture
async def database(open_database):
    return await open_database(CHRONICLE)


@pytest.fixture
async def writer(database):
    started = await Writer.start(database, HOME, limits=WriterLimits(linger_s=0.001))
    yield started
    await started.close()


@pytest.fixture
def retention(database, writer):
    return Retention(database, writer, FrozenClock(after(10)), timedelta(seconds=10), SMALL)


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
        order = [column for column in (table.c.get("at"), table.c.get("id"), table.c.get("key")) if column is not None]
        return await database.read(lambda c: c.execute(select(table).order_by(*order)).all())

    return rows


async def test_each_entity_keeps_its_newest_row_before_the_cut(retention, store, read):
    await store(
        *(change(n, LAMP, f"lamp {n}") for n in range(-9, 0)), change(-20, OTHER, "other"), change(1, LAMP, "lamp 1")
    )

    purged = await retention.purge(START)

    assert [row.state for row in await read(state_changes)] == ["other", "lamp -1", "lamp 1"]
    assert purged.rows["state_changes"] == 8


async def test_what_is_kept_is_not_looked_at_as_gone_the_next_time(retention, store, read):
    await store(change(-2, LAMP, "on"), change(-1, LAMP, "off"))

    first, second = await retention.purge(), await retention.purge()

    assert (first.rows["state_changes"], second.rows["state_changes"]) == (1, 0)
    assert [row.state for row in await read(state_changes)] == ["off"]


async def test_a_row_exactly_at_the_cut_stays(retention, store, read):
    await store(change(-1, LAMP, "before"), change(0, LAMP, "at"))

    await retention.purge(START)

    assert [row.state for row in await read(state_changes)] == ["before", "at"]


async def test_runs_calls_acts_and_their_targets_go_with_their_time(retention, store, read):
    old = (
        Run(after(-3), Kind.SCRIPT, "script.old"),
        Call(after(-3), "light", "turn_on", entity_ids=(LAMP,)),
        act(-2, LAMP),
    )
    new = (
        Run(after(3), Kind.SCRIPT, "script.new"),
        Call(after(3), "light", "turn_on", entity_ids=(LAMP,)),
        act(2, LAMP),
    )
    await store(*old, *new)

    purged = await retention.purge(START)

    assert [len(await read(table)) for table in (runs, calls, acts, targets)] == [1, 1, 1, 2]
    assert [purged.rows[name] for name in ("runs", "calls", "acts", "targets")] == [1, 1, 1, 2]


async def test_contexts_go_when_nothing_refers_to_them(retention, store, read):
    chance = Random(3)
    gone, kept, parent, spanning = (Context(ulid(after(-9 + n), chance), None, "ada") for n in range(4))
    child = Context(ulid(after(2), chance), parent.id)
    await store(
        change(-9, LAMP, "1", context=gone),
        change(-8, LAMP, "2", context=parent),
        change(-7, LAMP, "3", context=spanning),
        change(-6, LAMP, "4", context=kept),
        change(1, OTHER, "1", context=child),
        change(2, OTHER, "2", context=spanning),
    )

    purged = await retention.purge(START)

    assert len(await read(contexts)) == 4
    assert purged.rows["contexts"] == 1
    await store(change(3, LAMP, "5", context=gone))
    assert len(await read(contexts)) == 5


async def test_attribute_sets_go_when_nothing_refers_to_them(retention, store, read):
    day = 86_400
    await store(
        change(-3 * day, LAMP, "1", attributes={"brightness": 1}),
        change(-3 * day + 1, LAMP, "2", attributes={"brightness": 2}),
        change(-3 * day, OTHER, "1", attributes={"brightness": 3}),
        change(1, OTHER, "2", attributes={"brightness": 3}),
        act(-3 * day, LAMP, data={"brightness": 4}),
    )

    purged = await retention.purge(START)

    assert [row.body for row in await read(attributes)] == ['{"brightness":2}', '{"brightness":3}']
    assert purged.rows["attributes"] == 2
    await store(change(2, LAMP, "3", attributes={"brightness": 1}))
    [*_, newest] = await read(state_changes)
    assert newest.attributes in {row.key for row in await read(attributes)}


async def test_outages_that_were_over_go(retention, store, writer, read):
    writer.keep_outage(Outage(after(-9), after(-8), "cut"))
    writer.keep_outage(Outage(after(-7), after(1), "cut"))
    writer.keep_outage(Outage(after(-6), None, "cut"))
    await writer.flush()

    purged = await retention.purge(START)

    assert sorted(row.start for row in await read(outages)) == [after(-7), after(-6)]
    assert purged.rows["outages"] == 1


async def test_another_home_loses_nothing(database, retention, store, read):
    other = await Writer.start(database, "another")
    other.put(change(-2, LAMP, "1", attributes={"a": 1}, context=Context("x", "y")))
    other.put(change(-1, LAMP, "2"))
    await other.close()
    await store(change(-2, LAMP, "1"), change(-1, LAMP, "2"))

    await retention.purge(START)

    assert len(await read(state_changes)) == 3
    assert len(await read(attributes)) == len(await read(contexts)) == 1


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(-20, 20), st.sampled_from([LAMP, OTHER, "sensor.x"])), max_size=40),
    st.integers(-25, 25),
)
async def test_at_no_moment_after_the_cut_is_the_house_another(database, happened, cut):
    home = f"home {datetime.now(UTC)}"
    writer = await Writer.start(database, home, limits=WriterLimits(linger_s=0))
    for n, (at, entity_id) in enumerate(happened):
        writer.put(change(at, entity_id, str(n)))
    await writer.flush()
    key = await writer.write(lambda _c, interning: interning.home)

    async def houses():
        query = (
            select(state_changes).where(state_changes.c.home_id == key).order_by(state_changes.c.at, state_changes.c.id)
        )
        rows = await database.read(lambda c: c.execute(query).all())
        return [{row.entity: row.state for row in rows if row.at <= after(at)} for at in range(cut, 26)]

    before = await houses()
    await Retention(database, writer, FrozenClock(START), timedelta(days=1), SMALL).purge(after(cut))

    assert await houses() == before
    await writer.close()


async def test_what_is_put_meanwhile_is_stored_between_two_slices(database, retention, store, writer):
    await store(*(change(-n / 100, LAMP, str(n)) for n in range(1, 200)))
    purge = asyncio.create_task(retention.purge(START))
    await asyncio.sleep(0)
    writer.put(change(0, OTHER, "0"))
    await writer.flush()
    assert not purge.done()  # it has some seventy slices to go
    for n in range(1, 5):
        writer.put(change(n, OTHER, str(n)))
        await writer.flush()

    purged = await purge

    assert purged.rows["state_changes"] == 198


@pytest.mark.parametrize("engine", ["sqlite"])
async def test_a_slice_costs_as_much_as_its_rows_and_not_as_the_table(writer, store):
    steps = []
    for rows in (1_000, 9_000):
        await store(*(change(-len(steps) - n / 10_000, f"light.l{n % 300}", str(n)) for n in range(rows)))

        def slice_of_fifty(connection, interning):
            count = 0

            def count_on():
                nonlocal count
                count += 1

            raw = connection.connection.driver_connection
            raw.set_progress_handler(count_on, 100)
            found = purge_rows(connection, interning, table=state_changes, before=START, size=50)
            raw.set_progress_handler(None, 0)
            assert found.gone > 40
            return count

        steps.append(await writer.write(slice_of_fifty))

    assert steps[1] < 2 * steps[0]


@pytest.mark.parametrize("engine", ["sqlite"])
async def test_free_pages_go_back_to_the_disk_within_a_budget(database, writer, store):
    await store(*(change(-n / 100, LAMP, f"{n} {'x' * 200}") for n in range(1, 20_000)))
    limits = RetentionLimits(pages=300, pages_at_once=100, largest=5_000, smallest=1_000, reserve=0.01)
    retention = Retention(database, writer, FrozenClock(START), timedelta(days=1), limits)

    async def pages():
        return await database.read(lambda c: c.execute(text("PRAGMA page_count")).scalar())

    before = await pages()
    purged = await retention.purge(START)

    assert 300 <= purged.pages < 400
    assert await pages() <= before - 300


async def test_a_row_of_a_month_that_was_dropped_still_finds_a_place(database, writer, store, read):
    await store(*(change(86_400 * n, LAMP, str(n)) for n in range(80)))
    await Retention(database, writer, FrozenClock(START), timedelta(days=1)).purge(datetime(2027, 1, 10, tzinfo=UTC))

    await store(change(5, OTHER, "late"))

    assert "late" in [row.state for row in await read(state_changes)]


async def test_it_purges_by_itself_what_is_older_than_what_is_kept(database, writer, store, read):
    await store(change(-20, LAMP, "1"), change(-15, LAMP, "2"), change(5, LAMP, "3"))
    limits = RetentionLimits(first=timedelta(0), every=timedelta(days=1))
    retention = Retention(database, writer, FrozenClock(after(10)), timedelta(seconds=20), limits)
    undo = retention.start()
    try:
        async with asyncio.timeout(10):
            while retention.latest is None:  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(0.01)
    finally:
        undo()

    assert [row.state for row in await read(state_changes)] == ["2", "3"]
