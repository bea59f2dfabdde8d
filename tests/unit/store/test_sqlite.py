"""What only a SQLite file can show: its modes, its pragmas, and what a damaged or full disk does to it."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from homesteward.store import HOMESTEWARD, Database, DataFolder, Durability, Ledger
from homesteward.store.failures import DatabaseBusyError, DatabaseUnreadableError, DiskFullError
from homesteward.store.tables import meta

EVENTS = Ledger("homesteward", HOMESTEWARD.revisions, HOMESTEWARD.migrations, Durability.NORMAL)


@pytest.fixture
def engine():
    return "sqlite"


def put(key: str, value: object):
    return lambda connection: connection.execute(meta.insert().values(home_id="h", key=key, value=value))


def pragma(name: str):
    return lambda connection: connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def count(connection: Connection) -> int:
    return connection.execute(text("SELECT count(*) FROM meta")).scalar_one()


@pytest.mark.parametrize(("name", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
async def test_a_commit_survives_a_power_cut(database, name, value):
    assert await database.write(pragma(name)) == value


@pytest.mark.parametrize(("name", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("auto_vacuum", 2)])
async def test_a_ledger_of_events_commits_without_waiting_for_the_disk_and_can_shrink(
    open_database, new_place, name, value
):
    database = await open_database(EVENTS, await new_place(blank=True))

    assert await database.write(pragma(name)) == value


async def test_only_the_owner_of_the_files_can_read_them(tmp_path):
    with DataFolder.open(tmp_path / "data") as folder:
        database = await Database.open(folder.path / "homesteward.db")
        await database.write(put("x", 1))
        modes = {entry.name: entry.stat().st_mode & 0o777 for entry in folder.path.iterdir()}
        await database.close()

    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}
    assert {"homesteward.db", "homesteward.db-wal", "lock"} <= set(modes)


def test_a_current_database_is_opened_without_alembic_and_without_the_driver_of_a_server(tmp_path):
    program = (
        "import asyncio, pathlib, sys\n"
        "from homesteward.store import Database\n"
        "async def main():\n"
        "    await (await Database.open(pathlib.Path(sys.argv[1]))).close()\n"
        "asyncio.run(main())\n"
        "print('alembic' in sys.modules, 'psycopg' in sys.modules)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "homesteward.db")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    seen = [subprocess.run(command, capture_output=True, check=True, text=True, env=env).stdout.split() for _ in "ab"]

    assert seen[0][0] == "True"
    assert seen[1] == ["False", "False"]


@pytest.mark.parametrize(
    "damage", [b"this is no database at all, and long enough to be one" * 100, b"SQLite format 3\x00" + b"\xff" * 8000]
)
async def test_a_damaged_file_is_told_and_left_as_it_is(tmp_path, damage):
    file = tmp_path / "homesteward.db"
    file.write_bytes(damage)
    with pytest.raises(DatabaseUnreadableError) as caught:
        await Database.open(file)
    assert "backup" in caught.value.next
    assert file.read_bytes() == damage


async def test_a_folder_in_its_place_is_told(tmp_path):
    (tmp_path / "homesteward.db").mkdir()
    with pytest.raises(DatabaseUnreadableError):
        await Database.open(tmp_path / "homesteward.db")


async def test_a_page_that_went_bad_is_told_and_the_other_tables_are_still_read(open_database, new_place):
    place = await new_place()
    database = await open_database(place=place)
    await database.write(put("kept", 1))
    root = await database.read(
        lambda c: c.execute(text("SELECT rootpage FROM sqlite_master WHERE name='audit'")).scalar()
    )
    await database.close()
    spoil(place, page=root)
    database = await open_database(place=place)

    with pytest.raises(DatabaseUnreadableError, match="malformed") as caught:
        await database.read(lambda c: c.execute(text("SELECT * FROM audit")).all())

    assert not caught.value.retry
    assert await database.read(count) == 1


def spoil(file: Path, page: int) -> None:
    with file.open("r+b") as opened:
        opened.seek((page - 1) * 4096)
        opened.write(b"\xff" * 4096)


async def test_a_full_disk_is_told_and_once_there_is_room_it_goes_on(database):
    pages = await database.write(pragma("page_count"))
    await database.write(pragma(f"max_page_count={pages}"))

    with pytest.raises(DiskFullError) as caught:
        await database.write(lambda c: [put(f"big {n}", "x" * 4000)(c) for n in range(20)])

    assert (caught.value.retry, await database.read(count)) == (True, 0)
    await database.write(pragma(f"max_page_count={pages + 100}"))
    await database.write(put("after", 1))
    assert await database.read(count) == 1


async def test_a_file_held_by_another_program_is_told_as_busy(open_database, new_place, monkeypatch):
    monkeypatch.setattr("homesteward.store.sqlite.ALWAYS", ("journal_mode=WAL", "busy_timeout=1"))
    place = await new_place()
    one, other = await open_database(place=place), await open_database(place=place)
    await other.write(pragma("busy_timeout=1"))
    refused: list[DatabaseBusyError] = []

    async def meanwhile() -> None:
        with pytest.raises(DatabaseBusyError) as caught:
            await other.write(put("x", 1))
        refused.append(caught.value)

    loop = asyncio.get_running_loop()
    await one.write(lambda c: (put("held", 1)(c), asyncio.run_coroutine_threadsafe(meanwhile(), loop).result(10)))

    assert refused[0].retry
    await other.write(put("x", 1))
