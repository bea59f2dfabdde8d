"""Changes of configuration through the gate: proposed whole, locked, seen, put back, kept in versions, without a code anywhere."""

import asyncio

import pytest

from homesteward.actions import Mode, PlanState, Status, StepState, plan_json
from homesteward.actions.reserved_calls import ReservedCalls
from homesteward.core import HomestewardError
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.errors import NotConnectedError
from homesteward.people import Caller, Channel, Reach, Role, Scope
from judging import GUEST, MEMBER, OWNER

LAMP = {
    "alias": "Lamp",
    "triggers": [{"trigger": "state", "entity_id": "binary_sensor.gate", "to": "on"}],
    "actions": [{"action": "light.turn_on", "target": {"entity_id": "light.study"}}],
}
UNLOCK = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
DISARM = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}, "data": {"code": "4711"}}


def write(config=LAMP, kind="automation", **rest):
    return Call("ha_config", "write", data={"kind": kind, "config": config, **rest})


def edit(**fields):
    return write({**LAMP, **fields}, id="lamp", edit=True)


def delete(key="lamp", kind="automation"):
    return Call("ha_config", "delete", data={"kind": kind, "id": key})


async def asked(gate, call, by=OWNER, **more):
    (plan,) = await gate.submit([call], by, request="change it", **more)
    return plan


async def refusal(gate, call, by=OWNER):
    with pytest.raises(HomestewardError) as refused:
        await asked(gate, call, by)
    return refused.value


async def test_an_edit_waits_for_an_owner_and_is_written_by_the_approval_alone(configured, paper):
    plan = await asked(configured, edit())
    assert (plan.state, plan.decision.by_owner, paper.wrote) == (PlanState.WAITING, True, [])

    done = await configured.approve(plan.id, OWNER)
    assert (done.state, done.steps[0].evidence[0].status) == (PlanState.COMPLETED, Status.VERIFIED)
    assert paper.files["automation"]["lamp"] == {"id": "lamp", **LAMP}


async def test_the_plan_shows_what_differs_line_by_line(configured):
    (step,) = plan_json(await asked(configured, edit()))["steps"]
    assert "-      entity_id: light.hall\n+      entity_id: light.study" in step["diff"]
    assert step["summary"].startswith(
        "Change the automation “Lamp”: when Gate changes to on: light.turn_on on Study light"
    )


async def test_a_member_may_ask_and_not_decide_and_a_guest_may_do_neither(configured):
    plan = await asked(configured, edit(), MEMBER)
    with pytest.raises(HomestewardError, match="an owner can"):
        await configured.approve(plan.id, MEMBER)
    assert (await asked(configured, write({**LAMP, "alias": "New"}), GUEST)).state is PlanState.REJECTED
    assert (await refusal(configured, edit(), GUEST)).code == "not_allowed"


@pytest.mark.parametrize(
    ("scope", "state"), [(Scope.ACT, "rejected"), (Scope.PROPOSE, "waiting"), (Scope.CONFIGURE, "waiting")]
)
async def test_a_token_needs_the_scope_for_it(configured, scope, state):
    token = Caller(Role.TOKEN, Channel.API, "t", token_id="t", scopes=frozenset({scope}))
    assert (await asked(configured, edit(), token)).state == state


async def test_whoever_reaches_a_part_of_the_home_learns_nothing_of_its_configuration(configured):
    part = Caller(Role.MEMBER, Channel.API, "ben", reach=Reach(areas=frozenset({"kitchen"})))
    error = await refusal(configured, edit(), part)
    assert (error.code, "lamp" in error.message) == ("not_allowed", False)


@pytest.mark.parametrize(("mode", "state"), [(Mode.OBSERVE, PlanState.REJECTED), (Mode.PLAN, PlanState.WAITING)])
async def test_a_mode_binds_it(make_gate, room, paper, mode, state):
    gate = await make_gate(reserved=ReservedCalls(room), mode=mode)
    assert ((await asked(gate, edit())).state, paper.wrote) == (state, [])


async def test_a_dry_run_writes_nothing(make_gate, room, paper):
    gate = await make_gate(reserved=ReservedCalls(room), dry_run=True)
    assert ((await asked(gate, edit())).state, paper.wrote) == (PlanState.SIMULATED, [])


async def test_an_automation_that_would_unlock_names_the_lock(configured):
    """E41: what a change would do later weighs as if it were done now."""
    plan = await asked(configured, write({**LAMP, "alias": "Arrive", "actions": [UNLOCK]}))
    assert "lock.front_door is a lock" in plan.decision.reason
    assert plan.steps[0].reached.ends == ("lock.front_door",)


