"""One page of rows: the lanes walked as far as the page is long, then read as records and shown as far as they may be seen."""

from sqlalchemy import Table

from homesteward.chronicle.lanes import Found, Way, walk
from homesteward.chronicle.query import Asked, Page, Query, cursor_of, way_of
from homesteward.chronicle.reading import Reader
from homesteward.chronicle.rows import Position, Row
from homesteward.chronicle.sight import Sight
from homesteward.home.view import HomeView


def page_of(query: Query, reader: Reader, view: HomeView, sight: Sight) -> Page:
    """Return the page that `query` asks for; raise what resolving it raises."""
    way = way_of(query)
    lanes = Asked(query, reader, view, sight).lanes()
    found: list[Found] = []
    reached: Position | None = None
    for each in walk(reader, lanes, way, query.limit + 1):
        if each.raw is None or len(found) == query.limit:
            reached = each.position if each.raw is None else found[-1].position
            break
        found.append(each)
    rows = _rows(reader, found, sight)
    if way.newer:
        rows.reverse()
    return _page(rows, found, reached, way)


def _rows(reader: Reader, found: list[Found], sight: Sight) -> list[Row]:
    """Read the rows of each table together, and put them back into their order."""
    by_table: dict[Table, list[Found]] = {}
    for each in found:
        by_table.setdefault(each.lane.table, []).append(each)
    read: dict[Position, Row] = {}
    for table, some in by_table.items():
        raws = [each.raw for each in some if each.raw is not None]
        rows = reader.rows(table, raws, whole=some[0].lane.whole)
        read |= zip((each.position for each in some), rows, strict=True)
    if sight.whole:
        return [read[each.position] for each in found]
    return [shown for each in found if (shown := sight.row(read[each.position])) is not None]


def _page(rows: list[Row], found: list[Found], reached: Position | None, way: Way) -> Page:
    """Both cursors, as far as there is something to go on from: an empty page goes on where it was asked to begin."""
    ends = [each.position for each in found] or ([way.after] if way.after else [])
    newest, oldest = (max(ends), min(ends)) if ends else (None, None)
    if way.newer:
        newest = reached or newest
        older = oldest
    else:
        older = reached
    return Page(
        tuple(rows),
        truncated=reached is not None,
        cursor=cursor_of(older, newer=False) if older else None,
        newer=cursor_of(newest, newer=True) if newest else None,
    )
