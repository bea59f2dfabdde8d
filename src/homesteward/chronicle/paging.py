"""One page of rows: the lanes walked as far as the page is long, then read as records and shown as far as they may be seen."""

from itertools import batched

from sqlalchemy import Table

from homesteward.chronicle.lanes import Found, Way, walk
from homesteward.chronicle.query import Asked, Page, Query, cursor_of, way_of
from homesteward.chronicle.reading import Reader
from homesteward.chronicle.rows import Position, Row
from homesteward.chronicle.sight import Sight
from homesteward.home.view import HomeView

PORTION = 256  # rows read together where only some of them are shown
LOOKED = 20_000  # rows read for one page, of which only some may be asked for


def page_of(query: Query, reader: Reader, view: HomeView, sight: Sight) -> Page:
    """Return the page that `query` asks for; raise what resolving it raises."""
    way = way_of(query)
    asked = Asked(query, reader, view, sight)
    shown, reached = _shown(asked, reader, way, query.limit, sight)
    rows = [row for _, row in shown]
    if way.newer:
        rows.reverse()
    return _page(rows, [position for position, _ in shown], reached, way)


def _shown(
    asked: Asked, reader: Reader, way: Way, limit: int, sight: Sight
) -> tuple[list[tuple[Position, Row]], Position | None]:
    """Return the rows of a page as they are shown, and how far it reaches where that is not to the end."""
    shown: list[tuple[Position, Row]] = []
    looked, portion = 0, max(limit + 1, PORTION) if asked.picks else limit + 1
    for some in batched(walk(reader, asked.lanes(), way, portion), portion, strict=False):
        found = [each for each in some if each.raw is not None]
        for each, row in zip(found, _rows(reader, found), strict=True):
            seen = sight.row(row)
            if seen is None or not asked.keep(seen):
                continue
            if len(shown) == limit:
                return shown, shown[-1][0]
            shown.append((each.position, seen))
        looked += len(found)
        if len(found) < len(some) or looked >= LOOKED:
            return shown, some[-1].position
    return shown, None


def _rows(reader: Reader, found: list[Found]) -> list[Row]:
    """Read the rows of each table together, and put them back into their order."""
    by_table: dict[Table, list[Found]] = {}
    for each in found:
        by_table.setdefault(each.lane.table, []).append(each)
    read: dict[Position, Row] = {}
    for table, some in by_table.items():
        raws = [each.raw for each in some if each.raw is not None]
        rows = reader.rows(table, raws, whole=some[0].lane.whole)
        read |= zip((each.position for each in some), rows, strict=True)
    return [read[each.position] for each in found]


def _page(rows: list[Row], shown: list[Position], reached: Position | None, way: Way) -> Page:
    """Both cursors, as far as there is something to go on from: an empty page goes on where it was asked to begin."""
    ends = shown or ([way.after] if way.after else [])
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
