"""E49, the whole kind: no secret leaves, whole or cut short, by log, answer, error, database or document, wherever it was put."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from aiohttp import web

from hass.processes import CommandLine, Service, running_service

pytestmark = pytest.mark.hass

MODEL_KEY = "sk-fake-key-0123456789abcdef"
MIN_SHOWN = 8  # from this many characters on, a piece of a secret gives it away


@dataclass(frozen=True, slots=True)
class Watched:
    """A service as loud as it can be, its secrets, and everything that it let out."""

    service: Service
    line: CommandLine
    secrets: dict[str, str]
    out: list[str]

    async def ask(self, method, path, body=None, **rest):
        status, text = await self.service.ask(method, path, body, **rest)
        self.out.append(text)
        return status, text

    def leaks(self, text):
        """Return which secrets `text` gives away."""
        return [name for name, secret in self.secrets.items() if secret[:MIN_SHOWN] in text]


@pytest.fixture
async def unkind_provider() -> AsyncIterator[str]:
    """A model's server that repeats the key it was sent in its errors, as some do."""

    async def refuse(request: web.Request) -> web.Response:
        assert request.headers["authorization"] == f"Bearer {MODEL_KEY}"
        said = {"message": f"Key {MODEL_KEY} may not use this model", "type": "invalid_request_error"}
        return web.json_response({"error": said}, status=400)

    app = web.Application()
    app.router.add_post("/v1/chat/completions", refuse)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
    await runner.cleanup()


@pytest.fixture
async def watched(tmp_path, demo_home, unkind_provider) -> AsyncIterator[Watched]:
    line = CommandLine(tmp_path / "data")
    settings = {
        "ha": {"url": demo_home.address.url, "token": demo_home.address.token},
        "web": {"port": 0},
        "policy": {"dry_run": False},
        "model": {"kind": "openai_compatible", "base_url": unkind_provider, "model": "any", "api_key": MODEL_KEY},
        "log_level": "debug",
    }
    config = tmp_path / "homesteward.yaml"
    config.write_text(json.dumps(settings))
    async with running_service(line, config) as service:
        secrets = {"home token": demo_home.address.token, "service token": service.token, "model key": MODEL_KEY}
        yield Watched(service, line, secrets, [])


async def test_no_secret_leaves_by_any_way(watched, demo_home):
    token, home_token = watched.secrets["service token"], watched.secrets["home token"]
    for path in ("/", "/openapi.json", "/api/v1/health", "/api/v1/status", "/api/v1/doctor", "/api/v1/tools"):
        assert (await watched.ask("GET", path))[0] == 200
    # an ordinary day: something is done, something waits, a model fails and repeats its key
    await watched.ask("POST", "/api/v1/ask", {"text": "turn on the kitchen light"})
    _, asked = await watched.ask("POST", "/api/v1/ask", {"text": "unlock the front door"})
    await watched.ask("POST", f"/api/v1/plans/{json.loads(asked)['plan']['id']}/approve", {})
    _, refused = await watched.ask("POST", "/api/v1/ask", {"text": "what is the meaning of life?"})
    assert json.loads(refused)["error"]["code"] == "model_refused"
    # secrets where they do not belong
    for secret in watched.secrets.values():
        _, run = await watched.ask("POST", "/api/v1/runs", {"text": f"turn on {secret}", "area": secret[:100]})
        await watched.ask("GET", f"/api/v1/runs/{json.loads(run)['run_id']}/events")
        await watched.ask("GET", f"/api/v1/runs/{json.loads(run)['run_id']}")
        await watched.ask("POST", "/api/v1/ask", {"text": f"turn on the {secret} light"})
        await watched.ask("GET", f"/api/v1/plans/{secret}")
        await watched.ask("GET", f"/api/v1/plans?state={secret}")
        await watched.ask("POST", "/api/v1/tools/find", {"arguments": {"query": secret}})
        await watched.ask("POST", f"/api/v1/tools/{secret}", {"arguments": {}})
        await watched.ask(
            "POST",
            "/api/v1/policy/explain",
            {"call": {"service": "light.turn_on", "data": {"x": secret}, "entity_id": secret}},
        )
        await watched.ask("POST", "/api/v1/ask", {secret: secret})
        await watched.ask("GET", "/api/v1/status", token=secret[:-1])
        await watched.ask("GET", "/api/v1/status", **{"X-Homesteward-Role": secret})
    await watched.ask("GET", "/api/v1/plans")
    for words in (
        ["doctor"],
        ["doctor", "--json"],
        ["demo", "status"],
        ["plans", "list"],
        ["ask", home_token],
        ["ask", "hi", "--token", home_token],
    ):
        ended = await watched.line(*words)
        watched.out.append(ended.out + ended.err)
    watched.service.process.terminate()
    await watched.service.process.wait()

    said = watched.service.said.decode()
    assert len(said.splitlines()) > 100  # it was really listened to
    assert "[redacted]" in said
    assert watched.leaks(said) == []
    assert [(watched.leaks(text), text) for text in watched.out if watched.leaks(text)] == []
    kept = b"".join(file.read_bytes() for file in watched.line.data.glob("*.db*")).decode(errors="replace")
    assert "turn on the kitchen light" in kept
    assert watched.leaks(kept) == []
    assert token not in demo_home.log
    assert home_token not in demo_home.log


async def test_a_wrong_token_for_the_home_is_not_repeated(tmp_path, demo_home):
    wrong = demo_home.address.token[:-6] + "wrong0"
    home = {
        "HOMESTEWARD_HA__URL": demo_home.address.url,
        "HOMESTEWARD_HA__TOKEN": wrong,
        "HOMESTEWARD_LOG_LEVEL": "debug",
    }
    line = CommandLine(tmp_path / "data", home)
    run, examined = await asyncio.gather(line("run"), CommandLine(tmp_path / "other", home)("doctor", "--json"))
    assert run.code == 5
    assert "auth_failed" in run.err
    assert (examined.code, examined.json[0]["check"]) == (1, "home assistant")
    for ended in (run, examined):
        assert wrong[:MIN_SHOWN] not in ended.out + ended.err
