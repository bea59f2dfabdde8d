"""What really goes out to a provider and what may come back: names, keys, silence, and answers that are none."""

import asyncio
import re

import pytest
from aiohttp import web

from homesteward.kernel import Stop
from homesteward.people import Caller, Channel, Role
from homesteward.tools import Arguments, Tool, ToolResult
from wire.servers import completion, run

pytestmark = pytest.mark.wire

OWNER = Caller(Role.OWNER, Channel.CLI)
ODD_NAMES = ["Включить чайник", "a b/c", "a_b_c", "x" * 80]


class Nothing(Arguments):
    """No arguments."""


def tool_call(name, arguments="{}"):
    return {"tool_calls": [{"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}]}


async def test_odd_tool_names_go_out_in_a_form_every_provider_takes_and_come_back(home, registry, provider):
    """E23: one script with a Cyrillic name must not break every request."""
    used = []

    def odd(name):
        async def note(_, __):
            used.append(name)
            return ToolResult(ok=True)

        return Tool(name, "An odd one.", Nothing, note)

    for name in ODD_NAMES:
        registry.add(odd(name))
    kettle = []

    def answer(body):
        names = [tool["function"]["name"] for tool in body["tools"]]
        kettle[:] = [name for name in names if name.startswith("tool_")]
        return completion({"content": "Done."} if used else tool_call(kettle[0]))

    provider.answer = answer
    await run(home, registry, provider.base_url)
    names = [tool["function"]["name"] for tool in provider.bodies[0]["tools"]]
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name) for name in names)
    assert len(set(names)) == len(names) == len(registry.specs(OWNER)) > len(ODD_NAMES)
    assert used == ["Включить чайник"]
    parameters = {tool["function"]["name"]: tool["function"]["parameters"] for tool in provider.bodies[0]["tools"]}
    assert parameters[kettle[0]]["type"] == "object"
    assert parameters[kettle[0]]["properties"] == {}


async def test_every_call_has_its_answer_in_the_next_request(home, registry, provider):
    provider.answer = lambda body: completion(
        {"content": "Done."} if len(body["messages"]) > 2 else tool_call("overview")
    )
    await run(home, registry, provider.base_url)
    asked, answered = provider.bodies[1]["messages"][-2:]
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"] == "call_1"
    assert answered["content"].startswith('<data tool="overview" trusted="no">')


async def test_a_provider_that_reports_no_usage_is_not_given_one(home, registry, provider):
    provider.answer = lambda _: completion({"content": "Hello."})
    usage = (await run(home, registry, provider.base_url)).usage
    assert (usage.requests, usage.measured, usage.input_tokens) == (1, 0, 0)


@pytest.mark.parametrize("body", ["", "not json", "{}", '{"choices": []}', "[1]"])
async def test_an_answer_that_is_none_is_reported_as_such(home, registry, provider, body):
    provider.answer = lambda _: web.Response(text=body, content_type="application/json")
    result = await run(home, registry, provider.base_url)
    assert (result.stop, result.error.code) == (Stop.MODEL_ERROR, "model_bad_answer")


async def test_nobody_at_the_address_is_said_and_nothing_is_tried_twice(home, registry, provider):
    nobody = provider.base_url.rpartition(":")[0] + ":9/v1"  # the discard port: nothing listens there
    result = await run(home, registry, nobody)
    assert (result.error.code, result.error.retry, result.usage.requests) == ("model_unreachable", True, 0)


async def test_a_provider_that_never_answers_times_out(home, registry, provider):
    over = asyncio.Event()

    async def silent(_):
        await over.wait()
        return completion({"content": "Too late."})

    provider.answer = silent
    result = await run(home, registry, provider.base_url, timeout_s=0.2)
    over.set()
    assert (result.stop, result.error.code) == (Stop.MODEL_ERROR, "model_timeout")


async def test_the_key_goes_to_the_provider_and_nowhere_else(home, registry, provider):
    provider.answer = lambda _: completion({"content": "Hello."})
    result = await run(home, registry, provider.base_url, api_key="sk-for-the-provider")
    assert provider.keys == ["Bearer sk-for-the-provider"]
    assert "sk-for-the-provider" not in str(result)
