"""How much the chronicle holds: rows by kind, the time they span, and the room they take."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial

from sqlalchemy import Connection, Table, func, select

from homesteward.chronicle.record import Kind
from homesteward.chronicle.tables import acts, calls, entities, homes, runs, state_changes
from homesteward.core.json import JsonObject
from homesteward.store import Database


@dataclass(frozen=True, slots=True)
class Size:
    """What is kept of one home. On PostgreSQL `size_bytes` is that of every home in the database."""

    rows: dict[str, int]
    """By kind."""
    entities: int
    oldest: datetime | None
    newest: datetime | None
    size_bytes: int
    per_row: float | None
    """Bytes for each row, indexes and all included; None where that cannot be told, as on PostgreSQL with many homes."""

    def as_json(self) -> JsonObject:
        """Return the size as a face shows it."""
        return {
            "rows": dict(self.rows),
            "entities": self.entities,
            "oldest": self.oldest.isoformat() if self.oldest else None,
            "newest": self.newest.isoformat() if self.newest else None,
            "size_bytes": self.size_bytes,
            "bytes_per_row": self.per_row,
        }


async def measured(database: Database, home_id: str) -> Size:
    """Return how much is kept of the home. Rows are counted one by one: ten million take a reader some seconds."""
    return await database.read(partial(_measured, home_id=home_id))


def _measured(connection: Connection, home_id: str) -> Size:
    home = connection.scalar(select(homes.c.key).where(homes.c.home_id == home_id)) or 0
    kinds = select(runs.c.kind, func.count()).where(runs.c.home_id == home).group_by(runs.c.kind)
    of_runs = {kind: int(count) for kind, count in connection.execute(kinds)}
    rows = {kind.value: of_runs.get(kind.value, 0) for kind in (Kind.AUTOMATION, Kind.SCRIPT, Kind.SCENE)}
    for kind, table in ((Kind.STATE, state_changes), (Kind.CALL, calls), (Kind.ACT, acts)):
        rows[kind.value] = _count(connection, table, home)
    oldest, newest = _span(connection, home)
    size = _bytes(connection)
    alone = connection.dialect.name == "sqlite" and sum(rows.values()) > 0
    per_row = round(size / sum(rows.values()), 1) if alone else None
    return Size(rows, _count(connection, entities, home), oldest, newest, size, per_row)


def _count(connection: Connection, table: Table, home: int) -> int:
    return connection.scalar(select(func.count()).where(table.c.home_id == home)) or 0


def _span(connection: Connection, home: int) -> tuple[datetime | None, datetime | None]:
    """Return the moments of the oldest and the newest row."""
    oldest, newest = [], []
    for table in (state_changes, runs, calls, acts):
        at = select(table.c.at).where(table.c.home_id == home).limit(1)
        oldest.append(connection.scalar(at.order_by(table.c.at)))
        newest.append(connection.scalar(at.order_by(table.c.at.desc())))
    return min(filter(None, oldest), default=None), max(filter(None, newest), default=None)


def _bytes(connection: Connection) -> int:
    if connection.dialect.name == "sqlite":
        used = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    else:
        used = "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema::regnamespace"
    return int(connection.exec_driver_sql(used).scalar_one())
