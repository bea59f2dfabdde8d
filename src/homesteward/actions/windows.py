"""How long an effect may take before it counts as missed: the table's own window, or a longer one that this home has taught."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from homesteward.chronicle.taking import Took
from homesteward.core import Clock, HomestewardError
from homesteward.core.json import JsonObject
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import Effect, effect_of
from homesteward.home.effects.effect import DEFAULT_WINDOW, WINDOWS
from homesteward.home.view import HomeView, device_class_of
from homesteward.policy import Decision

_LOG = logging.getLogger(__name__)

FEWEST = 8  # effects seen, before they teach anything
NEWEST = 60  # effects of one thing that count; how it was a year ago is not how it is
USUAL = 0.9  # as many of ten were there by then: one that was put right by hand later is none of them
MARGIN = 1.5  # on top, for a day that is slower than all before
LONGEST_S = 300.0  # no answer waits longer, whatever was seen
LEARNED_FROM = timedelta(days=90)
FIRST = timedelta(minutes=1)  # a start has other things to do
EVERY = timedelta(hours=6)

type Undo = Callable[[], None]
type Seen = Callable[[datetime], Awaitable[Sequence[Took]]]
"""Give the effects of our own acts since a moment, the newest first."""


@dataclass(frozen=True, slots=True)
class Learned:
    """How long effects took: `usual_s` in nine of ten times, so that they are watched for `window_s`; `of` says on what."""

    of: str
    service: str
    samples: int
    usual_s: float
    window_s: float

    def as_json(self) -> JsonObject:
        """Return it as a face shows it."""
        return {
            "of": self.of,
            "service": self.service,
            "samples": self.samples,
            "usual_s": round(self.usual_s, 1),
            "window_s": round(self.window_s, 1),
        }


type WindowOf = Callable[[str, str], Learned | None]
"""Return what was learned of an entity and a service (`turn_on`), None where that is nothing. It looks nothing up and must be quick."""


def nothing_learned(_entity_id: str, _service: str) -> Learned | None:
    """Know the table's own windows alone."""
    return None


def watched_for(effect: Effect, entity_id: str, service: str, decision: Decision, window_of: WindowOf) -> Effect:
    """Return the effect with the window that holds: a rule's own, else the longer of the table's and what was learned."""
    if not effect.observable:
        return effect
    if decision.window is not None:
        return replace(effect, window_s=decision.window.total_seconds())
    learned = window_of(entity_id, service)
    return effect if learned is None else replace(effect, window_s=max(effect.window_s, learned.window_s))


def longer_of(call: ResolvedCall, decision: Decision, home: HomeView, window_of: WindowOf) -> dict[str, Learned]:
    """Return, by entity that the call names, what was learned where that is what it is watched for."""
    found: dict[str, Learned] = {}
    for entity_id in call.entity_ids:
        effect, learned = effect_of(call, entity_id, home), window_of(entity_id, call.service)
        if learned and decision.window is None and effect.observable and learned.window_s > effect.window_s:
            found[entity_id] = learned
    return found


class Windows:
    """What a home has taught about how long its things take, read again from the past now and then, never while somebody waits."""

    def __init__(self, home: HomeView, seen: Seen, clock: Clock) -> None:
        """Learn from what `seen` gives; nothing is known until the first look."""
        self._home, self._seen, self._clock = home, seen, clock
        self._of_things: Mapping[tuple[str, str], Learned] = {}
        self._of_classes: Mapping[tuple[str, str], Learned] = {}

    def of(self, entity_id: str, service: str) -> Learned | None:
        """Return what was learned of the entity itself, else of its class of things."""
        own = self._of_things.get((entity_id, service))
        return own or self._of_classes.get((class_of(entity_id, self._home), service))

    async def look(self) -> None:
        """Learn anew from the past; raises what reading it raises."""
        seen = await self._seen(self._clock.now() - LEARNED_FROM)
        self._of_things = learned((took.entity_id, took) for took in seen)
        self._of_classes = learned((class_of(took.entity_id, self._home), took) for took in seen)

    def start(self) -> Undo:
        """Begin to learn; the returned undo ends it."""
        task = asyncio.create_task(self._work(), name="windows")

        def undo() -> None:
            task.cancel()

        return undo

    def told(self) -> list[JsonObject]:
        """Return all that was learned, things before classes, each beside the window that the table has for it."""
        known = [*self._of_things.items(), *self._of_classes.items()]
        return [
            {
                **each.as_json(),
                "table_s": (table := WINDOWS.get(domain_of(of), DEFAULT_WINDOW)),
                "holds_s": max(table, round(each.window_s, 1)),
            }
            for (of, _), each in known
        ]

    async def _work(self) -> None:
        wait = FIRST
        while True:
            await asyncio.sleep(wait.total_seconds())
            wait = EVERY
            try:
                await self.look()
            except HomestewardError as error:
                _LOG.warning("How long things take could not be learned: %s", error)
            except Exception:  # noqa: BLE001 - the root of this task: the table's windows hold meanwhile
                _LOG.exception("How long things take could not be learned")


def learned(seen: Iterable[tuple[str, Took]]) -> dict[tuple[str, str], Learned]:
    """Return what effects teach, by what they are of and their service, where there are enough of them; the newest come first."""
    times: dict[tuple[str, str], list[float]] = {}
    for of, took in seen:
        known = times.setdefault((of, took.service), [])
        if len(known) < NEWEST:
            known.append(took.seconds)
    return {key: _of(*key, sorted(each)) for key, each in sorted(times.items()) if len(each) >= FEWEST}


def class_of(entity_id: str, home: HomeView) -> str:
    """Return the kind of thing an entity is: its domain, and its device class where it has one."""
    domain, device_class = domain_of(entity_id), device_class_of(home, entity_id)
    return f"{domain} {device_class}" if device_class else domain


def domain_of(of: str) -> str:
    """Return the domain of an entity or of a kind of thing."""
    return of.partition(".")[0].partition(" ")[0]


def _of(of: str, service: str, times: Sequence[float]) -> Learned:
    usual = times[ceil(USUAL * len(times)) - 1]
    return Learned(of, service, len(times), usual, min(LONGEST_S, usual * MARGIN))
