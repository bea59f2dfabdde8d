"""From what is heard of a home to records: each change that is worth a row, each run, each call, and what it is found like.

It stands behind the reader of events and is called on the event loop for every one of them, so nothing here waits.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from homesteward.chronicle.attributes import SECRET_WORDS, secret_state
from homesteward.chronicle.events import CALL, RUNS, EventFormError, HeardCall, call_of, run_of
from homesteward.chronicle.filter import Filter, Kept
from homesteward.chronicle.memory import Logged
from homesteward.chronicle.reached import reached
from homesteward.chronicle.record import Call, Context, Kind, Record, Run, Source, StateChange
from homesteward.chronicle.redaction import Redaction
from homesteward.chronicle.users import UserNames
from homesteward.core import Clock
from homesteward.core.json import JsonValue
from homesteward.core.redaction import PLACEHOLDER
from homesteward.home.health import Gap
from homesteward.home.live import HeardHome, Undo
from homesteward.home.model import UNAVAILABLE, State

_LOG = logging.getLogger(__name__)

SCENE = "scene."
JUST_NOW = timedelta(seconds=5)  # a scene that comes back after a restart shows when it was applied long ago

type Put = Callable[[Record], bool]
"""Takes a record on the event loop, at once; False where it had no room for it."""


class Intake:
    """Listens to `home` and puts records. `filter` decides what is worth one; its memory is what is stored already."""

    def __init__(
        self,
        home: HeardHome,
        put: Put,
        filter: Filter,  # noqa: A002 - the chronicle's own word for it
        clock: Clock,
        *,
        redaction: Redaction | None = None,
        users: UserNames | None = None,
    ) -> None:
        """Take secrets out by `redaction`; tell `users` of whoever did something."""
        self._home, self._put, self._filter, self._clock = home, put, filter, clock
        self._redaction = redaction or Redaction()
        self._users = users
        self.unread = 0
        """How many events were not of the form that Home Assistant fires, and are not kept."""

    async def start(self) -> Undo:
        """Begin to listen; what the home is found like comes first, now or when it is there. The returned undo ends it."""
        undos = [self._home.on_known(self._known), self._home.watch(self._changed)]
        try:
            for event_type in RUNS:
                undos.append(await self._home.listen(event_type, self._runner(event_type)))  # noqa: PERF401 - each has to be undone if the next fails
            undos.append(await self._home.listen(CALL, self._called))
        except BaseException:
            _undo(undos)
            raise
        if self._home.connected:
            self._find()
        return lambda: _undo(undos)

    def _changed(self, old: State | None, new: State | None) -> None:
        if new is None:
            if old is not None:
                self._gone(old)
            return
        before = self._filter.memory.get(new.entity_id)
        kept = self._filter.take(new, old)
        if kept is not None:
            at = new.last_updated
            if before and before.at and at and at < before.at:
                at = self._after(before.at, new, kept) or at
            self._keep(new, kept, Source.HEARD, at)

    def _after(self, before: datetime, new: State, kept: Kept) -> datetime | None:
        """Return when a change was heard whose stamp lies before that of the change before it: Home Assistant's clock was set back.

        By its stamp, what was before would be taken for the present until that clock has come as far again. None where our own
        clock was set back with it: then nothing says better when it was.
        """
        now = self._clock.now()
        if now <= before:
            return None
        self._filter.note(new.entity_id, Logged(new.state, kept.attributes, now))
        return now

    def _keep(self, new: State, kept: Kept, source: Source, at: datetime | None) -> None:
        if new.context_user_id and self._users:
            self._users.saw(new.context_user_id)
        at = at or self._clock.now()
        if new.entity_id.startswith(SCENE):
            if run := scene_run(new, at, context_of(new), source):
                self._put(kept_run(run, self._redaction))
            return
        self._put(change_of(new, kept, at, context_of(new), source, self._redaction))

    def _gone(self, old: State, source: Source = Source.HEARD) -> None:
        kept = self._filter.gone(old.entity_id, old)
        if kept is not None and not old.entity_id.startswith(SCENE):
            before = None if kept.old is None else shown(old, kept.old, self._redaction)
            self._put(StateChange(self._clock.now(), old.entity_id, before, None, source=source))

    def _known(self, _gap: Gap | None) -> None:
        self._find()

    def _find(self) -> None:
        """Put what differs from what is stored, as it is found: nobody saw it change."""
        states, memory = self._home.states, self._filter.memory
        for state in list(states.values()):
            self._find_one(state)
        for entity_id in [entity_id for entity_id in memory if entity_id not in states] if states else ():
            self._gone(State(entity_id, memory[entity_id].state or ""), Source.FOUND)

    def _find_one(self, state: State) -> None:
        logged = self._filter.memory.get(state.entity_id)
        if logged and logged.state != state.state and logged.state == shown(state, state.state, self._redaction):
            logged = replace(logged, state=state.state)  # it was stored without its secret
            self._filter.note(state.entity_id, logged)
        kept = self._filter.take(state)
        if kept is None or (logged is None and state.entity_id.startswith(SCENE)):
            return  # a scene is no row of its own state, so what is stored does not say whether it was applied since
        at = state.last_updated if kept.old == state.state else state.last_changed
        if logged and logged.at and at and at <= logged.at:
            at = None  # a clock was set back: it is found now
        self._keep(state, kept, Source.FOUND, at)

    def _runner(self, event_type: str) -> Callable[[Mapping[str, Any]], None]:
        def ran(event: Mapping[str, Any]) -> None:
            try:
                run = run_of(event_type, event)
            except EventFormError as error:
                self._not_read(error)
                return
            if self._filter.wanted(State(run.entity_id, "")):
                self._saw(run.context)
                self._put(kept_run(run, self._redaction))

        return ran

    def _called(self, event: Mapping[str, Any]) -> None:
        try:
            heard = call_of(event)
        except EventFormError as error:
            self._not_read(error)
            return
        self._saw(heard.context)
        self._put(kept_call(self._home, heard, self._redaction))

    def _saw(self, context: Context | None) -> None:
        if self._users and context and context.user_id:
            self._users.saw(context.user_id)

    def _not_read(self, error: EventFormError) -> None:
        self.unread += 1
        _LOG.log(logging.WARNING if self.unread == 1 else logging.DEBUG, "%s It is not kept", error.message)


def context_of(state: State) -> Context | None:
    """Return the context of a state's last change, None where it has none."""
    if state.context_id is None:
        return None
    return Context(state.context_id, state.context_parent_id, state.context_user_id)


