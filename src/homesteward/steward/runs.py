"""Runs: a request on its way, watched by any number of faces without being asked twice."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime

from homesteward.core.clock import Clock
from homesteward.core.errors import HomestewardError
from homesteward.core.ids import new_id
from homesteward.core.json import JsonObject, JsonValue
from homesteward.steward.answer import Answer
from homesteward.steward.request import Request

MOST_RUNS = 200  # finished runs kept for looking back; the answer itself is in the store
MOST_EVENTS = 2000  # of one run
ENDINGS = frozenset({"plan", "reply", "confirm", "error", "done"})


class UnknownRunError(HomestewardError):
    """There is no such run."""

    code = "unknown_run"


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One thing that happened in a run; `n` counts from 1 and is the SSE event id."""

    n: int
    kind: str
    at: datetime
    data: JsonObject


@dataclass(slots=True)
class Run:
    """One request on its way."""

    id: str
    request: Request
    started: datetime
    answer: Answer | None = None
    events: list[RunEvent] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    left_out: int = 0

    @property
    def done(self) -> bool:
        """Return whether the last event has been written."""
        return bool(self.events) and self.events[-1].kind == "done"


class Runs:
    """Keep the runs of this process and their events."""

    def __init__(self, clock: Clock) -> None:
        """Stamp events with `clock`."""
        self._clock = clock
        self._runs: OrderedDict[str, Run] = OrderedDict()

    def start(self, request: Request) -> Run:
        """Open a run for `request`."""
        run = Run(new_id("run"), request, self._clock.now())
        self._runs[run.id] = run
        while len(self._runs) > MOST_RUNS and (old := next((r for r in self._runs.values() if r.done), None)):
            del self._runs[old.id]
        return run

    def get(self, run_id: str) -> Run:
        """Return the run; raise UnknownRunError if there is none."""
        if run := self._runs.get(run_id):
            return run
        raise unknown_run(run_id)

    def under_way(self, conversation_id: str) -> tuple[Run, ...]:
        """Return the runs of a conversation that have no answer yet, the oldest first."""
        runs = self._runs.values()
        return tuple(
            run
            for run in runs
            if run.request.conversation_id == conversation_id and run.answer is None and not run.done
        )

    def record(self, run: Run, kind: str, data: dict[str, JsonValue]) -> None:
        """Add an event and wake whoever watches. Past the bound, only what ends the run is kept, and it says what was left out."""
        if len(run.events) >= MOST_EVENTS and kind not in ENDINGS:
            run.left_out += 1
            return
        if kind == "done" and run.left_out:
            data = {**data, "events_left_out": run.left_out}
        run.events.append(RunEvent(len(run.events) + 1, kind, self._clock.now(), data))
        run.changed.set()
        run.changed = asyncio.Event()

    async def watch(self, run: Run, after: int = 0) -> AsyncIterator[RunEvent]:
        """Yield the events of `run` numbered above `after`, those to come included, up to `done`."""
        seen = after
        while True:
            for event in run.events[seen:]:
                seen = event.n
                yield event
            if seen < len(run.events):
                continue  # more came while the last were being passed on
            if run.done:
                return
            await run.changed.wait()


def unknown_run(run_id: str) -> UnknownRunError:
    """Return the error for a run that is not there, or is none of the caller's business."""
    return UnknownRunError(f"There is no run {run_id}.", next="Runs of an earlier start are not kept; ask again.")
