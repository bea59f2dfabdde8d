"""Arming an alarm while something stands open: it is named, asked about once, and done in spite of it by a yes to exactly that."""

import logging
from dataclasses import replace

import pytest

from homesteward.actions.errors import PlanChangedError
from homesteward.actions.plan import PlanState
from homesteward.app import wire
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.home.calls import BodyStep, Call, Target
from homesteward.home.inventory import Thing
from homesteward.language import describe
from homesteward.language.tables import languages
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
ALARM, WINDOW, DOOR = "alarm_control_panel.house", "binary_sensor.bath_window", "binary_sensor.balcony_door"
ARM = Call("alarm_control_panel", "alarm_arm_away", Target(entity_id=(ALARM,)))
CODE = "58203941"


@pytest.fixture
def home(home):
    """The small home with an alarm, a window that stands open and a door that does not."""
    arm = BodyStep(ARM, "arm")
    for thing in (
        Thing(ALARM, "House alarm", "hall", attributes={"code_arm_required": True, "code_format": "number"}),
        Thing(WINDOW, "Bath window", "bedroom", "on", device_class="window"),
        Thing(DOOR, "Balcony door", "study", "off", device_class="door"),
        Thing("binary_sensor.motion", "Motion", "hall", "on", device_class="motion"),
        Thing("script.leave", "Leave", body=(arm,)),
    ):
        home._place(thing)
    home.revision += 1
    return home


@pytest.fixture
async def armed(home, tmp_path):
    """A house whose owner lets the alarm be armed without asking."""
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    (tmp_path / policy.file).write_text(
        "version: 1\nrules: [{name: arming, when: {service: [alarm_control_panel.alarm_arm_away]}, then: allow}]\n"
    )
    built = wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, SystemClock(), Redactor())
    async with built as house:
        yield house


async def ask(house, text, conversation="", language="en", caller=OWNER):
    return await house.steward.ask(Request(text, caller, conversation_id=conversation, language=language))


async def test_it_names_the_window_asks_once_and_a_yes_arms(armed, home):
    asked = await ask(armed, "arm away")
    assert (asked.outcome, home.calls) == (Outcome.CONFIRM, [])
    assert "Bath window" in asked.reply
    assert "Balcony door" not in asked.reply
    done = await ask(armed, "yes", asked.conversation_id)
    assert (done.outcome, home.states[ALARM].state, len(home.calls)) == (Outcome.ACTED, "armed_away", 1)


async def test_a_no_does_nothing(armed, home):
    asked = await ask(armed, "arm away")
    await ask(armed, "no", asked.conversation_id)
    assert (home.calls, home.states[ALARM].state) == ([], "disarmed")


async def test_with_everything_closed_nothing_is_asked(armed, home):
    home.set_state(WINDOW, "off")
    assert (await ask(armed, "arm away")).outcome is Outcome.ACTED
    assert home.states[ALARM].state == "armed_away"


async def test_a_yes_of_before_is_no_yes_of_today(armed, home):
    asked = await ask(armed, "arm away")
    await ask(armed, "yes", asked.conversation_id)
    home.set_state(ALARM, "disarmed")
    home.calls.clear()
    again = await ask(armed, "arm away", asked.conversation_id)
    assert (again.outcome, home.calls) == (Outcome.CONFIRM, [])
    assert (await ask(armed, "arm away")).outcome is Outcome.CONFIRM, "nor in another conversation"


async def test_the_yes_is_to_what_was_named_and_to_nothing_that_opened_since(armed, home):
    asked = await ask(armed, "arm away")
    home.set_state(DOOR, "on")
    over = await ask(armed, "yes", asked.conversation_id)
    assert (over.error.code, home.calls) == ("plan_changed", [])
    again = await ask(armed, "arm away")
    assert "Balcony door" in again.reply
    home.set_state(WINDOW, "off")
    assert (await ask(armed, "yes", again.conversation_id)).outcome is Outcome.ACTED, "less stands open than was named"


