"""What is being done to which entity at this moment, so that two plans do not pull one thing in two directions, nor both push it on."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from homesteward.home.effects import Effect
from homesteward.home.effects.contrary import contrary
from homesteward.home.effects.openings import STOPPED

# A lamp shows within this that it obeyed, and what follows at once is done at once. A door or a cover takes longer: there a
# command that came true a minute late would move it when nobody expects it any more, so it is refused instead, with the plan's id.
PATIENCE_S = 5.0


@dataclass(frozen=True, slots=True)
class Busy:
    """A step that is being carried out: whose, and how to hear that it has ended."""

    plan_id: str
    effects: Mapping[str, Effect]
    over: asyncio.Event


class Underway:
    """The steps that are being carried out in one home. Both looking and entering are on the event loop, without a pause between."""

    def __init__(self) -> None:
        """Begin with nothing under way."""
        self._busy: list[Busy] = []

    @contextmanager
    def doing(self, plan_id: str, effects: Mapping[str, Effect]) -> Iterator[None]:
        """Be known as under way until this is left."""
        busy = Busy(plan_id, effects, asyncio.Event())
        self._busy.append(busy)
        try:
            yield
        finally:
            self._busy.remove(busy)
            busy.over.set()

    def against(self, plan_id: str, effects: Mapping[str, Effect]) -> Busy | None:
        """Return the step of another plan that is in the way of one of `effects` at present, None if there is none."""
        return next((busy for busy in self._busy if busy.plan_id != plan_id and _excluded(busy, effects)), None)


def in_the_way(busy: Busy, effects: Mapping[str, Effect]) -> str:
    """Return in words why a step cannot run beside what is under way."""
    entity_id, why = next(_excluded_by(busy, effects))
    return f"{entity_id} is busy: plan {busy.plan_id} is still on its way ({why})"


def _excluded(busy: Busy, effects: Mapping[str, Effect]) -> bool:
    return next(_excluded_by(busy, effects), None) is not None


def _excluded_by(busy: Busy, effects: Mapping[str, Effect]) -> Iterator[tuple[str, str]]:
    for entity_id in busy.effects.keys() & effects.keys():
        if why := _at_odds(busy.effects[entity_id], effects[entity_id]):
            yield entity_id, why


def _at_odds(one: Effect, other: Effect) -> str:
    """Return in words why the effects cannot be told apart at the same time, nothing where they can.

    What a toggle or a step comes to hangs on where it begins: beside another it would be taken for that one's doing, and two toggles
    would both be seen "on" while the lamp is off. What cannot be seen claims nothing, and is in nobody's way; nor is a stop, ever.
    """
    if why := contrary(one, other):
        return f"{why} exclude each other"
    both = (one, other)
    if all(effect.repeatable for effect in both) or any(
        not effect.observable or effect.expected == STOPPED for effect in both
    ):
        return ""
    return "what one of them comes to hangs on the other" if _touched(one) & _touched(other) else ""


def _touched(effect: Effect) -> set[str]:
    """Return what the effect is seen by: the state, and attributes by name."""
    return {*effect.moved, *(want.name for want in effect.wanted), *(["state"] if effect.accepts else [])}
