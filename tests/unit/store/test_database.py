import os
import subprocess
import sys

import pytest
from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.exc import IntegrityError, OperationalError

from homesteward.store import Database, DataFolder, DataFolderLockedError, NewerDataError
from homesteward.store.database import DatabaseUnreadableError
from homesteward.store.schema import MIGRATIONS, REVISIONS
from homesteward.store.tables import meta, metadata, steps


@pytest.fixture
async def database(tmp_path):
    opened = await Database.open(tmp_path / "homesteward.db")
    yield opened
    await opened.close()


def put(key: str, value: object):
    return lambda connection: connection.execute(meta.insert().values(home_id="h", key=key, value=value))


def keys(connection: Connection) -> list[str]:
    return list(connection.execute(meta.select().order_by(meta.c.key)).scalars(1))


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
    with pytest.raises(OperationalError, match="readonly"):
        await database.read(put("x", 1))


async def test_a_step_without_its_plan_is_refused(database):
    orphan = dict.fromkeys(steps.c.keys(), "") | {"n": 1}

    with pytest.raises(IntegrityError):
        await database.write(lambda connection: connection.execute(steps.insert().values(orphan)))


@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)])
async def test_a_commit_survives_a_power_cut(database, pragma, value):
    assert await database.write(lambda c: c.exec_driver_sql(f"PRAGMA {pragma}").scalar()) == value


async def test_only_the_owner_of_the_files_can_read_them(tmp_path):
    with DataFolder.open(tmp_path / "data") as folder:
        database = await Database.open(folder.path / "homesteward.db")
        await database.write(put("x", 1))
        modes = {entry.name: entry.stat().st_mode & 0o777 for entry in folder.path.iterdir()}
        await database.close()

    assert folder.path.stat().st_mode & 0o777 == 0o700
    assert set(modes.values()) == {0o600}
    assert {"homesteward.db", "homesteward.db-wal", "lock"} <= set(modes)


async def test_every_table_has_its_home_in_its_key():
    assert all("home_id" in table.primary_key.columns for table in metadata.tables.values())


async def test_the_migrations_make_the_tables_that_the_code_uses(database):
    def shape(connection: Connection) -> dict[str, set[str]]:
        found = inspect(connection)
        return {name: {column["name"] for column in found.get_columns(name)} for name in found.get_table_names()}

    made = await database.read(shape)
    assert made.pop("alembic_version") == {"version_num"}
    assert made == {name: set(table.columns.keys()) for name, table in metadata.tables.items()}


async def test_the_migrations_make_the_indexes_that_the_code_names(database):
    def indexes(connection: Connection) -> set[str]:
        found = inspect(connection)
        return {index["name"] for name in found.get_table_names() for index in found.get_indexes(name)}

    assert await database.read(indexes) == {index.name for table in metadata.tables.values() for index in table.indexes}


def test_every_packaged_revision_is_known():
    found = sorted(path.stem.split("_")[0].lstrip("r") for path in (MIGRATIONS / "versions").glob("r*.py"))
    assert tuple(found) == REVISIONS


async def test_opening_again_keeps_what_is_there(tmp_path):
    first = await Database.open(tmp_path / "homesteward.db")
    await first.write(put("kept", 1))
    await first.close()

    second = await Database.open(tmp_path / "homesteward.db")
    assert await second.read(keys) == ["kept"]
    await second.close()


def test_a_current_database_is_opened_without_alembic(tmp_path):
    program = (
        "import asyncio, pathlib, sys\n"
        "from homesteward.store import Database\n"
        "async def main():\n"
        "    await (await Database.open(pathlib.Path(sys.argv[1]))).close()\n"
        "asyncio.run(main())\n"
        "print('alembic' in sys.modules)\n"
    )
    command = [sys.executable, "-c", program, str(tmp_path / "homesteward.db")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    seen = [subprocess.run(command, capture_output=True, check=True, text=True, env=env).stdout.strip() for _ in "ab"]

    assert seen == ["True", "False"]


async def test_a_database_made_by_a_newer_version_is_refused_and_not_touched(tmp_path):
    path = tmp_path / "homesteward.db"
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num TEXT)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
    engine.dispose()

    with pytest.raises(NewerDataError, match="made by a newer Homesteward") as refused:
        await Database.open(path)

    engine = create_engine(f"sqlite:///{path}")
    assert inspect(engine).get_table_names() == ["alembic_version"]
    engine.dispose()
    assert refused.value.code == "newer_data"


def test_a_data_folder_in_use_says_by_which_process(tmp_path):
    with DataFolder.open(tmp_path / "data"), pytest.raises(DataFolderLockedError, match=str(os.getpid())) as refused:
        DataFolder.open(tmp_path / "data")

    assert refused.value.code == "data_folder_locked"


def test_a_data_folder_is_free_again_once_closed(tmp_path):
    folder = DataFolder.open(tmp_path / "data")
    folder.close()
    folder.close()

    DataFolder.open(tmp_path / "data").close()


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
