import pytest

from homesteward.actions import Mode, PlanState, StepState, plan_json
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, Target, parse_call
from homesteward.home.errors import HomeError
from homesteward.home.faults import Dead
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, Preset

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
MEMBER = Caller(Role.MEMBER, Channel.API, "ben")
GUEST = Caller(Role.GUEST, Channel.API, "gus")
TOKEN = Caller(Role.TOKEN, Channel.API)


def call(service: str, *entity_ids: str, area: str = "", label: str = "", **data: object) -> Call:
    domain, name = service.split(".")
    target = Target(entity_id=entity_ids, area_id=(area,) if area else (), label_id=(label,) if label else ())
    return Call(domain, name, target, data)


def sent(home) -> list[tuple[str, tuple[str, ...]]]:
    return [(done.id, done.entity_ids) for done in home.calls]


async def test_an_everyday_call_is_done_and_seen(gate, home):
    (plan,) = await gate.submit(
        [call("light.turn_on", "light.kitchen")], OWNER, request="kitchen light on", run_id="run_1"
    )

    shown = plan_json(plan)
    assert shown["state"] == "completed"
    assert shown["steps"][0]["state"] == "done"
    assert shown["steps"][0]["evidence"][0] | {"at": ""} == {
        "entity_id": "light.kitchen",
        "expected": "on",
        "observed": "on",
        "status": "verified",
        "at": "",
        "already": False,
        "note": "",
    }
    assert sent(home) == [("light.turn_on", ("light.kitchen",))]
    assert plan == await gate.plan(plan.id)


async def test_asked_twice_it_is_already_so_and_nothing_is_sent(gate, home):
    await gate.submit([call("light.turn_on", "light.kitchen")], OWNER, request="")
    (again,) = await gate.submit([call("light.turn_on", "light.kitchen")], OWNER, request="")

    assert (again.state, again.steps[0].state, again.steps[0].note) == (
        PlanState.COMPLETED,
        StepState.SKIPPED,
        "already on",
    )
    assert len(home.calls) == 1


@pytest.mark.parametrize(
    "asked",
    [
        call("lock.unlock", "lock.front_door"),
        call("lock.open", "lock.front_door"),
        call("lock.unlock", area="hall"),
        call("lock.unlock", label="security"),
        call("scene.turn_on", "scene.arrival"),
        call("script.let_in"),
        call("script.turn_on", "script.let_in"),
        call("homeassistant.turn_on", "script.let_in"),
        call("automation.trigger", "automation.on_arrival"),
        call("automation.turn_on", "automation.on_arrival"),
        call("homeassistant.toggle", "cover.garage_door"),
        call("cover.toggle", "cover.garage_door"),
        call("cover.open_cover", area="garage"),
        call("cover.set_cover_position", "cover.garage_door", position=100),
    ],
    ids=lambda asked: f"{asked.id} {asked.target.entity_id or asked.target.area_id or asked.target.label_id}",
)
@pytest.mark.parametrize("caller", [OWNER, MEMBER, TOKEN], ids=["owner", "member", "token"])
async def test_a_lock_or_garage_waits_for_approval_by_every_route(gate, home, asked, caller):
    plans = await gate.submit([asked], caller, request="let me in")

    assert [(plan.state, plan.needs) for plan in plans] == [("waiting", "approve")]
    assert home.calls == []


async def test_an_area_target_reaching_a_garage_moves_the_blinds_and_holds_the_door(gate, home):
    """E19: one answer can say both, because there is one plan for each."""
    asked = call("cover.open_cover", "cover.bedroom_blinds", "cover.garage_door", "cover.study_blinds")
    done, waiting = await gate.submit([asked], OWNER, request="open all covers")

    assert (done.state, done.steps[0].call.entity_ids) == ("completed", ("cover.bedroom_blinds", "cover.study_blinds"))
    assert (waiting.state, waiting.needs, waiting.steps[0].call.entity_ids) == (
        "waiting",
        "approve",
        ("cover.garage_door",),
    )
    assert home.states["cover.garage_door"].state == "closed"


@pytest.mark.parametrize(
    ("service", "data"),
    [("cover.toggle", {}), ("cover.set_cover_position", {"position": 100}), ("homeassistant.toggle", {})],
)
async def test_the_garage_waits_by_every_service_that_opens_it(gate, home, service, data):
    """E19, variants."""
    plans = await gate.submit([call(service, "cover.bedroom_blinds", "cover.garage_door", **data)], OWNER, request="")

    assert [plan.state for plan in plans] == ["completed", "waiting"]
    assert [done.entity_ids for done in home.calls] == [("cover.bedroom_blinds",)]


