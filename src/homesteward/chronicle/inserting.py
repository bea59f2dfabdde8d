"""The quickest way each database has to take many state changes at once."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from homesteward.chronicle.tables import state_changes

type StateRow = tuple[int, int, int, int, str | None, str | None, int | None, int | None, bytes | None, int]

COLUMNS = ("home_id", "at", "id", "entity", "state", "old", "attributes", "context", "own", "source")
_NAMES = ", ".join(COLUMNS)
INSERT = f"INSERT INTO {state_changes.name} ({_NAMES}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608 - names of ours
COPY = f"COPY {state_changes.name} ({_NAMES}) FROM STDIN"


def insert_state_changes(connection: Connection, rows: Sequence[StateRow]) -> None:
    """Insert the rows, whose values stand in the order of `COLUMNS` as the database keeps them."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(INSERT, rows)
        return
    _copy(connection, rows)


def _copy(connection: Connection, rows: Sequence[StateRow]) -> None:
    """Stream the rows to PostgreSQL. SQLAlchemy has no word for this; what goes wrong is told as it would have."""
    base = connection.dialect.loaded_dbapi.Error
    with closing(connection.connection.cursor()) as cursor:
        try:
            copying: AbstractContextManager[_Copy] = cursor.copy(COPY)
            with copying as copy:
                for row in rows:
                    copy.write_row(row)
        except base as error:
            lost = connection.dialect.is_disconnect(error, connection.connection, cursor)
            told = DBAPIError.instance(COPY, None, error, base, hide_parameters=True, connection_invalidated=lost)
            raise told from error


class _Copy(Protocol):
    def write_row(self, row: StateRow) -> None: ...
