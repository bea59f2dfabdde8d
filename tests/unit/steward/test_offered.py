"""A sentence that is the name of an offer: an enabled one is used, any other is told for what it is, in the language that was asked."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions.notice import NoticeKind
from homesteward.actions.offers import OfferState
from homesteward.actions.offers.deeds import PURPOSE
from homesteward.home.calls import Call
from homesteward.home.inventory import Thing
from homesteward.home.model import Service, ServiceField
from homesteward.language.tables import languages, table
from homesteward.people import Caller, Channel, Proof, ProofKind, Role
from homesteward.steward import Outcome, Request

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
GUEST = Caller(Role.GUEST, Channel.CLI, "Kim")


def sent(home):
    return [(call.id, call.entity_ids, dict(call.data)) for call in home.calls]


async def ask(house, text, caller=OWNER, **rest):
    return await house.steward.ask(Request(text, caller, **rest))


async def offer_of(house, tool):
    return next(offer for offer in await house.offers.all(OWNER) if offer.tool.name == tool)


async def enable(house, tool, **data):
    proof = Proof(ProofKind.SIGN_IN, PURPOSE, house.clock.now() + timedelta(minutes=5))
    call = Call("homesteward", "enable_offer", data={"offer": (await offer_of(house, tool)).id, **data})
    (plan,) = await house.gate.submit([call], replace(OWNER, proof=proof), request="")
    await house.gate.approve(plan.id, OWNER)


@pytest.fixture
def hidden(home):
    """A script that Home Assistant does not expose, so that the language knows nothing of it."""
    home.expose("script.welcome", exposed=False)


async def test_an_enabled_script_is_run_by_what_it_is_called(house, home, hidden):
    await enable(house, "welcome", phrases=["Party time"])
    answer = await ask(house, "Please, party time!")
    assert sent(home) == [("script.turn_on", ("script.welcome",), {})]
    assert (answer.outcome, home.states["light.hall"].state) == (Outcome.ACTED, "on")


async def test_it_is_asked_before_anything_is_guessed(house, home):
    await enable(house, "welcome", phrases=["Turn on the kitchen light"])
    await ask(house, "turn on the kitchen light")
    assert sent(home) == [("script.turn_on", ("script.welcome",), {})]


async def test_what_opens_a_door_waits_whatever_it_is_called(house, home):
    await enable(house, "let_in", phrases=["Good morning"])
    answer = await ask(house, "good morning")
    assert (answer.outcome, sent(home)) == (Outcome.WAITING, [])


async def test_only_the_whole_name_counts(house, home, hidden):
    await enable(house, "welcome", phrases=["Party time"])
    for text in (
        "party",
        "party time in the kitchen",
        "no party time",
        "is it party time?",
        "party time?",
        "party  times",
    ):
        await ask(house, text)
    assert sent(home) == []


async def test_one_that_nobody_enabled_is_not_unknown(house, home, hidden):
    answer = await ask(house, "welcome")
    assert (answer.outcome, answer.error.code, sent(home)) == (Outcome.FAILED, "not_enabled", [])
    assert "nobody has enabled" in answer.reply


async def test_an_exposed_script_needs_no_offer_to_be_started_by_its_name(house, home):
    await ask(house, "welcome")
    assert [call[1] for call in sent(home)] == [("script.welcome",)]


async def test_what_changed_is_told_as_changed(house, home, hidden):
    await enable(house, "welcome", phrases=["Party time"])
    field = ServiceField("level", required=True, selector={"number": {}})
    home.services["script.welcome"] = Service("script", "welcome", "Welcome", fields={"level": field})
    home.revision += 1
    answer = await ask(house, "party time")
    assert (answer.error.code, "not what it was" in answer.reply, sent(home)) == ("not_enabled", True, [])
    assert (await offer_of(house, "welcome")).state is OfferState.PROPOSED


async def test_a_script_that_needs_something_is_not_started_with_a_guess(house, home, hidden):
    field = ServiceField("level", required=True, selector={"number": {}})
    home.services["script.welcome"] = Service("script", "welcome", "Welcome", fields={"level": field})
    home.revision += 1
    await enable(house, "welcome", phrases=["Party time"])
    answer = await ask(house, "party time")
    assert (answer.error.code, "level" in answer.reply, sent(home)) == ("needs_arguments", True, [])
    assert (await ask(house, "party time 50")).outcome is Outcome.FAILED
    assert sent(home) == []


async def test_a_script_that_is_gone_is_told_as_gone(house, home, hidden):
    await enable(house, "welcome", phrases=["Party time"])
    home.remove("script.welcome")
    assert (await ask(house, "party time")).error.code == "tool_gone"


async def test_two_of_one_name_are_asked_about_and_the_answer_runs_the_one_that_was_meant(house, home, hidden):
    home._place(Thing("script.other", "Other", body=()))
    home.revision += 1
    await enable(house, "welcome", phrases=["Party time"])
    await enable(house, "other", phrases=["party TIME"])
    asked = await ask(house, "party time")
    assert (asked.outcome, [option.label for option in asked.question.options]) == (
        Outcome.CONFIRM,
        ["Other", "Welcome"],
    )
    await ask(house, "the second", conversation_id=asked.conversation_id)
    assert [call[1] for call in sent(home)] == [("script.welcome",)]


async def test_one_that_was_disabled_while_it_was_asked_about_is_not_run(house, home, hidden):
    home._place(Thing("script.other", "Other", body=()))
    home.revision += 1
    for tool in ("welcome", "other"):
        await enable(house, tool, phrases=["Party time"])
    asked = await ask(house, "party time")
    disable = Call("homesteward", "disable_offer", data={"offer": (await offer_of(house, "welcome")).id})
    await house.gate.submit([disable], OWNER, request="")
    answer = await ask(house, "the second", conversation_id=asked.conversation_id)
    assert (answer.error.code, sent(home)) == ("not_enabled", [])


async def test_one_that_was_disabled_is_known_by_its_phrases_and_not_enabled(house, home, hidden):
    await enable(house, "welcome", phrases=["Film night"])
    disable = Call("homesteward", "disable_offer", data={"offer": (await offer_of(house, "welcome")).id})
    await house.gate.submit([disable], OWNER, request="")
    answer = await ask(house, "film night")
    assert (answer.outcome, answer.error.code, sent(home)) == (Outcome.FAILED, "not_enabled", [])


async def test_who_may_not_say_it_is_not_heard(house, home, hidden):
    await enable(house, "welcome", phrases=["Party time"])
    answer = await ask(house, "party time", GUEST)
    assert (answer.error.code, sent(home)) == ("not_understood", [])


@pytest.mark.parametrize("language", languages("replies"))
async def test_each_language_says_in_its_own_words_what_keeps_an_offer(house, hidden, language):
    assert table("offers", language).keys() == table("offers", "en").keys()
    answer = await ask(house, "welcome", language=language)
    assert answer.error.code == "not_enabled"
    english = await ask(house, "welcome", language="en")
    assert (answer.reply == english.reply) is (language == "en")


async def test_an_owner_is_told_when_what_was_enabled_is_another_thing(house, home):
    await enable(house, "welcome")
    field = ServiceField("level", required=True, selector={"number": {}})
    home.services["script.welcome"] = Service("script", "welcome", "Welcome", fields={"level": field})
    home.revision += 1
    await house.offers.catch_up()
    await house.notices.close()
    (notice,) = await house.notices.list(OWNER)
    assert (notice.kind, "it needs 'level' now" in notice.text) == (NoticeKind.OFFER_CHANGED, True)
