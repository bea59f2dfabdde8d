"""An OpenAI-compatible provider on the wire, good and bad: `aimock` answers as told, everything on our side is real."""

import pytest

from homesteward.actions import PlanState, Status
from homesteward.kernel import Stop
from wire.servers import run

pytestmark = pytest.mark.wire


async def test_a_tool_call_becomes_a_verified_change_and_its_usage_is_counted(home, registry, aimock):
    result = await run(home, registry, aimock, "turn on the kitchen light")
    assert [(call.id, call.entity_ids) for call in home.calls] == [("light.turn_on", ("light.kitchen",))]
    assert [plan.state for plan in result.plans] == [PlanState.COMPLETED]
    assert result.plans[0].steps[0].evidence[0].status is Status.VERIFIED
    assert result.text == "The kitchen light is on."
    usage = result.usage
    assert (usage.requests, usage.measured, usage.input_tokens, usage.output_tokens) == (2, 2, 250, 17)


async def test_two_calls_in_one_turn_are_both_answered(home, registry, aimock):
    result = await run(home, registry, aimock, "look at two things")
    assert [call.ok for call in result.calls] == [True, True]
    assert result.text == "Both are off."


async def test_broken_arguments_go_back_to_the_model_and_nothing_runs(home, registry, aimock):
    result = await run(home, registry, aimock, "break the arguments")
    assert (home.calls, result.calls[0].error.code) == ([], "invalid_arguments")
    assert result.text == "I could not do that."


@pytest.mark.parametrize(
    ("text", "code", "retry", "said"),
    [
        ("be busy", "model_busy", True, "7 s"),
        ("fall over", "model_unreachable", True, "Something broke"),
        ("refuse the key", "model_refused", False, "api_key"),
    ],
)
async def test_a_failing_provider_is_an_answer_with_a_next_step(home, registry, aimock, text, code, retry, said):
    result = await run(home, registry, aimock, text)
    assert (result.stop, result.error.code, result.error.retry) == (Stop.MODEL_ERROR, code, retry)
    assert said in result.error.message + result.error.next
    assert "sk-" not in str(result)
