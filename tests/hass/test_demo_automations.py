"""The demo home's automations, scripts and scenes: what they reach, and that none of them runs by accident."""

import pytest

from hass.raw import RawSocket, raw_socket
from homesteward.app import House
from homesteward.demo import DemoHome, inventory
from homesteward.home.calls import ResolvedCall
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.policy.decision import Kind
from homesteward.policy.impact import judge
from homesteward.steward import Outcome, Request, Route
from homesteward.trial.homes import Recorder

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
RUNS = {"automation": "trigger", "script": "turn_on", "scene": "turn_on"}
# what looks like nothing much -> the sensitive thing it ends at, and what lies between
REACHES = {
    "automation.open_up_in_the_morning": ("lock.front_door", 0),
    "automation.garage_closed_at_night": ("cover.garage_door", 0),
    "automation.arm_when_the_house_is_empty": ("alarm_control_panel.house_alarm", 0),
    "automation.leak_closes_the_water": ("valve.water_main", 0),
    "automation.arrival_button": ("lock.front_door", 3),
    "script.unload_the_car": ("cover.garage_door", 0),
    "script.leave_the_house": ("alarm_control_panel.house_alarm", 0),
    "script.coming_home": ("lock.front_door", 1),
    "script.arrive": ("lock.front_door", 2),
    "script.lock_up": ("alarm_control_panel.house_alarm", 1),
    "script.bedtime": ("alarm_control_panel.house_alarm", 2),
    "scene.welcome_home": ("lock.front_door", 0),
    "scene.party": ("cover.driveway_gate", 0),
}
HARMLESS = (
    "automation.hall_light_at_dusk",
    "automation.close_blinds_in_the_evening",
    "automation.vacuum_when_nobody_is_home",
    "automation.washing_is_done",
    "automation.awning_in_at_minus_sixty",  # never runs
    "automation.hot_tub_stays_off",
    "automation.porch_sign_follows",  # these two are a loop
    "automation.window_sign_follows",
    "automation.loft_light_on_motion",  # made from a blueprint
    "script.movie_time",
    "script.tell_everyone",
    "script.tidy_up",  # these two as well
    "script.wind_down",
    "scene.relax",
    "scene.dinner",
    "scene.soiree_d_ete",
)
UNRESOLVED = {
    "automation.cellar_light": "There is no entity light.cellar_lamp",
    "automation.lamp_of_the_day": "it cannot be seen what",
}


def judged(house: House, entity_id: str):
    domain = entity_id.partition(".")[0]
    return judge(ResolvedCall(domain, RUNS[domain], (entity_id,)), entity_id, house.home)


@pytest.mark.parametrize("entity_id", REACHES)
async def test_what_reaches_a_lock_a_garage_or_the_alarm_is_as_sensitive_as_that(house: House, entity_id: str):
    end, between = REACHES[entity_id]
    judgement = judged(house, entity_id)
    assert judgement.kind is Kind.SENSITIVE
    assert judgement.reason.startswith(f"{end} is a")
    assert judgement.reason.partition("reached through ")[2].count(",") == between


@pytest.mark.parametrize("entity_id", HARMLESS)
async def test_what_is_harmless_is_everyday(house: House, entity_id: str):
    assert judged(house, entity_id).kind is Kind.ROUTINE


@pytest.mark.parametrize("entity_id", UNRESOLVED)
async def test_what_cannot_be_seen_through_is_held(house: House, entity_id: str):
    judgement = judged(house, entity_id)
    assert judgement.kind is Kind.SENSITIVE
    assert UNRESOLVED[entity_id] in judgement.reason


async def test_a_script_three_hops_from_a_lock_waits_and_sends_nothing(house: House, recorder: Recorder):
    call = {"service": "script.arrive"}
    model = ScriptedModel([{"tool_call": {"arguments": call}}, {"text": "It waits."}])
    answer = await house.with_model(lambda: model).ask(Request("arrive", OWNER, route=Route.KERNEL))
    assert (answer.outcome, recorder.calls) == (Outcome.WAITING, [])


async def test_the_loop_of_two_goes_round_only_when_it_is_let(socket: RawSocket):
    await socket.watch()
    await socket.call("input_boolean", "turn_on", "input_boolean.porch_sign")
    await socket.call("input_boolean", "turn_on", "input_boolean.signs_linked")
    await socket.call("input_boolean", "turn_off", "input_boolean.porch_sign")

    await socket.until("input_boolean.porch_sign", lambda state: state["state"] == "on")
    await socket.call("homesteward_demo", "reset")

    assert socket.seen("input_boolean.window_sign")[0] == "on"


async def test_none_has_run_after_everything_was_told_something(demo_home: DemoHome):
    """None may fire by accident; the one that switches the hot tub back is there to fire."""
    tellable = [name for name in inventory().entities if name.partition(".")[0] in {"light", "switch", "fan", "cover"}]
    async with raw_socket(demo_home.address.url, demo_home.address.token) as socket:
        await socket.watch()
        before = {name: state["attributes"]["last_triggered"] for name, state in automations(socket)}
        tellable.remove("switch.hot_tub")
        await socket.call("homeassistant", "toggle", tellable)
        await socket.call("homesteward_demo", "reset")
        await socket.watch()
        after = {name: state["attributes"]["last_triggered"] for name, state in automations(socket)}
    assert len(after) == 16
    assert after == before


def automations(socket: RawSocket):
    return [(name, state) for name, state in socket.states.items() if name.startswith("automation.")]
