"""Every way to everything that guards the house, for everybody, in every mode: the verdict depends on effect and authority alone.

A seeded sample of the table runs with the other tests; HOMESTEWARD_SOAK=1 runs all of it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product
from random import Random
from typing import ClassVar

import pytest

from homesteward.actions import Gate, Mode
from homesteward.actions.editing import edit
from homesteward.actions.plan import Plan, PlanState, Step
from homesteward.actions.reserved import Performed, Prepared
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.core import HomestewardError
from homesteward.home.bodies import body_of, scene_body
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.home.model import Service, State
from homesteward.people import Caller
from homesteward.policy import Action
from routes import CALLERS, ENDS, GUARDS, LAMP, ROUTES, End, Route, routed_home

OWNER = CALLERS["owner"]
MODES = (Mode.PLAN, Mode.AUTO)
TABLE = [
    (route, end, who, mode)
    for route, end, who, mode in product(ROUTES, ENDS, CALLERS, MODES)
    if route.to(end) is not None
]
SAMPLE = 250
CELLS = TABLE if os.environ.get("HOMESTEWARD_SOAK") else Random(7).sample(TABLE, SAMPLE)


@dataclass(slots=True)
class Writes:
    """A room that carries out what a reserved call says, by writing it down."""

    done: list[ResolvedCall] = field(default_factory=list)
    services: ClassVar[Mapping[str, Service]] = {
        name: Service(*name.split(".")) for name in ("homesteward.schedule", "ha_config.write", "ha_config.delete")
    }

    async def prepare(self, call: Call, _caller: Caller) -> Prepared:
        return Prepared(ResolvedCall(call.domain, call.service, (), call.data), summary="it is written down")

    async def stands(self, _step: Step) -> str:
        return ""

    async def perform(self, _plan: Plan, step: Step) -> Performed:
        self.done.append(step.call)
        return Performed(())

    def inverse(self, _step: Step) -> str:
        return "it stays"


def expected(route: Route, end: End, who: str, mode: Mode) -> tuple[Action, bool]:
    """Return what the family preset says of the effect for this caller, and whether it takes an owner: no word on the way there."""
    guest = who == "guest"
    if route.configures:
        return (Action.DENY, False) if guest else (Action.APPROVE, True)
    if end in GUARDS or route.hidden:
        return (Action.DENY, False) if guest else (Action.APPROVE, False)
    least = Action.CONFIRM if guest else Action.ALLOW
    return (Action.APPROVE if mode is Mode.PLAN else least), False


def strictest(plans: tuple[Plan, ...]) -> tuple[Action, bool]:
    decisions = [step.decision for plan in plans for step in plan.steps]
    worst = max(decisions, key=lambda decision: decision.strictness)
    return worst.action, worst.by_owner


@pytest.fixture
def home(clock):
    return routed_home(clock)


@pytest.fixture
def room():
    return Writes()


@pytest.fixture
async def gate(make_gate, room) -> Gate:
    return await make_gate(reserved=ReservedCalls(room))


async def test_the_verdict_depends_on_effect_and_authority_alone_and_nothing_goes_out_unapproved(gate, home, room):
    wrong: list[str] = []
    for route, end, who, mode in CELLS:
        call = route.to(end)
        assert call
        home.calls.clear()
        room.done.clear()
        where, wanted = f"{route.name} to the {end.name} for {who} in {mode}", expected(route, end, who, mode)
        try:
            plans = await gate.submit([call], CALLERS[who], request="do it", mode=mode)
        except HomestewardError as error:
            if not (route.refusable and error.code == "wrong_service"):
                wrong.append(f"{where}: {error.code} {error.message}")
            continue
        if (found := strictest(plans)) != wanted:
            wrong.append(f"{where}: {found} instead of {wanted}")
        if (home.calls or room.done) and wanted[0] is not Action.ALLOW:
            wrong.append(f"{where}: {home.calls or room.done} went out")
        for plan in plans:
            if plan.state is PlanState.WAITING:
                await gate.reject(plan.id, OWNER)
    assert wrong == []


EDITS = [cell for cell in CELLS if cell[2] in {"owner", "member"} and not cell[0].refusable]


async def test_a_plan_that_is_edited_is_a_new_plan_and_gets_the_verdict_of_what_it_is_now(gate, home, room):
    wrong: list[str] = []
    for route, end, who, _ in EDITS:
        home.set_state(LAMP.entity_id, "off")
        (harmless,) = await gate.submit([ROUTES[0].to(LAMP)], CALLERS[who], request="light", mode=Mode.PLAN)
        home.calls.clear()
        room.done.clear()
        plans = await edit(gate, harmless.id, [route.to(end)], CALLERS[who])
        wanted = expected(route, end, who, Mode.AUTO)
        if strictest(plans) != wanted or ((home.calls or room.done) and wanted[0] is not Action.ALLOW):
            wrong.append(f"{route.name} to the {end.name} for {who}: {strictest(plans)}, {home.calls} went out")
        for plan in plans:
            if plan.state is PlanState.WAITING:
                await gate.reject(plan.id, OWNER)
    assert wrong == []


async def test_what_is_allowed_does_go_out(gate, home, room):
    """The table above could not fail if nothing ever went out."""
    for route in ROUTES:
        if expected(route, LAMP, "owner", Mode.AUTO)[0] is Action.ALLOW and (call := route.to(LAMP)):
            home.calls.clear()
            room.done.clear()
            await gate.submit([call], OWNER, request="do it")
            assert home.calls or room.done or home.states[LAMP.entity_id].state == "on", route.name


@pytest.mark.parametrize("word", ["all", "none"])
@pytest.mark.parametrize("end", GUARDS, ids=lambda end: end.name)
async def test_everything_is_no_target(gate, home, end, word):
    domain, service = end.service.split(".")
    call = Call(domain, service, Target(entity_id=(word,)))
    with pytest.raises(HomestewardError):
        await gate.submit([call], OWNER, request="do it")
    assert home.calls == []


@pytest.mark.parametrize("end", GUARDS, ids=lambda end: end.name)
async def test_a_scene_that_was_made_from_the_thing_is_as_sensitive_when_it_is_turned_on(gate, home, end):
    """scene.create is approved once; the scene that it leaves is judged anew each time."""
    made = State("scene.made", "unknown", {"entity_id": [end.entity_id]})
    home.states[made.entity_id], home.bodies[made.entity_id] = made, scene_body(made)
    call = Call("scene", "turn_on", Target(entity_id=(made.entity_id,)))
    (plan,) = await gate.submit([call], OWNER, request="do it")
    assert (plan.state, home.calls) == (PlanState.WAITING, [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"action": "{{ one }}"}, {"action": "{{ other }}"}),
        ({"action": "lock.unlock", "target": {"entity_id": "{{ one }}"}}, {"action": "lock.unlock", "target": {"entity_id": "{{ other }}"}}),
        ({"choose": [{"sequence": [{"new": 1}]}]}, {"choose": [{"sequence": [{"new": 2}]}]}),
    ],
)  # fmt: skip
async def test_what_nobody_sees_through_is_not_run_when_it_reads_otherwise_than_what_was_approved(
    gate, home, before, after
):
    home.bodies["script.harmless_lock"] = body_of({"sequence": [before]})
    (plan,) = await gate.submit(
        [Call("script", "turn_on", Target(entity_id=("script.harmless_lock",)))], OWNER, request="do it"
    )
    home.bodies["script.harmless_lock"] = body_of({"sequence": [after]})
    with pytest.raises(HomestewardError) as refused:
        await gate.approve(plan.id, OWNER)
    assert (refused.value.code, home.calls) == ("plan_changed", [])


async def test_what_an_owner_approves_goes_out_once_and_as_it_was_shown(gate, home):
    for route in ROUTES:
        call = route.to(GUARDS[0])
        if call is None or route.configures or route.hidden or route.refusable or call.domain == "homesteward":
            continue
        home.calls.clear()
        home.set_state("lock.end", "locked")
        for name in ("automation.lock", "input_boolean.lock"):  # so that turning it on is something to do
            home.set_state(name, "off")
        (plan,) = await gate.submit([call], OWNER, request="do it")
        await gate.approve(plan.id, OWNER)
        assert home.calls == [step.call for step in plan.steps], route.name
