"""Tool calls that small models write as text: run like any other, once, and never read out."""

import pytest

from homesteward.core import SystemClock
from homesteward.kernel import PROFILES, Kernel, KernelRequest
from homesteward.kernel.text_calls import TextCall, text_calls
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role

CALL = '{"name": "call_service", "arguments": {"service": "light.turn_on", "target": {"name": "Kitchen light"}}}'


async def run(home, registry, text, *said):
    kernel = Kernel(registry, home, SystemClock())
    model = ScriptedModel([{"text": line} for line in said])
    return await kernel.run(KernelRequest(text, Caller(Role.OWNER, Channel.CLI), "run"), model, PROFILES["rapid"])


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "find", "parameters": {"query": "lamp"}}',
        '{"tool_calls": [{"name": "find", "arguments": {"query": "lamp"}}]}',
        '{"tool_calls": [{"function": {"name": "find", "arguments": {"query": "lamp"}}}]}',
        '[{"name": "find", "arguments": {"query": "lamp"}}]',
        '```json\n{"name": "find", "arguments": {"query": "lamp"}}\n```',
        'Sure!\n<tool_call>\n{"name": "find", "arguments": {"query": "lamp"}}\n</tool_call>',
        'I will look: {"name": "find", "arguments": {"query": "lamp"}}',
    ],
)
def test_every_shape_of_a_written_call_is_seen(text):
    """E25: with and without a wrapper."""
    assert text_calls(text) == (TextCall("find", {"query": "lamp"}),)


@pytest.mark.parametrize("text", ["The light is on.", "{not json}", '{"answer": 42}', "[1, 2]", "Use { and }."])
def test_other_text_is_no_call(text):
    assert text_calls(text) == ()


async def test_a_written_call_goes_the_way_of_any_other(home, registry):
    """E25: the proposal is validated and run, the JSON is not the answer."""
    result = await run(home, registry, "turn on the kitchen light", CALL, "The kitchen light is on.")
    assert [call.entity_ids for call in home.calls] == [("light.kitchen",)]
    assert result.text == "The kitchen light is on."


async def test_a_written_call_of_an_unknown_tool_is_answered_and_never_shown(home, registry):
    """E25: the name of another assistant's tool."""
    foreign = '{"name":"HassTurnOn","parameters":{"name":"Kitchen light"}}'
    result = await run(home, registry, "turn on the kitchen light", foreign, "I cannot do that.")
    assert (home.calls, result.calls[0].error.code) == ([], "unknown_tool")
    assert result.text == "I cannot do that."


async def test_a_second_written_call_is_reported_instead_of_read_out(home, registry):
    """E25: once is a slip, twice is a model that cannot use tools."""
    result = await run(home, registry, "turn on the kitchen light", CALL, CALL)
    assert len(home.calls) == 1
    assert (result.text, result.error.code) == ("", "model_no_tools")


async def test_json_that_was_asked_for_is_shown_and_not_run(home, registry):
    """E25: an example is not an order."""
    result = await run(home, registry, "show me an example of such JSON", CALL)
    assert home.calls == []
    assert result.text == CALL


async def test_a_written_change_that_has_nothing_to_do_with_the_request_is_not_run(home, registry):
    """E21: words from elsewhere have no say."""
    result = await run(home, registry, "what is on today", CALL)
    assert home.calls == []
    assert (result.text, result.error.code) == ("", "model_no_tools")
