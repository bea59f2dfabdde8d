"""Which record led to which: within one context, from a context to those that name it as their parent, and where no context tells.

Pure: what was read is handed in. Tables before rules: `attribution` says what a call can do, `graph` what a link is.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from homesteward.chronicle.attribution import Fit, expected, fit, goes_on, in_window
from homesteward.chronicle.graph import Certainty, Evidence, Link, is_bookkeeping
from homesteward.chronicle.makers import JITTER, begins, maker_of, starter_of
from homesteward.chronicle.record import Act, Call, Run, StateChange
from homesteward.chronicle.rows import Row
from homesteward.core.json import JsonObject
from homesteward.home.effects import HANDED_ON
from homesteward.home.model import EMPTY
from homesteward.home.recorder.traces import Trace
from homesteward.home.view import HomeView, leaves_of
from homesteward.store.tables import EPOCH

LOOKED_BACK = 200  # rows of one context in which a cause is looked for
DERIVED = frozenset({"sensor", "binary_sensor", "group"})  # what no call changes, and yet may carry a call's context
TRIED = 20  # calls held against one change
FITS = list(Fit)  # from the best on
SURE = {
    Fit.FITS: (Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.EFFECT)),
    Fit.PARTLY: (Certainty.LIKELY, (Evidence.CONTEXT, Evidence.EFFECT)),
    Fit.UNSEEN: (Certainty.LIKELY, (Evidence.CONTEXT,)),
    Fit.CANNOT: (Certainty.UNKNOWN, (Evidence.CONTEXT, Evidence.CONTRADICTED)),
}


@dataclass(slots=True)
class Knot:
    """All that carries one context, in the order of time."""

    packed: bytes
    rows: list[Row] = field(default_factory=list)
    parent: bytes | None = None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What links are judged by: the home, the attributes before a change (by its ref), and traces by the id of their run."""

    view: HomeView
    before: Mapping[str, JsonObject] = field(default_factory=dict)
    traces: Mapping[str, Trace] = field(default_factory=dict)


def within(knot: Knot, known: Knowledge) -> Iterator[Link]:
    """Yield the links between the records of one context."""
    for place, row in enumerate(knot.rows):
        if link := _cause_within(row, knot.rows, place, known):
            yield link


def heads(knot: Knot, links: Iterable[Link]) -> list[Row]:
    """Return the records that nothing in their own context led to."""
    led_to = {link.effect for link in links}
    return [row for row in knot.rows if row.ref not in led_to]