async def test_a_generic_service_that_would_do_nothing_is_refused_and_the_real_one_named(gate, home):
    """E19, variant homeassistant.turn_on: Home Assistant would answer success and open nothing."""
    with pytest.raises(HomeError, match="does nothing to cover") as refused:
        await gate.submit(
            [call("homeassistant.turn_on", "cover.bedroom_blinds", "cover.garage_door")], OWNER, request=""
        )

    assert "cover.open_cover" in refused.value.next
    assert home.calls == []


@pytest.mark.parametrize(
    ("raw", "code", "hint"),
    [
        ({"area_id": "bathroom"}, "unknown_area", "kitchen"),
        ({}, "no_target", "Name what it should act on"),
        ({"entity_id": "all"}, "no_target", "Name what it should act on"),
        ({"entity_id": "none"}, "no_target", "Name what it should act on"),
        ({"area_id": ""}, "no_target", "Name what it should act on"),
        ({"area_id": "all"}, "no_target", "Name what it should act on"),
        ({"floor_id": "attic"}, "unknown_floor", "ground"),
        ({"label_id": "nowhere"}, "unknown_label", "security"),
        ({"device_id": "dev"}, "unknown_device", ""),
        ({"area_id": "garage"}, "nothing_there", ""),
    ],
)
async def test_a_place_that_is_not_there_never_becomes_the_whole_house(gate, home, raw, code, hint):
    """E04."""
    with pytest.raises(HomestewardError) as refused:
        await gate.submit([parse_call({"service": "light.turn_on", "target": raw})], OWNER, request="bathroom lights")

    assert refused.value.code == code
    assert hint in refused.value.next
    assert home.calls == []
    assert await gate.plans() == ()


async def test_an_entity_that_does_not_exist_is_refused_with_the_nearest_one(gate, home):
    """E10."""
    with pytest.raises(HomestewardError, match=r"no entity light\.kitchn") as refused:
        await gate.submit([call("light.turn_on", "light.kitchn")], OWNER, request="")

    assert "light.kitchen" in refused.value.next
    assert home.calls == []


@pytest.mark.parametrize(
    "asked",
    [
        Call("shell_command/../light", "turn_on"),
        Call("../../api/config", "x"),
        Call("light", "turn_on?x=1", Target(entity_id=("light.hall",))),
        Call("light", "turn_on", Target(entity_id=("light.a/../b",))),
        Call("light", "turn_on", Target(entity_id=("light.hall\n",))),
        Call("Light", "turn_on", Target(entity_id=("light.hall",))),
        Call("", "turn_on"),
    ],
    ids=repr,
)
async def test_a_crafted_name_is_refused_on_its_form_and_logged_escaped(gate, home, caplog, asked):
    """E16."""
    with pytest.raises(HomestewardError) as refused:
        await gate.submit([asked], OWNER, request="")

    assert refused.value.code == "invalid_call"
    assert home.calls == []
    assert len(caplog.records) == 1
    assert "\n" not in caplog.messages[0]


@pytest.mark.parametrize(
    "value", [2**70, "\ud800", "x" * 70_000, {1: "one"}, object()], ids=lambda value: repr(value)[:12]
)
async def test_data_that_cannot_be_kept_is_refused(gate, home, value):
    with pytest.raises(HomestewardError) as refused:
        await gate.submit([call("script.turn_on", "script.welcome", variables={"x": value})], OWNER, request="")

    assert (refused.value.code, home.calls) == ("invalid_call", [])


async def test_one_call_that_does_not_fit_keeps_all_the_others_from_running(gate, home):
    with pytest.raises(HomestewardError):
        await gate.submit(
            [call("light.turn_on", "light.kitchen"), call("light.turn_on", "light.gone")], OWNER, request=""
        )

    assert home.calls == []


async def test_too_many_calls_at_once_are_refused(gate, home):
    with pytest.raises(HomestewardError, match="at most 50"):
        await gate.submit([call("light.turn_on", "light.kitchen")] * 51, OWNER, request="")

    assert home.calls == []


async def test_no_call_is_no_plan(gate):
    assert await gate.submit([], OWNER, request="") == ()


