"""A sentence with a time: it is kept for then, for a while it is done now and ended then, and the reply says when by the home's clock."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.home.calls import Call, Target
from homesteward.language import Acts, Asks, Option
from homesteward.language.tables import languages
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, RuleBook, parse_rules
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")
ON = Call("light", "turn_on", Target(entity_id=("light.kitchen",)))


@pytest.fixture
def house(guarded, home, clock):
    """A house whose clock stands still, in Vienna, at 13:00."""
    home.config = replace(home.config, time_zone="Europe/Vienna")
    return guarded


@pytest.fixture
def read_as(house, monkeypatch):
    """Have every sentence read as this."""

    def reads(reading):
        monkeypatch.setattr(type(house.understander), "read", lambda *_, **__: reading)

    return reads


def sent(home):
    return [(call.id, call.entity_ids) for call in home.calls]


async def ask(house, text="whatever", caller=OWNER, **rest):
    return await house.steward.ask(Request(text, caller, **rest))


async def test_what_is_for_later_is_kept_and_the_reply_says_when(house, home, clock, read_as):
    read_as(Acts((ON,), at=clock.now() + timedelta(hours=4)))
    answer = await ask(house)
    assert (answer.outcome, sent(home)) == (Outcome.ACTED, [])
    assert answer.reply == "Turning on Kitchen light at 17:00: scheduled."
    (kept,) = await house.schedules.waiting()
    assert (kept.request, kept.run_id) == ("whatever", answer.run_id)


@pytest.mark.parametrize(
    ("ahead", "said"),
    [
        (timedelta(seconds=30), "in 30 seconds"),
        (timedelta(minutes=1), "in 1 minute"),
        (timedelta(minutes=10), "in 10 minutes"),
        (timedelta(hours=23), "tomorrow at 12:00"),
        (timedelta(days=3), "on Wednesday, 04 March 2026 at 13:00"),
    ],
)
async def test_a_time_is_said_as_people_say_it(house, clock, read_as, ahead, said):
    read_as(Acts((ON,), at=clock.now() + ahead))
    assert f"Turning on Kitchen light {said}: scheduled." in (await ask(house)).reply


async def test_for_an_hour_is_now_and_the_end_of_it_later(house, home, clock, read_as):
    read_as(Acts((ON,), until=clock.now() + timedelta(hours=1)))
    answer = await ask(house)
    assert sent(home) == [("light.turn_on", ("light.kitchen",))]
    assert answer.reply == "Turned on Kitchen light. Turning off Kitchen light at 14:00: scheduled."


async def test_from_then_for_a_while_is_two_that_hang_together(house, home, clock, read_as):
    read_as(Acts((ON,), at=clock.now() + timedelta(hours=1), until=clock.now() + timedelta(hours=2)))
    await ask(house)
    first, second = await house.schedules.waiting()
    assert (first.call.service, second.call.service, second.ends) == ("turn_on", "turn_off", first.call)
    assert sent(home) == []


async def test_undo_that_calls_it_off(house, clock, read_as):
    read_as(Acts((ON,), at=clock.now() + timedelta(hours=4)))
    asked = await ask(house)
    answer = await ask(house, "undo that", conversation_id=asked.conversation_id)
    assert answer.reply == "Called off: Turning on Kitchen light at 17:00."
    assert await house.schedules.waiting() == ()


@pytest.mark.parametrize("words", ["undo that", "cancel that", "Call it off, please.", "cancel it"])
async def test_cancel_that_calls_off_what_was_asked_last(house, clock, read_as, words):
    read_as(Acts((ON,), at=clock.now() + timedelta(hours=4)))
    asked = await ask(house)
    await ask(house, words, conversation_id=asked.conversation_id)
    assert await house.schedules.waiting() == ()


async def test_cancel_that_is_a_no_where_a_yes_is_asked_for(house, home, clock, read_as):
    rules = "version: 1\nrules: [{name: ask, when: {entity: light.kitchen}, then: confirm}]"
    read_as(Acts((ON,)))
    house.gate.policy = lambda: Policy(book=RuleBook(parse_rules(rules)))
    asked = await ask(house)
    assert asked.outcome is Outcome.CONFIRM
    answer = await ask(house, "cancel that", conversation_id=asked.conversation_id)
    assert (answer.outcome, sent(home)) == (Outcome.REFUSED, [])


@pytest.mark.parametrize(
    ("language", "question", "none", "some"),
    [
        (
            "en",
            "What is scheduled?",
            "Nothing is scheduled.",
            "Scheduled: Turning on Kitchen light in 10 minutes; Turning off Hall light at 17:00.",
        ),
        (
            "de",
            "Was ist geplant?",
            "Es ist nichts vorgemerkt.",
            "Vorgemerkt: Einschalten von Kitchen light in 10 Minuten; Ausschalten von Hall light um 17:00 Uhr.",
        ),
    ],
)
async def test_what_is_scheduled_is_told_soonest_first_and_only_ones_own(
    house, clock, read_as, language, question, none, some
):
    assert (await ask(house, question, language=language)).reply == none
    off = Call("light", "turn_off", Target(entity_id=("light.hall",)))
    for call, ahead in ((off, timedelta(hours=4)), (ON, timedelta(minutes=10))):
        read_as(Acts((call,), at=clock.now() + ahead))
        await ask(house, caller=MEMBER)
    for who in (MEMBER, OWNER):
        assert (await ask(house, question, who, language=language)).reply == some
    assert (await ask(house, question, Caller(Role.GUEST, Channel.CLI, "Kim"), language=language)).reply == none


async def test_what_needs_a_yes_waits_with_its_time_in_words(house, home, clock, read_as):
    read_as(
        Acts(
            (Call("cover", "open_cover", Target(entity_id=("cover.garage_door",))),),
            at=clock.now() + timedelta(hours=4),
        )
    )
    answer = await ask(house, caller=MEMBER)
    assert answer.outcome is Outcome.WAITING
    assert answer.reply == "Opening Garage door at 17:00 waits for approval."


async def test_which_one_is_asked_first_and_what_is_chosen_is_kept_for_then(house, home, clock, read_as):
    options = (Option("light.kitchen", "Kitchen light"), Option("light.hall", "Hall light"))
    calls = (ON, Call("light", "turn_on", Target(entity_id=("light.hall",))))
    read_as(Asks("Which one?", options, calls, at=clock.now() + timedelta(hours=4)))
    asked = await ask(house)
    await ask(house, "Hall light", conversation_id=asked.conversation_id)
    (kept,) = await house.schedules.waiting()
    assert (kept.call.entity_ids, sent(home)) == (("light.hall",), [])


async def test_what_cannot_be_ended_is_not_begun_and_that_is_said(house, home, clock, read_as):
    home.set_state("button.bell", "unknown")
    read_as(
        Acts((Call("button", "press", Target(entity_id=("button.bell",))),), until=clock.now() + timedelta(hours=1))
    )
    answer = await ask(house)
    assert (answer.outcome, answer.error.code, sent(home)) == (Outcome.FAILED, "cannot_end", [])


@pytest.mark.parametrize("language", languages("replies"))
async def test_every_language_says_what_is_to_be_done_and_when(house, clock, read_as, language):
    for ahead, shown in ((timedelta(minutes=10), "10"), (timedelta(hours=4), "17:00"), (timedelta(days=1), "13:00")):
        read_as(Acts((ON,), at=clock.now() + ahead))
        reply = (await ask(house, language=language)).reply
        assert "Kitchen light" in reply
        assert shown in reply


async def test_a_door_that_is_asked_for_at_an_hour_waits_for_the_approval_it_takes_and_nothing_moves_now(house, home):
    answer = await house.steward.ask(Request("open the garage door at five", OWNER, language="en"))

    (plan,) = answer.plans
    assert (plan.state, plan.steps[0].call.id, home.calls) == ("waiting", "homesteward.schedule", [])
