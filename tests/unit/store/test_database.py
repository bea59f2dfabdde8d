"""What a database promises, whichever engine keeps it."""

import asyncio
import threading

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from homesteward.store import Database, NewerDataError, after_commit
from homesteward.store.tables import meta, steps


def put(key: str, value: object):
    return lambda connection: connection.execute(meta.insert().values(home_id="h", key=key, value=value))


def keys(connection: Connection) -> list[str]:
    return list(connection.execute(meta.select().order_by(meta.c.key)).scalars(1))


async def test_it_says_which_engine_it_is(database, engine):
    assert database.engine_name == engine


async def test_what_was_written_is_read_back(database):
    await database.write(put("units", {"temperature": "°C"}))

    assert await database.read(lambda c: c.execute(meta.select()).one().value) == {"temperature": "°C"}


async def test_an_error_inside_a_write_undoes_all_of_it(database):
    def half(connection: Connection) -> None:
        put("first", 1)(connection)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await database.write(half)

    assert await database.read(keys) == []


async def test_a_reader_cannot_write(database):
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        await database.read(put("x", 1))

    assert await database.read(keys) == []


async def test_a_step_without_its_plan_is_refused(database):
    orphan = dict.fromkeys(steps.c.keys(), "") | {"n": 1}

    with pytest.raises(IntegrityError):
        await database.write(lambda connection: connection.execute(steps.insert().values(orphan)))


async def test_what_a_statement_was_given_is_not_in_its_error(database):
    await database.write(put("twice", "swordfish"))

    with pytest.raises(IntegrityError) as caught:
        await database.write(put("twice", "swordfish"))

    assert "swordfish" not in str(caught.value)


async def test_a_reader_sees_one_picture_while_others_write(database):
    looked, written = threading.Event(), threading.Event()

    def twice(connection: Connection) -> tuple[list[str], list[str]]:
        before = keys(connection)
        looked.set()
        assert written.wait(10)
        return before, keys(connection)

    reading = asyncio.create_task(database.read(twice))
    await asyncio.to_thread(looked.wait, 10)
    await database.write(put("new", 1))
    written.set()

    assert await reading == ([], [])
    assert await database.read(keys) == ["new"]


async def test_opening_again_keeps_what_is_there(open_database, new_place):
    place = await new_place(blank=True)
    first = await open_database(place=place)
    await first.write(put("kept", 1))

    second = await open_database(place=place)

    assert await second.read(keys) == ["kept"]


async def test_a_database_made_by_a_newer_version_is_refused_and_not_touched(open_database, new_place):
    place = await new_place()
    database = await open_database(place=place)
    await database.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))

    with pytest.raises(NewerDataError, match="made by a newer Homesteward") as refused:
        await Database.open(place)

    assert refused.value.code == "newer_data"
    assert await database.read(lambda c: c.execute(text("SELECT version_num FROM alembic_version")).scalar()) == "9999"


async def test_a_long_write_lets_others_in_between_its_slices(database):
    for n in range(6):
        await database.write(put(f"old {n}", 1))
    seen: list[int] = []

    def slice_of_two(connection: Connection) -> int:
        old = [key for key in keys(connection) if key.startswith("old")]
        seen.append(len(keys(connection)))
        connection.execute(meta.delete().where(meta.c.key.in_(old[:2])))
        return len(old[:2])

    sweeping = asyncio.create_task(database.write_slices(slice_of_two, most=100))
    await asyncio.sleep(0)  # its first slice is handed in
    await database.write(put("between", 1))

    assert await sweeping == (6, True)
    assert seen == [6, 5, 3, 1]


async def test_a_long_write_ends_after_the_slices_it_was_given_and_says_so(database):
    assert await database.write_slices(lambda _: 5, most=3) == (15, False)


async def test_what_is_to_follow_a_commit_follows_it(database):
    told: list[str] = []

    def work(connection: Connection) -> None:
        after_commit(connection, lambda: told.append("kept"))
        assert told == []

    await database.write(work)

    assert told == ["kept"]


async def test_what_is_to_follow_a_commit_does_not_follow_an_error(database):
    told: list[str] = []

    def work(connection: Connection) -> None:
        after_commit(connection, lambda: told.append("kept"))
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await database.write(work)
    await database.write(put("other", 1))

    assert told == []
