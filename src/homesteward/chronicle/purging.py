"""What is too old, taken away a slice at a time. Each function here is one slice: one short transaction between two batches.

An entity's newest row before the cut stays: what the house was like at the cut, and at every moment after, is told by it.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import ColumnElement, Connection, Select, Table, Tuple, and_, delete, exists, literal, select, tuple_

from homesteward.chronicle.interning import Interning
from homesteward.chronicle.tables import acts, attributes, calls, contexts, outages, runs, state_changes, targets
from homesteward.store.tables import EPOCH, Moment

type Position = tuple[datetime, int]

GROWING = (state_changes, runs, calls, acts, targets)


@dataclass(frozen=True, slots=True)
class Slice[P]:
    """What one slice came to: the rows that went, and where the next one begins. None: there is nothing further."""

    gone: int
    next: P | None


class Look[P](Protocol):
    """One slice of looking through a table: at `size` rows behind `after`, None for the first."""

    def __call__(
        self, connection: Connection, interning: Interning, /, *, before: datetime, size: int, after: P | None
    ) -> Slice[P]:
        """Take away what is older than `before` and needed no more."""
        ...


def purge_rows(
    connection: Connection,
    interning: Interning,
    *,
    table: Table,
    before: datetime,
    size: int,
    after: Position | None = None,
) -> Slice[Position]:
    """Look at the next `size` rows of a table that grows with time, and take away those that nothing needs any more."""
    # One bound on each side: of two, SQLite takes the first, and would look at every row up to the cut for each slice.
    at, place = table.c.at, tuple_(table.c.at, table.c.id)
    begin = and_(at >= after[0], place > _position(*after)) if after else at >= EPOCH
    here = and_(table.c.home_id == interning.home, begin)
    order = (table.c.at, table.c.id)
    last = connection.execute(
        select(*order).where(here, at < before).order_by(*order).limit(1).offset(size - 1)
    ).first()
    span = and_(here, at < before) if last is None else and_(here, at <= last.at, place <= _position(*last))
    if table is state_changes:
        span = and_(span, _followed(before))
    gone = connection.execute(delete(table).where(span)).rowcount
    return Slice(gone, None if last is None else (last.at, last.id))


def purge_contexts(
    connection: Connection, interning: Interning, *, before: datetime, size: int, after: int | None = None
) -> Slice[int]:
    """Look at the next `size` contexts, and take away the old ones that no record and no other context refers to."""
    child = contexts.alias()
    needed = [
        exists().where(table.c.home_id == contexts.c.home_id, table.c.context == contexts.c.key)
        for table in (state_changes, runs, calls, acts)
    ]
    needed.append(exists().where(child.c.home_id == contexts.c.home_id, child.c.parent_id == contexts.c.context_id))
    found = connection.execute(_next_keys(contexts, interning.home, size, after).add_columns(contexts.c.at)).all()
    old = [row.key for row in found if row.at < before]
    if not old:  # keys grow with time: what comes behind is newer still
        return Slice(0, None)
    here = and_(contexts.c.home_id == interning.home, contexts.c.key.in_(old), *(~one for one in needed))
    gone = connection.execute(delete(contexts).where(here).returning(contexts.c.key)).scalars().all()
    interning.forget_contexts(gone)
    return Slice(len(gone), found[-1].key)


def purge_attributes(
    connection: Connection, interning: Interning, *, before: datetime, size: int, after: int | None = None
) -> Slice[int]:
    """Look at the next `size` attribute sets, and take away those that are in use no more."""
    keys = connection.execute(_next_keys(attributes, interning.home, size, after)).scalars().all()
    if not keys:
        return Slice(0, None)
    kept = select(state_changes.c.attributes).where(
        state_changes.c.home_id == interning.home, state_changes.c.at < before, state_changes.c.attributes.is_not(None)
    )
    unused = and_(
        attributes.c.home_id == interning.home,
        attributes.c.key > (after or 0),
        attributes.c.key <= keys[-1],
        attributes.c.used < before,
        attributes.c.key.not_in(kept),
    )
    gone = connection.execute(delete(attributes).where(unused).returning(attributes.c.key)).scalars().all()
    interning.forget_bodies(gone)
    return Slice(len(gone), keys[-1])


def purge_outages(connection: Connection, interning: Interning, *, before: datetime) -> int:
    """Take away the outages that were over before then."""
    return connection.execute(
        delete(outages).where(outages.c.home_id == interning.home, outages.c.end < before)
    ).rowcount


def free_pages(connection: Connection, _interning: Interning, *, most: int, reserve: float) -> int:
    """Give up to `most` free pages of a SQLite file back, leaving `reserve` of its size for what comes next; return how many."""
    if connection.dialect.name != "sqlite":
        return 0
    pages, free = (
        connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "freelist_count")
    )
    spare = min(most, free - int(pages * reserve))
    if spare <= 0:
        return 0
    # One row comes per page, without a column, and the page is moved only when its row is fetched: the driver's own cursor does that.
    cursor = connection.connection.cursor()
    cursor.execute(f"PRAGMA incremental_vacuum({spare})")
    cursor.fetchall()
    cursor.close()
    return int(pages - connection.exec_driver_sql("PRAGMA page_count").scalar_one())


def _position(at: datetime, id_: int) -> Tuple:
    return tuple_(literal(at, Moment), literal(id_))


def _followed(before: datetime) -> ColumnElement[bool]:
    """Return whether a state change is not its entity's newest before the cut. One look into the index by entity tells."""
    newest = state_changes.alias()
    of_entity = (newest.c.home_id == state_changes.c.home_id, newest.c.entity == state_changes.c.entity)
    first = (newest.c.at.desc(), newest.c.id.desc())
    kept = select(newest.c.id).where(*of_entity, newest.c.at < before).order_by(*first).limit(1)
    return state_changes.c.id != kept.correlate(state_changes).scalar_subquery()


def _next_keys(table: Table, home: int, size: int, after: int | None) -> Select[Any]:
    return (
        select(table.c.key).where(table.c.home_id == home, table.c.key > (after or 0)).order_by(table.c.key).limit(size)
    )
