"""What the chronicle says of one thing: when it was last so, for how long, how often. It says where its memory has gaps."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.chronicle import History, Kind, Query
from homesteward.chronicle.record import Source, StateChange
from homesteward.chronicle.sight import Visible
from homesteward.home.model import State
from homesteward.language.clock_words import length_text, moment_text
from homesteward.language.reading import Recalls
from homesteward.language.spans import Stretch, span_of
from homesteward.language.states import MEANINGS, ON, Meaning
from homesteward.language.texts import Texts

LOOKED_THROUGH = 500  # changes of one thing, newest first, in search of the last time it was so
MOST = 5000  # changes of one thing in a stretch of time


async def last_time(
    asked: Recalls, state: State, name: str, history: History, visible: Visible | None, said: Texts, now: datetime
) -> str:
    """Return when the thing last became so."""
    meaning, word = _meaning(asked), said.word("state", asked.word or "on")
    query = Query((state.entity_id,), kinds=frozenset({Kind.STATE}), limit=LOOKED_THROUGH)
    looked = await history.rows(query, visible)
    changes = _changes(looked.rows)
    for change in changes:
        if _is(meaning, change.entity_id, change.new) and not _is(meaning, change.entity_id, change.old):
            key = "recall.last"
            if change.source is Source.FOUND:
                still = _is(meaning, state.entity_id, changes[0].new)  # the newest
                key = "recall.last_found" if still else "recall.found_so"
            return said(key, name=name, state=word, when=moment_text(change.at, now, said))
    if looked.truncated:
        return said("recall.not_looked", name=name, state=word, count=LOOKED_THROUGH)
    return said("recall.never", name=name, state=word)


async def how_long(
    asked: Recalls, state: State, name: str, history: History, visible: Visible | None, said: Texts, now: datetime
) -> str:
    """Return for how long the thing was so within the stretch of time."""
    stretch = await _lived(asked, state, history, visible, now)
    length = sum((until - since for since, until in stretch.held), timedelta())
    word, span = said.word("state", asked.word or "on"), said.word("span", asked.span or "today")
    key = "recall.how_long" if length else stretch.not_at_all
    text = said(key, name=name, state=word, length=length_text(length, said), span=span)
    return f"{text} {said('recall.gaps')}" if stretch.gaps and not stretch.unknown else text


async def how_often(
    asked: Recalls, state: State, name: str, history: History, visible: Visible | None, said: Texts, now: datetime
) -> str:
    """Return how many times the thing became so within the stretch of time."""
    stretch = await _lived(asked, state, history, visible, now)
    word, span = said.word("state", asked.word or "on"), said.word("span", asked.span or "today")
    key = {0: stretch.not_at_all, 1: "recall.how_often_one"}.get(stretch.times, "recall.how_often")
    text = said(key, name=name, state=word, count=stretch.times, span=span)
    return f"{text} {said('recall.gaps')}" if stretch.gaps and not stretch.unknown else text


@dataclass(frozen=True, slots=True)
class _Lived:
    """The times in which a thing was so, how often it became so, and whether some of it is not known."""

    held: tuple[Stretch, ...]
    times: int
    gaps: bool
    unknown: bool
    """Whether nothing at all is known of that time."""

    @property
    def not_at_all(self) -> str:
        """Return the words for that it was never so: only what is known is told."""
        return "recall.not_known" if self.unknown else "recall.not_as_known" if self.gaps else "recall.not_at_all"


async def _lived(asked: Recalls, state: State, history: History, visible: Visible | None, now: datetime) -> _Lived:
    since, until = span_of(asked.span, now)
    until = min(until, now)
    meaning, states = _meaning(asked), frozenset({Kind.STATE})
    before = await history.rows(Query((state.entity_id,), kinds=states, until=since, limit=1), visible)
    within = await history.rows(Query((state.entity_id,), kinds=states, since=since, until=until, limit=MOST), visible)
    gaps = within.truncated or any(gap.filled is None for gap in await history.outages(since, until))
    first = next(iter(_changes(before.rows)), None)
    begun = since if first and _is(meaning, state.entity_id, first.new) else None
    held: list[Stretch] = []
    times = 0
    for change in reversed(_changes(within.rows)):
        so = _is(meaning, change.entity_id, change.new)
        if so and begun is None:
            begun, times = change.at, times + (change.source is not Source.FOUND)
        elif not so and begun is not None:
            held.append((begun, change.at))
            begun = None
    if begun is not None:
        held.append((begun, until))
    changes = _changes(within.rows)
    found = first is None and bool(changes) and changes[-1].source is Source.FOUND
    unknown = first is None and not changes
    return _Lived(tuple(held), times, gaps or found or unknown, unknown)


def _meaning(asked: Recalls) -> Meaning:
    return MEANINGS.get(asked.word, ON)


def _is(meaning: Meaning, entity_id: str, state: str | None) -> bool:
    return state is not None and state not in {"unavailable", "unknown"} and meaning.holds(State(entity_id, state))


def _changes(rows: Sequence[object]) -> list[StateChange]:
    return [record for row in rows if isinstance(record := getattr(row, "record", None), StateChange)]
