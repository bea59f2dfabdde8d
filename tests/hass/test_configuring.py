"""Home Assistant's configuration, written through the gate on a real one: seen, kept in versions, and left intact where it fails."""

import json
from pathlib import Path

import aiohttp
import pytest
import yaml

from homesteward.actions.plan import PlanState, Status, StepState
from homesteward.core import HomestewardError
from homesteward.home.calls import Call
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
AT_NIGHT = """
alias: Hall light when the door opens at night
triggers:
  - trigger: state
    entity_id: binary_sensor.front_door_contact
    to: "on"
conditions:
  - condition: sun
    after: sunset
actions:
  - action: light.turn_on
    target: {entity_id: light.hall_light}
"""
DUSK = "hall_light_at_dusk"  # one of the demo home's own automations


def write(kind="automation", config=AT_NIGHT, **rest):
    return Call("ha_config", "write", data={"kind": kind, "config": config, **rest})


async def asked(house, call):
    (plan,) = await house.gate.submit([call], OWNER, request="change the configuration")
    return plan


async def agreed(house, call):
    plan = await asked(house, call)
    assert plan.state is PlanState.WAITING
    return await house.gate.approve(plan.id, OWNER)


async def refusal(house, call):
    with pytest.raises(HomestewardError) as raised:
        await asked(house, call)
    return raised.value


@pytest.fixture
async def files(socket):
    """Home Assistant's own folder."""
    return Path((await socket.ask("get_config"))["config_dir"])


@pytest.fixture
async def rest(demo_home):
    """Somebody else who edits: Home Assistant's editor, by its own door."""

    async def send(method, path, body=None):
        headers = {"Authorization": f"Bearer {demo_home.address.token}"}
        async with aiohttp.ClientSession(demo_home.address.url, headers=headers) as session:
            answer = await session.request(method, f"/api/config/{path}", json=body)
            return json.loads(await answer.read())

    return send


def stored(files, name, key="id"):
    return {each[key]: each for each in yaml.safe_load((files / f"{name}s.yaml").read_text())}


async def test_an_automation_that_is_approved_is_there_enabled_verified_and_restorable(house, socket, files):
    """Acceptance 19: when the door opens at night, turn on the hall light."""
    before = (files / "automations.yaml").read_text()
    plan = await asked(house, write())
    (step,) = plan.steps

    assert (plan.state, plan.decision.by_owner) == (PlanState.WAITING, True)
    assert step.summary == (
        "Make the automation “Hall light when the door opens at night”: when Front door contact changes to on, only if it is after "
        "sunset: light.turn_on on Hall light"
    )
    assert "+  - action: light.turn_on" in step.diff
    assert step.reached.ends == ("light.hall_light",)
    assert (files / "automations.yaml").read_text() == before  # nothing is written until it is approved

    done = await house.gate.approve(plan.id, OWNER)
    key, (seen,) = step.call.data["id"], done.steps[0].evidence
    assert (done.state, seen.status, seen.observed) == (PlanState.COMPLETED, Status.VERIFIED, "enabled")
    states = {state["entity_id"]: state["state"] for state in await socket.ask("get_states")}
    assert states[seen.entity_id] == "on"
    assert key in stored(files, "automation")

    undone = await house.gate.undo(plan.id, OWNER)
    await house.gate.approve(undone.plans[0].id, OWNER)
    assert key not in stored(files, "automation")
    versions = await house.configuration.listed("automation", key)
    assert [(version.n, version.config is not None) for version in versions] == [(3, False), (2, True), (1, False)]

    restored = await agreed(house, await house.configuration.restoring("automation", key, 2))
    assert (restored.state, restored.steps[0].evidence[0].observed) == (PlanState.COMPLETED, "enabled")
    await agreed(house, Call("ha_config", "delete", data={"kind": "automation", "id": key}))
    assert key not in stored(files, "automation")


