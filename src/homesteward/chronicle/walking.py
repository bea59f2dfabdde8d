"""Reading a chain context by context: up to what led to it, down to what it led to, bounded in depth and in size."""

from collections.abc import Collection

from sqlalchemy import Table

from homesteward.chronicle.chains import Direction, NothingThereError, Start, Walked
from homesteward.chronicle.contexts import own_span, pack, unpack
from homesteward.chronicle.linking import Knot
from homesteward.chronicle.nearby import Nearby
from homesteward.chronicle.reading import Kept, Reader
from homesteward.chronicle.record import Act, Call
from homesteward.chronicle.rows import Position, Row, position_of
from homesteward.chronicle.statements import ALONE, CARRYING, ROW_AT, TABLES
from homesteward.chronicle.tables import state_changes
from homesteward.home.view import HomeView

MAX_ROWS = 500  # of one chain
MAX_CHILDREN = 200  # contexts looked at in one step down
MAX_LATER = 20  # effects without a context, in one step down


def walk_chain(start: Start, reader: Reader, view: HomeView) -> Walked:
    """Read the chain; raise NothingThereError where there is none."""
    if reader.home is None:
        raise NothingThereError
    return _Walk(reader, view, start).go()


class _Walk:
    """One walk from its start."""

    def __init__(self, reader: Reader, view: HomeView, start: Start) -> None:
        self._reader, self._start = reader, start
        self._nearby = Nearby(reader, view)
        self._found = Walked(before=reader.before)

    def go(self) -> Walked:
        first, direction = self._first(), self._start.direction
        if direction is Direction.SIBLINGS and first.parent is not None:
            self._beside(first.parent)
        if direction in {Direction.BACKWARD, Direction.BOTH}:
            self._up(first)
        if direction in {Direction.FORWARD, Direction.BOTH}:
            self._down(first)
        return self._found

    def _first(self) -> Knot:
        position = position_of(self._start.at)
        row = self._row_at(position) if position else None
        if row is None:
            packed = pack(self._start.at)
        elif row.context is None:
            self._found.start = row.ref
            return self._knot_of(row)
        else:
            self._found.start, packed = row.ref, pack(row.context.id)
        self._load({packed})
        knot = self._found.knots.get(packed)
        if knot is None:
            raise NothingThereError
        read = {each.ref for each in knot.rows}
        if row is not None and row.ref not in read:  # one of more than are read of a context
            knot.rows.append(row)
        return knot

    def _row_at(self, position: Position) -> Row | None:
        at, row_id = position
        for table in TABLES:
            if raws := self._reader.raw(ROW_AT[table], at=at, id=row_id):
                return self._reader.rows(table, raws, whole=False)[0]
        return None

    def _knot_of(self, row: Row) -> Knot:
        """Return the knot of a row, a new one where it has no context or only itself in it."""
        packed = pack(row.context.id) if row.context else row.ref.encode()
        return self._found.knots.setdefault(packed, Knot(packed, [row]))

    def _beside(self, parent: bytes) -> None:
        self._load({parent})
        self._load({kept.packed for kept in self._kept_children([parent])})
        self._found.depth = 1

    def _up(self, knot: Knot) -> None:
        """Follow the parents, and where none is named, what is likely."""
        seen = {knot.packed}
        for depth in range(1, self._start.depth + 2):
            parent = self._parent_of(knot)
            if parent is None or parent in seen:
                return
            if depth > self._start.depth:
                self._found.deeper = True
                return
            seen.add(parent)
            self._load({parent})
            self._found.depth = max(self._found.depth, depth)
            if parent not in self._found.knots:
                self._found.unknown.append(parent)
                return
            knot = self._found.knots[parent]

    def _parent_of(self, knot: Knot) -> bytes | None:
        if knot.parent is not None:
            return knot.parent
        likely = self._nearby.cause_of(knot)
        if likely is None:
            return None
        link, cause = likely
        self._found.loose.append(link)
        if cause.context is None:
            return self._knot_of(cause).packed
        return pack(cause.context.id)

    def _down(self, knot: Knot) -> None:
        frontier = [knot]
        for depth in range(1, self._start.depth + 2):
            children, later = self._children(frontier), self._later(frontier)
            if not children and not later:
                return
            if depth > self._start.depth:
                self._found.deeper = True
                return
            self._load(children)
            frontier = [self._found.knots[packed] for packed in children if packed in self._found.knots] + later
            self._found.depth = max(self._found.depth, depth)

    def _children(self, frontier: Collection[Knot]) -> set[bytes]:
        """Return the contexts that name one of these as their parent and are not read yet."""
        return {kept.packed for kept in self._kept_children([knot.packed for knot in frontier])} - set(
            self._found.knots
        )

    def _kept_children(self, parents: Collection[bytes]) -> list[Kept]:
        children = self._reader.children(parents, MAX_CHILDREN + 1)
        self._found.truncated |= len(children) > MAX_CHILDREN
        return children[:MAX_CHILDREN]

    def _later(self, frontier: Collection[Knot]) -> list[Knot]:
        """Return what calls of these contexts are likely to have brought about later, without their context."""
        found: list[Knot] = []
        for call in [row for knot in frontier for row in knot.rows if isinstance(row.record, Call | Act)]:
            for link, row in self._nearby.effects_of(call):
                if len(found) >= MAX_LATER:
                    self._found.truncated = True
                    return found
                if (pack(row.context.id) if row.context else row.ref.encode()) not in self._found.knots:
                    found.append(self._knot_of(row))
                self._found.loose.append(link)
        return found

    def _load(self, ids: Collection[bytes]) -> None:
        """Read everything that carries one of these contexts. One of which nothing is known becomes no knot."""
        missing = [packed for packed in ids if packed not in self._found.knots]
        kept = self._reader.by_ids(missing)
        rows: dict[bytes, list[Row]] = {packed: [] for packed in missing}
        if kept:
            for table in TABLES:
                self._carrying(table, {one.key: packed for packed, one in kept.items()}, rows)
        for packed in missing:
            one = kept.get(packed)
            if one is None or (one.parent is None and one.user is None):
                rows[packed] += self._alone(packed)
            if rows[packed] or (one is not None and (one.user is not None or one.parent is not None)):
                ordered = sorted(rows[packed], key=lambda row: row.position)
                self._found.knots[packed] = Knot(packed, ordered, one.parent if one else None)

    def _carrying(self, table: Table, keys: dict[int, bytes], rows: dict[bytes, list[Row]]) -> None:
        """Read the rows of one table that carry one of these contexts, no more than a chain may still grow by."""
        left = max(0, MAX_ROWS - sum(len(knot.rows) for knot in self._found.knots.values()))
        raws = self._reader.raw(CARRYING[table], keys=list(keys), limit=left + 1)
        self._found.truncated |= len(raws) > left
        raws = raws[:left]
        for raw, row in zip(raws, self._reader.rows(table, raws, whole=False), strict=True):
            rows[keys[raw.context]].append(row)

    def _alone(self, packed: bytes) -> list[Row]:
        """Return the rows of a context that only the milliseconds of its change lead to."""
        span = own_span(unpack(packed))
        if span is None:
            return []
        start, end, own = span
        return self._reader.rows(state_changes, self._reader.raw(ALONE, since=start, until=end, own=own), whole=False)
