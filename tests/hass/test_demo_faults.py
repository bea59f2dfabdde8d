"""Each honest fault of the demo home, and what Homesteward makes of it: outcome, evidence, reply."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from homesteward.actions.plan import PlanState, Status
from homesteward.app import House, open_house
from homesteward.demo import DemoHome, inventory
from homesteward.language import describe
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route
from homesteward.trial.homes import settled

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")


@pytest.fixture(scope="session")
async def running_hasty_house(
    running_demo_home: DemoHome, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[House]:
    """A second Homesteward on the furnished house, which watches a cover for 3 s instead of a minute."""
    address = running_demo_home.address
    overrides = {
        "ha": {"url": address.url, "token": address.token},
        "policy": {"dry_run": False, "verify_factor": 0.05},
        "data": tmp_path_factory.mktemp("hasty"),
    }
    async with open_house(None, overrides) as opened:
        yield opened


@pytest.fixture
async def hasty(demo_home: DemoHome, running_hasty_house: House) -> House:
    """The impatient Homesteward, once it sees the house where the inventory has it."""
    await settled(running_hasty_house.home, {name: thing.state for name, thing in inventory().entities.items()})
    return running_hasty_house


async def ask(house, text):
    return await house.steward.ask(Request(text, OWNER))


async def ask_and_approve(house, text):
    """Ask for something that waits, approve it, and return the plan with what is told of it."""
    answer = await ask(house, text)
    assert answer.outcome is Outcome.WAITING
    plan = await house.gate.approve(answer.plan.id, OWNER)
    return plan, describe([plan], house.home, "en")


async def fault(socket, entity_id, **fields):
    await socket.call("homesteward_demo", "set_fault", entity_id, **fields)


def evidence(plan):
    (seen,) = plan.steps[0].evidence
    return seen.status, seen.observed


async def test_a_bulb_that_does_nothing(house):
    answer = await ask(house, "turn on the old bulb")
    assert answer.outcome is Outcome.FAILED
    assert evidence(answer.plan) == (Status.MISMATCHED, "off")
    assert answer.reply == "Turning on Old bulb did not work: it reports off."


async def test_a_bulb_that_is_not_there(house, recorder):
    answer = await ask(house, "turn on the flaky bulb")
    assert (answer.outcome, answer.plans, recorder.calls) == (Outcome.FAILED, (), [])
    assert answer.reply == "Flaky bulb cannot be reached at the moment: unavailable in Home Assistant."


async def test_a_light_that_drops_out_when_it_is_told_something(house):
    answer = await ask(house, "turn on the night light")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.UNCERTAIN, "unavailable")
    assert answer.reply == "Turning on Night light was sent, but is not confirmed."


async def test_a_light_that_dropped_out_comes_back_as_it_was(house, socket):
    await socket.watch()
    await fault(socket, "light.hall_light", drops=0.3)
    await ask(house, "turn on the hall light")
    await socket.until("light.hall_light", lambda state: state["state"] == "off")
    assert socket.seen("light.hall_light") == ["unavailable", "off"]


async def test_a_lock_that_jams(house):
    plan, told = await ask_and_approve(house, "unlock the back door")
    assert plan.state is PlanState.FAILED
    assert evidence(plan) == (Status.MISMATCHED, "jammed")
    assert told == "Unlocking Back door did not work: it reports jammed."


async def test_a_thermostat_that_takes_less_than_it_was_asked_for(house):
    answer = await ask(house, "set the bedroom thermostat to 26 degrees")
    assert answer.outcome is Outcome.FAILED
    assert evidence(answer.plan) == (Status.MISMATCHED, "heat, temperature 25")
    assert answer.reply == "Setting Bedroom thermostat to 26 °C did not work: it reports heat, temperature 25."


async def test_a_cover_that_takes_fifteen_seconds(house):
    answer = await ask(house, "close the awning")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.VERIFIED, "closed")
    assert answer.reply == "Closed Awning."


async def test_a_cover_that_is_still_on_its_way_is_not_called_closed(hasty):
    answer = await ask(hasty, "close the awning")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.UNCERTAIN, "closing")
    assert answer.reply == "Closing Awning was sent, but is not confirmed."


async def test_a_slow_cover_is_stopped_half_way(house, hasty, socket):
    await socket.watch()
    closing = asyncio.create_task(ask(hasty, "close the awning"))
    await socket.until("cover.terrace_awning", lambda state: state["attributes"]["current_position"] == 90)
    stopped = await ask(house, "stop the awning")
    assert stopped.outcome is Outcome.ACTED
    assert evidence(stopped.plan) == (Status.VERIFIED, "open")
    assert stopped.reply == "Stopped Awning."
    closed = await closing
    assert closed.outcome is Outcome.FAILED
    assert closed.reply == "Closing Awning did not work: it reports open."


async def test_a_cover_that_reports_late(house, socket):
    await socket.watch()
    answer = await ask(house, "close the study shutter")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.VERIFIED, "closed")
    assert socket.seen("cover.study_shutter") == ["closed"]


async def test_a_sensor_that_freezes_goes_on_being_quoted(house, socket):
    await socket.call("homesteward_demo", "set_state", "sensor.rain_barrel_level", state="20")
    answer = await ask(house, "what is the rain barrel level?")
    assert answer.outcome is Outcome.ANSWERED
    assert "140 L" in answer.reply


async def test_a_light_that_stopped_reporting_is_not_called_done(house, socket):
    await fault(socket, "light.hall_light", frozen=True)
    answer = await ask(house, "turn on the hall light")
    assert answer.outcome is Outcome.FAILED
    assert evidence(answer.plan) == (Status.MISMATCHED, "off")


async def test_a_switch_that_only_assumes_its_state(house):
    answer = await ask(house, "turn on the patio heater")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.UNCERTAIN, "on")
    assert answer.reply == "Turning on Patio heater was sent, but is not confirmed."


async def test_an_assumed_state_is_never_taken_for_already_so(house, recorder):
    await ask(house, "turn on the patio heater")
    await ask(house, "turn on the patio heater")
    assert [call.id for call in recorder.calls] == ["switch.turn_on", "switch.turn_on"]


async def test_a_player_that_rejects_a_volume(house):
    answer = await ask(house, "set the volume of the study radio to 80 percent")
    assert answer.outcome is Outcome.FAILED
    assert evidence(answer.plan) == (Status.FAILED, "playing, volume 20%")
    assert answer.reply == "Setting the volume of Study radio to 80 % failed: It goes no louder than 60%."


async def test_a_player_takes_a_volume_below_its_limit(house):
    answer = await ask(house, "set the volume of the study radio to 50 percent")
    assert evidence(answer.plan) == (Status.VERIFIED, "playing, volume 50%")


async def test_an_alarm_that_stays_arming(hasty, socket):
    await fault(socket, "alarm_control_panel.house_alarm", sticks=True)
    call = {"service": "alarm_control_panel.alarm_arm_away", "entity_id": "alarm_control_panel.house_alarm"}
    model = ScriptedModel([{"tool_call": {"arguments": call}}, {"text": "It waits."}])
    asked = await hasty.with_model(lambda: model).ask(Request("arm the alarm", OWNER, route=Route.KERNEL))
    plan = await hasty.gate.approve(asked.plan.id, OWNER)
    told = describe([plan], hasty.home, "en")
    assert plan.state is PlanState.COMPLETED
    assert evidence(plan) == (Status.UNCERTAIN, "arming")
    assert told.endswith("was sent, but is not confirmed.")


async def test_a_door_that_never_gets_there(hasty, socket):
    await fault(socket, "cover.garage_door", sticks=True)
    plan, told = await ask_and_approve(hasty, "open the garage door")
    assert evidence(plan) == (Status.UNCERTAIN, "opening, position 10%")
    assert told == "Opening Garage door was sent, but is not confirmed."


async def test_an_automation_that_switches_back_what_was_set(house, socket):
    """What was seen was so; that it did not last shows when it is asked again."""
    await socket.watch()
    answer = await ask(house, "turn on the hot tub")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.VERIFIED, "on")
    back = await socket.until("switch.hot_tub", lambda state: state["state"] == "off")
    assert back["context"]["parent_id"] == answer.plan.steps[0].context_id
    later = await ask(house, "is the hot tub on?")
    assert later.reply == "No, Hot tub is off."


async def test_the_automation_that_switches_back_can_be_switched_off(house, socket):
    await fault(socket, "switch.hot_tub", undone=False)
    await ask(house, "turn on the hot tub")
    await asyncio.sleep(0.6)  # nothing happens, and there is no event of that
    assert house.home.states["switch.hot_tub"].state == "on"


async def test_a_thing_that_answers_with_an_error(house, socket):
    await fault(socket, "switch.coffee_maker", error="Out of beans")
    answer = await ask(house, "turn on the coffee maker")
    assert answer.outcome is Outcome.FAILED
    assert evidence(answer.plan) == (Status.FAILED, "off")
    assert answer.reply == "Turning on Coffee maker failed: Out of beans."


async def test_a_thing_that_takes_its_time_to_answer(house, socket):
    await fault(socket, "switch.coffee_maker", delay=0.8)
    answer = await ask(house, "turn on the coffee maker")
    assert answer.outcome is Outcome.ACTED
    assert evidence(answer.plan) == (Status.VERIFIED, "on")
