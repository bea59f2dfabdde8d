"""Going on with a plan that was cut off: by a person only, and never twice what must not happen twice."""

import asyncio

import pytest
from sqlalchemy import update

from homesteward.actions import Gate, Mode, Plan, PlanState, Ties
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, Target
from homesteward.people import SYSTEM, Caller, Channel, Role
from homesteward.policy import Policy, Preset
from homesteward.store.tables import steps
from judging import ruled

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
GUEST = Caller(Role.GUEST, Channel.API, "gus")
TOKEN = Caller(Role.TOKEN, Channel.API, token_id="token_1", scopes=frozenset())


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


KITCHEN, FAN = call("light.turn_on", "light.kitchen"), call("fan.turn_on", "fan.ceiling")


class Stopping:
    """A dispatcher in which everything stops at the call number `at`, before or after the home did as told."""

    def __init__(self, home, at=1, *, obeys):
        self._home, self._at, self._obeys, self.reached = home, at, obeys, asyncio.Event()

    async def call(self, sent):
        self._at -= 1
        if self._at:
            return await self._home.call(sent)
        if self._obeys:
            await self._home.call(sent)
        self.reached.set()
        return await asyncio.Future()


@pytest.fixture
async def cut_off(make_gate, home):
    """Ask for calls, stop in the middle of one, and start again: the plan as it is found."""

    async def run(*calls: Call, at: int = 1, obeys: bool, **settings) -> tuple[Gate, Plan]:
        stopping = Stopping(home, at, obeys=obeys)
        gate = await make_gate(dispatcher=stopping)
        asking = asyncio.create_task(gate.submit(calls, OWNER, request="light and fan"))
        await stopping.reached.wait()
        await gate.close()
        await asyncio.gather(asking, return_exceptions=True)
        again = await make_gate(**settings)
        (plan,) = await again.plans(PlanState.INTERRUPTED)
        home.calls.clear()
        return again, plan

    return run


async def refusal(work) -> str:
    with pytest.raises(HomestewardError) as refused:
        await work
    return refused.value.code


def sent(home) -> list[str]:
    return [call.id for call in home.calls]


async def test_what_is_seen_to_be_done_is_not_sent_again_and_the_rest_runs(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    done = await gate.resume(plan.id, OWNER)

    assert (done.state, [step.state for step in done.steps], sent(home)) == (
        "completed",
        ["done", "done"],
        ["fan.turn_on"],
    )
    assert done.steps[0].evidence[0].status == "verified"
    assert done == await gate.plan(plan.id)


async def test_what_did_not_happen_and_may_happen_twice_is_sent(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=False)
    done = await gate.resume(plan.id, OWNER)

    assert (done.state, sent(home)) == ("completed", ["light.turn_on", "fan.turn_on"])


@pytest.mark.parametrize(
    "asked",
    [call("light.toggle", "light.kitchen"), call("notify.phone"), call("script.turn_on", "script.welcome")],
    ids=lambda asked: asked.id,
)
async def test_what_must_not_happen_twice_is_not_sent_again(cut_off, home, asked):
    gate, plan = await cut_off(asked, FAN, obeys=False)
    done = await gate.resume(plan.id, OWNER)

    assert (done.state, [step.state for step in done.steps]) == ("partial", ["uncertain", "done"])
    assert "must not happen twice" in done.steps[0].error
    assert sent(home) == ["fan.turn_on"]


async def test_what_was_done_before_is_left_alone(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, call("light.turn_on", "light.hall"), at=2, obeys=True)
    home.set_state("light.kitchen", "off")
    done = await gate.resume(plan.id, OWNER)

    assert (done.state, sent(home), home.states["light.kitchen"].state) == ("completed", ["light.turn_on"], "off")


async def test_an_undo_of_it_goes_back_to_the_very_beginning(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    await gate.resume(plan.id, OWNER)
    await gate.undo(plan.id, OWNER)

    assert (home.states["light.kitchen"].state, home.states["fan.ceiling"].state) == ("off", "off")


async def test_two_people_going_on_at_once_act_once(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    await asyncio.gather(*(gate.resume(plan.id, OWNER) for _ in range(20)), return_exceptions=True)

    assert sent(home) == ["fan.turn_on"]


@pytest.mark.parametrize("by", [GUEST, TOKEN, SYSTEM], ids=lambda by: by.role)
async def test_only_the_household_goes_on_with_it(cut_off, home, by):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)

    assert await refusal(gate.resume(plan.id, by)) in {"unknown_plan", "not_allowed"}
    assert ((await gate.plan(plan.id)).state, home.calls) == ("interrupted", [])


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"policy": lambda: Policy(Preset.CAUTIOUS)}, "plan_changed"),
        ({"policy": lambda: Policy(Preset.READ_ONLY)}, "plan_changed"),
        ({"mode": Mode.OBSERVE}, "not_allowed"),
        ({"mode": Mode.PLAN}, "plan_changed"),
        ({"dry_run": True}, "not_allowed"),
    ],
    ids=["cautious", "read only", "observe", "plan", "dry run"],
)
async def test_where_it_would_be_judged_otherwise_now_nothing_goes_on(cut_off, home, settings, code):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True, **settings)

    assert await refusal(gate.resume(plan.id, OWNER)) == code
    assert ((await gate.plan(plan.id)).state, home.calls) == ("interrupted", [])


