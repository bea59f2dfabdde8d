"""Whoever listens hears of a plan once what became of it is kept, and of nothing that was not."""

import asyncio

import pytest

from homesteward.actions.doings import Doings


@pytest.fixture
async def heard(database):
    """What is heard of, as it comes."""
    doings, told = Doings(), asyncio.Queue()
    undo = doings.subscribe(told.put_nowait)
    return doings, told, undo


async def test_it_is_told_once_it_is_kept(database, heard):
    doings, told, _ = heard
    await database.write(lambda connection: doings(connection, "plan.decided", "policy", "plan_1", {}))
    async with asyncio.timeout(5):
        assert await told.get() == "plan_1"


async def test_what_is_undone_is_not_told(database, heard):
    doings, told, _ = heard

    def broken(connection):
        doings(connection, "plan.decided", "policy", "plan_1", {})
        raise ValueError("undone")

    with pytest.raises(ValueError, match="undone"):
        await database.write(broken)
    await database.write(lambda connection: doings(connection, "plan.decided", "policy", "plan_2", {}))
    async with asyncio.timeout(5):
        assert await told.get() == "plan_2"
    assert told.empty()


async def test_whoever_left_hears_nothing_and_everything_is_taken_down_all_the_same(database):
    kept, told = [], []
    doings = Doings(lambda _connection, kind, actor, subject, data: kept.append((kind, actor, subject, data)))
    undo, other = doings.subscribe(told.append), asyncio.Queue()
    doings.subscribe(other.put_nowait)
    undo()
    await database.write(lambda connection: doings(connection, "plan.ended", "system", "plan_1", {"state": "failed"}))
    async with asyncio.timeout(5):
        await other.get()
    assert told == []
    assert kept == [("plan.ended", "system", "plan_1", {"state": "failed"})]
