"""The book of what happened: changes and events with what caused them, in any order until it is closed."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple

from homesteward.core.json import dumps
from homesteward.demo.past.attributes import recorded, restored
from homesteward.demo.past.rooms import House, Thing

MOMENT = 0.003  # seconds between a command and its effect
LATE = (4.0, 170.0)  # seconds after Home Assistant's start until a thing is heard of again
NOT_KEPT = {"calendar", "conversation", "event", "group", "notify", "scene", "tag", "todo"}
"""Domains without a past here: their states follow from what it does not hold."""


class Cause(NamedTuple):
    """A context as the recorder keeps it: 16 bytes each for itself, its user and its parent."""

    id: bytes
    user: bytes | None = None
    parent: bytes | None = None


class Change(NamedTuple):
    """A state that a thing took on."""

    at: float
    entity_id: str
    state: str
    attributes: str
    """JSON."""
    cause: Cause
    changed_at: float
    """When its state, not only an attribute, last became another."""
    begins: bool
    """Home Assistant has just started: it does not know what was before."""


class Event(NamedTuple):
    """An event on the bus that is not a change of state."""

    at: float
    kind: str
    data: str
    """JSON."""
    cause: Cause


class Entry(NamedTuple):
    """A change as it was written down: what is not said stays as it is."""

    at: float
    order: int
    entity_id: str
    state: str | None
    facts: Mapping[str, Any]
    cause: Cause | None
    always: bool


@dataclass(frozen=True, slots=True)
class Outage:
    """A power cut: nothing is recorded, and what comes back is unavailable at first."""

    start: float
    end: float

    def hides(self, at: float) -> bool:
        """Return whether nobody saw what happened then."""
        return self.start <= at < self.end


class Book:
    """Write down what happens, then `close` it."""

    def __init__(self, house: House, rng: random.Random) -> None:
        """Open a book on `house`; `rng` gives the contexts their random part."""
        self.house = house
        self._rng = rng
        self._entries: list[Entry] = []
        self._events: list[Event] = []

    def cause(self, at: float, user: str | None = None, parent: Cause | None = None) -> Cause:
        """Return a new context: a ULID of that millisecond, with a user's hex id and a parent where there are such."""
        return Cause(self._ulid(at), bytes.fromhex(user) if user else None, parent.id if parent else None)

    def change(
        self,
        at: float,
        thing: Thing | str,
        state: str | None = None,
        *,
        cause: Cause | None = None,
        always: bool = False,
        **facts: Any,  # noqa: ANN401 - attribute values
    ) -> None:
        """Write down that `thing` took on a state, facts, or both; `always` also where nothing is new in it."""
        entity_id = thing if isinstance(thing, str) else thing.entity_id
        self._entries.append(Entry(at, len(self._entries), entity_id, state, facts, cause or self.cause(at), always))

    def fire(self, at: float, kind: str, data: Mapping[str, Any], cause: Cause) -> None:
        """Write down an event."""
        self._events.append(Event(at, kind, dumps(data), cause))

    def call(self, at: float, cause: Cause, service: str, **data: Any) -> None:  # noqa: ANN401 - service data
        """Write down a service call, as the event that Home Assistant makes of it."""
        domain, _, name = service.partition(".")
        self.fire(at, "call_service", {"domain": domain, "service": name, "service_data": data}, cause)

    def patience(self, thing: Thing) -> float:
        """Return how many seconds after a start Home Assistant hears of `thing`; what it makes itself is there at once."""
        return 0.0 if thing.own else self._rng.uniform(*LATE)

    def entries(self) -> list[Entry]:
        """Return what was written so far, in order of time."""
        return sorted(self._entries, key=itemgetter(0, 1))

    def close(self, start: float, end: float, outage: Outage | None) -> tuple[list[Change], list[Event]]:
        """Return what Home Assistant has seen from `start` on and before `end`, in order of time.

        Each thing begins at `start` as it was then. What changes nothing is left out, and so is what an outage hides.
        """
        lives: dict[str, list[Entry]] = {thing.entity_id: [] for thing in self.house.things if _kept(thing)}
        for entry in self.entries():
            if entry.at < end and entry.entity_id in lives:
                lives[entry.entity_id].append(entry)
        changes: list[Change] = []
        for entity_id, entries in lives.items():
            changes.extend(_Life(self, self.house[entity_id], start, outage).tell(entries, end))
        changes.sort(key=itemgetter(0))
        events = [event for event in self._events if start <= event.at < end]
        starts = [start]
        if outage is not None:
            events = [event for event in events if not outage.hides(event.at)]
            starts.append(outage.end)
        for moment in starts:
            cause = self.cause(moment)
            events.extend(Event(moment, kind, "", cause) for kind in ("homeassistant_start", "homeassistant_started"))
        events.sort(key=itemgetter(0))
        return changes, events

    def _ulid(self, at: float) -> bytes:
        return int(at * 1000).to_bytes(6) + self._rng.randbytes(10)


def _kept(thing: Thing) -> bool:
    made_of_others = thing.own and thing.state == "unknown"  # groups and templates
    return thing.domain not in NOT_KEPT and not made_of_others


class _Life:
    """One thing from the first moment on: what it is, and what of that was seen."""

    def __init__(self, book: Book, thing: Thing, start: float, outage: Outage | None) -> None:
        self._book, self._thing, self._start, self._outage = book, thing, start, outage
        self._state, self._facts = thing.state, dict(thing.facts)
        self._attributes = recorded(thing)
        self._seen: tuple[str, str] | None = None
        self._changed_at = start
        self._back = outage.end + book.patience(thing) if outage else 0.0

    def tell(self, entries: Sequence[Entry], end: float) -> Iterator[Change]:
        """Yield what was seen of `entries` from the start on and before `end`."""
        for entry in sorted([*entries, *self._marks(end)], key=itemgetter(0, 1)):
            self._state = self._state if entry.state is None else entry.state
            if entry.facts:
                self._facts.update(entry.facts)
            if entry.at >= self._start and (change := self._look(entry)) is not None:
                yield change

    def _marks(self, end: float) -> Iterator[Entry]:
        moments = [self._start]
        if self._outage is not None and self._back < end:
            moments += [self._outage.end, self._back]
        return (Entry(moment, -1, self._thing.entity_id, None, {}, None, always=False) for moment in moments)

    def _look(self, entry: Entry) -> Change | None:
        outage = self._outage
        begins = self._seen is None
        restarted = outage is not None and entry.order == -1 and entry.at == outage.end
        begins = begins or restarted
        if outage is not None and outage.start <= entry.at < self._back:
            if not restarted:
                return None
            now = ("unavailable", restored(self._thing))
        else:
            now = (self._state, self._attributes(self._state, self._facts))
        if now == self._seen and not entry.always and not begins:
            return None
        if begins or self._seen is None or now[0] != self._seen[0]:
            self._changed_at = entry.at
        self._seen = now
        cause = entry.cause or self._book.cause(entry.at)
        return Change(entry.at, self._thing.entity_id, *now, cause, self._changed_at, begins)