async def test_steps_that_are_not_those_that_were_judged_do_not_run(cut_off, home, database):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    await database.write(lambda c: c.execute(update(steps).where(steps.c.n == 2).values(entity_ids=["fan.other"])))

    assert await refusal(gate.resume(plan.id, OWNER)) == "plan_changed"
    assert home.calls == []


async def test_without_the_home_nothing_goes_on(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    home.connected = False

    assert await refusal(gate.resume(plan.id, OWNER)) == "not_connected"


async def test_a_plan_that_was_not_cut_off_is_not_gone_on_with(gate, home):
    (plan,) = await gate.submit([KITCHEN], OWNER, request="")
    assert await refusal(gate.resume(plan.id, OWNER)) == "not_interrupted"
    assert len(home.calls) == 1


async def test_the_owner_is_told_what_is_not_known(cut_off):
    told = []
    _, plan = await cut_off(KITCHEN, FAN, obeys=True, ties=Ties(tell=lambda *notice: told.append(notice)))

    ((kind, subject, text, person_id),) = told
    assert (kind, subject, person_id) == ("plan_interrupted", plan.id, "")
    assert "not known: light.turn_on on light.kitchen." in text


async def test_given_up_it_is_over(cut_off, home):
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True)
    await gate.reject(plan.id, OWNER)

    assert await refusal(gate.resume(plan.id, OWNER)) == "not_interrupted"
    assert home.calls == []


async def test_a_script_that_does_something_else_since_the_stop_is_not_gone_on_with(cut_off, home):
    gate, plan = await cut_off(KITCHEN, call("script.turn_on", "script.welcome"), obeys=True)
    home.bodies["script.welcome"] = home.bodies["script.welcome"][:-1]

    assert await refusal(gate.resume(plan.id, OWNER)) == "plan_changed"
    assert ((await gate.plan(plan.id)).state, home.calls) == ("interrupted", [])


async def test_what_a_rule_refuses_since_the_stop_is_not_gone_on_with(cut_off, home):
    denied = ruled("rules:\n- {name: No fans, when: {domain: fan}, then: deny}\n")
    gate, plan = await cut_off(KITCHEN, FAN, obeys=True, policy=lambda: denied)

    assert await refusal(gate.resume(plan.id, OWNER)) == "plan_changed"
    assert home.calls == []


async def test_a_plan_whose_only_step_is_not_known_and_not_sent_again_is_not_called_completed(cut_off, home):
    gate, plan = await cut_off(call("light.toggle", "light.kitchen"), obeys=False)
    done = await gate.resume(plan.id, OWNER)

    assert (done.state, [step.state for step in done.steps], home.calls) == ("partial", ["uncertain"], [])
