"""What automations did: each plain one of the house runs whenever what it waits for comes, in a context of its own."""

import math
import random
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from operator import itemgetter
from typing import Any, NamedTuple

from homesteward.demo.past.book import MOMENT, Book, Cause
from homesteward.demo.past.hands import Hands
from homesteward.demo.past.place import Place
from homesteward.demo.past.scripted import Automation, Pause, each, seconds

LINGERS = (240.0, 1500.0)  # seconds until a lamp that an automation lit is turned off at the wall


class Call(NamedTuple):
    """A moment at which an automation was woken."""

    at: float
    source: str
    by: Cause | None


def run_automations(
    book: Book, hands: Hands, place: Place, days: Sequence[date], automations: Sequence[Automation], rng: random.Random
) -> None:
    """Let `automations` run on what is in the book so far; what they do wakes no further one."""
    seen = _Seen(book)
    for automation in automations:
        calls = [
            call
            for call in sorted(_calls(automation, seen, place, days), key=itemgetter(0))
            if all(_holds(test, seen, place, call.at) for test in automation.conditions)
        ]
        busy_until = 0.0
        for index, call in enumerate(calls):
            if call.at > busy_until or automation.restarts:
                again = calls[index + 1].at if automation.restarts and index + 1 < len(calls) else math.inf
                busy_until = _run(book, hands, automation, call, seen, again)
                _leave(hands, seen, automation, call.at, rng)


class _Seen:
    """The states in the book, by thing and time."""

    def __init__(self, book: Book) -> None:
        self._house = book.house
        self.changes: dict[str, list[tuple[float, str, Cause | None]]] = {}
        for entry in book.entries():
            if entry.state is not None:
                self.changes.setdefault(entry.entity_id, []).append((entry.at, entry.state, entry.cause))

    def state(self, entity_id: str, at: float) -> str | None:
        """Return the state at a moment, if there was one."""
        changes = self.changes.get(entity_id, [])
        index = bisect_right(changes, at, key=lambda change: change[0])
        thing = self._house.get(entity_id)
        return changes[index - 1][1] if index else thing.state if thing else None


def _calls(automation: Automation, seen: _Seen, place: Place, days: Sequence[date]) -> Iterator[Call]:
    for trigger in automation.triggers:
        match trigger["trigger"]:
            case "state":
                yield from _on_state(trigger, seen)
            case "numeric_state":
                yield from _on_number(trigger, seen)
            case "sun":
                for day in days:
                    event = trigger.get("event", "sunset")
                    at = place.sinks(day) if event == "sunset" else place.rises(day)
                    yield Call(at + seconds(trigger.get("offset")), event, None)
            case _:
                for day in days:
                    yield Call(place.at(day, seconds(trigger.get("at")) / 3600), "time", None)


def _on_state(trigger: Mapping[str, Any], seen: _Seen) -> Iterator[Call]:
    wait = seconds(trigger.get("for"))
    wanted, left = _words(trigger.get("to")), _words(trigger.get("from"))
    for entity_id in each(trigger.get("entity_id")):
        changes = seen.changes.get(entity_id, [])
        for index, (at, state, cause) in enumerate(changes[1:], 1):
            before = changes[index - 1][1]
            stays = index + 1 == len(changes) or changes[index + 1][0] > at + wait
            if state != before and state in (wanted or (state,)) and before in (left or (before,)) and stays:
                yield Call(at + wait, f"state of {entity_id}", None if wait else cause)


def _on_number(trigger: Mapping[str, Any], seen: _Seen) -> Iterator[Call]:
    for entity_id in each(trigger.get("entity_id")):
        was = True
        for at, state, cause in seen.changes.get(entity_id, []):
            now = _between(trigger, state)
            if now and not was:
                yield Call(at, f"numeric state of {entity_id}", cause)
            was = now


def _holds(test: Mapping[str, Any], seen: _Seen, place: Place, at: float) -> bool:
    if test["condition"] == "sun":
        dark = place.sun(at) < 0
        return dark if "sunset" in (test.get("after"), test.get("before_not")) else not dark
    states = [seen.state(entity_id, at) for entity_id in each(test.get("entity_id"))]
    if test["condition"] == "state":
        return all(state in _words(test.get("state")) for state in states)
    return all(state is not None and _between(test, state) for state in states)


def _run(book: Book, hands: Hands, automation: Automation, call: Call, seen: _Seen, again: float) -> float:
    """Write down one run, as Home Assistant does: only an automation makes a context with a parent."""
    at = call.at + MOMENT
    cause = book.cause(at, parent=call.by)
    data = {
        "name": automation.name,
        "entity_id": automation.entity_id,
        "source": call.source,
        "item_id": automation.item_id,
        "run_id": hands.run_id(),
    }
    book.fire(at, "automation_triggered", data, cause)
    book.change(at + MOMENT / 3, automation.entity_id, "on", cause=cause, always=True)
    for step in automation.steps:
        if isinstance(step, Pause):
            at = at + step.seconds if step.until is None else _next(step.until, seen, at)
        else:
            at = hands.follow(at, cause, (step,))
        if at >= again:
            return at
    book.change(at + MOMENT, automation.entity_id, "on", cause=cause, always=True)
    return at + MOMENT


def _next(until: Mapping[str, Any], seen: _Seen, at: float) -> float:
    return min((call.at for call in _on_state(until, seen) if call.at > at), default=math.inf)


def _leave(hands: Hands, seen: _Seen, automation: Automation, at: float, rng: random.Random) -> None:
    """Turn off at the wall, later, what an automation only ever turns on."""
    if any(step.service == "light.turn_off" for step in automation.calls):
        return
    for step in automation.calls:
        if step.service == "light.turn_on":
            for entity_id in step.entity_ids:
                if seen.state(entity_id, at) != "on":
                    hands.by_wall(at + rng.uniform(*LINGERS), "light.turn_off", entity_id)


def _between(limits: Mapping[str, Any], state: str) -> bool:
    try:
        number = float(state)
        return number < float(limits.get("below", "inf")) and number > float(limits.get("above", "-inf"))
    except ValueError, TypeError:
        return False


def _words(value: object) -> tuple[str, ...]:
    """Return states as Home Assistant has them; YAML reads its `on` and `off` as true and false."""
    return tuple({"True": "on", "False": "off"}.get(word, word) for word in each(value))
