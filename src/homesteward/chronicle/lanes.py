"""Walking through the tables in the order of time: one lane per table or entity, merged, each step bounded.

What no index knows (a word, a state, a user) is looked for stretch by stretch, until the page is full or the budget is spent; then
the lane says how far it came, and the page ends there.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from heapq import merge
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, FromClause, Select, Table, and_, or_, select
from sqlalchemy import Row as Raw

from homesteward.chronicle.reading import Reader
from homesteward.chronicle.rows import Position
from homesteward.chronicle.statements import AT, HOME, ID, KEY, LIMIT, SINCE, UNTIL, before_columns
from homesteward.chronicle.tables import state_changes, targets

STRETCH = 50_000  # rows looked through in one question
FEW = 4  # lanes that are read a whole page at a time; of many each gives only its part
MIN_PORTION = 16
BUDGET = 1_000_000  # rows looked through for one page

type Filter = Callable[[FromClause], ColumnElement[bool]]
"""What a row must meet, written for whatever the rows are taken from."""


@dataclass(frozen=True, slots=True)
class Way:
    """From where to where a walk goes: `after` is the row it goes on behind, `newer` turns it round."""

    since: datetime | None = None
    until: datetime | None = None
    after: Position | None = None
    newer: bool = False

    @property
    def bound(self) -> dict[str, object]:
        """Return what is bound in a statement that goes this way."""
        at, row_id = self.after or (None, None)
        given = {"since": self.since, "until": self.until, "at": at, "id": row_id}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(slots=True)
class Budget:
    """How many rows may still be looked through."""

    left: int = BUDGET


@dataclass(frozen=True, slots=True)
class Lane:
    """Rows of one table, of one entity or of all, that meet the filters.

    `entity` is followed through the index of the table, or, for what has targets, through them. `whole` says that of each entity it
    shows every row on its way.
    """

    table: Table
    entity: int | None = None
    filters: tuple[Filter, ...] = ()
    whole: bool = True

    def walk(self, reader: Reader, way: Way, want: int, budget: Budget) -> Iterator[Found]:
        """Yield rows in the order of the way, in portions of `want`; where the budget ends, one Found without a row."""
        while True:
            found = self._portion(reader, way, want)
            for raw in found:
                yield Found((raw.at, raw.id), self, raw)
            if len(found) == want:
                way = replace(way, after=(found[-1].at, found[-1].id))
                continue
            if not self.filters or (end := self._end_of_stretch(reader, way)) is None:
                return
            budget.left -= STRETCH
            if budget.left <= 0:
                yield Found(end, self)
                return
            way = replace(way, after=end)

    def _portion(self, reader: Reader, way: Way, want: int) -> list[Raw[Any]]:
        bound = self._bound(way)
        if not self.filters:
            return list(reader.raw(self._all(way), **bound, limit=want))
        stretch = self._all(way).subquery("stretch")
        columns: list[Any] = [stretch]
        if self.table is state_changes and not self.whole:
            columns += before_columns(stretch)
        met = select(*columns).where(*(condition(stretch) for condition in self.filters))
        return list(reader.raw(_ordered(met, stretch, newer=way.newer).limit(want), **bound, limit=STRETCH))

    def _end_of_stretch(self, reader: Reader, way: Way) -> Position | None:
        """Return the last row of a full stretch, None where the walk is at its end."""
        last = reader.raw(self._all(way, only_place=True).offset(STRETCH - 1), **self._bound(way), limit=1)
        return (last[0].at, last[0].id) if last else None

    def _all(self, way: Way, *, only_place: bool = False) -> Select[Any]:
        bounds = frozenset(way.bound)
        return _in_order(self.table, self.entity is not None, bounds, newer=way.newer, only_place=only_place)

    def _bound(self, way: Way) -> dict[str, object]:
        return way.bound if self.entity is None else {**way.bound, "key": self.entity}


class Found(NamedTuple):
    """A row on a lane, or, without one, how far a lane came before the budget was spent."""

    position: Position
    lane: Lane
    raw: Raw[Any] | None = None


def walk(reader: Reader, lanes: list[Lane], way: Way, want: int) -> Iterator[Found]:
    """Yield what the lanes find in the order of time, each row once; a Found without a row is the end of what is known."""
    budget = Budget()
    portion = want if len(lanes) <= FEW else max(MIN_PORTION, 2 * want // len(lanes))
    last: Position | None = None
    ways = (lane.walk(reader, way, portion, budget) for lane in lanes)
    for found in merge(*ways, key=itemgetter(0), reverse=not way.newer):
        if found.raw is None:
            yield found
            return
        if found.position != last:
            yield found
        last = found.position


@cache
def _in_order(table: Table, of_entity: bool, bounds: frozenset[str], *, newer: bool, only_place: bool) -> Select[Any]:  # noqa: FBT001 - a key of the cache
    """Return the question for the rows of a table, or of one entity in it, in the order of time."""
    aimed = of_entity and "entity" not in table.c
    clock: FromClause = targets if aimed else table
    source: FromClause = table
    if aimed:
        source = targets.join(table, and_(*(targets.c[name] == table.c[name] for name in ("home_id", "at", "id"))))
    columns = (clock.c.at, clock.c.id) if only_place else (table,)
    found = select(*columns).select_from(source).where(clock.c.home_id == HOME, *_within(clock, bounds, newer=newer))
    found = found.where(clock.c.entity == KEY) if of_entity else found
    return _ordered(found, clock, newer=newer).limit(LIMIT)


def _within(clock: FromClause, bounds: frozenset[str], *, newer: bool) -> Iterator[ColumnElement[bool]]:
    """Yield the bounds of a way. `since` belongs to it, `until` does not."""
    at, row_id = clock.c.at, clock.c.id
    if "since" in bounds:
        yield at >= SINCE
    if "until" in bounds:
        yield at < UNTIL
    if "at" in bounds and newer:
        yield at >= AT
        yield or_(at > AT, row_id > ID)
    elif "at" in bounds:
        yield at <= AT
        yield or_(at < AT, row_id < ID)


def _ordered(statement: Select[Any], clock: FromClause, *, newer: bool) -> Select[Any]:
    at, row_id = clock.c.at, clock.c.id
    return statement.order_by(at, row_id) if newer else statement.order_by(at.desc(), row_id.desc())
