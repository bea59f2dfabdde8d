import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from homesteward.chronicle.ledger import CHRONICLE
from homesteward.chronicle.partitions import PARTITIONED
from homesteward.chronicle.tables import metadata


@pytest.fixture
async def database(open_database):
    return await open_database(CHRONICLE)


def declared(name: str | None, _kind: str, _parents: object) -> bool:
    """Return whether a table is no partition of another."""
    return not name or not name.endswith("_rest")


async def test_the_migrations_make_what_the_code_declares(database):
    def differences(connection: Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True, "include_name": declared}
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)

    assert await database.write(differences) == []


async def test_the_migrations_make_the_keys_that_the_code_declares(database):
    def made(connection: Connection) -> dict[str, list[str]]:
        look = inspect(connection)
        return {name: look.get_pk_constraint(name)["constrained_columns"] for name in metadata.tables}

    assert await database.read(made) == {
        name: table.primary_key.columns.keys() for name, table in metadata.tables.items()
    }


async def test_what_grows_lies_in_the_order_of_time_and_without_a_second_key(database):
    def laid_out(connection: Connection) -> dict[str, bool]:
        if connection.dialect.name == "sqlite":
            return {row.name: bool(row.wr) for row in connection.execute(text("PRAGMA table_list"))}
        partitioned = "SELECT relname FROM pg_class WHERE relkind = 'p'"
        return {name: True for (name,) in connection.execute(text(partitioned))}

    found = await database.read(laid_out)
    assert all(found[name] for name in PARTITIONED)


async def test_indexes_of_what_is_rare_hold_only_that(database):
    def partial(connection: Connection) -> set[str]:
        if connection.dialect.name == "sqlite":
            like = "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'"
        else:
            like = "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indpred IS NOT NULL AND relname NOT LIKE '%rest%'"
        return set(connection.execute(text(like)).scalars())

    assert await database.read(partial) == {f"{name}_by_context" for name in PARTITIONED} | {"contexts_by_parent"}


def test_every_table_has_its_home_in_its_key():
    assert all("home_id" in table.primary_key.columns for name, table in metadata.tables.items() if name != "homes")


def test_every_packaged_revision_is_known():
    found = sorted(path.stem.split("_")[0] for path in (CHRONICLE.migrations / "versions").glob("c*.py"))

    assert tuple(found) == CHRONICLE.revisions


async def test_a_chronicle_lies_beside_the_plans_without_touching_them(new_place, open_database):
    place = await new_place(blank=True)
    if isinstance(place, str):  # one PostgreSQL for both; in files each has its own
        await open_database(place=place)
    chronicle = await open_database(CHRONICLE, place)

    assert await chronicle.read(lambda c: c.execute(text("SELECT count(*) FROM runs")).scalar()) == 0
