"""Looking again: what became of each entity after a call, by a listener that is armed before the call is sent."""

import asyncio
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from homesteward.actions.foreseen import observed
from homesteward.actions.plan import Evidence, Status
from homesteward.core import Clock
from homesteward.home.effects import Effect, trustworthy
from homesteward.home.live import LiveHome, Undo
from homesteward.home.model import State

# On the way somewhere: at the end of the window neither right nor wrong.
ON_THE_WAY = frozenset(
    {"arming", "buffering", "closing", "disarming", "locking", "opening", "pending", "returning", "unlocking"}
)


class Verification:
    """Watch the entities of one step, from before its call is sent until each is decided or the window closes."""

    def __init__(self, home: LiveHome, effects: Mapping[str, Effect], clock: Clock) -> None:
        """Expect `effects`, by entity."""
        self._home = home
        self._effects = effects
        self._clock = clock
        self._found: dict[str, Evidence] = {}
        self._all_found = asyncio.Event()
        self._undo: Undo | None = None

    def __enter__(self) -> Self:
        if self._effects:
            self._undo = self._home.watch(self._changed, self._effects.keys())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._undo:
            self._undo()

    async def result(self, factor: float, *, otherwise: Status | None = None) -> tuple[Evidence, ...]:
        """Return the evidence: at once where every entity is decided, else when the longest window, times `factor`, is over.

        What has not shown its effect by then ends as its state tells, or as `otherwise`: of a call that nobody knows to have
        run, a state that stayed proves nothing.
        """
        self._look_at_all()
        longest = max((effect.window_s for effect in self._effects.values()), default=0.0)
        try:
            async with asyncio.timeout(longest * factor):
                await self._all_found.wait()
        except TimeoutError:
            self._settle(otherwise)
        return self._evidence()

    def cut_short(self, status: Status) -> tuple[Evidence, ...]:
        """Return the evidence without waiting: what shows its effect is verified all the same, the rest ends as `status`."""
        self._look_at_all()
        self._settle(status)
        return self._evidence()

    def _changed(self, old: State | None, new: State | None) -> None:
        known = new or old
        if known is not None:
            self._look(known.entity_id)

    def _look_at_all(self) -> None:
        for entity_id in self._effects:
            self._look(entity_id)

    def _look(self, entity_id: str) -> None:
        """Decide about an entity where its state now decides it; what was decided stays."""
        if entity_id not in self._found:
            effect, state = self._effects[entity_id], self._home.states.get(entity_id)
            status = seen_at_once(effect, state)
            if status is not None:
                self._found[entity_id] = evidence(entity_id, effect, state, status, self._clock)
        if len(self._found) == len(self._effects):
            self._all_found.set()

    def _settle(self, status: Status | None) -> None:
        """Decide about what is left: as `status`, or by what its state is at the end of the window."""
        for entity_id in self._effects.keys() - self._found.keys():
            effect, state = self._effects[entity_id], self._home.states.get(entity_id)
            end = status or seen_at_the_end(state, connected=self._home.connected)
            self._found[entity_id] = evidence(entity_id, effect, state, end, self._clock)

    def _evidence(self) -> tuple[Evidence, ...]:
        return tuple(self._found[entity_id] for entity_id in self._effects)


def seen_at_once(effect: Effect, state: State | None) -> Status | None:
    """Return what a state shows beyond doubt, None where more may come."""
    if state is None:
        return Status.FAILED
    if not effect.observable or not trustworthy(state):
        return Status.UNCERTAIN
    if effect.holds(state):
        return Status.VERIFIED
    return Status.MISMATCHED if effect.contradicted(state) else None


def seen_at_the_end(state: State | None, *, connected: bool) -> Status:
    """Return what is known when the window closes on an entity that has not shown the effect."""
    if state is None:
        return Status.FAILED
    if not connected or not state.available or state.state in ON_THE_WAY:
        return Status.UNCERTAIN
    return Status.MISMATCHED


def evidence(entity_id: str, effect: Effect, state: State | None, status: Status, clock: Clock) -> Evidence:
    """Return the evidence about one entity as it is now."""
    return Evidence(entity_id, effect.expected, observed(effect, state), status, clock.now())
