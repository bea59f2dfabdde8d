"""Somebody who reaches the kitchen only: in sentences, through a model and in runs there is nothing else."""

from dataclasses import replace

import pytest

from homesteward.core.json import dumps
from homesteward.home.view import area_of, names_of
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Reach, Role, Scope
from homesteward.steward import Outcome, Request, Route, UnknownRunError, answer_json
from homesteward.tools import ToolContext

pytestmark = pytest.mark.usefixtures("let_in")

COOK = Caller(
    Role.MEMBER,
    Channel.API,
    "Cook",
    person_id="cook",
    token_id="t1",
    scopes=frozenset({Scope.READ, Scope.ACT}),
    reach=Reach(frozenset({"kitchen"})),
)
OWNER = Caller(Role.OWNER, Channel.CLI, "Robin", person_id="robin")


async def ask(house, text, caller=COOK, **rest):
    return await house.steward.ask(Request(text, caller, **rest))


def outside(home):
    """Every name and id of the home that is not the kitchen's, but for words that say nothing by themselves."""
    for entity_id in home.states:
        if (area := area_of(home, entity_id)) is None or area.area_id != "kitchen":
            yield from (entity_id, *names_of(home, entity_id))
    yield from (area.name for area in home.areas.values() if area.area_id != "kitchen")


def told(answer, *said):
    """The answer without the words of whoever asked: repeating those tells them nothing."""
    text = dumps(answer_json(answer)).casefold()
    for words in said:
        text = text.replace(words.casefold(), "")
    return text


SAID = [
    ("turn on the hall light", "hall"),
    ("which lights are on?", ""),
    ("is the front door locked?", "front door"),
    ("turn on the lights in the study", "study"),
    ("turn on the reading lamp", "reading lamp"),
    ("how warm is it in the study?", "study"),
    ("turn on the hal light", "hal light"),
    ("colourless green ideas", ""),
    ("run let in", "let in"),
    ("turn off everything upstairs", "upstairs"),
]


@pytest.mark.parametrize(("text", "named"), SAID)
async def test_no_answer_names_anything_out_of_reach(house, home, text, named):
    answer = await ask(house, text)
    shown = told(answer, text, named, "front door battery")
    assert [name for name in outside(home) if name.casefold() in shown] == []
    assert home.calls == []


async def test_what_is_within_reach_is_done_and_told(house, home):
    done = await ask(house, "turn on the kitchen light")
    assert (done.outcome, [call.entity_ids for call in home.calls]) == (Outcome.ACTED, [("light.kitchen",)])
    assert "kitchen light" in (await ask(house, "which lights are on?")).reply.casefold()


async def test_all_lights_are_those_within_reach(house, home):
    await ask(house, "turn on all the lights")
    assert {entity for call in home.calls for entity in call.entity_ids} == {"light.kitchen"}


async def test_a_place_out_of_reach_is_no_place(house):
    answer = await ask(house, "turn on the light", area="hall")
    assert answer.error.code == "unknown_area"
    assert "Hall" not in answer.error.next


async def test_a_model_sees_and_reaches_no_further(house, home):
    asked = []

    class Curious(ScriptedModel):
        async def request(self, messages, settings, parameters):
            asked.append(repr(messages))
            return await super().request(messages, settings, parameters)

    script = [
        {"tool_call": {"name": "find", "arguments": {"query": ""}}},
        {"tool_call": {"name": "overview", "arguments": {}}},
        {"tool_call": {"name": "get_state", "arguments": {"entity_id": "lock.front_door"}}},
        {
            "tool_call": {
                "name": "call_service",
                "arguments": {"service": "light.turn_on", "target": {"area_id": "hall"}},
            }
        },
        {"text": "I could not."},
    ]
    model = Curious(script)
    answer = await house.with_model(lambda: model).ask(Request("turn on something", COOK, route=Route.KERNEL))
    assert home.calls == []
    assert "kitchen light" in asked[-1].casefold()
    own_words = ("lock.front_door", "hall")
    heard = told(answer) + asked[-1].casefold()
    for word in own_words:
        heard = heard.replace(word, "")
    assert [name for name in outside(home) if name.casefold() in heard] == []


async def test_a_run_exists_for_whoever_began_it_and_for_an_owner(house):
    run = house.steward.start(Request("turn on the kitchen light", COOK))
    async for _ in house.steward.runs.watch(run):
        pass
    strangers = [
        replace(COOK, token_id="t2"),
        replace(COOK, scopes=frozenset({Scope.ACT})),
        replace(OWNER, token_id="t3", scopes=frozenset({Scope.READ})),
        Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben"),
        Caller(Role.MEMBER, Channel.PAGE, "Cook"),
    ]
    for stranger in strangers:
        for run_id in (run.id, "run_none"):
            with pytest.raises(UnknownRunError):
                house.steward.run(run_id, stranger)
            with pytest.raises(UnknownRunError):
                await house.steward.answer_of(run_id, stranger)
    for one in (COOK, OWNER, Caller(Role.MEMBER, Channel.PAGE, "Cook", person_id="cook")):
        assert house.steward.run(run.id, one) is run
        assert (await house.steward.answer_of(run.id, one))["outcome"] == "acted"


async def test_an_open_question_of_one_token_is_not_anothers_to_answer(house, home):
    home.set_state("switch.coffee", "off")
    asked = await ask(house, "turn on the kitchen light", replace(COOK, scopes=frozenset({Scope.PROPOSE})))
    assert asked.outcome is Outcome.WAITING
    await ask(house, "yes", replace(COOK, token_id="t2"), conversation_id=asked.conversation_id)
    assert home.calls == []


async def test_a_token_that_may_only_ask_for_changes_is_told_no_state(house, home):
    blind = replace(COOK, scopes=frozenset({Scope.PROPOSE}))
    answer = await ask(house, "is the kitchen light on?", blind)
    assert (answer.outcome, answer.error.code) == (Outcome.FAILED, "not_allowed")
    model = ScriptedModel(
        [{"tool_call": {"name": "get_state", "arguments": {"entity_id": "light.kitchen"}}}, {"text": "No."}]
    )
    run = house.with_model(lambda: model)
    modelled = await run.ask(Request("is the kitchen light on?", blind, route=Route.KERNEL))
    assert '"off"' not in dumps(answer_json(modelled))
    offered = {spec.name for spec in house.registry.specs(blind)}
    assert offered == {"call_service", "plans", "schedule"}
    assert (await house.registry.call("plans", {}, ToolContext(blind, "what was done?"))).data == []


@pytest.mark.parametrize(
    ("text", "language", "reply"),
    [
        ("why is the front door locked?", "en", "That is for the household to know."),
        ("when was the kitchen light last on?", "en", "That is for the household to know."),
        ("how long was the kitchen light on today?", "en", "That is for the household to know."),
        ("how often was the kitchen light on today?", "en", "That is for the household to know."),
        ("Warum ist die Front door abgeschlossen?", "de", "Das geht nur den Haushalt etwas an."),
    ],
)
async def test_a_guest_who_asks_about_the_past_is_told_that_it_is_for_the_household(house, text, language, reply):
    answer = await ask(house, text, Caller(Role.GUEST, Channel.CLI, "Kim"), language=language)
    assert (answer.outcome, answer.error.code, answer.reply) == (Outcome.FAILED, "not_allowed", reply)


async def test_somebody_who_lives_there_is_told_of_the_past(house):
    answer = await ask(house, "why is the front door locked?", OWNER)
    assert (answer.outcome, answer.error) == (Outcome.ANSWERED, None)
