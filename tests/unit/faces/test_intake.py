"""What comes in is bounded, whole, and holds no secret of ours where none belongs."""

import asyncio

import httpx2
import pytest

from homesteward.faces.web.intake import MAX_BODY, Intake
from homesteward.people.errors import NobodyError


@pytest.fixture
async def api(house):
    headers = {"authorization": f"Bearer {house.token}"}
    async with httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=house.api), base_url="http://localhost/api/v1", headers=headers
    ) as client:
        yield client


async def test_a_token_in_a_sentence_is_neither_repeated_nor_kept(api, house, home, tmp_path):
    """E49: the whole kind, at the door of the service."""
    answer = await api.post("/ask", json={"text": f"tell me about {house.token}", "conversation_id": house.token[:20]})
    assert answer.status_code == 200
    run = await api.get(f"/runs/{answer.json()['run_id']}")
    assert house.token[:8] not in answer.text + run.text
    written = b"".join(file.read_bytes() for file in tmp_path.glob("*.db*"))
    assert b"tell me about" in written
    assert house.token[:8].encode() not in written


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/plans/{token}", None),
        ("GET", "/plans?state={token}", None),
        ("GET", "/runs/{token}/events", None),
        ("POST", "/tools/{token}", {"arguments": {}}),
        ("POST", "/tools/get_state", {"arguments": {"entities": "light.{token}"}}),
        ("POST", "/policy/explain", {"call": {"service": "light.turn_on", "target": {"entity_id": "{token}"}}}),
        ("POST", "/policy/explain", {"call": {"service": "{token}"}}),
        ("POST", "/ask", {"text": "hello", "mode": "{token}"}),
        ("POST", "/ask", {"text": "hello", "{token}": 1}),
    ],
)
async def test_an_error_does_not_repeat_a_token(api, house, method, path, body):
    filled = None if body is None else _filled(body, house.token)
    answer = await api.request(method, path.replace("{token}", house.token), json=filled)
    assert answer.status_code >= 400 or "error" in answer.text
    assert house.token[:8] not in answer.text


async def test_a_token_given_for_a_role_is_not_repeated(api, house):
    answer = await api.get("/status", headers={"x-homesteward-role": house.token})
    assert answer.status_code == 403
    assert house.token[:8] not in answer.text


async def test_a_short_key_that_is_a_word_changes_no_sentence(house):
    redactor = house._door_redactor()
    assert redactor.clean("turn on none of the lights") == "turn on none of the lights"


async def test_a_request_that_is_too_large_is_refused_unread(api, home):
    answer = await api.post("/ask", content=b'{"text": "' + b"x" * MAX_BODY + b'"}')
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_half_an_approval_is_no_approval():
    """A client that leaves in the middle of naming some steps must not have approved all of them."""
    reached = []

    async def inner(scope, receive, send):
        reached.append(scope["path"])

    messages = iter([{"type": "http.request", "body": b'{"ste', "more_body": True}, {"type": "http.disconnect"}])

    async def receive():
        return next(messages)

    async def send(message):
        reached.append(message)

    scope = {"type": "http", "path": "/", "query_string": b"", "headers": []}
    await Intake(inner, clean=str)(scope, receive, send)
    assert reached == []


async def test_a_client_that_leaves_later_is_still_noticed():
    seen = []

    async def inner(scope, receive, send):
        seen.extend([(await receive())["body"], (await receive())["type"]])

    messages = iter(
        [
            {"type": "http.request", "body": b"one ", "more_body": True},
            {"type": "http.request", "body": b"two"},
            {"type": "http.disconnect"},
        ]
    )

    async def receive():
        await asyncio.sleep(0)
        return next(messages)

    await Intake(inner, clean=str)({"type": "http", "path": "/", "query_string": b"", "headers": []}, receive, None)
    assert seen == [b"one two", "http.disconnect"]


async def test_a_call_is_explained_by_the_preset_that_is_named(api):
    call = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}
    by = {
        preset: (await api.post("/policy/explain", json={"call": call, "preset": preset})).json()[0]["action"]
        for preset in ("family", "cautious", "read_only")
    }
    assert by == {"family": "allow", "cautious": "confirm", "read_only": "deny"}


def _filled(value, token):
    if isinstance(value, dict):
        return {_filled(key, token): _filled(item, token) for key, item in value.items()}
    return value.replace("{token}", token) if isinstance(value, str) else value


def sent(*parts, length=None):
    """A request with a body, as a server passes it on."""
    head = [(b"content-length", str(length).encode())] if length is not None else [(b"transfer-encoding", b"chunked")]
    scope = {"type": "http", "method": "POST", "path": "/api/v1/ask", "query_string": b"", "headers": head}
    messages = iter(parts)

    async def receive():
        if (part := next(messages, None)) is None:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": part, "more_body": True}

    return scope, receive


async def answered(intake, scope, receive):
    """The status that the request is answered with."""
    told = []

    async def send(message):
        told.append(message)

    await intake(scope, receive, send)
    return told[0]["status"]


async def never_reached(_scope, _receive, _send):
    pytest.fail("it went further")


async def test_a_body_that_never_ends_is_waited_for_only_so_long():
    async with asyncio.timeout(30):
        assert await answered(Intake(never_reached, clean=str, body_s=0.05), *sent(b"{")) == 408


async def test_of_a_stranger_no_byte_is_taken_in():
    async def nobody(_scope):
        raise NobodyError("Nobody is signed in.")

    intake = Intake(never_reached, clean=str, admit=nobody)
    for length in (None, 10):
        scope, _ = sent(length=length)
        assert await answered(intake, scope, never_reached) == 401
    assert intake.held == 0


async def test_all_requests_together_hold_no_more_than_so_many_bytes(monkeypatch):
    monkeypatch.setattr("homesteward.faces.web.intake.MAX_HELD", 100)
    intake = Intake(never_reached, clean=str)
    first = asyncio.create_task(answered(intake, *sent(b"x" * 80)))
    await asyncio.sleep(0)
    assert await answered(intake, *sent(b"x" * 30)) == 503
    assert intake.held == 80
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    assert intake.held == 0


@pytest.mark.parametrize("path", ["/api/v1/ask", "/api/v1/people", "/api/v1/step-up", "/api/v1/plans/none/approve"])
async def test_a_stranger_who_sends_what_is_no_json_is_told_to_sign_in(household, path):
    async with household.client() as client:
        answer = await client.post(path, content=b"{", headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")


async def test_whoever_need_not_be_known_sends_little(household):
    async with household.client() as client:
        answer = await client.post("/auth/set-up", content=b"x" * 20_000)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
