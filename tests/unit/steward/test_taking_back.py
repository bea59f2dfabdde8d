"""What "undo that" does in a conversation: the last thing that its speaker asked for there, and nobody else's."""

from datetime import timedelta

import pytest

from homesteward.actions import PlanState
from homesteward.app import House, wire
from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")


async def ask(house, text, caller=OWNER, **rest):
    return await house.steward.ask(Request(text, caller, **{"conversation_id": "c", **rest}))


async def test_what_was_done_last_is_taken_back_and_told(house, home):
    await ask(house, "turn on the kitchen light")
    answer = await ask(house, "undo that")

    assert (answer.outcome, home.states["light.kitchen"].state) == (Outcome.ACTED, "off")
    assert answer.reply == "Turned off Kitchen light."
    assert answer.plan.undoes


@pytest.mark.parametrize(
    ("done", "undo", "language"),
    [
        ("turn on the kitchen light", "Can you undo that, please?", "en"),
        ("Schalte Kitchen light ein", "Mach das bitte rückgängig", "de"),
        ("Schalte Kitchen light ein", "mach das rückgängig!", "de"),
    ],
)
async def test_it_is_said_in_the_language_of_the_conversation(house, home, done, undo, language):
    await ask(house, done, language=language)
    assert home.states["light.kitchen"].state == "on"
    await ask(house, undo, language=language)
    assert home.states["light.kitchen"].state == "off"


async def test_what_cannot_be_taken_back_is_named_with_the_reason(house, home):
    await ask(house, "turn on the kitchen light and the hall light")
    home.set_state("light.hall", "off")
    home.set_state("light.hall", "on", brightness=3)
    home.remove("light.hall")
    answer = await ask(house, "undo that")

    assert home.states["light.kitchen"].state == "off"
    assert "Not taken back: light.hall (it cannot be reached now)." in answer.reply


async def test_said_twice_it_means_what_was_asked_for_before_and_then_there_is_nothing_more(house, home):
    await ask(house, "turn on the hall light")
    await ask(house, "turn on the kitchen light")
    await ask(house, "undo that")
    assert (home.states["light.hall"].state, home.states["light.kitchen"].state) == ("on", "off")
    await ask(house, "cancel that")
    assert (home.states["light.hall"].state, home.states["light.kitchen"].state) == ("off", "off")

    assert (await ask(house, "undo that")).error.code == "nothing_to_undo"
    assert (home.states["light.hall"].state, home.states["light.kitchen"].state) == ("off", "off")


async def test_a_question_in_between_changes_nothing_about_it(house, home):
    await ask(house, "turn on the kitchen light")
    await ask(house, "is the hall light on?")
    await ask(house, "undo that")

    assert home.states["light.kitchen"].state == "off"


async def test_the_way_back_that_needs_an_approval_waits_for_it(house, home):
    answer = await ask(house, "unlock the front door")
    await house.gate.approve(answer.plan.id, OWNER)
    back = await ask(house, "undo that")

    assert (back.outcome, home.states["lock.front_door"].state) == (Outcome.WAITING, "unlocked")


async def test_what_still_waits_is_withdrawn_and_a_yes_after_that_is_to_nothing(house, home):
    await ask(house, "turn on the kitchen light")
    waiting = await ask(house, "unlock the front door")
    answer = await ask(house, "undo that")

    assert (await house.gate.plan(waiting.plan.id)).state is PlanState.REJECTED
    assert [plan.id for plan in answer.plans] == [waiting.plan.id]
    assert answer.reply == "Unlocking Front door: left as it is."
    await ask(house, "yes")
    assert (home.states["lock.front_door"].state, home.states["light.kitchen"].state) == ("locked", "on")


@pytest.mark.parametrize(("caller", "conversation"), [(MEMBER, "c"), (OWNER, "another")])
async def test_what_somebody_else_did_or_somewhere_else_is_not_meant(house, home, caller, conversation):
    await ask(house, "turn on the kitchen light")
    answer = await ask(house, "undo that", caller, conversation_id=conversation)

    assert (answer.error.code, home.states["light.kitchen"].state) == ("nothing_to_undo", "on")


async def test_after_an_hour_nobody_knows_any_more_what_that_was(home, tmp_path, clock: FrozenClock):
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    async with wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, clock, Redactor()) as house:
        assert isinstance(house, House)
        await ask(house, "turn on the kitchen light")
        clock.advance(timedelta(hours=2))
        answer = await ask(house, "undo that")

    assert answer.error.code == "nothing_to_undo"
    assert "homesteward plans undo PLAN" in answer.reply
    assert "plans undo PLAN" in answer.error.next
