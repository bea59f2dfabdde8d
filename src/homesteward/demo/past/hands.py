"""What a service call does to a thing: the hands of people and automations, and the traces they leave in the book."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from homesteward.demo.past.book import MOMENT, Book, Cause
from homesteward.demo.past.people import Resident
from homesteward.demo.past.rooms import Thing
from homesteward.demo.past.scripted import Script, Step

type Data = Mapping[str, Any]
type Effect = Callable[[Book, float, Cause, Thing, Data], None]

TRAVEL = 3.0  # seconds; after five, Home Assistant would no longer know who sent a cover on its way


class Hands:
    """Do things, as somebody or as an automation."""

    def __init__(self, book: Book, rng: random.Random, scripts: Mapping[str, Script]) -> None:
        """Write into `book`; `scripts` are what the house can be told to run."""
        self.book = book
        self._rng = rng
        self._scripts = scripts

    def knows(self, script: str) -> bool:
        """Return whether there is such a script, and it is plain."""
        return script in self._scripts

    def ask(self, at: float, resident: Resident, service: str, entity_id: str, **data: Any) -> None:  # noqa: ANN401
        """Do something as `resident`, through Home Assistant."""
        cause = self.book.cause(at, resident.user)
        if service.startswith("script."):
            self.book.call(at, cause, service)
            self.run(at + MOMENT, cause, self._scripts[entity_id])
        else:
            self.book.call(at, cause, service, **data, entity_id=entity_id)
            self.touch(at + MOMENT, cause, service, entity_id, data)

    def touch(self, at: float, cause: Cause, service: str, entity_id: str, data: Data) -> None:
        """Have the effect that `service` has on one thing; one that does not work lets it pass."""
        thing = self.book.house.get(entity_id)
        effect = EFFECTS.get(service.partition(".")[2])
        if thing is not None and thing.works and effect is not None:
            effect(self.book, at, cause, thing, data)

    def by_wall(self, at: float, service: str, entity_id: str, **data: Any) -> None:  # noqa: ANN401
        """Have the same effect by hand at the thing itself: nobody is known to have done it."""
        self.touch(at, self.book.cause(at), service, entity_id, data)

    def run(self, at: float, cause: Cause, script: Script) -> None:
        """Run a script in the context of whoever started it."""
        data = {"name": script.name, "entity_id": script.entity_id, "item_id": script.item_id, "run_id": self.run_id()}
        self.book.fire(at, "script_started", data, cause)
        self.book.change(at + MOMENT, script.entity_id, "on", cause=cause)
        end = self.follow(at + 2 * MOMENT, cause, script.calls)
        self.book.change(end, script.entity_id, "off", cause=cause)

    def follow(self, at: float, cause: Cause, steps: Sequence[Step]) -> float:
        """Take the steps of a script or an automation, all in one context, and return when that was done."""
        for step in steps:
            at += MOMENT
            self.book.call(at, cause, step.service, **step.data, **step.target)
            for entity_id in step.entity_ids:
                at += MOMENT / 10
                self.touch(at, cause, step.service, entity_id, step.data)
        return at + MOMENT

    def run_id(self) -> str:
        """Return the id of one run, as Home Assistant makes them."""
        return self._rng.randbytes(16).hex()


def _becomes(state: str, *kept: str) -> Effect:
    def effect(book: Book, at: float, cause: Cause, thing: Thing, data: Data) -> None:
        book.change(at, thing, state, cause=cause, **{key: data[key] for key in kept if key in data})

    return effect


def _moves(on_the_way: str, end: str, position: int) -> Effect:
    def effect(book: Book, at: float, cause: Cause, thing: Thing, _data: Data) -> None:
        book.change(at, thing, on_the_way, cause=cause)
        book.change(at + TRAVEL / 2, thing, on_the_way, cause=cause, current_position=50)
        book.change(at + TRAVEL, thing, end, cause=cause, current_position=position)

    return effect


def _turns(on_the_way: str, end: str) -> Effect:
    def effect(book: Book, at: float, cause: Cause, thing: Thing, _data: Data) -> None:
        book.change(at, thing, on_the_way, cause=cause)
        book.change(at + TRAVEL / 3, thing, end, cause=cause)

    return effect


def _sets(*kept: str) -> Effect:
    def effect(book: Book, at: float, cause: Cause, thing: Thing, data: Data) -> None:
        book.change(at, thing, cause=cause, **{key: data[key] for key in kept if key in data})

    return effect


def _turns_on(book: Book, at: float, cause: Cause, thing: Thing, data: Data) -> None:
    _becomes("idle" if thing.domain == "media_player" else "on", "percentage")(book, at, cause, thing, data)


EFFECTS: Mapping[str, Effect] = {
    "turn_on": _turns_on,
    "turn_off": _becomes("off"),
    "open_cover": _moves("opening", "open", 100),
    "close_cover": _moves("closing", "closed", 0),
    "lock": _turns("locking", "locked"),
    "unlock": _turns("unlocking", "unlocked"),
    "set_temperature": _sets("temperature"),
    "alarm_arm_away": _turns("arming", "armed_away"),
    "alarm_disarm": _becomes("disarmed"),
    "select_source": _becomes("playing", "source"),
    "play_media": _becomes("playing", "media_title"),
    "start": _becomes("cleaning"),
}
"""By the name of the service, whatever its domain."""
