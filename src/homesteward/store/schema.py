"""Which revision a ledger has, and bringing it to the one this version knows."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from homesteward.core import HomestewardError
from homesteward.store import postgres
from homesteward.store.ledger import Ledger

RUNNER = Path(__file__).parent / "migrations"  # what Alembic runs, the same for every ledger


class NewerDataError(HomestewardError):
    """The database was made by a newer version; it was not touched."""

    code = "newer_data"


def make_current(connection: Connection, ledger: Ledger) -> None:
    """Migrate the ledger where it is not current; raise NewerDataError for a revision that this version does not know."""
    if _is_current(connection, ledger):
        return
    if connection.dialect.name == "postgresql":
        postgres.make_schema(connection, ledger)
        if _is_current(connection, ledger):  # another process was quicker
            return
    _upgrade(connection, ledger)


def revision_of(connection: Connection, ledger: Ledger) -> str | None:
    """Return the revision the database says the ledger has, None for a new one."""
    schema = ledger.name if connection.dialect.name == "postgresql" else None
    if not inspect(connection).has_table("alembic_version", schema=schema):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _is_current(connection: Connection, ledger: Ledger) -> bool:
    revision = revision_of(connection, ledger)
    if revision is not None and revision not in ledger.revisions:
        raise NewerDataError(
            f"The database was made by a newer Homesteward (its revision is {revision}, the newest known here is {ledger.revisions[-1]}).",
            next="Update Homesteward, or restore a backup made by this version.",
        )
    return revision == ledger.revisions[-1]


def _upgrade(connection: Connection, ledger: Ledger) -> None:
    from alembic import command  # noqa: PLC0415 - heavy, and needed only when the schema is not current
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", _escaped(RUNNER))
    config.set_main_option("path_separator", "newline")
    config.set_main_option("version_locations", _escaped(ledger.migrations / "versions"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")
