"""Killed (SIGKILL) at each point between the claim and the end: nothing twice, nothing claimed that was not seen, and the owner is told."""

import asyncio
import os
import signal
import sys
from collections import Counter
from dataclasses import dataclass

import pytest

from homesteward.actions import PlanState, Ties
from homesteward.actions.plan import StepState
from homesteward.people import Caller, Channel, Role

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
TOGGLED, SWITCHED = "light.hall", "fan.ceiling"

# Asks for a toggle and a switch, in a home that writes down what it did, and is killed at the point that it is told.
DIES = """
import asyncio, os, pathlib, signal, sys
from homes import small_home
from homesteward.actions import Gate
from homesteward.actions.plan_store import PlanStore
from homesteward.actions.verify import Verification
from homesteward.core import SystemClock
from homesteward.home.calls import Call, Target
from homesteward.home.live import Dispatched
from homesteward.people import Caller, Channel, Role
from homesteward.store import Database

place, world, point = sys.argv[1:]

def die_at(here):
    if here == point:
        os.kill(os.getpid(), signal.SIGKILL)

class Home:
    def __init__(self, home):
        self.home = home

    async def call(self, sent):
        die_at("dispatch")
        with open(world, "a") as file:
            file.write(f"{sent.id} {sent.entity_ids[0]}\\n")
        done = await self.home.call(sent)
        die_at("answer")
        return done

class Store(PlanStore):
    async def add(self, *rest):
        stored = await super().add(*rest)
        die_at("claim")
        return stored

    async def save(self, plan_id, *changed, entries=()):
        if entries and entries[0].kind == "step.sent":
            die_at("before the checkpoint")
        await super().save(plan_id, *changed, entries=entries)
        if entries and entries[0].kind == "step.sent":
            die_at("checkpoint")
        elif entries:
            die_at("second step")

    async def advance(self, *rest, **more):
        die_at("end")
        return await super().advance(*rest, **more)

class Looking(Verification):
    async def result(self, factor, *, otherwise=None):
        found = await super().result(factor, otherwise=otherwise)
        die_at("verification")
        return found

async def main():
    import homesteward.actions.executor as executor
    import homesteward.actions.gate as gates
    gates.PlanStore, executor.Verification = Store, Looking
    home = small_home()
    database = await Database.open(place if place.startswith("postgresql:") else pathlib.Path(place))
    gate = Gate(home, Home(home), database, clock=SystemClock(), dry_run=False, window_factor=0.01)
    await gate.start()
    asked = [
        Call("light", "toggle", Target(entity_id=("light.hall",))),
        Call("fan", "turn_on", Target(entity_id=("fan.ceiling",))),
    ]
    await gate.submit(asked, Caller(Role.OWNER, Channel.CLI, "ann"), request="hall light and fan")
    sys.exit(7)

asyncio.run(main())
"""


@dataclass(frozen=True)
class Point:
    """A moment to be killed in: what the home had done by then, and how the steps are found."""

    name: str
    done: int
    found: tuple[str, str]


POINTS = [
    Point("claim", 0, ("uncertain", "pending")),
    Point("dispatch", 0, ("uncertain", "pending")),
    Point("answer", 1, ("uncertain", "pending")),
    Point("before the checkpoint", 1, ("uncertain", "pending")),
    Point("checkpoint", 1, ("uncertain", "pending")),
    Point("verification", 1, ("uncertain", "pending")),
    Point("second step", 1, ("done", "uncertain")),
    Point("end", 2, ("done", "uncertain")),
]


@pytest.fixture
def world(tmp_path):
    """Where the home that outlives the process writes down what it was told."""
    return tmp_path / "world"


@pytest.fixture
async def killed(place, world, home):
    """Be killed at a point, and leave the home as it is then."""

    async def at(point: Point) -> None:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        dying = await asyncio.create_subprocess_exec(
            sys.executable, "-c", DIES, str(place), str(world), point.name, env=env
        )
        assert await dying.wait() == -signal.SIGKILL
        for line in did(world):
            home.set_state(line.split()[1], "on")

    return at


def did(world) -> list[str]:
    return world.read_text().splitlines() if world.exists() else []


@pytest.mark.parametrize("point", POINTS, ids=lambda point: point.name)
async def test_after_a_kill_nothing_runs_twice_and_nothing_is_claimed_that_was_not_seen(
    killed, make_gate, home, world, point
):
    await killed(point)
    told = []
    gate = await make_gate(ties=Ties(tell=lambda *notice: told.append(notice)))
    (plan,) = await gate.plans()

    assert (plan.state, tuple(step.state.value for step in plan.steps)) == (PlanState.INTERRUPTED, point.found)
    assert (len(did(world)), home.calls) == (point.done, [])
    assert [step.evidence != () for step in plan.steps] == [state == "done" for state in point.found]
    unsure = plan.steps[point.found.index("uncertain")].call.id
    assert [(kind, subject, unsure in text) for kind, subject, text, _ in told] == [("plan_interrupted", plan.id, True)]

    done = await gate.resume(plan.id, OWNER)

    everything = Counter(did(world)) + Counter(f"{call.id} {call.entity_ids[0]}" for call in home.calls)
    assert everything[f"light.toggle {TOGGLED}"] <= 1
    assert everything[f"fan.turn_on {SWITCHED}"] == 1
    left_open = any(step.state is StepState.UNCERTAIN for step in done.steps)
    assert done.state is (PlanState.PARTIAL if left_open else PlanState.COMPLETED)
    assert home.states[SWITCHED].state == "on"
    assert (done.steps[0].state == "done") is (point.done > 0)
