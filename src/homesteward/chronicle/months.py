"""Whole months at once: on PostgreSQL a month that is old and one home's alone goes with its partition, not row by row."""

import re
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, Table

from homesteward.chronicle.interning import Interning
from homesteward.chronicle.partitions import LOCK, PARTITIONED, Month, partition_of
from homesteward.chronicle.stamps import micros, month_span
from homesteward.chronicle.tables import metadata, state_changes

LOCK_MS = 500  # how long it waits for its turn, and lets others wait behind it; after that the rows go one by one
NAME = re.compile(r"(?P<table>[a-z_]+?)_(?P<year>\d{4})_(?P<month>\d{2})")


def old_months(connection: Connection, before: datetime) -> Sequence[tuple[Table, Month]]:
    """Return the partitions that end before the cut, oldest first; none on SQLite, which has none."""
    if connection.dialect.name == "sqlite":
        return []
    names = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = to_regclass(%s)"
    found = [
        (name, match)
        for table in PARTITIONED
        for name in connection.exec_driver_sql(names, (table,)).scalars()
        if (match := NAME.fullmatch(name))
    ]
    months = [
        (metadata.tables[match["table"]], (int(match["year"]), int(match["month"]))) for _, match in sorted(found)
    ]
    return [(table, month) for table, month in months if month_span(*month)[1] <= micros(before)]


def rows_alone(connection: Connection, home: int, table: Table, month: Month) -> int | None:
    """Return how many rows of the month there are, all of them the home's; None where another home has some."""
    name = partition_of(table.name, month)
    for other in ("<", ">"):  # each is one look at the key; "other than" would look at every row
        if connection.exec_driver_sql(f"SELECT 1 FROM {name} WHERE home_id {other} {home} LIMIT 1").first():  # noqa: S608 - names and numbers of ours
            return None
    return int(connection.exec_driver_sql(f"SELECT count(*) FROM {name}").scalar_one())  # noqa: S608 - a name of ours


def drop_month(connection: Connection, interning: Interning, *, table: Table, month: Month, before: datetime) -> int:
    """Drop the partition but for each entity's newest row before the cut, which goes to the rest; return how many those are."""
    name = partition_of(table.name, month)
    kept = _keep(connection, interning.home, month, before) if table is state_changes else 0
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LOCK_MS}")
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    connection.exec_driver_sql(f"ALTER TABLE {table.name} DETACH PARTITION {name}")
    connection.exec_driver_sql(f"DROP TABLE {name}")
    if kept:
        connection.exec_driver_sql(f"INSERT INTO {table.name} SELECT * FROM kept_rows")  # noqa: S608 - a name of ours
    return kept


def _keep(connection: Connection, home: int, month: Month, before: datetime) -> int:
    """Set the rows aside that must stay; return how many."""
    start, end = month_span(*month)
    span = {"home": home, "before": micros(before), "start": start, "end": end}
    return connection.exec_driver_sql(KEEP, span).rowcount


KEEP = """
CREATE TEMPORARY TABLE kept_rows ON COMMIT DROP AS
SELECT newest.* FROM entities CROSS JOIN LATERAL (
    SELECT * FROM state_changes
    WHERE state_changes.home_id = entities.home_id AND state_changes.entity = entities.key AND state_changes.at < %(before)s
    ORDER BY state_changes.at DESC, state_changes.id DESC LIMIT 1
) AS newest
WHERE entities.home_id = %(home)s AND newest.at >= %(start)s AND newest.at < %(end)s
"""