async def test_one_that_would_do_what_is_denied_is_denied(configured):
    plan = await asked(configured, write({**LAMP, "alias": "B", "actions": [{"action": "shell_command.backup"}]}))
    assert plan.state is PlanState.REJECTED


async def test_what_is_there_is_not_written_over_without_an_edit_being_asked_for(configured, paper):
    error = await refusal(configured, write(id="lamp"))
    assert (error.code, paper.wrote) == ("already_there", [])
    assert error.message.startswith("There is an automation lamp already")


async def test_another_ones_id_inside_is_refused(configured, paper):
    """E38: the address says one, the body another."""
    paper.add("automation", "other", {**LAMP, "id": "other", "alias": "Other"})
    error = await refusal(configured, write({**LAMP, "id": "other"}, id="automation.lamp", edit=True))
    assert (error.code, paper.files["automation"]["other"]["alias"]) == ("other_id", "Other")


async def test_an_edit_of_what_is_not_there_makes_nothing(configured, paper):
    error = await refusal(configured, write(id="nowhere", edit=True))
    assert (error.code, paper.wrote) == ("unknown_object", [])


async def test_what_is_so_already_is_no_change(configured, paper):
    config = paper.files["automation"]["lamp"]
    assert (await refusal(configured, write(config, id="lamp", edit=True))).code == "nothing_to_change"


async def test_what_is_written_by_hand_is_refused(configured, paper, home):
    """E48: it says so, says that it was not touched, and it is still there."""
    paper.add("script", "by_hand", {"alias": "By hand", "sequence": []})
    del paper.files["script"]["by_hand"]
    for call in (delete("script.by_hand", "script"), write({"alias": "X", "sequence": []}, "script", id="by_hand")):
        error = await refusal(configured, call)
        assert (error.code, "not touched" in error.message) == ("not_editable", True)
    assert "script.by_hand" in home.states


async def test_a_file_that_home_assistant_cannot_read_is_not_written(configured, paper):
    paper.unreadable = True
    assert (await refusal(configured, edit())).code == "not_editable"


async def test_an_edit_by_somebody_else_meanwhile_wins(configured, paper):
    plan = await asked(configured, edit())
    paper.files["automation"]["lamp"]["description"] = "theirs"
    done = await configured.approve(plan.id, OWNER)

    assert (done.state, paper.wrote) == (PlanState.FAILED, [])
    assert "was changed by somebody else" in done.steps[0].error


async def test_of_two_edits_that_were_proposed_together_one_is_written(configured, paper):
    first, second = await asked(configured, edit(mode="queued")), await asked(configured, edit(mode="restart"))
    done = await asyncio.gather(configured.approve(first.id, OWNER), configured.approve(second.id, OWNER))
    assert sorted(plan.state for plan in done) == ["completed", "failed"]
    assert len(paper.wrote) == 1


async def test_what_home_assistant_refuses_leaves_what_was_there(configured, paper):
    plan = await asked(configured, edit())
    paper.refuses = "Message malformed: extra keys not allowed"
    done = await configured.approve(plan.id, OWNER)

    assert "Message malformed: extra keys not allowed What was there is as it was." in done.steps[0].error
    assert paper.files["automation"]["lamp"]["actions"][0]["target"] == {"entity_id": "light.hall"}


async def test_a_reload_that_fails_is_found_out_and_the_old_is_put_back(configured, paper):
    old = dict(paper.files["automation"]["lamp"])
    plan = await asked(configured, edit())
    paper.reloads = False
    done = await configured.approve(plan.id, OWNER)

    (seen,) = done.steps[0].evidence
    assert (done.state, seen.status) == (PlanState.FAILED, Status.FAILED)
    assert seen.observed.endswith("what was there before is back")
    assert paper.files["automation"]["lamp"] == old


async def test_a_new_one_that_is_not_loaded_is_taken_away_again(configured, paper):
    plan = await asked(configured, write({**LAMP, "alias": "New"}))
    paper.reloads = False
    done = await configured.approve(plan.id, OWNER)

    assert done.steps[0].evidence[0].observed == "stored, but not loaded; it was taken away again"
    assert list(paper.files["automation"]) == ["lamp"]


async def test_one_that_is_loaded_and_unavailable_is_not_taken_for_done(configured, paper, home):
    plan = await asked(configured, write({**LAMP, "alias": "New"}))
    load = paper._load

    def broken(kind, key):
        entity_id = load(kind, key)
        home.states[entity_id] = type(home.states[entity_id])(entity_id, "unavailable")
        return entity_id

    paper._load = broken
    done = await configured.approve(plan.id, OWNER)
    assert "could not set it up (unavailable)" in done.steps[0].evidence[0].observed
    assert done.state is PlanState.FAILED


