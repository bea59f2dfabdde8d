"""The tables that migrations make are those that the code declares, on both engines."""

from datetime import UTC, datetime

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from homesteward.store import HOMESTEWARD, Database, Ledger
from homesteward.store.tables import metadata, plans, runs

FIRST = Ledger("homesteward", ("0001",), HOMESTEWARD.migrations)


async def test_the_migrations_make_what_the_code_declares(database):
    def differences(connection: Connection) -> list[object]:
        options = {"compare_type": True, "compare_server_default": True}
        return compare_metadata(MigrationContext.configure(connection, opts=options), metadata)

    assert await database.write(differences) == []


async def test_the_migrations_make_the_keys_that_the_code_declares(database):
    def made(connection: Connection) -> dict[str, list[str]]:
        look = inspect(connection)
        return {name: look.get_pk_constraint(name)["constrained_columns"] for name in metadata.tables}

    assert await database.read(made) == {
        name: table.primary_key.columns.keys() for name, table in metadata.tables.items()
    }


def test_every_table_has_its_home_in_its_key():
    assert all("home_id" in table.primary_key.columns for table in metadata.tables.values())


def test_every_packaged_revision_is_known():
    found = sorted(path.stem.split("_")[0].lstrip("r") for path in (HOMESTEWARD.migrations / "versions").glob("r*.py"))

    assert tuple(found) == HOMESTEWARD.revisions


async def test_a_database_of_the_first_release_is_taken_on_with_its_plans(open_database, new_place, monkeypatch):
    place = await new_place(blank=True)
    monkeypatch.setattr(command, "upgrade", lambda config, _head, upgrade=command.upgrade: upgrade(config, "0001"))
    old = await Database.open(place, FIRST)
    monkeypatch.undo()
    await old.write(fill)
    await old.close()

    database = await open_database(place=place)

    plan, run = await database.read(lambda c: (c.execute(plans.select()).one(), c.execute(runs.select()).one()))
    assert (plan.id, plan.request, plan.created) == ("plan_1", "open the door", datetime.fromtimestamp(1, UTC))
    assert (plan.person_id, plan.device_id, plan.token_id, plan.decided_person_id) == ("", "", "", "")
    assert (run.id, run.answer, run.person_id) == ("run_1", {"reply": "Done."}, "")


def fill(connection: Connection) -> None:
    """Put in a plan and a run as the first release wrote them."""
    connection.execute(
        text(
            "INSERT INTO plans (home_id, id, state, role, channel, person, request, run_id, hash, created, expires, decided_by)"
            " VALUES ('h', 'plan_1', 'waiting', 'owner', 'cli', 'Ann', 'open the door', 'run_1', 'abc', 1000000, 2000000, '')"
        )
    )
    connection.execute(
        text(
            "INSERT INTO runs (home_id, id, conversation_id, role, channel, person, request, started, outcome, answer)"
            """ VALUES ('h', 'run_1', 'c', 'owner', 'cli', 'Ann', 'open the door', 1000000, 'waiting', '{"reply":"Done."}')"""
        )
    )


@pytest.mark.parametrize("name", ["a folder with spaces", "100% ours"])
async def test_a_package_in_a_folder_of_any_name_finds_its_migrations(open_database, new_place, tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "versions").symlink_to(HOMESTEWARD.migrations / "versions")
    ledger = Ledger("elsewhere", HOMESTEWARD.revisions, tmp_path / name)

    database = await open_database(ledger, await new_place(blank=True))

    assert await database.read(lambda c: inspect(c).has_table("audit"))
