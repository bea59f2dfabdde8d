"""After the window: what comes true late, and what does not stay as it was seen, is found out, written down and told."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from homesteward.actions.hindsight import came_late, switched_back, told
from homesteward.actions.plan import Evidence, Plan, Status
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.ties import Tell
from homesteward.actions.verify import ON_THE_WAY
from homesteward.core import Clock, HomestewardError
from homesteward.home.effects import Effect, trustworthy
from homesteward.home.live import LiveHome, Undo
from homesteward.home.model import State

_LOGGER = logging.getLogger(__name__)

MOST = 200  # entities watched at once; the one watched for longest goes first
LATE_S = 300.0  # how long something may come true after its window
# domain -> seconds in which something that was seen to be as asked is expected to stay so
STAYS: Mapping[str, float] = {
    "climate": 120.0,
    "water_heater": 120.0,
    "humidifier": 120.0,
    "cover": 60.0,
    "valve": 60.0,
    "lock": 20.0,  # many lock themselves again by design
    "media_player": 15.0,
    "vacuum": 60.0,
    "lawn_mower": 60.0,
    "alarm_control_panel": 60.0,
}
STAYS_S = 30.0


class Kind(StrEnum):
    """What is found out, as notices name it."""

    LATE = "late_success"
    BACK = "switched_back"


@dataclass(frozen=True, slots=True)
class Watch:
    """One entity that is watched for a while, and how to stop."""

    kind: Kind
    plan: Plan
    n: int
    entity_id: str
    effect: Effect
    end: Undo


class Afterwards:
    """Watch, for a while, what steps have left. Each watch ends by itself; none outlives `close`."""

    def __init__(self, home: LiveHome, store: PlanStore, clock: Clock, factor: float, tell: Tell) -> None:
        """Look at `home`, write to `store`, and tell the asker by `tell`; `factor` scales how long is watched."""
        self._home, self._store, self._clock, self._factor, self._tell = home, store, clock, factor, tell
        self._watches: OrderedDict[str, Watch] = OrderedDict()
        self._writing: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        """Return how many entities are watched."""
        return len(self._watches)

    def follow(self, plan: Plan, effects: Mapping[int, Mapping[str, Effect]]) -> None:
        """Watch what the steps of a plan that ended left open, or have done; `effects` are by step what each should have done."""
        for step in plan.steps:
            for seen in step.evidence:
                effect = effects.get(step.n, {}).get(seen.entity_id)
                if effect is not None and (kind := _kind(seen, effect, self._home.states.get(seen.entity_id))):
                    self._watch(kind, plan, step.n, seen.entity_id, effect)

    def leave(self, entity_ids: Iterable[str]) -> None:
        """Stop watching these: something else is about to be done to them, on purpose."""
        for entity_id in entity_ids:
            if (watch := self._watches.pop(entity_id, None)) is not None:
                watch.end()

    async def close(self) -> None:
        """Stop watching, and wait for what is being written down."""
        self.leave(tuple(self._watches))
        await asyncio.gather(*self._writing, return_exceptions=True)

    def _watch(self, kind: Kind, plan: Plan, n: int, entity_id: str, effect: Effect) -> None:
        self.leave([entity_id])
        seconds = LATE_S if kind is Kind.LATE else STAYS.get(entity_id.partition(".")[0], STAYS_S)
        timer = asyncio.get_running_loop().call_later(seconds * self._factor, self.leave, [entity_id])
        off = self._home.watch(lambda _old, new: self._look(entity_id, new), [entity_id])

        def end() -> None:
            timer.cancel()
            off()

        self._watches[entity_id] = Watch(kind, plan, n, entity_id, effect, end)
        while len(self._watches) > MOST:
            self.leave([next(iter(self._watches))])
        self._look(entity_id, self._home.states.get(entity_id))

    def _look(self, entity_id: str, now: State | None) -> None:
        """Find out whether the state now is what is watched for; if so, that is the end of the watch."""
        watch = self._watches.get(entity_id)
        if watch is None or now is None or not now.available or now.state in ON_THE_WAY or not self._home.connected:
            return
        if watch.effect.holds(now) is (watch.kind is Kind.LATE):
            self.leave([entity_id])
            task = asyncio.get_running_loop().create_task(self._found(watch, now))
            self._writing.add(task)
            task.add_done_callback(self._writing.discard)

    async def _found(self, watch: Watch, now: State) -> None:
        amended = came_late if watch.kind is Kind.LATE else switched_back
        at = self._clock.now()
        try:
            changed = await self._store.amend(watch.plan.id, lambda plan: amended(plan, watch.n, watch.effect, now, at))
        except HomestewardError:
            _LOGGER.exception("What became of %s after plan %s was not written down", watch.entity_id, watch.plan.id)
            return
        if changed:
            text = told(watch.plan, watch.effect, now, late=watch.kind is Kind.LATE)
            self._tell(watch.kind.value, watch.plan.id, text, watch.plan.caller.person_id)


def _kind(seen: Evidence, effect: Effect, now: State | None) -> Kind | None:
    """Return what an entity is to be watched for after a step, None where its state could show neither."""
    if not effect.observable or effect.moved or (now is not None and not trustworthy(now)):
        return None
    if seen.status is Status.VERIFIED and not seen.already:
        return Kind.BACK
    return Kind.LATE if seen.status in {Status.UNCERTAIN, Status.MISMATCHED} else None


type Followed = dict[int, Mapping[str, Effect]]
"""By step, what each entity should have become."""