async def test_an_answer_that_got_lost_is_settled_by_looking(configured, paper):
    plan = await asked(configured, edit())
    paper.silent = True
    done = await configured.approve(plan.id, OWNER)
    assert (done.state, done.steps[0].state) == (PlanState.COMPLETED, StepState.DONE)


async def test_a_lost_request_leaves_what_was_there(configured, paper):
    plan = await asked(configured, edit())
    paper.silent = paper.deaf = True
    done = await configured.approve(plan.id, OWNER)
    assert (done.state, done.steps[0].evidence[0].status) == (PlanState.FAILED, Status.FAILED)


async def test_what_can_neither_be_seen_nor_put_back_is_uncertain(configured, paper):
    plan = await asked(configured, edit())
    paper.reloads = False
    put = paper.put

    async def once(kind, key, body):
        await put(kind, key, body)
        paper.refuses = "Home Assistant stops"

    paper.put = once
    done = await configured.approve(plan.id, OWNER)
    assert (done.steps[0].state, "could not be put back" in done.steps[0].error) == (StepState.UNCERTAIN, True)


async def test_versions_are_what_was_found_and_what_was_left(agreed, room):
    plan = await agreed(edit(), OWNER)
    found = await room.listed("automation", "automation.lamp")
    assert [(version.n, version.author, version.plan_id) for version in found] == [
        (2, "owner", plan.id),
        (1, "home assistant", ""),
    ]


async def test_any_version_can_be_brought_back(agreed, room, paper):
    await agreed(edit(), OWNER)
    await agreed(await room.restoring("automation", "lamp", 1), OWNER)
    assert paper.files["automation"]["lamp"]["actions"][0]["target"] == {"entity_id": "light.hall"}
    assert len(await room.listed("automation", "lamp")) == 3


async def test_a_deleted_one_can_be_brought_back(agreed, room, paper, home):
    await agreed(delete(), OWNER)
    assert ("automation.lamp" in home.states, paper.files["automation"]) == (False, {})
    await agreed(await room.restoring("automation", "lamp", 1), OWNER)
    assert paper.files["automation"]["lamp"]["alias"] == "Lamp"


async def test_an_undo_brings_back_what_was_there(configured, agreed, paper):
    old = dict(paper.files["automation"]["lamp"])
    plan = await agreed(edit(), OWNER)
    undone = await configured.undo(plan.id, OWNER)
    assert undone.plans[0].state is PlanState.WAITING
    await configured.approve(undone.plans[0].id, OWNER)
    assert paper.files["automation"]["lamp"] == old


async def test_no_code_is_in_a_plan_a_version_or_a_difference(configured, room, paper):
    plan = await asked(configured, write({**LAMP, "alias": "Arrive", "actions": [DISARM]}))
    assert "4711" not in str(plan_json(plan))
    done = await configured.approve(plan.id, OWNER)
    key = plan.steps[0].call.data["id"]
    assert paper.files["automation"][key]["actions"][0]["data"]["code"] == "4711"
    kept = await room.version("automation", key, 2)
    assert "4711" not in f"{plan_json(done)}{kept}{done}{await room.show('automation', key)}"


async def test_a_code_that_is_there_stays_there_over_an_edit_and_a_restore(configured, agreed, room, paper):
    paper.add("automation", "arrive", {**LAMP, "id": "arrive", "alias": "Arrive", "actions": [DISARM]})
    shown = (await room.show("automation", "arrive")).config
    await agreed(write({**shown, "mode": "queued"}, id="arrive", edit=True), OWNER)
    await agreed(await room.restoring("automation", "arrive", 1), OWNER)
    assert paper.files["automation"]["arrive"]["actions"][0]["data"]["code"] == "4711"


async def test_a_code_that_is_gone_from_home_assistant_comes_back_with_its_version(configured, agreed, room, paper):
    paper.add("automation", "arrive", {**LAMP, "id": "arrive", "alias": "Arrive", "actions": [DISARM]})
    await agreed(delete("arrive"), OWNER)
    await agreed(await room.restoring("automation", "arrive", 1), OWNER)
    assert paper.files["automation"]["arrive"]["actions"] == [DISARM]


async def test_single_fields_of_an_entry_are_changed_and_brought_back(configured, agreed, paper):
    paper.entries["light.hall"] = {"name": "Hall", "labels": ["a"], "icon": None}
    plan = await agreed(write({"name": "Entrance"}, "registry", id="light.hall"), OWNER)
    assert plan.steps[0].call.data["config"] == {"name": "Entrance"}
    assert paper.entries["light.hall"] == {"name": "Entrance", "labels": ["a"], "icon": None}

    undone = await configured.undo(plan.id, OWNER)
    await configured.approve(undone.plans[0].id, OWNER)
    assert paper.entries["light.hall"]["name"] == "Hall"


