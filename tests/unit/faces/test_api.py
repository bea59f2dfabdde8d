"""The API as a program sees it: an answer for everything, in one form."""

import json

import httpx2
import pytest


@pytest.fixture
async def api(house):
    headers = {"authorization": f"Bearer {house.token}"}
    transport = httpx2.ASGITransport(app=house.api, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost/api/v1", headers=headers) as client:
        yield client


async def test_asking_waits_for_the_answer_in_the_contracts_form(api):
    answer = (await api.post("/ask", json={"text": "turn on the kitchen light"})).json()
    assert answer["outcome"] == "acted"
    assert answer["plan"]["steps"][0]["call"] == {
        "domain": "light",
        "service": "turn_on",
        "target": {"entity_id": ["light.kitchen"]},
        "data": {},
    }
    assert answer["plan"]["steps"][0]["evidence"][0]["status"] == "verified"
    assert set(answer) == {
        "outcome", "reply", "language", "via", "conversation_id", "run_id", "question", "plans", "plan", "sources", "usage",
        "timings_ms", "error",
    }  # fmt: skip


async def test_a_waiting_plan_is_listed_shown_approved_and_done_once(api, home):
    plan = (await api.post("/ask", json={"text": "unlock the front door"})).json()["plan"]
    assert [found["id"] for found in (await api.get("/plans", params={"state": "waiting"})).json()] == [plan["id"]]
    assert (await api.post(f"/plans/{plan['id']}/approve", json={})).json()["state"] == "completed"
    assert (await api.get(f"/plans/{plan['id']}")).json()["state"] == "completed"
    assert len(home.calls) == 1


async def test_a_plan_is_taken_back(api, home):
    done = (await api.post("/ask", json={"text": "turn on the kitchen light"})).json()["plan"]
    undone = await api.post(f"/plans/{done['id']}/undo")

    assert (undone.status_code, undone.json()["state"], undone.json()["undoes"]) == (200, "completed", done["id"])
    assert ([plan["id"] for plan in undone.json()["plans"]], undone.json()["left"]) == ([undone.json()["id"]], [])
    assert home.states["light.kitchen"].state == "off"
    again = await api.post(f"/plans/{done['id']}/undo")
    assert (again.status_code, again.json()["code"]) == (409, "cannot_undo")


async def test_a_plan_that_ended_is_not_gone_on_with(api):
    done = (await api.post("/ask", json={"text": "turn on the kitchen light"})).json()["plan"]
    answer = await api.post(f"/plans/{done['id']}/resume")
    assert (answer.status_code, answer.json()["code"]) == (409, "not_interrupted")


async def test_a_rejected_plan_is_never_done(api, home):
    plan = (await api.post("/ask", json={"text": "unlock the front door"})).json()["plan"]
    assert (await api.post(f"/plans/{plan['id']}/reject")).json()["state"] == "rejected"
    answer = await api.post(f"/plans/{plan['id']}/approve", json={})
    assert home.calls == []
    assert answer.status_code == 409
    assert answer.json()["code"] == "already_decided"


async def test_a_runs_events_stream_to_the_end_and_resume_from_the_last_one(api):
    started = await api.post("/runs", json={"text": "turn on the kitchen light"})
    assert started.status_code == 202
    path = f"/runs/{started.json()['run_id']}/events"
    events = _events((await api.get(path)).text)
    assert events[0]["event"] == "started"
    assert events[-1]["event"] == "done"
    assert json.loads(events[-1]["data"])["outcome"] == "acted"
    resumed = _events((await api.get(path, headers={"last-event-id": events[-2]["id"]})).text)
    assert [event["id"] for event in resumed] == [events[-1]["id"]]


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/ask", {"text": ""}, 422, "invalid_request"),
        ("POST", "/ask", {"text": "x" * 5000}, 422, "invalid_request"),
        ("POST", "/ask", {"text": "hello", "mod": "plan"}, 422, "invalid_request"),
        ("GET", "/plans/plan_none", None, 404, "unknown_plan"),
        ("GET", "/plans?state=done", None, 422, "invalid_request"),
        ("GET", "/runs/run_none", None, 404, "unknown_run"),
        ("GET", "/runs/run_none/events", None, 404, "unknown_run"),
        ("GET", "/nowhere", None, 404, "not_found"),
        ("POST", "/tools/nothing", {"arguments": {}}, 404, "unknown_tool"),
        ("POST", "/policy/explain", {"call": {"domain": "light/../x", "service": "turn_on"}}, 400, "invalid_call"),
    ],
)
async def test_bad_input_gets_a_code_and_a_next_step(api, method, path, body, status, code):
    answer = await api.request(method, path, json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["next"]


async def test_a_call_is_explained_without_being_made(api, home):
    call = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
    [judged] = (await api.post("/policy/explain", json={"call": call})).json()
    assert (judged["action"], judged["impact"]) == ("approve", "sensitive")
    assert judged["reason"]
    assert home.calls == []


async def test_a_call_that_would_be_refused_is_explained_by_what_refuses_it(api):
    call = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}, "data": {"brightness_pct": 5000}}
    answer = await api.post("/policy/explain", json={"call": call})
    assert answer.json()["code"] == "invalid_data"


@pytest.mark.parametrize("wrong", ["x", "-1", "1.5"])
async def test_a_last_event_id_that_is_none_is_refused_and_an_empty_one_is_the_beginning(api, wrong):
    run = (await api.post("/runs", json={"text": "which lights are on?"})).json()["run_id"]
    assert (await api.get(f"/runs/{run}/events", headers={"last-event-id": wrong})).status_code == 422
    assert _events((await api.get(f"/runs/{run}/events", headers={"last-event-id": ""})).text)[0]["event"] == "started"


async def test_a_tool_is_listed_and_used_through_the_same_gate(api, home):
    names = {tool["name"] for tool in (await api.get("/tools")).json()}
    assert {"find", "get_state", "overview", "call_service"} <= names
    call = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
    answer = await api.post("/tools/call_service", json={"arguments": call})
    assert home.calls == []
    assert "waiting" in answer.text


async def test_the_doctor_examines_everything(api):
    checks = {check["check"]: check for check in (await api.get("/doctor")).json()}
    assert set(checks) == {
        "settings",
        "rules",
        "home assistant",
        "exposure",
        "model",
        "database",
        "chronicle",
        "audit",
        "disk",
        "clock",
    }
    assert [check for check in checks.values() if check["status"] != "ok" and not check["next"]] == []


def _events(text):
    blocks = [block for block in text.strip().split("\n\n") if not block.startswith(":")]
    return [dict(line.split(": ", 1) for line in block.splitlines()) for block in blocks]


async def test_while_the_home_is_out_of_reach_the_service_says_so_and_takes_nothing_for_the_present(api, home):
    """E60: it stays up, says that it is degraded, lists its tools, and holds what would change something."""
    home.connected = False
    assert (await api.get("/health")).json()["status"] == "degraded"
    assert (await api.get("/tools")).status_code == 200
    call = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}
    for path, body in (
        ("/tools/call_service", {"arguments": {"domain": "lock", "service": "unlock", "target": call["target"]}}),
        ("/tools/get_state", {"arguments": {"entities": "light.kitchen"}}),
        ("/policy/explain", {"call": call}),
    ):
        answer = await api.post(path, json=body)
        assert (answer.status_code, answer.json()["code"], answer.json()["retry"]) == (503, "not_connected", True)
    checks = {check["check"]: check for check in (await api.get("/doctor")).json()}
    assert checks["home assistant"]["status"] == "fail"
    assert home.calls == []
    home.connected = True
    assert (await api.get("/health")).json()["status"] == "ok"
