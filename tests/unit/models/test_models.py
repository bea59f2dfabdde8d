"""Models: names that every provider accepts, scripts, settings, and errors that a person can act on."""

import logging
import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_ai import exceptions as provider
from pydantic_ai.direct import model_request
from pydantic_ai.messages import ModelRequest, ToolCallPart

from homesteward.models import build_model
from homesteward.models.errors import ModelNotSetUpError, model_error
from homesteward.models.naming import _warn_once, offered
from homesteward.models.scripted import ScriptedModel, ScriptEndedError, ScriptError
from homesteward.settings import ModelKind, ModelSettings, ToolMode
from homesteward.tools import ToolSpec

ACCEPTED = re.compile(r"[A-Za-z0-9_-]{1,64}")
OBJECT = {"type": "object", "properties": {}}
ODD_NAMES = ["Включить чайник", "a b/c", "a_b_c", "x" * 80, "no_args", "日本語", "", "-", "a.b.c"]


def specs(*names):
    return [ToolSpec(name, "A tool.", OBJECT) for name in names]


def test_odd_names_become_distinct_names_that_lead_back():
    """E23: one odd name must not make the provider refuse every tool."""
    tools = offered(specs(*ODD_NAMES))
    names = [definition.name for definition in tools.definitions]
    assert all(ACCEPTED.fullmatch(name) for name in names)
    assert len(set(names)) == len(ODD_NAMES)
    assert [tools.original(name) for name in names] == ODD_NAMES
    assert "a_b_c" in names


@given(st.lists(st.text(max_size=100), unique=True, max_size=40))
def test_no_names_ever_collide_or_offend(wanted):
    """E23: the law behind the cases."""
    tools = offered(specs(*wanted))
    names = [definition.name for definition in tools.definitions]
    assert all(ACCEPTED.fullmatch(name) for name in names)
    assert [tools.original(name) for name in dict.fromkeys(names)] == wanted


def test_a_tool_without_arguments_is_an_object_without_properties():
    """E23: a missing schema is written in the form providers take."""
    (definition,) = offered([ToolSpec("no_args", "Nothing.", {})]).definitions
    assert definition.parameters_json_schema == {"type": "object", "properties": {}}


def test_a_tool_that_cannot_be_expressed_is_left_out_with_one_warning(caplog):
    """E23: the rest still work."""
    _warn_once.cache_clear()
    weird = ToolSpec("weird", "A selector.", {"type": "custom-selector"})
    with caplog.at_level(logging.WARNING):
        kept = [offered([weird, *specs("find")]).definitions for _ in range(3)]
    assert [[definition.name for definition in names] for names in kept] == [["find"]] * 3
    assert caplog.text.count("weird") == 1


async def ask(model):
    return await model_request(model, [ModelRequest.user_text_prompt("go")])


async def test_a_script_is_followed_step_by_step_and_its_end_is_an_error():
    model = ScriptedModel(
        [{"tool_call": {"arguments": {"service": "light.turn_on"}}}, {"text": "Done."}], name="case-7"
    )
    first, second = await ask(model), await ask(model)
    (call,) = first.parts
    assert isinstance(call, ToolCallPart)
    assert (call.tool_name, call.args) == ("call_service", {"service": "light.turn_on"})
    assert second.text == "Done."
    with pytest.raises(ScriptEndedError, match="case-7"):
        await ask(model)


async def test_a_scripted_model_reports_its_usage():
    response = await ask(ScriptedModel([{"text": "Done."}]))
    assert response.usage.output_tokens > 0


@pytest.mark.parametrize("steps", [[{}], [{"say": "hi"}], ["text"], [{"tool_call": {"args": {}}}]])
def test_a_script_of_another_form_is_refused(steps):
    with pytest.raises(ScriptError, match="script"):
        ScriptedModel(steps)


def test_without_a_model_in_the_settings_there_is_none():
    assert build_model(ModelSettings()) is None


@pytest.mark.parametrize("missing", ["base_url", "model"])
def test_half_a_model_in_the_settings_says_what_is_missing(missing):
    named = {"base_url": "http://127.0.0.1:1/v1", "model": "small"} | {missing: ""}
    with pytest.raises(ModelNotSetUpError, match=missing):
        build_model(ModelSettings(kind=ModelKind.OPENAI_COMPATIBLE, **named))


@pytest.mark.parametrize(("mode", "tools"), [(ToolMode.NATIVE, True), (ToolMode.CHOICE, False)])
def test_the_tool_mode_is_in_the_models_profile(mode, tools):
    named = {"base_url": "http://127.0.0.1:1/v1", "model": "small", "tool_mode": mode}
    model = build_model(ModelSettings(kind=ModelKind.OPENAI_COMPATIBLE, **named))
    assert model.profile["supports_tools"] is tools


def http(category, status, **rest):
    return provider.ModelHTTPError.for_category(category, status_code=status, model_name="small", **rest)


@pytest.mark.parametrize(
    ("cause", "code", "retry"),
    [
        (provider.ModelConnectionError("small", "refused"), "model_unreachable", True),
        (provider.ModelTimeoutError("small", "slow"), "model_timeout", True),
        (provider.ModelRequestTimeout("small", 5), "model_timeout", True),
        (http(provider.ModelRateLimitError, 429), "model_busy", True),
        (http(provider.ModelOverloadedError, 529), "model_busy", True),
        (http(provider.ModelAuthenticationError, 401), "model_refused", False),
        (http(provider.ModelQuotaExceededError, 402), "model_refused", False),
        (http(provider.ModelNotFoundError, 404), "model_refused", False),
        (http(provider.ModelRequestRejectedError, 400), "model_refused", False),
        (http(provider.ModelServerError, 500), "model_unreachable", True),
        (provider.UnexpectedModelBehavior("nonsense"), "model_bad_answer", True),
        (provider.UserError("cannot"), "model_bad_answer", True),
    ],
)
def test_every_failure_of_a_provider_has_a_code_and_a_next_step(cause, code, retry):
    error = model_error(cause)
    assert (error.code, error.retry) == (code, retry)
    assert error.next
    assert "{" not in error.message + error.next


def test_a_providers_reason_is_told_briefly_and_a_key_never():
    rejected = http(
        provider.ModelRequestRejectedError, 400, body={"error": {"message": "context too long" + "!" * 900}}
    )
    assert "context too long" in model_error(rejected).message
    assert len(model_error(rejected).message) < 300
    refused = http(provider.ModelAuthenticationError, 401, body={"message": "Incorrect API key provided: sk-secret"})
    assert "sk-" not in model_error(refused).message


def test_holding_a_kernel_and_its_tools_loads_no_model_library():
    code = (
        "import sys, homesteward.kernel, homesteward.models, homesteward.tools; sys.exit('pydantic_ai' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
