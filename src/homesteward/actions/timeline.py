"""The states of a few entities over a span of time, read once: what conditions look at for every single call of the past."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from homesteward.chronicle.history import History
from homesteward.chronicle.moments import HouseAt, Known
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Kind, Outage, StateChange

PAGE = 2000
MOST = 20_000  # changes; of entities that change more often, each moment is asked for by itself


class Timeline:
    """The states of `entity_ids` at moments that only ever grow."""

    def __init__(
        self,
        entity_ids: frozenset[str],
        first: Mapping[str, Known],
        changes: Sequence[StateChange],
        outages: Sequence[Outage],
    ) -> None:
        """Begin with `first`; `changes` follow, the oldest first. Within `outages` that nobody filled nothing is known."""
        self.entity_ids = entity_ids
        self._known = dict(first)
        self._changes, self._next = changes, 0
        self._outages = [outage for outage in outages if outage.filled is None]

    def at(self, moment: datetime) -> Mapping[str, Known]:
        """Return what is known at a moment, which is not before the one asked for last."""
        while self._next < len(self._changes) and self._changes[self._next].at <= moment:
            self._take(self._changes[self._next])
            self._next += 1
        missed = any(gap.start <= moment and (gap.end is None or moment < gap.end) for gap in self._outages)
        return {} if missed else self._known

    def _take(self, change: StateChange) -> None:
        if change.new is None:
            self._known.pop(change.entity_id, None)
        else:
            self._known[change.entity_id] = Known(change.new, change.attributes, change.at, change.source)


async def timeline_of(history: History, entity_ids: frozenset[str], span: tuple[datetime, datetime]) -> Timeline:
    """Read the timeline of what is remembered of `entity_ids`; an empty one where they changed too often to be read whole."""
    remembered = await history.home_at(span[1], entity_ids.__contains__)
    known = frozenset(remembered.states) | frozenset(remembered.before_outage or {})
    first = await history.home_at(span[0], known.__contains__)
    changes: list[StateChange] = []
    asked = Query(tuple(sorted(known)), kinds=frozenset({Kind.STATE}), since=span[0], until=span[1], limit=PAGE)
    while known:
        page = await history.rows(asked)
        changes += [row.record for row in page.rows if isinstance(row.record, StateChange)]
        if not page.truncated or page.cursor is None:
            break
        if len(changes) >= MOST:
            return Timeline(frozenset(), {}, (), ())
        asked = replace(asked, cursor=page.cursor)
    return Timeline(known, first.states, changes[::-1], await history.outages(*span))


def with_timeline(house: HouseAt, timeline: Timeline, at: datetime) -> HouseAt:
    """Return the house with what the timeline knows of the moment."""
    return replace(house, states={**house.states, **timeline.at(at)})
