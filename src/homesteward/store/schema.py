"""Which schema a database has, and bringing it to the one this version knows."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from homesteward.core import HomestewardError

REVISIONS = ("0001",)  # every revision this version knows, oldest first
MIGRATIONS = Path(__file__).parent / "migrations"


class NewerDataError(HomestewardError):
    """The database was made by a newer version; it was not touched."""

    code = "newer_data"


def make_current(connection: Connection) -> None:
    """Migrate the database where it is not current; raise NewerDataError for a revision that this version does not know."""
    revision = revision_of(connection)
    if revision == REVISIONS[-1]:
        return
    if revision is not None and revision not in REVISIONS:
        raise NewerDataError(
            f"The database was made by a newer Homesteward (its revision is {revision}, the newest known here is {REVISIONS[-1]}).",
            next="Update Homesteward, or restore a backup made by this version.",
        )
    _upgrade(connection)


def revision_of(connection: Connection) -> str | None:
    """Return the revision the database says it has, None for a new one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _upgrade(connection: Connection) -> None:
    from alembic import command  # noqa: PLC0415 - heavy, and needed only when the schema is not current
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
