"""After the window: what comes true late, and what does not stay so, is written down and told to whoever asked."""

import asyncio
from datetime import timedelta

import pytest

from homesteward.actions import Gate, Ties
from homesteward.actions.afterwards import MOST, Afterwards
from homesteward.actions.plan import plan_json
from homesteward.home.calls import Call, Target
from homesteward.home.faults import Dead, Hold
from homesteward.home.inventory import Thing
from homesteward.people import Caller, Channel, Role
from judging import ruled

pytestmark = pytest.mark.above_store

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="person_ann")
BLINDS = "cover.bedroom_blinds"


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


async def act(gate: Gate, *calls: Call):
    (plan,) = await gate.submit(calls, ANN, request="as asked")
    return plan


class Told:
    """What was told, and a way to wait for the next of it."""

    def __init__(self):
        self.notices, self._next = [], asyncio.Event()

    def __call__(self, kind, subject, text, person_id):
        self.notices.append((kind, subject, text, person_id))
        self._next.set()

    async def one(self):
        async with asyncio.timeout(30):
            await self._next.wait()
        self._next.clear()
        return self.notices[-1]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def telling(make_gate, told) -> Gate:
    """A gate that tells, and looks long enough for a test: a cover has 0.6 s, what follows 3 s."""
    return await make_gate(ties=Ties(tell=told), window_factor=0.01)


async def test_what_comes_true_late_is_verified_and_told(telling, home, told):
    home.faults[BLINDS] = Hold("opening")
    plan = await act(telling, call("cover.open_cover", BLINDS))
    assert plan.steps[0].evidence[0].status == "uncertain"
    home.release(BLINDS)

    assert await told.one() == (
        "late_success",
        plan.id,
        "“as asked” came true after all, later than was waited for: Bedroom blinds is open, position 100%.",
        "person_ann",
    )
    step = plan_json(await telling.plan(plan.id))["steps"][0]
    assert (step["state"], step["evidence"][0]["status"]) == ("done", "verified")
    assert step["evidence"][0]["note"].startswith("late: ")


async def test_what_was_taken_for_failed_and_came_true_says_both(telling, home, told):
    """The plan keeps the end that it had; its step and the evidence say what is known now."""
    home.faults["light.hall"] = Dead()
    plan = await act(telling, call("light.turn_on", "light.hall"))
    assert plan.state == "failed"
    home.set_state("light.hall", "on")

    assert (await told.one())[0] == "late_success"
    later = await telling.plan(plan.id)
    assert (later.state, later.steps[0].state, later.steps[0].error) == ("failed", "done", "")


async def test_what_does_not_stay_as_it_was_seen_is_told(telling, home, told):
    plan = await act(telling, call("light.turn_on", "light.hall"))
    home.set_state("light.hall", "off")

    assert await told.one() == (
        "switched_back",
        plan.id,
        "“as asked” did not last: Hall light was on and is off now.",
        "person_ann",
    )
    seen = (await telling.plan(plan.id)).steps[0].evidence[0]
    assert (seen.status, seen.note.partition(",")[0]) == ("verified", "reverted: off")


async def test_what_switches_back_before_the_plan_has_ended_is_told_as_well(make_gate, home, told):
    """The light is off again when the call returns."""

    class OffAgain:
        async def call(self, sent):
            done = await home.call(sent)
            home.set_state("light.hall", "off")
            return done

    gate = await make_gate(ties=Ties(tell=told), window_factor=0.01, dispatcher=OffAgain())
    await act(gate, call("light.turn_on", "light.hall"))

    assert (await told.one())[0] == "switched_back"


async def test_what_is_changed_on_purpose_is_not_told(telling, home, told):
    await act(telling, call("light.turn_on", "light.hall"))
    await act(telling, call("light.turn_off", "light.hall"))
    await telling.close()

    assert told.notices == []


@pytest.mark.parametrize("passing", ["unavailable", "unknown"])
async def test_a_thing_out_of_reach_is_not_taken_for_switched_back(telling, home, told, passing):
    await act(telling, call("light.turn_on", "light.hall"))
    home.set_state("light.hall", passing)
    await telling.close()

    assert told.notices == []


async def test_a_thing_that_only_assumes_its_state_is_never_verified_late(telling, home, told):
    home.set_state("switch.coffee", "off", assumed_state=True)
    plan = await act(telling, call("switch.turn_on", "switch.coffee"))
    home.set_state("switch.coffee", "off")
    home.set_state("switch.coffee", "on")
    await telling.close()

    assert ((await telling.plan(plan.id)).steps[0].evidence[0].status, told.notices) == ("uncertain", [])


async def test_each_watch_ends_by_itself(make_gate, home, told):
    gate = await make_gate(ties=Ties(tell=told), window_factor=0.0001)
    await act(gate, call("light.turn_on", "light.hall"))
    watching: Afterwards = gate._executor._afterwards
    while len(watching):  # noqa: ASYNC110 - a watch that ends tells nobody
        await asyncio.sleep(0.001)
    home.set_state("light.hall", "off")
    await gate.close()

    assert told.notices == []


async def test_nothing_is_watched_once_the_gate_is_closed(telling, home, told):
    await act(telling, call("light.turn_on", "light.hall"))
    await telling.close()
    home.set_state("light.hall", "off")
    await asyncio.sleep(0)

    assert told.notices == []


async def test_no_more_than_so_many_are_watched_and_the_oldest_goes_first(make_gate, home, clock, told):
    for n in range(MOST + 5):
        home._place(Thing(f"light.l{n}"))
    gate = await make_gate(ties=Ties(tell=told), window_factor=1)
    await act(gate, call("light.turn_on", *(f"light.l{n}" for n in range(MOST + 5))))
    watching: Afterwards = gate._executor._afterwards

    assert len(watching) == MOST
    home.set_state("light.l0", "off")
    home.set_state(f"light.l{MOST + 4}", "off")
    await told.one()
    await gate.close()
    assert [f"L{MOST + 4} was on" in notice[2] for notice in told.notices] == [True]


async def test_the_window_of_a_rule_is_how_long_is_looked(make_gate, home):
    """A lamp has 3 s; here a rule gives it an hour, also where the plan waited in the database meanwhile."""
    policy = ruled("rules: [{name: slow lamp, when: {domain: light}, then: approve, window: 1h}]")
    home.faults["light.hall"] = Hold()
    gate = await make_gate(policy=lambda: policy, window_factor=0.01)
    plan = await act(gate, call("light.turn_on", "light.hall"))
    approving = asyncio.create_task(gate.approve(plan.id, ANN))
    while not home.calls:  # noqa: ASYNC110 - the simulated home has no event for it
        await asyncio.sleep(0)
    await asyncio.sleep(0.1)  # 10 s of them, of an hour that takes half a minute
    home.release("light.hall")

    assert (await approving).steps[0].evidence[0].status == "verified"
    assert (await gate.plan(plan.id)).decision.window == timedelta(hours=1)
