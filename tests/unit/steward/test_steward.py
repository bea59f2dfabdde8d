"""One request from start to answer: what is done, what is asked back, and that no reply claims more than its evidence."""

import pytest

from homesteward.actions.plan import PlanState, Status
from homesteward.language import describe
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route, Via

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
MEMBER = Caller(Role.MEMBER, Channel.CLI, "Sam")
GUEST = Caller(Role.GUEST, Channel.CLI, "Kim")


def sent(home):
    return [(call.id, call.entity_ids) for call in home.calls]


async def ask(house, text, caller=OWNER, **rest):
    return await house.steward.ask(Request(text, caller, **rest))


async def ask_model(house, text, script, caller=OWNER, **rest):
    model = ScriptedModel(script)
    return await house.with_model(lambda: model).ask(Request(text, caller, route=Route.KERNEL, **rest))


async def test_a_plain_sentence_is_done_seen_and_told(house, home):
    answer = await ask(house, "turn on the kitchen light")
    assert sent(home) == [("light.turn_on", ("light.kitchen",))]
    assert (answer.outcome, answer.via) == (Outcome.ACTED, Via.LANGUAGE)
    assert answer.plan.steps[0].evidence[0].status is Status.VERIFIED
    assert "kitchen light" in answer.reply.casefold()


async def test_what_is_so_already_is_said_and_not_sent_again(house, home):
    await ask(house, "turn on the kitchen light")
    home.calls.clear()
    answer = await ask(house, "turn on the kitchen light")
    assert sent(home) == []
    assert answer.outcome is Outcome.ANSWERED
    assert "already" in answer.reply


async def test_a_scripted_model_makes_the_same_plan_with_the_same_evidence_as_the_grammar(house, home):
    plain = await ask(house, "turn on the kitchen light")
    home.set_state("light.kitchen", "off")
    call = {"domain": "light", "service": "turn_on", "target": {"entity_id": "light.kitchen"}}
    modelled = await ask_model(
        house, "turn on the kitchen light", [{"tool_call": {"arguments": call}}, {"text": "Done."}]
    )
    assert modelled.via is Via.KERNEL
    assert modelled.plan.hash == plain.plan.hash
    assert [e.status for e in modelled.plan.steps[0].evidence] == [e.status for e in plain.plan.steps[0].evidence]


async def test_a_lock_waits_and_one_approval_opens_it_once(house, home):
    answer = await ask(house, "unlock the front door")
    assert answer.outcome is Outcome.WAITING
    assert sent(home) == []
    plan = await house.gate.approve(answer.plan.id, OWNER)
    assert plan.state is PlanState.COMPLETED
    assert sent(home) == [("lock.unlock", ("lock.front_door",))]


async def test_one_answer_tells_what_moved_and_what_waits(house, home):
    """E19: "open all covers" also opened the garage door."""
    answer = await ask(house, "open all covers")
    assert {entity for _, ids in sent(home) for entity in ids} == {"cover.bedroom_blinds", "cover.study_blinds"}
    assert answer.outcome is Outcome.WAITING
    assert "blinds" in answer.reply.casefold()
    assert "garage door" in answer.reply.casefold()


async def test_what_stood_open_before_is_not_told_as_opened(house, home):
    home.set_state("cover.study_blinds", "open", current_position=100)
    answer = await ask(house, "open all covers")
    assert sent(home) == [("cover.open_cover", ("cover.bedroom_blinds",))]
    assert "Opened Bedroom blinds." in answer.reply
    assert "Study blinds is already open." in answer.reply


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("don't open the garage door", "en"),
        ("if it rains close the study blinds", "en"),
        ("is the garage door open?", "en"),
        ("which lights are on?", "en"),
        ("öffne das Garage door nicht", "de"),
        ("wenn es regnet, schließe Study blinds", "de"),
    ],
)
async def test_what_does_not_ask_for_something_now_changes_nothing(house, home, text, language):
    answer = await ask(house, text, language=language)
    assert sent(home) == []
    assert answer.plans == ()


async def test_a_question_is_answered_from_state(house):
    answer = await ask(house, "which lights are on?")
    assert answer.outcome is Outcome.ANSWERED
    assert answer.error is None


async def test_two_of_one_name_are_asked_about_and_the_reply_decides(house, home):
    asked = await ask(house, "turn on the reading lamp")
    assert (asked.outcome, asked.question.kind) == (Outcome.CONFIRM, "which")
    assert sent(home) == []
    answer = await ask(house, "the one in the study", conversation_id=asked.conversation_id)
    assert answer.outcome is Outcome.ACTED
    assert sent(home) == [("light.turn_on", ("light.reading_lamp_study",))]


async def test_a_guest_says_yes_first_and_the_yes_counts_once(house, home):
    asked = await ask(house, "turn on the kitchen light", GUEST)
    assert (asked.outcome, asked.question.kind) == (Outcome.CONFIRM, "yes")
    assert sent(home) == []
    done = await ask(house, "yes", GUEST, conversation_id=asked.conversation_id)
    assert done.outcome is Outcome.ACTED
    again = await ask(house, "yes", GUEST, conversation_id=asked.conversation_id)
    assert again.outcome is Outcome.FAILED
    assert len(home.calls) == 1


async def test_somebody_elses_yes_is_no_yes(house, home):
    asked = await ask(house, "turn on the kitchen light", GUEST)
    other = Caller(Role.GUEST, Channel.CLI, "Alex")
    await ask(house, "yes", other, conversation_id=asked.conversation_id)
    assert sent(home) == []


