"""What lies near a row and may have to do with it although no context says so: calls shortly before, changes shortly after."""

from collections.abc import Iterator
from datetime import timedelta

from homesteward.chronicle.attribution import LONGEST_WAY, SKEW
from homesteward.chronicle.graph import Link
from homesteward.chronicle.linking import Knot, Knowledge, by_trigger, without_context
from homesteward.chronicle.reading import Reader
from homesteward.chronicle.record import Act, Call, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.chronicle.statements import AIMED, CHANGES_AFTER, CHANGES_BEFORE
from homesteward.chronicle.tables import state_changes
from homesteward.home.effects.effect import DEFAULT_WINDOW, WINDOWS
from homesteward.home.view import HomeView

MAX_NEAR = 20  # rows looked at
LONGEST_WINDOW = timedelta(seconds=70)  # in which a call can still show its effect
TRIGGERED = timedelta(seconds=2)  # how long before a run its trigger may have changed, where no context says it


class Nearby:
    """Looks for likely causes and likely effects."""

    def __init__(self, reader: Reader, view: HomeView) -> None:
        """Look in what `reader` reads."""
        self._reader, self._view = reader, view

    def cause_of(self, knot: Knot) -> tuple[Link, Row] | None:
        """Return the likely cause of what carries a context that names none."""
        for row in knot.rows:
            found = self._trigger_of(row) if isinstance(row.record, Run) else self._origin_of(row, knot)
            if found is not None:
                return found
            if isinstance(row.record, Run):
                return None
        return None

    def effects_of(self, call: Row) -> Iterator[tuple[Link, Row]]:
        """Yield what a call is likely to have brought about after Home Assistant had forgotten its context."""
        for entity_id in call.entity_ids[:MAX_NEAR]:
            key = self._reader.keys.get(entity_id)
            if key is None or not self._shows_late(call, entity_id):
                continue
            until = call.at + LONGEST_WINDOW
            raws = self._reader.raw(CHANGES_AFTER, key=key, since=call.at, until=until, limit=MAX_NEAR)
            for row in self._reader.rows(state_changes, raws, whole=False):
                if link := without_context(row, [call], self._known):
                    yield link, row

    @property
    def _known(self) -> Knowledge:
        return Knowledge(self._view, self._reader.before)

    def _shows_late(self, call: Row, entity_id: str) -> bool:
        """Return whether the effect may come later than the five seconds in which the context is kept."""
        asked = isinstance(call.record, Call | Act) and "transition" in call.record.data
        return (
            asked or WINDOWS.get(entity_id.partition(".")[0], DEFAULT_WINDOW) > DEFAULT_WINDOW or call.context is None
        )

    def _trigger_of(self, row: Row) -> tuple[Link, Row] | None:
        trigger = row.record.trigger_entity_id if isinstance(row.record, Run) else None
        near = self._changes(trigger, row, TRIGGERED) if trigger else []
        link = by_trigger(row, near)
        return (link, near[-1]) if link else None

    def _origin_of(self, row: Row, knot: Knot) -> tuple[Link, Row] | None:
        """Return what a change came of that nobody and nothing stands behind."""
        if row.context is not None and row.context.user_id is not None:
            return None
        if not isinstance(row.record, StateChange) or any(
            not isinstance(each.record, StateChange) for each in knot.rows
        ):
            return None
        before = self._changes(row.subject, row, LONGEST_WAY)[-1:]
        causes = [*before, *self._calls_before(row)]  # a call is the better explanation
        link = without_context(row, causes, self._known)
        return next(((link, each) for each in causes if link and each.ref == link.cause), None)

    def _changes(self, entity_id: str, row: Row, within: timedelta) -> list[Row]:
        """Return the changes of an entity shortly before a row, the newest last."""
        key = self._reader.keys.get(entity_id)
        if key is None:
            return []
        raws = self._reader.raw(CHANGES_BEFORE, key=key, since=row.at - within, until=row.at, limit=MAX_NEAR)
        found = self._reader.rows(state_changes, raws, whole=False)
        return [each for each in reversed(found) if each.position < row.position]

    def _calls_before(self, row: Row) -> list[Row]:
        """Return the calls and acts aimed at the entity of a change, while their effect could still show, the newest last."""
        key = self._reader.keys.get(row.subject)
        found: list[Row] = []
        for table, aimed in AIMED.items() if key is not None else ():
            since, until = row.at - LONGEST_WINDOW, row.at + SKEW
            found += self._reader.rows(
                table, self._reader.raw(aimed, key=key, since=since, until=until, limit=MAX_NEAR)
            )
        return sorted(found, key=lambda each: each.position)