async def test_a_denied_service_ends_rejected_with_its_reason(gate, home):
    (plan,) = await gate.submit([call("shell_command.backup")], OWNER, request="back up")

    assert (plan.state, plan.decision.rule, plan.steps[0].state) == ("rejected", "deny list", "skipped")
    assert home.calls == []


async def test_a_guest_gets_a_question_for_a_lamp_and_a_refusal_for_a_lock(gate, home):
    plans = await gate.submit(
        [call("light.turn_on", "light.kitchen"), call("lock.unlock", "lock.front_door")], GUEST, request=""
    )

    assert [(plan.state, plan.needs) for plan in plans] == [("waiting", "confirm"), ("rejected", None)]
    assert home.calls == []


async def test_steps_of_one_verdict_keep_their_order_in_one_plan(gate):
    asked = [
        call("light.turn_on", "light.kitchen"),
        call("lock.unlock", "lock.front_door"),
        call("fan.turn_on", "fan.ceiling"),
    ]
    done, waiting = await gate.submit(asked, OWNER, request="")

    assert [(step.n, step.call.id) for step in done.steps] == [(1, "light.turn_on"), (2, "fan.turn_on")]
    assert [step.call.id for step in waiting.steps] == ["lock.unlock"]


@pytest.mark.parametrize("dry_run", [False, True])
async def test_in_mode_observe_every_change_is_refused(make_gate, home, dry_run):
    gate = await make_gate(mode=Mode.OBSERVE, dry_run=dry_run)
    (plan,) = await gate.submit([call("light.turn_on", "light.kitchen")], OWNER, request="")

    assert (plan.state, plan.decision.rule) == ("rejected", "mode observe")
    assert home.calls == []


async def test_in_mode_plan_a_change_is_recorded_and_runs_once_approved(make_gate, home):
    gate = await make_gate(mode=Mode.PLAN)
    (plan,) = await gate.submit([call("light.turn_on", "light.kitchen")], OWNER, request="")
    assert (plan.state, plan.needs, plan.decision.rule, home.calls) == ("waiting", "approve", "mode plan", [])

    approved = await gate.approve(plan.id, OWNER)

    assert (approved.state, len(home.calls)) == ("completed", 1)


async def test_a_request_can_tighten_the_mode_but_not_loosen_it(make_gate, home):
    gate = await make_gate(mode=Mode.PLAN)
    asked = [call("light.turn_on", "light.kitchen")]

    (tightened,) = await gate.submit(asked, OWNER, request="", mode=Mode.OBSERVE)
    (loosened,) = await gate.submit(asked, OWNER, request="", mode=Mode.AUTO)

    assert (tightened.state, loosened.state) == ("rejected", "waiting")
    assert home.calls == []


async def test_a_dry_run_says_simulated_and_sends_nothing(make_gate, home):
    gate = await make_gate(dry_run=True)
    plans = await gate.submit(
        [call("light.turn_on", "light.kitchen"), call("lock.unlock", "lock.front_door")],
        OWNER,
        request="",
        dry_run=False,
    )

    assert [plan.state for plan in plans] == ["simulated", "simulated"]
    seen = plans[0].steps[0].evidence[0]
    assert (seen.status, seen.expected, seen.observed) == ("simulated", "on", "off")
    assert home.calls == []


async def test_a_dry_run_still_refuses_what_is_denied(make_gate):
    gate = await make_gate(dry_run=True)
    (plan,) = await gate.submit([call("shell_command.backup")], OWNER, request="")

    assert plan.state == "rejected"


async def test_in_a_read_only_home_nothing_moves(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.READ_ONLY))
    (plan,) = await gate.submit([call("light.turn_on", "light.kitchen")], OWNER, request="")

    assert (plan.state, home.calls) == ("rejected", [])


async def test_a_bulb_that_does_nothing_is_never_called_done(gate, home):
    home.faults["light.hall"] = Dead()
    (plan,) = await gate.submit([call("light.turn_on", "light.hall")], OWNER, request="")

    assert (plan.state, plan.steps[0].state, plan.steps[0].evidence[0].status) == ("failed", "failed", "mismatched")
    assert plan.steps[0].error == "light.hall should be on and is off"


async def test_an_unavailable_light_is_named_and_not_called(gate, home):
    (plan,) = await gate.submit([call("light.turn_on", "light.porch")], OWNER, request="")

    assert (plan.state, plan.steps[0].error) == ("failed", "light.porch is unavailable")
    assert home.calls == []