async def test_an_open_question_survives_other_peoples_words_and_an_unclear_reply(house, home):
    asked = await ask(house, "turn on the kitchen light", GUEST)
    await ask(house, "yes", MEMBER, conversation_id=asked.conversation_id)
    await ask(house, "hmm what now", GUEST, conversation_id=asked.conversation_id)
    done = await ask(house, "yes", GUEST, conversation_id=asked.conversation_id)
    assert done.outcome is Outcome.ACTED
    assert len(home.calls) == 1


async def test_something_else_asked_instead_closes_the_question(house, home):
    asked = await ask(house, "turn on the reading lamp")
    await ask(house, "which lights are on?", conversation_id=asked.conversation_id)
    await ask(house, "the one in the study", conversation_id=asked.conversation_id)
    assert sent(home) == []


async def test_what_a_model_says_to_a_question_never_reads_as_something_done(house, home):
    answer = await ask_model(house, "is the front door locked?", [{"text": "I unlocked the front door for you."}])
    assert sent(home) == []
    assert answer.outcome is Outcome.ANSWERED
    assert "Nothing was changed" in answer.reply


async def test_a_guests_lock_is_refused_with_the_reason(house, home):
    answer = await ask(house, "unlock the front door", GUEST)
    assert answer.outcome is Outcome.REFUSED
    assert answer.error.code == "refused"
    assert sent(home) == []


async def test_a_bulb_that_does_nothing_is_never_called_done(house, home):
    answer = await ask(house, "turn on the old bulb")
    assert answer.plan.steps[0].evidence[0].status in {Status.MISMATCHED, Status.UNCERTAIN}
    assert answer.outcome is Outcome.FAILED
    assert "turned on" not in answer.reply.casefold()


async def test_the_unavailable_light_is_named_as_such(house, home):
    answer = await ask(house, "turn on the porch light")
    assert sent(home) == []
    assert "porch light" in answer.reply.casefold()
    assert answer.error.code == "unavailable"


async def test_a_jamming_lock_ends_mismatched_and_the_reply_says_so(house):
    waiting = await ask(house, "unlock the back door")
    plan = await house.gate.approve(waiting.plan.id, OWNER)
    assert (plan.state, plan.steps[0].evidence[0].status) == (PlanState.FAILED, Status.MISMATCHED)
    told = describe([plan], house.home, "en")
    assert "jammed" in told
    assert "unlocked" not in told.casefold()


@pytest.mark.parametrize(("text", "language"), [("open all shutters", "en"), ("öffne alle Rollläden", "de")])
@pytest.mark.parametrize("claim", ["Done - all shutters are open now.", "Erledigt, alle Rollläden sind jetzt offen."])
async def test_a_claim_without_a_call_is_told_as_no_action(house, home, text, language, claim):
    """E08: the agent answered that all shutters were open although it had made no call."""
    answer = await ask_model(house, text, [{"text": claim}], language=language)
    assert sent(home) == []
    assert answer.outcome is Outcome.FAILED
    assert answer.error.code == "no_action"
    assert not answer.reply.startswith(claim)


async def test_a_claim_beside_a_refused_call_is_replaced_by_the_reason(house, home):
    """E10: an entity that does not exist, and a model that says it is on."""
    call = {"service": "light.turn_on", "target": {"entity_id": "light.kitchn"}}
    answer = await ask_model(
        house, "turn on the kitchen light", [{"tool_call": {"arguments": call}}, {"text": "The kitchen light is on."}]
    )
    assert sent(home) == []
    assert answer.outcome is Outcome.FAILED
    assert "light.kitchen" in answer.reply
    assert "is on" not in answer.reply


async def test_a_change_proposed_for_a_sentence_about_later_waits(house, home):
    """E42: "in one minute" was carried out at once."""
    call = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}
    answer = await ask_model(
        house, "turn on the kitchen light in one minute", [{"tool_call": {"arguments": call}}, {"text": "Scheduled."}]
    )
    assert sent(home) == []
    assert answer.outcome is Outcome.WAITING


async def test_observe_only_narrows(house, home):
    answer = await ask(house, "turn on the kitchen light", mode="observe")
    assert answer.outcome is Outcome.REFUSED
    assert sent(home) == []


async def test_a_sentence_nobody_understands_says_so_and_offers_what_can_be_said(house, home):
    answer = await ask(house, "colourless green ideas sleep furiously")
    assert answer.outcome is Outcome.FAILED
    assert answer.error.code == "not_understood"
    assert sent(home) == []


async def test_a_lost_connection_is_told_apart(house, home):
    home.connected = False
    answer = await ask(house, "turn on the kitchen light")
    assert answer.error.code == "not_connected"
    assert answer.error.retry


async def test_an_area_that_does_not_exist_is_named_with_its_neighbours(house, home):
    answer = await ask(house, "turn on the lights", area="Kitchn")
    assert answer.error.code == "unknown_area"
    assert "Kitchen" in answer.error.next
    assert sent(home) == []


async def test_a_run_can_be_watched_from_the_middle_and_ends_with_its_answer(house):
    run = house.steward.start(Request("turn on the kitchen light", OWNER))
    kinds = [event.kind async for event in house.steward.runs.watch(run)]
    assert (kinds[0], kinds[-1]) == ("started", "done")
    late = [event.n async for event in house.steward.runs.watch(run, after=1)]
    assert late == list(range(2, len(kinds) + 1))
    kept = await house.steward.answer_of(run.id)
    assert kept["outcome"] == "acted"
