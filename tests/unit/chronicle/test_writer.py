import asyncio
import logging
from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from chronicles import HOME, START, act, after, change
from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.overflow import OVERFLOW
from homesteward.chronicle.record import Outage
from homesteward.chronicle.tables import state_changes, users
from homesteward.chronicle.writer import NotStoredError, Writer, WriterLimits
from homesteward.core import FrozenClock
from homesteward.store.failures import CommitUnknownError, full

LAMP = "light.lamp"
IMPATIENT = WriterLimits(retry_s=0.001, longest_retry_s=0.002, linger_s=0.001, closing_s=2)
NEVER = WriterLimits(linger_s=3600, retry_s=0.001, longest_retry_s=0.002)


@pytest.fixture
async def database(open_database):
    return await open_database(CHRONICLE)


@pytest.fixture
async def start(database):
    started = []

    async def go(limits=IMPATIENT, heard=lambda: None):
        started.append(await Writer.start(database, HOME, heard, limits))
        return started[-1]

    yield go
    for writer in started:
        await writer.close()


@pytest.fixture
def stored(database):
    async def read():
        query = select(state_changes.c.state).order_by(state_changes.c.id)
        return list(await database.read(lambda c: c.execute(query).scalars().all()))

    return read


@pytest.fixture
def failing(database, monkeypatch):
    """Let every write fail with the error that is set, as long as one is set."""
    faults = Faults(database.write)
    monkeypatch.setattr(database, "write", faults.write)
    return faults


class Faults:
    def __init__(self, write):
        self._write, self._error, self.struck = write, None, asyncio.Event()

    def begin(self, error):
        self._error = error

    def end(self):
        self._error = None

    async def write(self, work):
        if self._error:
            self.struck.set()
            raise self._error
        return await self._write(work)


async def test_what_was_put_is_stored_by_itself(start, stored, database):
    writer = await start()
    done = asyncio.Event()
    settle = writer._settle
    writer._settle = lambda taken: (settle(taken), done.set())

    writer.put(change(0, LAMP, "on"))
    await done.wait()

    assert await stored() == ["on"]


async def test_a_flush_returns_once_everything_is_committed_in_the_order_it_was_put(start, stored):
    writer = await start(NEVER)
    for n in range(12_345):
        writer.put(change(n, LAMP, str(n)))

    await writer.flush()

    assert await stored() == [str(n) for n in range(12_345)]


async def test_a_flush_with_nothing_to_do_returns_at_once(start):
    writer = await start(NEVER)

    await writer.flush()


async def test_many_flush_at_once(start, stored):
    writer = await start(NEVER)

    async def put_and_flush(n):
        writer.put(change(n, LAMP, str(n)))
        await writer.flush()
        assert str(n) in await stored()

    await asyncio.gather(*(put_and_flush(n) for n in range(20)))


async def test_a_quiet_writer_never_wakes(start):
    writer = await start()
    writer.put(change(0, LAMP, "on"))
    await writer.flush()

    assert writer._timer is None
    assert not writer._wake.is_set()


async def test_closing_stores_what_waits_and_takes_no_more(start, stored):
    writer = await start(NEVER)
    writer.put(change(0, LAMP, "on"))

    await writer.close()

    assert await stored() == ["on"]
    assert writer.put(change(1, LAMP, "off")) is False


async def test_what_finds_no_room_is_counted_and_becomes_an_outage(start, stored):
    writer = await start(WriterLimits(queue=10, batch=5, linger_s=3600))
    told = []
    writer.watch_overflow(told.append)
    taken = [writer.put(change(n, LAMP, str(n))) for n in range(14)]

    outages = await writer.outages()

    assert taken == [True] * 10 + [False] * 4
    assert len(await stored()) == 10
    expected = Outage(after(10), after(13) + timedelta(milliseconds=1), OVERFLOW)
    assert outages == told == [expected]
    assert writer.health()["dropped"] == 4


async def test_an_act_of_ours_still_finds_a_place_in_a_full_queue(start):
    writer = await start(WriterLimits(queue=3, own=2, linger_s=3600))
    for n in range(3):
        writer.put(change(n, LAMP, str(n)))

    assert [writer.put(act(5, LAMP)) for _ in range(3)] == [True, True, False]
    assert writer.put(change(6, LAMP, "on")) is False


async def test_an_overflow_is_over_when_half_the_queue_is_free_again(start):
    writer = await start(WriterLimits(queue=10, batch=5, linger_s=0.001))
    told = asyncio.get_running_loop().create_future()
    writer.watch_overflow(told.set_result)
    for n in range(14):
        writer.put(change(n, LAMP, str(n)))

    assert (await told).start == after(10)


async def test_a_full_disk_keeps_everything_waiting_and_is_said_once(start, stored, failing, caplog):
    writer = await start()
    failing.begin(full("The database"))
    with caplog.at_level(logging.WARNING):
        for n in range(50):
            writer.put(change(n, LAMP, str(n)))
            await asyncio.sleep(0)
        await failing.struck.wait()
        assert writer.failure.code == "disk_full"
        assert writer.health()["failure"] == writer.failure.message
        assert writer.health()["ok"] is False

        failing.end()
        await writer.flush()

    assert await stored() == [str(n) for n in range(50)]
    assert writer.health()["ok"] is True
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


