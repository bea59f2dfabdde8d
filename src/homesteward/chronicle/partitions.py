"""A partition per month on PostgreSQL, made before the first row of the month comes, however old that month is.

Rows of a month without a partition go to the rest, so that an insert never fails for want of one. SQLite has none of this.
"""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection

from homesteward.chronicle.record import Record
from homesteward.chronicle.stamps import micros, month_of, month_span
from homesteward.chronicle.tables import acts, calls, runs, state_changes

PARTITIONED = (state_changes.name, runs.name, calls.name, acts.name)
REST = "rest"
LOCK = 7_203_117  # any number; whoever makes or drops partitions holds it, whichever home it serves

type Month = tuple[int, int]


class Partitions:
    """Which months are known to have their partitions."""

    def __init__(self) -> None:
        """Know none yet."""
        self._known: set[Month] = set()

    def forget(self) -> None:
        """Look again: what was made may have been undone, or dropped."""
        self._known.clear()

    def make(self, connection: Connection, records: Sequence[Record]) -> None:
        """Make sure that each of these records has a partition to go to."""
        if connection.dialect.name == "sqlite" or not records:
            return
        first, last = min(record.at for record in records), max(record.at for record in records)
        months = {month_of(micros(first)), month_of(micros(last))}
        if len(months) > 1:
            months = {month_of(micros(record.at)) for record in records}
        self.make_months(connection, months)

    def make_months(self, connection: Connection, months: Iterable[Month]) -> None:
        """Make the partitions of these months where they are missing."""
        if connection.dialect.name == "sqlite":
            return
        for month in sorted(set(months) - self._known):
            _make(connection, month)
            self._known.add(month)


def partition_of(table: str, month: Month) -> str:
    """Return the name of the table's partition for the month."""
    return f"{table}_{month[0]:04}_{month[1]:02}"


def _make(connection: Connection, month: Month) -> None:
    missing = [table for table in PARTITIONED if not _exists(connection, partition_of(table, month))]
    if not missing:
        return
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")
    start, end = month_span(*month)
    for table in missing:
        rest = f"SELECT 1 FROM {table}_{REST} WHERE at >= {start} AND at < {end} LIMIT 1"  # noqa: S608 - names and numbers of ours
        if connection.exec_driver_sql(rest).first() is None:
            connection.exec_driver_sql(
                f"CREATE TABLE IF NOT EXISTS {partition_of(table, month)} PARTITION OF {table}"
                f" FOR VALUES FROM ({start}) TO ({end})"
            )


def _exists(connection: Connection, table: str) -> bool:
    return connection.exec_driver_sql(f"SELECT to_regclass('{table}')").scalar() is not None
