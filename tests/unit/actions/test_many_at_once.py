"""Two hundred hands on one plan, and any sequence of calls on the gate: one claim, and no way that the table lacks."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import small_home
from homesteward.actions import Gate, Mode, PlanState
from homesteward.actions.crowding import MOST_WAITING
from homesteward.actions.editing import edit
from homesteward.actions.states import TRANSITIONS
from homesteward.core import FrozenClock, HomestewardError
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role, Scope
from homesteward.store import Database

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
MEMBER = Caller(Role.MEMBER, Channel.API, "ben")
GUEST = Caller(Role.GUEST, Channel.API, "gus")
UNLOCK = Call("lock", "unlock", Target(entity_id=("lock.front_door",)))
LIGHT = Call("light", "turn_on", Target(entity_id=("light.kitchen",)))
NOTIFY = Call("notify", "phone")


@pytest.mark.parametrize("hands", [2, 200])
async def test_any_number_of_approvals_at_once_act_once(make_gate, home, open_database, place, hands):
    other_door = await open_database(place=place)
    gates = [await make_gate(), await make_gate(database=other_door)]
    (plan,) = await gates[0].submit([UNLOCK], OWNER, request="unlock")

    found = await asyncio.gather(*(gates[n % 2].approve(plan.id, OWNER) for n in range(hands)))

    assert [call.id for call in home.calls] == ["lock.unlock"]
    assert {each.id for each in found} == {plan.id}
    assert (await gates[1].plan(plan.id)).state is PlanState.COMPLETED


async def test_approvals_and_rejections_at_once_agree_on_one_end(make_gate, home):
    gate = await make_gate()
    (plan,) = await gate.submit([UNLOCK], OWNER, request="unlock")
    both = [deed for _ in range(20) for deed in (gate.approve(plan.id, OWNER), gate.reject(plan.id, MEMBER))]
    await asyncio.gather(*both, return_exceptions=True)

    end = (await gate.plan(plan.id)).state
    assert (end, len(home.calls)) in {(PlanState.COMPLETED, 1), (PlanState.REJECTED, 0)}


async def test_edits_approvals_and_rejections_at_once_agree_on_one_end(make_gate, home):
    gate = await make_gate()
    (plan,) = await gate.submit([UNLOCK], OWNER, request="unlock")
    deeds = [
        deed
        for _ in range(10)
        for deed in (edit(gate, plan.id, [LIGHT], OWNER), gate.reject(plan.id, MEMBER), gate.approve(plan.id, OWNER))
    ]
    came = await asyncio.gather(*deeds, return_exceptions=True)

    end = (await gate.plan(plan.id)).state
    edited = [each for each in came if isinstance(each, tuple)]
    assert (end, tuple(call.id for call in home.calls), len(edited)) in {
        (PlanState.COMPLETED, ("lock.unlock",), 0),
        (PlanState.REJECTED, (), 0),
        (PlanState.REJECTED, ("light.turn_on",), 1),
    }


def reachable() -> dict[PlanState, set[PlanState]]:
    """Return every state that the table leads to from each, by any number of steps."""
    found = {state: {state, *onward} for state, onward in TRANSITIONS.items()}
    for _ in PlanState:
        found = {state: set().union(*(found[onward] for onward in those)) for state, those in found.items()}
    return found


WAYS = reachable()
DEEDS = ("submit", "approve", "confirm", "reject", "edit", "undo", "resume", "cut off", "wait", "observe", "away")
BY = st.sampled_from([OWNER, MEMBER, GUEST])
SEQUENCES = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 4), BY), min_size=3, max_size=14)


class Story:
    """A gate that anything is done to, and every state in which each plan was seen."""

    def __init__(self, database: Database) -> None:
        self.clock = FrozenClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        self.home, self.database = small_home(self.clock), database
        self.seen: dict[str, PlanState] = {}
        self.running = 0

    async def begin(self) -> None:
        self.gate = Gate(self.home, self, self.database, clock=self.clock, dry_run=False, window_factor=0.0)
        await self.gate.start()
        self.cut = False

    async def call(self, sent):
        if self.cut:
            raise ZeroDivisionError
        return await self.home.call(sent)

    async def do(self, deed: str, n: int, by: Caller) -> None:
        plans = await self.gate.plans()
        plan_id = plans[n % len(plans)].id if plans else "plan_none"
        match deed:
            case "submit" | "cut off":
                self.cut = deed == "cut off"
                await self.gate.submit([(UNLOCK, LIGHT, NOTIFY)[n % 3], (LIGHT, NOTIFY)[n % 2]], by, request="x")
            case "approve" | "confirm" | "reject" | "resume":
                await getattr(self.gate, deed)(plan_id, by)
            case "edit":
                await edit(self.gate, plan_id, [(UNLOCK, LIGHT, NOTIFY)[n % 3], (LIGHT, NOTIFY)[n % 2]], by)
            case "undo":
                await self.gate.undo(plan_id, by)
            case "wait":
                self.clock.advance(timedelta(hours=n))
            case "observe":
                self.gate.mode = (Mode.OBSERVE, Mode.AUTO)[n % 2]
            case "away":
                self.home.connected = bool(n % 2)

    async def look(self) -> None:
        self.cut = False
        for plan in await self.gate.plans():
            before = self.seen.get(plan.id, PlanState.PROPOSED)
            assert plan.state in WAYS[before], f"{before} became {plan.state}"
            assert (plan.needs is None) is (plan.state is not PlanState.WAITING)
            self.seen[plan.id] = plan.state


@pytest.fixture(scope="module")
def ready_made(tmp_path_factory) -> Path:
    """A database that has its tables, to be copied."""
    file = tmp_path_factory.mktemp("ready") / "homesteward.db"
    asyncio.run(_made(file))
    return file


async def _made(file: Path) -> None:
    await (await Database.open(file)).close()


@given(deeds=SEQUENCES)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_sequence_of_calls_makes_a_way_that_the_table_lacks(deeds, ready_made, tmp_path_factory):
    async def told() -> None:
        database = await Database.open(Path(shutil.copy(ready_made, tmp_path_factory.mktemp("story") / "h.db")))
        story = Story(database)
        await story.begin()
        try:
            for deed, n, by in deeds:
                with suppress(HomestewardError, ZeroDivisionError):  # refused, or cut off: an answer too
                    await story.do(deed, n, by)
                await story.look()
        finally:
            await story.gate.close()
            await database.close()

    asyncio.run(told())


async def test_one_asker_has_only_so_many_plans_waiting_and_keeps_nobody_else_from_asking(gate):
    token = Caller(Role.TOKEN, Channel.API, token_id="token_1", scopes=frozenset({Scope.PROPOSE}))
    light = Call("light", "turn_on", Target(entity_id=("light.kitchen",)))
    came = await asyncio.gather(
        *(gate.submit([light], token, request="") for _ in range(MOST_WAITING + 5)), return_exceptions=True
    )
    assert [each.code for each in came if isinstance(each, HomestewardError)] == ["too_many_waiting"] * 5
    assert len(await gate.plans(PlanState.WAITING)) == MOST_WAITING
    (other,) = await gate.submit([light], replace(token, token_id="token_2"), request="")
    assert other.state is PlanState.WAITING
