"""Sentences that hang on the one before: a pronoun, "brighter", "the same in the kitchen", "no, the other one"."""

from datetime import timedelta

import pytest

from homesteward.actions import PlanState
from homesteward.app import wire
from homesteward.core import FrozenClock
from homesteward.core.redaction import Redactor
from homesteward.people import Caller, Channel, Role
from homesteward.settings import Settings
from homesteward.settings.settings import PolicySettings
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")


@pytest.fixture
def say(house):
    async def said(text, language="en", caller=OWNER, **rest):
        return await house.steward.ask(Request(text, caller, language=language, **{"conversation_id": "c", **rest}))

    return said


def lit(home):
    return {name for name, state in home.states.items() if name.startswith("light.") and state.state == "on"}


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        ("turn on the kitchen light", "turn it off", "en"),
        ("schalte Kitchen light ein", "mach es aus", "de"),
        ("allume Kitchen light", "éteins-la", "fr"),
        ("zet Kitchen light aan", "zet het uit", "nl"),
        ("включи Kitchen light", "выключи его", "ru"),
        ("enciende Kitchen light", "apágala", "es"),
        ("accendi Kitchen light", "spegnila", "it"),
        ("włącz Kitchen light", "wyłącz je", "pl"),
    ],
)
async def test_a_pronoun_means_what_was_spoken_of_last(say, home, first, then, language):
    await say(first, language)
    assert lit(home) == {"light.kitchen"}
    answer = await say(then, language)
    assert (answer.outcome, lit(home)) == (Outcome.ACTED, set())


async def test_a_question_makes_its_thing_what_is_spoken_of(say, home):
    await say("is the kitchen light on?")
    await say("turn it on")
    assert lit(home) == {"light.kitchen"}


async def test_without_anything_spoken_of_a_pronoun_means_nothing(say, home):
    answer = await say("turn it on")
    assert (answer.outcome, lit(home)) == (Outcome.FAILED, set())


@pytest.mark.parametrize(("caller", "conversation"), [(MEMBER, "c"), (OWNER, "other")])
async def test_what_somebody_else_spoke_of_or_elsewhere_is_not_meant(say, home, caller, conversation):
    await say("is the kitchen light on?")
    await say("turn it on", caller=caller, conversation_id=conversation)
    assert lit(home) == set()


async def test_after_five_minutes_nobody_knows_what_it_was(home, tmp_path, clock: FrozenClock):
    policy = PolicySettings(dry_run=False, verify_factor=0.01)
    async with wire(Settings(policy=policy, data=tmp_path), home, home, tmp_path, clock, Redactor()) as house:
        await house.steward.ask(Request("is the kitchen light on?", OWNER, "c", language="en"))
        clock.advance(timedelta(minutes=6))
        answer = await house.steward.ask(Request("turn it on", OWNER, "c", language="en"))
    assert (answer.outcome, lit(home)) == (Outcome.FAILED, set())


async def test_brighter_is_about_what_was_spoken_of_last(say, home):
    await say("set the study light to 30%")
    await say("a bit brighter")
    assert [call.data for call in home.calls][-1] == {"brightness_step_pct": 10}
    assert home.calls[0].entity_ids == home.calls[-1].entity_ids


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        ("turn on the kitchen light", "the same in the hall", "en"),
        ("turn on the kitchen light", "and the hall", "en"),
        ("turn on the kitchen light", "the hall too", "en"),
        ("schalte Kitchen light ein", "und im Hall", "de"),
        ("schalte Kitchen light ein", "das gleiche im Hall", "de"),
        ("allume Kitchen light", "et Hall light", "fr"),
        ("zet Kitchen light aan", "en Hall light ook", "nl"),
        ("включи Kitchen light", "и Hall light тоже", "ru"),
        ("enciende Kitchen light", "y Hall light también", "es"),
        ("accendi Kitchen light", "e Hall light", "it"),
        ("włącz Kitchen light", "i Hall light też", "pl"),
    ],
)
async def test_the_same_is_done_for_another_thing(say, home, first, then, language):
    await say(first, language)
    await say(then, language)
    assert lit(home) == {"light.kitchen", "light.hall"}


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        ("turn on the kitchen light", "no, the hall light", "en"),
        ("turn on the kitchen light", "I meant the hall one", "en"),
        ("schalte Kitchen light ein", "nein, ich meinte Hall light", "de"),
        ("allume Kitchen light", "non, je voulais dire Hall light", "fr"),
        ("zet Kitchen light aan", "nee, ik bedoelde Hall light", "nl"),
        ("включи Kitchen light", "нет, я имел в виду Hall light", "ru"),
        ("enciende Kitchen light", "no, me refería a Hall light", "es"),
        ("accendi Kitchen light", "no, intendevo Hall light", "it"),
        ("włącz Kitchen light", "nie, chodziło mi o Hall light", "pl"),
    ],
)
async def test_a_correction_takes_the_first_back_and_does_the_other(say, home, first, then, language):
    await say(first, language)
    answer = await say(then, language)
    assert lit(home) == {"light.hall"}
    assert "Kitchen light" in answer.reply
    assert "Hall light" in answer.reply


async def test_a_correction_of_what_waits_for_approval_drops_it(say, house):
    waits = await say("unlock the front door")
    answer = await say("no, the back door")
    assert (await house.gate.plan(waits.plan.id)).state is PlanState.REJECTED
    assert (answer.outcome, answer.plan.steps[0].call.entity_ids) == (Outcome.WAITING, ("lock.back_door",))


async def test_what_was_corrected_is_not_taken_back_twice(say, home):
    await say("turn on the kitchen light")
    await say("no, the hall light")
    await say("undo that")
    assert lit(home) == set()


async def test_a_sentence_that_means_nothing_here_changes_nothing(say, home):
    await say("turn on the kitchen light")
    await say("no, the sauna")
    assert lit(home) == {"light.kitchen"}


async def test_a_new_request_is_no_correction(say, home):
    await say("turn on the kitchen light")
    await say("turn on the hall light")
    assert lit(home) == {"light.kitchen", "light.hall"}
