"""What was asked for later, or waits: a sentence that hangs on it keeps its time, and a no to it calls it off."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions import PlanState
from homesteward.home.calls import Call, Target
from homesteward.language import Asks, Option
from homesteward.language.tables import languages
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, RuleBook, parse_rules
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
HALL = ("light.hall",)
KITCHEN = ("light.kitchen",)
LATER = "turn on the kitchen light in ten minutes"


@pytest.fixture
def house(guarded, home):
    """A house whose clock stands still, in Vienna, at 13:00."""
    home.config = replace(home.config, time_zone="Europe/Vienna")
    return guarded


@pytest.fixture
def say(house):
    async def said(text, language="en", conversation="c"):
        return await house.steward.ask(Request(text, OWNER, conversation, language=language))

    return said


@pytest.fixture
def coming(house):
    """Tell what is scheduled: what, and in how many minutes."""

    async def listed():
        found = await house.schedules.waiting()
        return {each.call.entity_ids: (each.at - house.steward._clock.now()) / timedelta(minutes=1) for each in found}

    return listed


def sent(home):
    return [call.entity_ids for call in home.calls]


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        (LATER, "the hall light too", "en"),
        (LATER, "and the hall light", "en"),
        (LATER, "the same in the hall", "en"),
        ("schalte Kitchen light in zehn Minuten ein", "und Hall light", "de"),
        ("allume Kitchen light dans dix minutes", "et Hall light", "fr"),
        ("zet Kitchen light over tien minuten aan", "en Hall light ook", "nl"),
        ("включи Kitchen light через десять минут", "и Hall light тоже", "ru"),
        ("enciende Kitchen light en diez minutos", "y Hall light también", "es"),
        ("accendi Kitchen light tra dieci minuti", "e Hall light", "it"),
        ("włącz Kitchen light za dziesięć minut", "i Hall light też", "pl"),
    ],
)
async def test_the_same_for_another_thing_is_for_the_same_time(say, home, coming, first, then, language):
    await say(first, language)
    await say(then, language)
    assert (sent(home), await coming()) == ([], {KITCHEN: 10, HALL: 10})


async def test_the_same_for_another_thing_ends_as_the_first_does(say, home, coming):
    await say("turn on the kitchen light for ten minutes")
    await say("and the hall light")
    assert (sent(home), await coming()) == ([KITCHEN, HALL], {KITCHEN: 10, HALL: 10})


async def test_another_thing_may_have_a_time_of_its_own(say, home, coming):
    await say(LATER)
    await say("and the hall light in twenty minutes")
    assert (sent(home), await coming()) == ([], {KITCHEN: 10, HALL: 20})


async def test_a_correction_is_for_the_same_time_and_calls_the_first_off(say, home, coming):
    await say(LATER)
    await say("no, the hall light")
    assert (sent(home), await coming()) == ([], {HALL: 10})


@pytest.mark.parametrize(
    ("first", "then", "language"),
    [
        (LATER, "no, in twenty minutes", "en"),
        (LATER, "make it in twenty minutes", "en"),
        ("schalte Kitchen light in zehn Minuten ein", "nein, in zwanzig Minuten", "de"),
        ("allume Kitchen light dans dix minutes", "non, dans vingt minutes", "fr"),
        ("zet Kitchen light over tien minuten aan", "nee, over twintig minuten", "nl"),
        ("включи Kitchen light через десять минут", "нет, через двадцать минут", "ru"),
        ("enciende Kitchen light en diez minutos", "no, en veinte minutos", "es"),
        ("accendi Kitchen light tra dieci minuti", "no, tra venti minuti", "it"),
        ("włącz Kitchen light za dziesięć minut", "nie, za dwadzieścia minut", "pl"),
    ],
)
async def test_a_new_time_replaces_the_first(say, home, coming, first, then, language):
    await say(first, language)
    await say(then, language)
    assert (sent(home), await coming()) == ([], {KITCHEN: 20})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("never mind", "en"),
        ("forget it", "en"),
        ("don't", "en"),
        ("cancel", "en"),
        ("no", "en"),
        ("doch nicht", "de"),
        ("vergiss es", "de"),
        ("laat maar", "nl"),
        ("laisse tomber", "fr"),
        ("olvídalo", "es"),
        ("lascia stare", "it"),
        ("zapomnij", "pl"),
        ("забудь", "ru"),
        ("cancel the kitchen light", "en"),
        ("sag Kitchen light ab", "de"),
        ("annule Kitchen light", "fr"),
        ("cancela Kitchen light", "es"),
        ("annulla Kitchen light", "it"),
        ("annuleer Kitchen light", "nl"),
        ("odwołaj Kitchen light", "pl"),
        ("отмени Kitchen light", "ru"),
    ],
)
async def test_a_no_after_something_planned_calls_it_off(say, home, coming, text, language):
    await say(LATER)
    answer = await say(text, language)
    assert (await coming(), sent(home)) == ({}, [])
    assert "Kitchen light" in answer.reply


@pytest.mark.parametrize("text", ["never mind", "cancel the kitchen light"])
async def test_what_has_begun_already_is_ended_and_not_left_without_an_end(say, home, coming, text):
    await say("turn on the kitchen light for ten minutes")
    await say(text)
    assert (await coming(), home.states["light.kitchen"].state) == ({}, "off")


async def test_a_no_after_something_that_waits_drops_it(say, house):
    waits = await say("open the garage door")
    assert waits.outcome is Outcome.WAITING
    answer = await say("never mind")
    assert (await house.gate.plan(waits.plan.id)).state is PlanState.REJECTED
    assert "left as it is" in answer.reply


async def test_a_no_after_something_else_was_done_says_what_stays(say, home, coming):
    await say(LATER)
    await say("turn on the hall light")
    await say("never mind")
    answer = await say("don't turn on the kitchen light")
    assert "Stays scheduled: Turning on Kitchen light in 10 minutes." in answer.reply
    assert (await coming(), home.states["light.hall"].state) == ({KITCHEN: 10}, "on")


async def test_what_is_named_and_may_be_several_is_listed_and_stays(say, coming):
    await say(LATER)
    await say("turn off the kitchen light in twenty minutes")
    answer = await say("cancel the kitchen light")
    assert (
        answer.reply
        == "Stays scheduled: Turning on Kitchen light in 10 minutes; Turning off Kitchen light in 20 minutes."
    )
    assert len(await coming()) == 1


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("no", "en"),
        ("nein", "de"),
        ("non", "fr"),
        ("no", "es"),
        ("no", "it"),
        ("nee", "nl"),
        ("nie", "pl"),
        ("нет", "ru"),
    ],
)
async def test_a_no_to_a_question_is_told_as_that_and_not_as_a_refusal(say, house, home, text, language):
    rules = "version: 1\nrules: [{name: ask, when: {entity: light.kitchen}, then: confirm}]"
    house.gate.policy = lambda: Policy(book=RuleBook(parse_rules(rules)))
    asked = await say("turn on the kitchen light")
    answer = await say(text, language)
    assert (answer.outcome, sent(home)) == (Outcome.REFUSED, [])
    assert asked.plan.decision.reason not in answer.reply
    assert "ask" not in answer.reply


@pytest.mark.parametrize(("text", "wide"), [("both", True), ("the second", False)])
async def test_both_means_both_and_goes_through_the_gate_as_all_do(say, house, home, monkeypatch, text, wide):
    calls = tuple(Call("light", "turn_on", Target(entity_id=ids)) for ids in (KITCHEN, HALL))
    options = (Option("light.kitchen", "Kitchen light"), Option("light.hall", "Hall light"))
    monkeypatch.setattr(type(house.understander), "read", lambda *_, **__: Asks("Which one?", options, calls))
    asked, submit = [], house.gate.submit

    async def watched(*args, **rest):
        asked.append(rest["wide"])
        return await submit(*args, **rest)

    monkeypatch.setattr(house.gate, "submit", watched)
    await say("whatever")
    await say(text)
    assert (sent(home), asked) == ([KITCHEN, HALL] if wide else [HALL], [wide])


async def test_what_was_not_read_out_can_be_answered_and_a_room_leaves_fewer(say, house, home, monkeypatch):
    calls = tuple(Call("light", "turn_on", Target(entity_id=ids)) for ids in (KITCHEN, HALL))
    shown = (Option("light.kitchen", "Kitchen light", "Kitchen"),)
    more = (Option("light.hall", "Hall light", "Hall"),)
    asks = Asks("Which one?", shown, calls, unshown=more)
    monkeypatch.setattr(type(house.understander), "read", lambda *_, **__: asks)
    answer = await say("whatever")
    assert [option.entity_id for option in answer.question.options] == ["light.kitchen"]
    await say("hall")
    assert sent(home) == [HALL]


@pytest.mark.parametrize("language", languages("replies"))
async def test_a_no_to_which_one_leaves_it_in_words(say, house, home, monkeypatch, language):
    options = (Option("light.kitchen", "Kitchen light"), Option("light.hall", "Hall light"))
    calls = tuple(Call("light", "turn_on", Target(entity_id=ids)) for ids in (KITCHEN, HALL))
    monkeypatch.setattr(type(house.understander), "read", lambda *_, **__: Asks("Which one?", options, calls))
    await say("whatever")
    answer = await say({"de": "nein", "fr": "non", "nl": "nee", "pl": "nie", "ru": "нет"}.get(language, "no"), language)
    assert (answer.outcome, sent(home)) == (Outcome.ANSWERED, [])
    assert answer.question is None