def across(parent: Knot, first: Sequence[Row]) -> Iterator[Link]:
    """Yield the links from a context to the first records of one that names it as its parent."""
    for row in first:
        causes = [cause for cause in parent.rows if cause.at <= row.at + JITTER] or parent.rows
        if not causes:
            continue
        trigger = row.record.trigger_entity_id if isinstance(row.record, Run) else None
        named = [cause for cause in causes if trigger is not None and cause.subject == trigger]
        telling = [cause for cause in causes if not is_bookkeeping(cause)] or causes
        started = [cause for cause in telling if isinstance(cause.record, Call) and row.subject in begins(cause.record)]
        if isinstance(row.record, Run) and not trigger and len(started) == 1:  # automation.trigger makes a context anew
            yield Link(started[0].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.EFFECT))
        elif named:
            yield Link(named[-1].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT, Evidence.TRIGGER))
        elif len(telling) == 1:
            yield Link(telling[0].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
        else:
            yield Link(telling[-1].ref, row.ref, Certainty.LIKELY, (Evidence.CONTEXT, Evidence.ORDER))


def without_context(row: Row, earlier: Sequence[Row], known: Knowledge) -> Link | None:
    """Return the likely cause of a change that no context ties to any: a call whose effect it is, or the movement that it ends.

    `earlier` are calls, acts and changes of the same entity before it, the newest last.
    """
    change = row.record
    if not isinstance(change, StateChange):
        return None
    for cause in reversed(earlier):
        record = cause.record
        if isinstance(record, Call | Act) and _fits_later(record, change, known.before.get(row.ref, EMPTY), known.view):
            evidence = (Evidence.STEP if isinstance(record, Act) else Evidence.WINDOW, Evidence.EFFECT)
            return Link(cause.ref, row.ref, Certainty.LIKELY, evidence)
        if isinstance(record, StateChange) and goes_on(record, change):
            return Link(cause.ref, row.ref, Certainty.LIKELY, (Evidence.GOES_ON,))
    return None


def by_trigger(row: Row, changes: Sequence[Row]) -> Link | None:
    """Return the likely trigger of a run whose context names no parent: the latest change of the entity that it says it heard."""
    if not isinstance(row.record, Run) or not changes:
        return None
    return Link(changes[-1].ref, row.ref, Certainty.LIKELY, (Evidence.TRIGGER, Evidence.ORDER))


def _fits_later(call: Call | Act, change: StateChange, before: JsonObject, view: HomeView) -> bool:
    effect = expected(call, change, before, view)
    return in_window(call, change, effect) and fit(call, change, before, view) is Fit.FITS


def _cause_within(row: Row, rows: Sequence[Row], place: int, known: Knowledge) -> Link | None:
    earlier = rows[max(0, place - LOOKED_BACK) : place]
    match row.record:
        case Act():
            return None
        case Run():
            return starter_of(row, row.record, earlier, known)
        case Call():
            return maker_of(row, row.record, [*earlier, *_acts(rows, row)], known)
        case StateChange():
            return _cause_of_change(row, row.record, [*earlier, *_just_after(row, rows[place + 1 :])], known)


def _just_after(row: Row, later: Sequence[Row]) -> Iterator[Row]:
    """Yield calls that were stamped no more than a little after what may be their effect."""
    for other in later:
        if other.at > row.at + JITTER:
            return
        if isinstance(other.record, Call | Act):
            yield other


def _acts(rows: Sequence[Row], row: Row) -> list[Row]:
    """Return acts of the same context that our own clock puts after the call they made."""
    return [other for other in rows if isinstance(other.record, Act) and other.position > row.position]


def _shown_by(call: Call | Act) -> tuple[str, ...]:
    """Return the scripts, scenes and automations that show it when a call starts, stops, or switches them on or off."""
    return (*begins(call), *call.entity_ids)


def _driver(earlier: Sequence[Row]) -> Row | None:
    """Return the last run before, or else the act, that what follows in this context is done by."""
    runs = [row for row in earlier if isinstance(row.record, Run)]
    acts = [row for row in earlier if isinstance(row.record, Act)]
    return runs[-1] if runs else acts[0] if acts else None


def _cause_of_change(row: Row, change: StateChange, earlier: Sequence[Row], known: Knowledge) -> Link | None:
    for other in reversed(earlier):
        if isinstance(other.record, Run) and other.record.entity_id == change.entity_id:
            return Link(other.ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
    if link := _cause_by_calls(row, change, earlier, known):
        return link
    if is_bookkeeping(row):
        starting = [
            other
            for other in earlier
            if isinstance(other.record, Call | Act) and change.entity_id in _shown_by(other.record)
        ]
        if starting:
            return Link(starting[-1].ref, row.ref, Certainty.CERTAIN, (Evidence.CONTEXT,))
    if reported := _reported_after(change, earlier):
        return Link(reported.ref, row.ref, Certainty.LIKELY, (Evidence.CONTEXT, Evidence.ORDER))
    others = [other for other in earlier if not is_bookkeeping(other)]
    driver = _driver(others)
    calls = [other for other in others if isinstance(other.record, Call | Act)]
    if driver is None and not calls:
        return None
    last = driver or calls[-1]
    return Link(last.ref, row.ref, Certainty.LIKELY, (Evidence.CONTEXT,))


def _reported_after(change: StateChange, earlier: Sequence[Row]) -> Row | None:
    """Return the change that a template, a group or another helper took its context from, as far as it is one."""
    changes = [other for other in earlier if isinstance(other.record, StateChange) and not is_bookkeeping(other)]
    own_way = change.entity_id.partition(".")[0] in DERIVED or len(changes) == len(earlier)
    return changes[-1] if changes and own_way and changes[-1].subject != change.entity_id else None


def _cause_by_calls(row: Row, change: StateChange, earlier: Sequence[Row], known: Knowledge) -> Link | None:
    """Return the link from the latest call that does this, else from the latest that at least reached the entity."""
    best: tuple[Fit, Row] | None = None
    reaching = [
        other
        for other in earlier
        if isinstance(other.record, Call | Act) and _reaches(other.record, change.entity_id, known.view)
    ]
    for other in sorted(reaching[-TRIED:], key=_calls_first):
        if not isinstance(other.record, Call | Act):
            continue
        found = fit(other.record, change, known.before.get(row.ref, EMPTY), known.view)
        if found is Fit.CANNOT and not other.record.entity_ids:
            continue
        if best is None or FITS.index(found) < FITS.index(best[0]):
            best = found, other
    return _link_by_call(row, *best) if best else None


def _link_by_call(row: Row, found: Fit, cause: Row) -> Link:
    certainty, evidence = SURE[found]
    if isinstance(cause.record, Call | Act) and not cause.record.entity_ids and found is Fit.FITS:
        certainty = Certainty.LIKELY  # which entities it reached is not known
    return Link(cause.ref, row.ref, certainty, evidence)


def _calls_first(row: Row) -> tuple[bool, timedelta]:
    """Put the latest call first, and an act behind the call that it made."""
    return isinstance(row.record, Act), EPOCH - row.at


def _reaches(call: Call | Act, entity_id: str, view: HomeView) -> bool:
    """Return whether the entity is among the targets, or in a group of them; a call with unknown targets reaches its domain."""
    if not call.entity_ids:
        return call.domain in HANDED_ON or entity_id.startswith(f"{call.domain}.")
    return entity_id in call.entity_ids or entity_id in set(leaves_of(view, call.entity_ids))
