"""How long things took to do what we asked of them: our own acts, and the changes that followed them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from homesteward.chronicle.attribution import SKEW, as_wanted, expected
from homesteward.chronicle.history import History
from homesteward.chronicle.query import Query
from homesteward.chronicle.record import Act, Kind, Source, StateChange
from homesteward.chronicle.rows import Row
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import observed_of
from homesteward.home.model import EMPTY
from homesteward.home.view import HomeView

MOST_ACTS = 1000  # the newest; a busy house does as many in a month
MOST_THINGS = 40  # of one act
MOST_ROWS = 500  # of what followed one act
FOLLOWED = timedelta(minutes=5)  # what comes true later than that is nobody's doing that can be told


@dataclass(frozen=True, slots=True)
class Took:
    """An effect of an act of ours that was seen: on what, by which service (`turn_on`), and how many seconds after it was sent."""

    entity_id: str
    service: str
    seconds: float


async def effects_seen(history: History, view: HomeView, since: datetime) -> tuple[Took, ...]:
    """Return the effects of our own newest acts since a moment, the newest act first; what never showed, or others did, is left out."""
    found: list[Took] = []
    later: dict[str, datetime] = {}
    acts = await history.rows(Query(kinds=frozenset({Kind.ACT}), since=since, limit=MOST_ACTS))
    for act in _acts(acts.rows):
        call = ResolvedCall(act.domain, act.service, act.entity_ids, act.data)
        things = [each for each in observed_of(call, view) if each in view.states][:MOST_THINGS]
        if things:
            rows = await _followed(history, act, things)
            for thing in things:
                until = later.get(thing, act.at + FOLLOWED)
                found += _took(act, [row for row in rows if row.subject == thing and _is_after(row, act, until)], view)
        later |= dict.fromkeys(things, act.at)
    return tuple(found)


def _acts(rows: Iterable[Row]) -> Iterator[Act]:
    for row in rows:
        if isinstance(row.record, Act):
            yield row.record


async def _followed(history: History, act: Act, things: Sequence[str]) -> Sequence[Row]:
    """Return how the things changed after the act, the oldest first."""
    span = Query(
        tuple(things),
        kinds=frozenset({Kind.STATE}),
        since=act.at - SKEW,
        until=act.at + FOLLOWED,
        limit=MOST_ROWS,
    )
    return (await history.rows(span)).rows[::-1]


def _is_after(row: Row, act: Act, until: datetime) -> bool:
    """Return whether the change came after the act and before the next one; by its context also where another machine's clock is behind."""
    ours = row.context is not None and row.context.id == act.context_id
    return ours or act.at <= row.at < until


def _took(act: Act, rows: Sequence[Row], view: HomeView) -> Iterator[Took]:
    """Yield when one thing came to be as the act wants it, if it did by nobody else, and was not so before."""
    changes = [row.record for row in rows if isinstance(row.record, StateChange)]
    if not changes or as_wanted(effect := expected(act, changes[0], EMPTY, view), _before(changes[0]), view):
        return
    for row, change in zip(rows, changes, strict=True):
        if change.source is not Source.HEARD or _by_another(row, act):
            return
        if as_wanted(effect, change, view):
            yield Took(change.entity_id, act.service, max(0.0, (change.at - act.at).total_seconds()))
            return


def _before(change: StateChange) -> StateChange:
    """Return the thing as it was before the change, as far as that is known."""
    return StateChange(change.at, change.entity_id, None, change.old)


def _by_another(row: Row, act: Act) -> bool:
    """Return whether the change was made by somebody else's call, or by an automation."""
    context = row.context
    return context is not None and context.id != act.context_id and bool(context.user_id or context.parent_id)
