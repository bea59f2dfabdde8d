"""Whether the model answers: one word is asked for, and what is wrong with it is told without its key."""

import asyncio

import pytest
from aiohttp import web
from pydantic import SecretStr

from homesteward.app.model_trial import try_model
from homesteward.core import SystemClock
from homesteward.core.redaction import Redactor
from homesteward.settings.settings import ModelKind, ModelSettings

KEY = "sk-very-secret-key-1234"


@pytest.fixture
async def server():
    """A model's server on this machine that answers with what it is told to."""
    answers = []

    async def answer(_request: web.Request) -> web.Response:
        status, body = answers[0]
        return web.json_response(body, status=status)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield answers, f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


def settings(url: str) -> ModelSettings:
    return ModelSettings(kind=ModelKind.OPENAI_COMPATIBLE, base_url=url, model="small", api_key=SecretStr(KEY))


def redactor() -> Redactor:
    made = Redactor()
    made.add(KEY)
    return made


async def tried(url: str):
    return await try_model(settings(url), SystemClock(), redactor())


async def test_a_model_that_answers_is_told_with_its_word_and_its_time(server):
    answers, url = server
    message = {"role": "assistant", "content": "OK"}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    answers.append((200, {"id": "1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice]}))
    check = await tried(url)
    assert check.status == "ok"
    assert "small answered in" in check.message
    assert check.message.endswith("OK")


async def test_a_refused_key_is_told_and_not_repeated(server):
    answers, url = server
    answers.append((401, {"error": {"message": f"bad key {KEY}"}}))
    check = await tried(url)
    assert check.status == "fail"
    assert "model.api_key" in check.next
    assert KEY not in f"{check.message} {check.next}"


async def test_nobody_at_the_address_is_told_as_that():
    check = await tried("http://127.0.0.1:9/v1")
    assert check.status == "fail"
    assert "Nothing answers at the model's address." in check.message


async def test_a_model_named_half_says_what_is_missing():
    half = ModelSettings(kind=ModelKind.OPENAI_COMPATIBLE, base_url="", model="small")
    check = await try_model(half, SystemClock(), redactor())
    assert (check.status, "base_url" in check.message) == ("fail", True)


async def test_no_model_is_no_failure():
    check = await try_model(ModelSettings(), SystemClock(), redactor())
    assert (check.status, check.message) == ("warn", "No model is set up.")


async def test_one_that_takes_too_long_is_given_up(server, monkeypatch):
    monkeypatch.setattr("homesteward.app.model_trial.LONGEST_S", 0.0)
    _, url = server
    check = await asyncio.wait_for(tried(url), 20)
    assert check.status == "fail"
    assert "did not answer within" in check.message