def change_of(
    new: State, kept: Kept, at: datetime, context: Context | None, source: Source, redaction: Redaction
) -> StateChange:
    """Return the record of a change that is worth one, without secrets."""
    attributes = kept.attributes
    if attributes and not all(_plain(value) for value in attributes.values()):
        clean = redaction.clean(attributes)
        attributes = attributes if clean == attributes else clean  # the very same set is recognised by the writer
    old = None if kept.old is None else shown(new, kept.old, redaction)
    return StateChange(at, new.entity_id, old, shown(new, new.state, redaction), attributes, context, source)


def shown(state: State, word: str, redaction: Redaction) -> str:
    """Return a state's word (the one before, or its own) without secrets, as it is stored."""
    if state.domain not in SECRET_WORDS:
        return redaction.text(word)
    return PLACEHOLDER if _secret(state) else redaction.text(word)


def scene_run(new: State, at: datetime, context: Context | None, source: Source) -> Run | None:
    """Return the run of a scene whose state is the moment at which it was applied; None where that was not just now."""
    if new.state in UNAVAILABLE or new.last_changed is None:
        return None
    try:
        applied = datetime.fromisoformat(new.state)
    except ValueError:
        return None
    if applied.tzinfo is None or abs(applied - new.last_changed) > JUST_NOW:
        return None
    return Run(at, Kind.SCENE, new.entity_id, new.name, context=context, source=source)


def kept_call(home: HeardHome, heard: HeardCall, redaction: Redaction, source: Source = Source.HEARD) -> Call:
    """Return the record of a call: aimed at the entities it reaches as the home is now, and without secrets."""
    entity_ids = reached(home, heard)
    secrets = {"value"} if any(_secret(state) for state in _states(home, entity_ids)) else set[str]()
    data = redaction.clean(heard.data, also=secrets)
    return Call(heard.at, heard.domain, heard.service, data, entity_ids, heard.context, source)


def kept_run(run: Run, redaction: Redaction) -> Run:
    """Return the record of a run without secrets: its name and its trigger are texts that somebody wrote."""
    name, trigger = redaction.text(run.name), redaction.text(run.trigger)
    return run if (name, trigger) == (run.name, run.trigger) else replace(run, name=name, trigger=trigger)


def _plain(value: JsonValue) -> bool:
    """Return whether no credential can hide in a value."""
    return value is None or isinstance(value, int | float)


def _secret(state: State) -> bool:
    return secret_state(state.domain, state.attributes)


def _states(home: HeardHome, entity_ids: Iterable[str]) -> Iterator[State]:
    return (home.states[entity_id] for entity_id in entity_ids if entity_id in home.states)


def _undo(undos: Iterable[Undo]) -> None:
    for undo in undos:
        undo()