async def test_what_waits_for_an_approval_says_what_stands_open_and_is_asked_once(house, home):
    asked = await ask(house, "arm away")
    assert (asked.outcome, "Bath window" in asked.reply) == (Outcome.WAITING, True)
    assert asked.plan.steps[0].decision.ajar == (WINDOW,)
    kept = await house.gate.plan(asked.plan.id)
    assert kept.steps[0].decision.ajar == (WINDOW,)
    home.set_state(DOOR, "on")
    with pytest.raises(PlanChangedError):
        await house.gate.approve(asked.plan.id, OWNER)
    home.set_state(DOOR, "off")
    assert (await house.gate.approve(asked.plan.id, OWNER)).state is PlanState.COMPLETED


async def test_a_script_that_arms_is_asked_about_as_well(armed, home):
    (plan,) = await armed.gate.submit([Call("script", "leave")], OWNER, request="leave")
    assert plan.steps[0].decision.ajar == (WINDOW,)
    assert home.calls == []


async def test_disarming_asks_about_no_window(house, home):
    home.set_state(ALARM, "armed_away")
    asked = await ask(house, "disarm the house alarm")
    assert all(step.decision.ajar == () for plan in asked.plans for step in plan.steps)


async def test_what_somebody_does_not_reach_is_not_named_to_them(armed, home):
    reach = Reach.of(entities=[ALARM])
    (plan,) = await armed.gate.submit([ARM], replace(OWNER, reach=reach), request="arm")
    assert plan.steps[0].decision.ajar == ()
    asked = await ask(armed, "arm away")
    seen = await armed.gate.plan(asked.plan.id, replace(OWNER, reach=reach))
    assert seen.steps[0].decision.ajar == ()


@pytest.mark.usefixtures("let_in")
async def test_what_a_token_asks_for_can_be_approved_while_something_stands_open_beyond_its_reach(armed, home):
    token = Caller(
        Role.TOKEN,
        Channel.API,
        token_id="t1",
        scopes=frozenset({Scope.PROPOSE, Scope.READ}),
        reach=Reach.of(entities=[ALARM]),
    )
    (asked,) = await armed.gate.submit([ARM], token, request="arm")
    shown = asked.steps[0].decision
    assert (asked.state, shown.ajar, WINDOW in str(asked)) == (PlanState.WAITING, (), False)
    assert (await armed.gate.plan(asked.id)).steps[0].decision.ajar == (WINDOW,), "whoever approves it sees all of it"

    home.set_state(DOOR, "on")
    with pytest.raises(PlanChangedError, match="1 entrance stands open now that the yes was not about"):
        await armed.gate.approve(asked.id, OWNER)
    home.set_state(DOOR, "off")
    assert (await armed.gate.approve(asked.id, OWNER)).state is PlanState.COMPLETED
    assert home.states[ALARM].state == "armed_away"


async def test_the_reason_counts_what_stands_open(armed, home):
    assert "1 entrance stands open" in (await armed.gate.submit([ARM], OWNER, request="arm"))[0].decision.reason
    home.set_state(DOOR, "on")
    assert "2 entrances stand open" in (await armed.gate.submit([ARM], OWNER, request="arm"))[0].decision.reason


async def test_the_code_is_put_in_as_it_is_sent_and_stands_nowhere_else(armed, home, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    await armed.strongbox.put(OWNER, ALARM, CODE)
    asked = await ask(armed, "arm away")
    await ask(armed, "yes", asked.conversation_id)
    assert [call.data.get("code") for call in home.calls] == [CODE]
    assert CODE not in caplog.text
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and CODE.encode() in file.read_bytes()]


@pytest.mark.parametrize("language", languages("replies"))
async def test_each_language_names_it(house, language):
    (plan,) = await house.gate.submit([ARM], OWNER, request="arm")
    said = describe([plan], house.home, language)
    assert "Bath window" in said
    assert said != describe([plan], house.home, "en") or language == "en"