async def test_what_overflows_while_the_database_is_away_is_an_outage_afterwards(start, stored, failing):
    writer = await start(WriterLimits(queue=10, batch=5, linger_s=0.001, retry_s=0.001, longest_retry_s=0.002))
    failing.begin(full("The database"))
    writer.put(change(0, LAMP, "0"))
    await failing.struck.wait()
    for n in range(1, 30):
        writer.put(change(n, LAMP, str(n)))
    failing.end()

    [outage] = await writer.outages()

    assert len(await stored()) == 11
    assert (outage.start, outage.end) == (after(11), after(29) + timedelta(milliseconds=1))


async def test_an_error_that_nobody_foresaw_loses_nothing_either(start, stored, failing):
    writer = await start()
    failing.begin(OperationalError("INSERT", None, Exception("no such table")))
    writer.put(change(0, LAMP, "on"))
    await failing.struck.wait()
    failing.end()

    await writer.flush()

    assert await stored() == ["on"]


async def test_a_record_that_no_database_takes_costs_no_other(start, stored, caplog):
    writer = await start(NEVER)
    for n in range(100):
        writer.put(change(n, LAMP, object() if n == 41 else str(n)))
    writer.name_user("ada", "Ada")
    with caplog.at_level(logging.WARNING):
        await writer.flush()

    assert await stored() == [str(n) for n in range(100) if n != 41]
    assert writer.health()["rejected"] == 1
    assert writer.failure is None
    assert "StateChange" in caplog.text


async def test_a_name_that_no_database_takes_costs_no_other(start, database):
    writer = await start(NEVER)
    writer.name_user("ada", object())
    writer.name_user("ben", "Ben")

    await writer.flush()

    assert await database.read(lambda c: c.execute(select(users.c.name)).scalars().all()) == ["Ben"]


async def test_a_commit_without_an_answer_is_not_done_twice(start, stored, database, monkeypatch):
    writer = await start(NEVER)
    write, unanswered = database.write, [1]

    async def answer_late(work):
        result = await write(work)
        if unanswered:
            unanswered.clear()
            raise CommitUnknownError("x")
        return result

    monkeypatch.setattr(database, "write", answer_late)
    writer.put(change(0, LAMP, "on"))
    # The answer is lost after the commit, so the writer does not know that its own memory is right.
    writer._storing._open = True

    await writer.flush()

    assert await stored() == ["on"]


async def test_closing_while_nothing_can_be_written_ends_and_says_what_is_lost(start, failing, caplog):
    writer = await start()
    failing.begin(full("The database"))
    writer.put(change(0, LAMP, "on"))
    waiting = asyncio.create_task(writer.flush())
    await failing.struck.wait()

    with caplog.at_level(logging.WARNING):
        await writer.close()

    with pytest.raises(NotStoredError):
        await waiting
    assert "1 records of the chronicle could not be stored" in caplog.text


async def test_the_next_start_knows_until_when_all_was_heard(start):
    clock = FrozenClock(START)
    writer = await start(heard=clock.now)
    assert writer.heard_before is None
    clock.advance(timedelta(seconds=5))
    writer.put(change(4, LAMP, "on"))
    await writer.flush()
    assert (await start()).heard_before == after(5)


async def test_at_the_end_all_was_heard_up_to_then_even_in_a_quiet_house(start):
    clock = FrozenClock(START)
    writer = await start(heard=clock.now)
    clock.advance(timedelta(seconds=5))
    await writer.close()

    assert (await start()).heard_before == after(5)


async def test_what_is_stored_while_nobody_listens_does_not_say_that_somebody_did(start):
    writer = await start(heard=lambda: START)
    writer.put(act(60, LAMP))
    await writer.close()

    assert (await start()).heard_before == START


async def test_an_outage_is_opened_closed_and_filled(start):
    writer = await start()
    writer.open_outage(START, "cut")
    assert await writer.outages(unfilled=True) == [Outage(START, None, "cut")]

    writer.close_outage(START, after(9), "cut")
    assert await writer.outages(unfilled=True) == [Outage(START, after(9), "cut")]

    writer.keep_outage(Outage(START, after(9), "cut", after(20), 7))
    assert await writer.outages(unfilled=True) == []
    assert await writer.outages() == [Outage(START, after(9), "cut", after(20), 7)]


async def test_a_writer_that_another_one_followed_stores_under_free_ids(start, stored):
    first, second = await start(NEVER), await start(NEVER)
    for n, writer in enumerate((first, second, first, second)):
        writer.put(change(0, LAMP, str(n)))
        await writer.flush()

    assert await stored() == ["0", "1", "2", "3"]


async def test_a_watcher_of_overflows_that_fails_stops_nothing(start, stored):
    writer = await start(WriterLimits(queue=1, linger_s=0.001))
    writer.watch_overflow(lambda _outage: 1 / 0)
    undo = writer.watch_overflow(lambda _outage: pytest.fail("was undone"))
    undo()
    undo()
    writer.put(change(0, LAMP, "on"))
    writer.put(change(1, LAMP, "off"))

    assert len(await writer.outages()) == 1
    writer.put(change(2, LAMP, "on"))
    await writer.flush()
    assert await stored() == ["on", "on"]
