"""What led to what among rows that were read already: the links that their contexts make, without a look at anything else."""

from collections.abc import Sequence

from homesteward.chronicle.contexts import pack
from homesteward.chronicle.graph import Link
from homesteward.chronicle.linking import Knot, Knowledge, across, heads, within
from homesteward.chronicle.rows import Row
from homesteward.home.view import HomeView


def links_among(rows: Sequence[Row], view: HomeView) -> tuple[Link, ...]:
    """Return the links between these rows. What one of them led to beyond them, or was led to by, is not looked for."""
    knots: dict[bytes, Knot] = {}
    for row in sorted(rows, key=lambda row: row.position):
        if row.context is not None:
            packed, parent = pack(row.context.id), row.context.parent_id
            knots.setdefault(packed, Knot(packed, parent=pack(parent) if parent else None)).rows.append(row)
    known, found = Knowledge(view), []
    for knot in knots.values():
        inner = list(within(knot, known))
        parent_knot = knots.get(knot.parent) if knot.parent not in {None, knot.packed} else None
        found += [*inner, *(across(parent_knot, heads(knot, inner)) if parent_knot else ())]
    return tuple(dict.fromkeys(link for link in found if link.cause != link.effect))