async def test_a_wrong_name_or_a_wrong_word_is_said_before_anything_is_proposed(house, files):
    before = (files / "automations.yaml").read_text()
    wrong = AT_NIGHT.replace("light.hall_light", "light.hall_lihgt")
    error = await refusal(house, write(config=wrong))
    assert error.code == "unknown_reference"
    assert (
        "actions[0].target.entity_id: this home has no entity light.hall_lihgt (near: light.hall_light" in error.message
    )

    error = await refusal(house, write(config=AT_NIGHT.replace("    to:", "   to:")))
    assert (error.code, "line 6" in error.message) == ("bad_config", True)

    error = await refusal(house, write(config=AT_NIGHT.replace("after: sunset", "after: moonrise")))
    assert (error.code, "Home Assistant would not take it: conditions:" in error.message) == ("bad_config", True)
    assert (files / "automations.yaml").read_text() == before


async def test_another_ones_id_is_never_written_over(house, files):
    """E38: an update addressed to one automation carried another one's id."""
    before = (files / "automations.yaml").read_text()
    config = {**yaml.safe_load(AT_NIGHT), "id": "close_blinds_in_the_evening"}

    error = await refusal(house, write(id=f"automation.{DUSK}", config=config, edit=True))
    assert (error.code, "Nothing was changed" in error.message) == ("other_id", True)
    error = await refusal(house, write(id=DUSK))
    assert (error.code, "edit: true" in error.next) == ("already_there", True)
    assert (files / "automations.yaml").read_text() == before


async def test_what_somebody_else_changed_meanwhile_is_not_written_over(house, files, rest):
    old = stored(files, "automation")[DUSK]
    plan = await asked(house, write(id=DUSK, config={**old, "description": "ours"}, edit=True))
    await rest("POST", f"automation/config/{DUSK}", {**old, "description": "theirs"})
    try:
        done = await house.gate.approve(plan.id, OWNER)
        assert (done.state, done.steps[0].state) == (PlanState.FAILED, StepState.FAILED)
        assert "was changed by somebody else since this was proposed" in done.steps[0].error
        assert stored(files, "automation")[DUSK]["description"] == "theirs"
    finally:
        await rest("POST", f"automation/config/{DUSK}", old)


async def test_a_reload_that_fails_ends_with_the_old_content_and_the_reason(house, files, monkeypatch):
    """Home Assistant answers 200 before it reloads, and a broken configuration.yaml keeps it from doing so."""
    old, main = stored(files, "automation")[DUSK], files / "configuration.yaml"
    good = main.read_text()
    plan = await asked(house, write(id=DUSK, config={**old, "mode": "restart"}, edit=True))
    main.write_text(f"{good}\nbroken: [\n")
    monkeypatch.setattr(house.configuration, "_pause", _at_once)
    try:
        done = await house.gate.approve(plan.id, OWNER)
    finally:
        main.write_text(good)
    (seen,) = done.steps[0].evidence
    assert (done.state, seen.status) == (PlanState.FAILED, Status.FAILED)
    assert seen.observed == "loaded, but what runs is another version; what was there before is back"
    assert stored(files, "automation")[DUSK] == old
    with pytest.raises(HomestewardError, match="as it was before"):
        await house.gate.undo(plan.id, OWNER)


async def _at_once(_seconds):
    """Look again without a pause."""


async def test_what_is_written_by_hand_is_refused_and_untouched(house, socket):
    """E48: a script that is managed in YAML is not deleted, and nobody is told that it was."""
    error = await refusal(house, Call("ha_config", "delete", data={"kind": "helper", "id": "input_boolean.guest_mode"}))
    assert (error.code, "written by hand" in error.message, "not touched" in error.message) == (
        "not_editable",
        True,
        True,
    )
    assert "input_boolean.guest_mode" in {state["entity_id"] for state in await socket.ask("get_states")}


