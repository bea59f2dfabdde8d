"""A plan that waited, and a home that went on meanwhile: what is so already is left, what is otherwise stops everything."""

import pytest

from homesteward.actions import Gate, Mode, Plan
from homesteward.actions.plan import plan_json
from homesteward.home.calls import Call, Target
from homesteward.people import Caller, Channel, Role

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


async def waiting(gate: Gate, *calls: Call) -> Plan:
    (plan,) = await gate.submit(calls, OWNER, request="", mode=Mode.PLAN)
    return plan


async def test_what_was_done_by_hand_meanwhile_is_left(gate, home):
    plan = await waiting(gate, call("lock.unlock", "lock.front_door"))
    home.set_state("lock.front_door", "unlocked")
    done = await gate.approve(plan.id, OWNER)

    assert (done.state, done.steps[0].state, done.steps[0].note, home.calls) == (
        "completed",
        "skipped",
        "already unlocked",
        [],
    )


async def test_a_thermostat_that_was_moved_meanwhile_stops_the_plan_and_says_so(gate, home):
    home.set_state("climate.thermostat", "heat", temperature=19)
    plan = await waiting(gate, call("climate.set_temperature", "climate.thermostat", temperature=21))
    home.set_state("climate.thermostat", "heat", temperature=23)
    done = await gate.approve(plan.id, OWNER)

    assert (done.state, done.steps[0].state, home.calls) == ("failed", "failed", [])
    assert done.steps[0].error == (
        "climate.thermostat changed since this was proposed: it was temperature 19 and is temperature 23."
    )
    assert done == await gate.plan(plan.id)


async def test_where_one_of_several_is_otherwise_none_runs(gate, home):
    plan = await waiting(gate, call("light.turn_on", "light.kitchen"), call("cover.toggle", "cover.study_blinds"))
    home.set_state("cover.study_blinds", "open")
    done = await gate.approve(plan.id, OWNER)

    assert [(step.state, step.note or step.error) for step in done.steps] == [
        ("skipped", "not reached: something changed since this was proposed"),
        ("failed", "cover.study_blinds changed since this was proposed: it was closed and is open."),
    ]
    assert home.calls == []


async def test_a_step_that_was_not_chosen_stops_nothing(gate, home):
    plan = await waiting(gate, call("light.turn_on", "light.kitchen"), call("cover.toggle", "cover.study_blinds"))
    home.set_state("cover.study_blinds", "open")

    assert (await gate.approve(plan.id, OWNER, steps=[1])).state == "completed"


@pytest.mark.parametrize(
    ("asked", "entity_id", "before", "now"),
    [
        (call("light.turn_off", "light.kitchen"), "light.kitchen", ("on", 90), ("on", 200)),
        (call("light.turn_on", "light.kitchen", brightness_pct=80), "light.kitchen", ("on", 90), ("on", 92)),
        (call("scene.turn_on", "scene.cosy"), "scene.cosy", ("unknown", None), ("2026-02-01T12:00:00+00:00", None)),
        (call("light.turn_on", "light.kitchen"), "light.kitchen", ("unavailable", None), ("off", None)),
        (call("cover.close_cover", "cover.study_blinds"), "cover.study_blinds", ("opening", None), ("open", None)),
    ],
    ids=["brightness of a lamp to be off", "a hair", "a scene used meanwhile", "back in reach", "come to its end"],
)
async def test_what_the_call_is_not_about_stops_nothing(gate, home, asked, entity_id, before, now):
    home.set_state(entity_id, before[0], **({"brightness": before[1]} if before[1] else {}))
    plan = await waiting(gate, asked)
    home.set_state(entity_id, now[0], **({"brightness": now[1]} if now[1] else {}))

    assert (await gate.approve(plan.id, OWNER)).state == "completed"


async def test_the_approver_sees_what_is_and_what_is_to_be(gate, home):
    home.set_state("climate.thermostat", "heat", temperature=19)
    plan = await waiting(gate, call("climate.set_temperature", "climate.thermostat", temperature=21))
    step = plan_json(await gate.plan(plan.id))["steps"][0]

    assert step["before"] == {"climate.thermostat": "heat, temperature 19"}
    assert step["expected"] == {"climate.thermostat": "temperature 21"}


async def test_what_a_script_reaches_is_named_with_what_it_was_and_without_a_guess_at_what_it_becomes(gate):
    plan = await waiting(gate, call("homeassistant.turn_on", "script.welcome"))
    assert "light.hall" in plan.steps[0].before
    step = plan_json(plan)["steps"][0]
    assert "light.hall" in step["reached"]
    assert step["before"]["light.hall"] == "off"
    assert "light.hall" not in step["expected"]
