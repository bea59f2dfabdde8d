"""What Home Assistant's history has of an entity, laid over what is stored of it already: what is missing, in the order of time.

A history has no contexts, and leaves out attributes that the recorder does not keep; so what it has becomes a row with an unknown cause.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from homesteward.chronicle.filter import Filter
from homesteward.chronicle.intake import SCENE, change_of, kept_run, scene_run, shown
from homesteward.chronicle.memory import Logged
from homesteward.chronicle.record import Record, Run, Source, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.stored import Happening
from homesteward.home.model import State

ALIKE = timedelta(seconds=5)  # nobody tells when an entity was removed: what was heard of it is a little later


def missing_states(
    history: Sequence[State], stored: Iterable[Logged], judge: Filter, redaction: Redaction
) -> Iterator[StateChange | Run]:
    """Yield what `judge` keeps of an entity's history and is not stored, both in the order of time.

    `judge` is left as if all of it, what is stored and what is yielded, had been heard as it happened.
    """
    waiting = deque(stored)
    seen = {(logged.at, logged.state) for logged in waiting}
    ends = [logged.at for logged in waiting if logged.state is None and logged.at]
    for state in history:
        at = state.last_updated
        if at is None:
            continue
        _note_until(at, state.entity_id, waiting, judge)
        if (
            not state.state
        ):  # of an entity that was removed the recorder keeps an empty state, and on some databases none
            if not any(abs(end - at) < ALIKE for end in ends):
                yield from _gone(state, at, judge, redaction)
        elif (at, shown(state, state.state, redaction)) not in seen:
            yield from _kept(state, at, judge, redaction)
    if history:
        _note_until(None, history[-1].entity_id, waiting, judge)


def missing_happenings(found: Iterable[tuple[Happening, Record]], stored: Counter[Happening]) -> Iterator[Record]:
    """Yield those that are not stored, each as often as it is missing; `stored` is used up."""
    for key, record in found:
        if stored[key] > 0:
            stored[key] -= 1
        else:
            yield record


def _note_until(at: datetime | None, entity_id: str, waiting: deque[Logged], judge: Filter) -> None:
    while waiting and (at is None or (waiting[0].at or at) <= at):
        judge.note(entity_id, waiting.popleft())


def _gone(state: State, at: datetime, judge: Filter, redaction: Redaction) -> Iterator[StateChange]:
    kept = judge.gone(state.entity_id)
    if kept is not None and not state.entity_id.startswith(SCENE):
        old = None if kept.old is None else shown(state, kept.old, redaction)
        yield StateChange(at, state.entity_id, old, None, source=Source.BACKFILL)


def _kept(state: State, at: datetime, judge: Filter, redaction: Redaction) -> Iterator[StateChange | Run]:
    kept = judge.take(state, known=state.attributes)
    if kept is None:
        return
    if state.entity_id.startswith(SCENE):
        if run := scene_run(state, at, None, Source.BACKFILL):
            yield kept_run(run, redaction)
        return
    yield change_of(state, kept, at, None, Source.BACKFILL, redaction)