async def test_every_kind_is_written_seen_and_taken_back(house):
    """One of each on a real Home Assistant; a person's notify targets are none of its."""
    unlock = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
    button = {"type": "button", "tap_action": {"action": "perform-action", "perform_action": "light.turn_on"}}
    kinds = [
        write("script", {"alias": "Hi there", "sequence": [unlock]}),
        write("scene", {"name": "Quiet", "entities": {"light.hall_light": {"state": "on"}}}),
        write("helper", {"name": "Guests here", "icon": "mdi:account"}, id="input_boolean.guests_here"),
        write("helper", {"name": "Egg", "duration": "00:03:00"}, id="timer.egg"),
        write("helper", {"name": "Warmth", "min": 5, "max": 30, "step": 0.5, "mode": "box"}, id="input_number.warmth"),
        write("area", {"name": "Winter garden", "aliases": ["Orangery"]}),
        write("label", {"name": "Fragile", "color": "red"}),
        write("floor", {"name": "Under the roof", "level": 3}),
        write("registry", {"name": "Hall lamp", "labels": ["night"]}, id="light.hall_light"),
        write("registry", {"new_entity_id": "light.renamed_hall_light"}, id="light.hall_light"),
        write("exposure", {"should_expose": False}, id="light.hall_light"),
        write("exposure", {"expose_new": False}, id="new"),
        write("dashboard", {"title": "Wall", "config": {"views": [{"title": "One", "cards": [button]}]}}),
        write("blueprint", {"yaml": DOOR}, id="automation/own/door.yaml"),
    ]
    for call in kinds:
        plan = await agreed(house, call)
        about = (call.data["kind"], call.data.get("id"), plan.steps[0].error)
        assert plan.state is PlanState.COMPLETED, about
        assert [seen.status for seen in plan.steps[0].evidence] == [Status.VERIFIED], about
        undone = await house.gate.undo(plan.id, OWNER)
        back = await house.gate.approve(undone.plans[0].id, OWNER)
        assert back.state is PlanState.COMPLETED, (about, back.steps[0].error)
    error = await refusal(house, write("person", {"notify": "mobile_app_phone"}, id="robin"))
    assert (error.code, "notify.mobile_app" in error.message) == ("unknown_kind", True)


DOOR = """blueprint:
  name: Light for a door
  domain: automation
  input:
    door:
      name: Door
triggers:
  - trigger: state
    entity_id: !input door
actions:
  - action: light.turn_on
    target: {entity_id: light.hall_light}
"""


async def test_an_automation_of_a_blueprint_is_judged_and_checked_by_what_it_fills_in(house):
    inputs = {"motion": "binary_sensor.hall_motion", "light": "light.hall_light"}
    use = {"path": "homesteward/light_on_motion.yaml", "input": inputs}
    plan = await agreed(house, write(config={"alias": "Motion", "use_blueprint": use}))
    assert (plan.state, plan.steps[0].reached.ends) == (PlanState.COMPLETED, ("light.hall_light",))
    await agreed(house, Call("ha_config", "delete", data={"kind": "automation", "id": plan.steps[0].call.data["id"]}))

    error = await refusal(house, write(config={"alias": "Motion", "use_blueprint": {**use, "input": {}}}))
    assert (error.code, "Missing input" in error.message) == ("bad_config", True)


async def test_a_model_cannot_launder_an_unlock_as_an_automation(house, socket, files):
    """E41: whenever I get home, unlock the front door."""
    before = (files / "automations.yaml").read_text()
    unlock = {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
    config = {
        "alias": "Arrive",
        "triggers": [{"trigger": "zone", "entity_id": "person.alex", "zone": "zone.home", "event": "enter"}],
        "actions": [unlock],
    }
    people = [
        state["entity_id"] for state in await socket.ask("get_states") if state["entity_id"].startswith("person.")
    ]
    config["triggers"][0]["entity_id"] = people[0]
    call = {"name": "configure", "arguments": {"action": "write", "kind": "automation", "config": config}}
    model = ScriptedModel([{"tool_call": call}, {"text": "Done."}])
    text = "whenever I get home, unlock the front door"
    answer = await house.with_model(lambda: model).ask(Request(text, OWNER, route=Route.KERNEL))

    assert answer.outcome is Outcome.WAITING
    assert "lock.front_door is a lock" in answer.plan.decision.reason
    assert "lock.front_door" in answer.plan.steps[0].reached.ends
    assert answer.plan.decision.by_owner
    assert (files / "automations.yaml").read_text() == before
