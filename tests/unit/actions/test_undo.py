"""Taking a plan back: what it changed comes back, what cannot is named, and the way back is asked for like anything else."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from homes import COLOURFUL
from homesteward.actions import Gate, Mode, Plan, PlanState
from homesteward.actions.before import MOST_KEPT, before_of
from homesteward.actions.plan import plan_json
from homesteward.actions.undo import undone_json
from homesteward.core import HomestewardError
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.faults import Dead, Hold
from homesteward.home.inventory import Thing
from homesteward.home.model import Service
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.people.reach import Reach

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
GUEST = Caller(Role.GUEST, Channel.API, "gus")


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


async def act(gate: Gate, *calls: Call, caller: Caller = OWNER) -> Plan:
    (plan,) = await gate.submit(calls, caller, request="as asked")
    return plan


async def refusal(work) -> HomestewardError:
    with pytest.raises(HomestewardError) as refused:
        await work
    return refused.value


async def test_a_light_goes_back_to_its_colour_and_brightness(gate, home):
    home.set_state("light.study", "on", **COLOURFUL, color_mode="hs", brightness=90, hs_color=[210, 60])
    plan = await act(gate, call("light.turn_off", "light.study"))

    undone = await gate.undo(plan.id, OWNER)

    now = home.states["light.study"]
    assert (now.state, now.attributes["brightness"], now.attributes["hs_color"]) == ("on", 90, [210, 60])
    assert ([one.state for one in undone.plans], undone.left) == (["completed"], ())


async def test_the_two_plans_name_each_other(gate):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    (back,) = (await gate.undo(plan.id, OWNER)).plans

    assert (back.request, back.undoes) == (f"undo {plan.id}", plan.id)
    assert plan_json(back)["undoes"] == plan.id
    assert plan_json(await gate.plan(plan.id))["undone_by"] == [back.id]


async def test_an_undo_is_itself_undone(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    (back,) = (await gate.undo(plan.id, OWNER)).plans
    await gate.undo(back.id, OWNER)

    assert home.states["light.kitchen"].state == "on"


async def test_what_was_taken_back_is_not_taken_back_twice(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    await gate.undo(plan.id, OWNER)
    sent = len(home.calls)

    refused = await refusal(gate.undo(plan.id, OWNER))
    assert (refused.code, len(home.calls)) == ("cannot_undo", sent)
    assert "as it was before" in refused.message


async def test_the_way_back_is_judged_like_anything_else(gate, home):
    """Locking is allowed to nobody at once here, and unlocking is the way back."""
    home.set_state("lock.front_door", "unlocked")
    waiting = await act(gate, call("lock.lock", "lock.front_door"), call("cover.open_cover", "cover.garage_door"))
    plan = await gate.approve(waiting.id, OWNER)
    home.calls.clear()

    undone = await gate.undo(plan.id, OWNER)

    assert [(one.state, one.needs) for one in undone.plans] == [("waiting", "approve")]
    assert home.calls == []
    assert [step.call.id for step in undone.plans[0].steps] == ["cover.close_cover", "lock.unlock"]


async def test_while_an_undo_waits_there_is_no_second_one(gate):
    waiting = await act(gate, call("cover.open_cover", "cover.garage_door"))
    plan = await gate.approve(waiting.id, OWNER)
    (first,) = (await gate.undo(plan.id, OWNER)).plans

    refused = await refusal(gate.undo(plan.id, OWNER))
    assert (refused.code, first.id in refused.message) == ("cannot_undo", True)


async def test_what_each_verdict_takes_is_a_plan_of_its_own(gate, home):
    script = call("script.turn_on", "script.let_in")
    plan = await gate.approve((await act(gate, script)).id, OWNER)
    undone = await gate.undo(plan.id, OWNER)

    assert {one.state.value: [step.call.id for step in one.steps] for one in undone.plans} == {
        "waiting": ["lock.lock"],
        "completed": ["light.turn_off"],
    }
    assert home.states["light.hall"].state == "off"


async def test_everything_that_a_script_reaches_is_kept_as_it_was(gate):
    plan = await act(gate, call("script.turn_on", "script.let_in"))
    kept = plan.steps[0].before

    assert {name: kept[name]["state"] for name in ("light.hall", "lock.front_door")} == {
        "light.hall": "off",
        "lock.front_door": "locked",
    }


async def test_the_members_of_a_group_are_kept_and_brought_back(gate, home):
    home.set_state("light.study", "on", brightness=20)
    plan = await act(gate, call("light.turn_on", "light.upstairs", brightness_pct=100))
    await gate.undo(plan.id, OWNER)

    assert (home.states["light.study"].attributes["brightness"], home.states["light.study"].state) == (20, "on")
    assert home.states["light.reading_lamp_bedroom"].state == "off"


async def test_what_somebody_changed_since_is_left_and_named(gate, home, clock):
    plan = await act(gate, call("light.turn_on", "light.kitchen", "light.study", brightness_pct=50))
    clock.advance(timedelta(minutes=1))
    home.set_state("light.kitchen", "on", brightness=255)

    undone = await gate.undo(plan.id, OWNER)

    assert [(left.entity_id, left.why) for left in undone.left] == [
        ("light.kitchen", "it was changed since by something else")
    ]
    assert (home.states["light.kitchen"].attributes["brightness"], home.states["light.study"].state) == (255, "off")


async def test_what_the_plan_did_not_change_is_not_brought_back(gate, home):
    """The music ended by itself meanwhile: only the volume comes back."""
    home.set_state("media_player.speaker", "playing", volume_level=0.2)
    plan = await act(gate, call("media_player.volume_set", "media_player.speaker", volume_level=0.6))
    home.set_state("media_player.speaker", "idle", volume_level=0.6)
    home.calls.clear()

    await gate.undo(plan.id, OWNER)

    assert [sent.id for sent in home.calls] == ["media_player.volume_set"]
    assert home.states["media_player.speaker"].attributes["volume_level"] == 0.2


async def test_a_thing_still_on_its_way_when_the_plan_ended_is_brought_back_from_where_it_came_to(gate, home):
    home.faults["cover.bedroom_blinds"] = Hold("opening")
    plan = await act(gate, call("cover.open_cover", "cover.bedroom_blinds"))
    home.release("cover.bedroom_blinds")
    del home.faults["cover.bedroom_blinds"]

    undone = await gate.undo(plan.id, OWNER)
    assert (undone.left, home.states["cover.bedroom_blinds"].state) == ((), "closed")


@pytest.mark.parametrize(
    ("asked", "named"),
    [
        (call("notify.phone"), ("notify.phone", "a message that was sent stays sent")),
        (call("button.press", "button.bell"), ("button.bell", "a button that was pressed stays pressed")),
        (call("script.turn_on", "script.hidden"), ("script.hidden", "it does things that cannot be seen from here")),
        (call("script.turn_on", "script.ring"), ("notify.phone", "a message that was sent stays sent")),
    ],
    ids=lambda value: value.id if isinstance(value, Call) else value[0],
)
async def test_what_is_over_when_it_happened_is_named(gate, home, asked, named):
    ring = BodyStep(Call("notify", "phone"), "tell the phone")
    lamp = BodyStep(Call("light", "turn_on", Target(entity_id=("light.hall",))), "turn on the hall light")
    more = SimulatedHome.build(
        [
            Thing("button.bell", "Bell"),
            Thing("script.hidden", "Hidden", body=(lamp, BodyStep(None, "a template"))),
            Thing("script.ring", "Ring", body=(lamp, ring)),
        ],
    )
    for part in ("states", "entities", "bodies"):
        getattr(home, part).update(getattr(more, part))
    home.services.update({name: Service("script", name.partition(".")[2]) for name in ("script.hidden", "script.ring")})
    submitted = await gate.submit([asked, call("light.turn_on", "light.kitchen")], OWNER, request="")
    plans = [await gate.approve(plan.id, OWNER) if plan.state is PlanState.WAITING else plan for plan in submitted]

    undone = [await gate.undo(plan.id, OWNER) for plan in plans]

    assert named in [(left.entity_id, left.why) for each in undone for left in each.left]
    assert home.states["light.kitchen"].state == "off"


async def test_a_plan_of_which_nothing_can_be_taken_back_says_why(gate):
    plan = await act(gate, call("notify.phone"))
    refused = await refusal(gate.undo(plan.id, OWNER))

    assert (refused.code, refused.message) == (
        "cannot_undo",
        "Nothing of this plan can be taken back: notify.phone: a message that was sent stays sent.",
    )


@pytest.mark.parametrize("state", ["waiting", "rejected", "simulated"])
async def test_a_plan_that_did_nothing_cannot_be_taken_back(make_gate, state):
    gate = await make_gate(dry_run=state == "simulated")
    plan = await act(gate, call("lock.unlock", "lock.front_door"))
    if state == "rejected":
        await gate.reject(plan.id, OWNER)

    assert (await refusal(gate.undo(plan.id, OWNER))).code == "cannot_undo"


async def test_what_did_not_obey_is_not_taken_back(gate, home):
    plan = await act(gate, call("light.turn_on", "light.old_bulb"))
    home.faults.clear()
    assert home.calls[0].id == "light.turn_on"

    assert (await refusal(gate.undo(plan.id, OWNER))).message == "Everything this plan touched is as it was before."


async def test_somebody_elses_plan_is_no_plan_to_take_back(gate):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    assert (await refusal(gate.undo(plan.id, GUEST))).code == "unknown_plan"


async def test_with_a_mode_that_only_plans_an_undo_waits(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    undone = await gate.undo(plan.id, OWNER, mode=Mode.PLAN)

    assert ([one.state for one in undone.plans], home.states["light.kitchen"].state) == (["waiting"], "on")


async def test_in_a_dry_run_an_undo_is_simulated(make_gate, home):
    plan = await act(await make_gate(), call("light.turn_on", "light.kitchen"))
    undone = await (await make_gate(dry_run=True)).undo(plan.id, OWNER)

    assert ([one.state for one in undone.plans], home.states["light.kitchen"].state) == (["simulated"], "on")


async def test_what_lies_beyond_the_callers_reach_is_neither_touched_nor_named(gate, home):
    """A script went on to a lamp outside: whoever does not reach that lamp is not told its name."""
    home.bodies["script.welcome"] = tuple(
        BodyStep(Call("light", "turn_on", Target(entity_id=(name,))), "light")
        for name in ("light.hall", "light.cellar")
    )
    plan = await act(gate, call("script.turn_on", "script.welcome"))
    bound = replace(OWNER, reach=Reach.of(entities=["light.hall", "script.welcome"]))

    undone = await gate.undo(plan.id, bound)

    assert (home.states["light.hall"].state, home.states["light.cellar"].state) == ("off", "on")
    assert "cellar" not in str(undone_json([plan_json(one) for one in undone.plans], undone.left))
    assert [left.entity_id for left in undone.left] == [""]


async def test_nothing_secret_is_kept_of_a_state(gate, home):
    home.set_state("input_text.pin", "4711", mode="password")
    home.set_state(
        "media_player.speaker", "playing", media_content_id="http://x/?token=s3cret", entity_picture="s3cret"
    )
    await act(gate, call("input_text.set_value", "input_text.pin", value="0815"))
    plan = await act(gate, call("media_player.media_pause", "media_player.speaker"))

    plans = await gate.plans()
    assert "4711" not in repr([step.before for one in plans for step in one.steps])
    assert "s3cret" not in repr((plan, plans))


async def test_a_secret_that_was_overwritten_is_left_and_said(gate, home):
    home.set_state("input_text.pin", "4711", mode="password")
    plan = await act(gate, call("input_text.set_value", "input_text.pin", value="0815"))

    assert "its value is a secret" in (await refusal(gate.undo(plan.id, OWNER))).message


def test_what_is_kept_of_a_step_is_bounded_and_says_what_it_left_out():
    home = SimulatedHome.build([Thing(f"light.l{n}") for n in range(MOST_KEPT + 7)])
    kept = before_of(ResolvedCall("light", "turn_on", tuple(home.states)), home)

    assert (len(kept), kept["*"]) == (MOST_KEPT + 1, {"left_out": 7})


async def test_a_dead_thing_is_undone_no_further_than_it_obeys(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    home.faults["light.kitchen"] = Dead()
    (back,) = (await gate.undo(plan.id, OWNER)).plans

    assert (back.state, back.steps[0].evidence[0].status) == ("failed", "mismatched")


async def test_of_several_who_take_it_back_at_once_one_does(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    home.calls.clear()
    came = await asyncio.gather(*(gate.undo(plan.id, OWNER) for _ in range(8)), return_exceptions=True)

    assert [error.code for error in came if isinstance(error, HomestewardError)] == ["cannot_undo"] * 7
    assert (len((await gate.plan(plan.id)).undone_by), len(home.calls)) == (1, 1)


async def test_an_undo_asked_for_after_text_from_outside_is_asked_back(gate, home):
    plan = await act(gate, call("light.turn_on", "light.kitchen"))
    (back,) = (await gate.undo(plan.id, OWNER, outside=True)).plans

    assert (back.state, back.decision.outside, home.states["light.kitchen"].state) == ("waiting", True, "on")