async def test_another_entity_id_is_followed_there_and_back(configured, agreed, home):
    plan = await agreed(write({"new_entity_id": "light.entrance"}, "registry", id="light.hall"), OWNER)
    assert (plan.state, "light.entrance" in home.entities) == (PlanState.COMPLETED, True)
    undone = await configured.undo(plan.id, OWNER)
    await configured.approve(undone.plans[0].id, OWNER)
    assert "light.hall" in home.entities


async def test_exposure_is_changed_for_the_assistant_that_speech_is_bound_by(agreed, home):
    await agreed(write({"should_expose": False}, "exposure", id="light.hall"), OWNER)
    assert "light.hall" not in home.exposed


async def test_an_entry_cannot_be_deleted(configured):
    assert (await refusal(configured, delete("light.hall", "registry"))).code == "bad_config"


async def test_a_new_area_gets_the_id_that_its_name_makes(agreed, home):
    plan = await agreed(write({"name": "Winter garden", "aliases": ["Orangery"]}, "area"), OWNER)
    assert (plan.state, home.areas["winter_garden"].name) == (PlanState.COMPLETED, "Winter garden")


async def test_a_blueprint_that_nobody_could_bring_back_is_not_written_over(configured):
    config = {"blueprint": {"name": "There", "domain": "automation"}, "triggers": [], "actions": []}
    error = await refusal(configured, write(config, "blueprint", id="automation/own/there", edit=True))
    assert error.code == "not_editable"


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("person", "notify.mobile_app"),
        ("automaton", "There is automation"),
        ("integration", "set up in Home Assistant"),
    ],
)
async def test_what_is_no_kind_says_what_there_is_instead(configured, kind, says):
    error = await refusal(configured, write({"name": "x"}, kind, id="x"))
    assert (error.code, says in f"{error.message}{error.next}") == ("unknown_kind", True)


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ({}, "no configuration"),
        ({"alias": "x", "colour": "red"}, "no field 'colour'"),
        ({"triggers": []}, "needs 'alias'"),
        ("alias: [", "The YAML cannot be read: line 1"),
        ("- a\n- b\n", "holds no object"),
        ({**LAMP, "actions": [{"bad": 1}]}, "Home Assistant would not take it: actions: extra keys not allowed"),
    ],
)
async def test_what_is_no_automation_says_why_before_anything_is_proposed(configured, paper, config, says):
    error = await refusal(configured, write(config))
    assert (error.code, paper.wrote) == ("bad_config", [])
    assert says in error.message


@pytest.mark.parametrize("key", ["../scene/config/x", "a/b", "a?b", "a%2fb", "a#b", " x"])
async def test_an_id_cannot_lead_an_address_elsewhere(configured, key):
    assert (await refusal(configured, write(id=key, edit=True))).code == "bad_config"


async def test_of_two_commands_the_first_is_taken_back_where_the_second_was_refused(configured, paper, home):
    plan = await asked(configured, write({"name": "Winter garden"}, "area"))
    command = paper.command

    async def refusing(what, /, **fields):
        if what.endswith("update"):
            raise NotConnectedError
        return await command(what, **fields)

    paper.command = refusing
    done = await configured.approve(plan.id, OWNER)
    assert (done.state, "winter_garden" in home.areas) == (PlanState.FAILED, False)
    assert done.steps[0].evidence[0].observed.endswith("it was taken away again")


async def test_what_it_says_of_itself_is_kept_with_the_plan(configured):
    plan = await asked(configured, edit())
    stored = await configured.plan(plan.id)
    assert stored.steps[0].summary == plan.steps[0].summary != ""
    assert stored.steps[0].diff == plan.steps[0].diff


async def test_whoever_would_miss_what_is_deleted_or_renamed_is_named(configured, paper, home):
    paper.add("script", "evening", {"alias": "Evening", "sequence": []})
    calls = BodyStep(Call("script", "evening"), "calls script.evening")
    lights = BodyStep(Call("light", "turn_on", Target(entity_id=("light.study",))), "turns it on")
    home.bodies["automation.lamp"] = (calls, lights)

    plan = await asked(configured, delete("script.evening", "script"))
    assert plan.steps[0].summary == "Delete the script “Evening”; automation.lamp would miss it"
    plan = await asked(configured, write({"new_entity_id": "light.desk"}, "registry", id="light.study"))
    assert plan.steps[0].summary.endswith("would miss it")
    assert "automation.lamp" in plan.steps[0].summary
