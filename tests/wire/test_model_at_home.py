"""The whole way with a real small model and a real Home Assistant: its choice makes the plan that a sentence and a script make."""

import pytest

from homesteward.app import open_house
from homesteward.demo import DemoHome
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route, Via

pytestmark = [pytest.mark.wire, pytest.mark.model, pytest.mark.hass, pytest.mark.timeout(300)]

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
SENTENCE = "turn on the kitchen light"
CALL = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen_ceiling_light"}}


async def test_a_sentence_a_script_and_a_small_models_choice_make_one_plan_with_one_evidence(small_model, tmp_path):
    home = await DemoHome.start(tmp_path / "ha")
    overrides = {
        "ha": {"url": home.address.url, "token": home.address.token},
        "policy": {"dry_run": False},
        "data": tmp_path / "data",
        "model": {"kind": "openai_compatible", "base_url": small_model, "model": "small", "tool_mode": "choice"},
    }
    try:
        async with open_house(None, overrides) as house:
            script = ScriptedModel([{"tool_call": {"arguments": CALL}}, {"text": "On."}])
            answers = [
                await ask(house, house.steward, Route.ANY),
                await ask(house, house.with_model(lambda: script), Route.KERNEL),
                await ask(house, house.steward, Route.KERNEL),
            ]
    finally:
        await home.stop()
    assert [answer.via for answer in answers] == [Via.LANGUAGE, Via.KERNEL, Via.KERNEL]
    assert {answer.outcome for answer in answers} == {Outcome.ACTED}
    assert len({answer.plan.hash for answer in answers}) == 1
    assert {seen(answer) for answer in answers} == {(("light.kitchen_ceiling_light", "on", "verified"),)}
    assert answers[-1].usage.requests == 1


async def ask(house, steward, route):
    answer = await steward.ask(Request(SENTENCE, OWNER, route=route))
    await house.steward.ask(Request("turn off the kitchen light", OWNER))
    return answer


def seen(answer):
    return tuple((e.entity_id, e.observed, e.status.value) for step in answer.plan.steps for e in step.evidence)
