"""The commands against a running service: `--json` prints one document and nothing else, whatever comes of it."""

import json

import pytest

LOCK = {"service": "lock.unlock", "target": {"entity_id": "lock.front_door"}}


async def waiting(homesteward):
    return (await homesteward("ask", "unlock the front door", "--json")).json["plan"]["id"]


async def test_a_light_is_turned_on_and_the_answer_is_the_document(homesteward, service):
    ended = await homesteward("ask", "turn on the kitchen light", "--json")
    assert ended.code == 0
    assert ended.json["outcome"] == "acted"
    assert ended.json["plan"]["steps"][0]["evidence"][0]["status"] == "verified"
    again = await homesteward("ask", "turn on the kitchen light", "--json")
    assert (again.code, again.json["outcome"]) == (0, "answered")


async def test_a_lock_waits_and_its_approval_does_it(homesteward, service, home):
    asked = await homesteward("ask", "unlock the front door", "--json")
    assert (asked.code, asked.json["outcome"], home.calls) == (4, "waiting", [])
    approved = await homesteward("plans", "approve", asked.json["plan"]["id"], "--json")
    assert (approved.code, approved.json["state"], len(home.calls)) == (0, "completed", 1)


async def test_a_lock_that_jams_exits_as_failed(homesteward, service):
    asked = await homesteward("ask", "unlock the back door", "--json")
    approved = await homesteward("plans", "approve", asked.json["plan"]["id"], "--json")
    assert (approved.code, approved.json["state"]) == (1, "failed")


async def test_a_plan_is_taken_back_from_the_command_line(homesteward, service, home):
    done = (await homesteward("ask", "turn on the kitchen light", "--json")).json["plan"]["id"]
    undone = await homesteward("plans", "undo", done, "--json")

    assert (undone.code, undone.json["state"], undone.json["left"]) == (0, "completed", [])
    assert home.states["light.kitchen"].state == "off"


async def test_a_way_back_that_waits_is_a_code_of_its_own(homesteward, service, home):
    plan = (await homesteward("ask", "unlock the front door", "--json")).json["plan"]["id"]
    await homesteward("plans", "approve", plan)
    undone = await homesteward("plans", "undo", plan)

    assert (undone.code, "lock.lock" in undone.out) == (4, True)


async def test_a_plan_that_was_not_cut_off_cannot_be_gone_on_with(homesteward, service):
    done = (await homesteward("ask", "turn on the kitchen light", "--json")).json["plan"]["id"]
    resumed = await homesteward("plans", "resume", done, "--json")
    assert (resumed.code, resumed.json["error"]["code"]) == (1, "not_interrupted")


async def test_rejecting_is_done_once_it_is_rejected(homesteward, service, home):
    plan = await waiting(homesteward)
    rejected = await homesteward("plans", "reject", plan, "--json")
    assert (rejected.code, rejected.json["state"]) == (0, "rejected")
    approved = await homesteward("plans", "approve", plan, "--json")
    assert (approved.code, approved.json["error"]["code"], home.calls) == (1, "already_decided", [])


async def test_plans_are_listed_and_shown(homesteward, service):
    plan = await waiting(homesteward)
    listed = await homesteward("plans", "list", "--json")
    assert [found["id"] for found in listed.json] == [plan]
    assert (await homesteward("plans", "list", "--state", "completed", "--json")).json == []
    assert (await homesteward("plans", "show", plan, "--json")).json["state"] == "waiting"


async def test_tools_are_listed_and_called(homesteward, service, home):
    listed = await homesteward("tools", "list", "--json")
    assert "call_service" in {tool["name"] for tool in listed.json}
    read = await homesteward("tools", "call", "get_state", '{"entities": "light.kitchen"}', "--json")
    assert (read.code, read.json["ok"]) == (0, True)
    asked = await homesteward("tools", "call", "call_service", json.dumps(LOCK), "--json")
    assert (asked.code, home.calls) == (4, [])


async def test_a_call_is_explained_by_the_running_home(homesteward, service, tmp_path):
    file = tmp_path / "call.json"
    file.write_text(json.dumps({"service": "homeassistant.turn_on", "target": {"label_id": "entrance"}}))
    explained = await homesteward("policy", "explain", str(file), "--json")
    assert explained.code == 0
    file.write_text(json.dumps(LOCK))
    assert (await homesteward("policy", "explain", str(file), "--json")).json[0]["action"] == "approve"
    by_preset = await homesteward("policy", "explain", str(file), "--policy", "read_only", "--json")
    assert by_preset.json[0]["action"] == "deny"


async def test_a_role_is_lowered_and_never_raised(homesteward, service, home):
    guest = await homesteward("ask", "unlock the front door", "--as", "guest", "--json")
    assert (guest.code, guest.json["outcome"]) == (3, "refused")
    plan = await waiting(homesteward)
    denied = await homesteward("plans", "approve", plan, "--as", "guest", "--json")
    assert (denied.code, denied.json["error"]["code"]) == (3, "not_allowed")
    for role in ("system", "trigger", "token"):
        raised = await homesteward("ask", "unlock the front door", "--as", role, "--json")
        assert (raised.code, raised.json["error"]["code"]) == (3, "cannot_raise_role"), role
    assert home.calls == []


async def test_the_doctor_finds_nothing_wrong(homesteward, service):
    examined = await homesteward("doctor", "--json")
    assert examined.code == 0
    assert {check["status"] for check in examined.json} <= {"ok", "warn"}


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["plans", "show", "plan_none"], 1, "unknown_plan"),
        (["plans", "show", "../health"], 1, "not_found"),
        (["plans", "approve", "plan_none"], 1, "unknown_plan"),
        (["plans", "reject", "plan_none"], 1, "unknown_plan"),
        (["plans", "list", "--state", "nowhere"], 2, "invalid_request"),
        (["ask", ""], 2, "invalid_request"),
        (["ask", "hello", "--mode", "wild"], 2, "invalid_request"),
        (["tools", "call", "nothing"], 1, "unknown_tool"),
        (["tools", "call", "find", "{"], 2, "bad_usage"),
        (["tools", "call", "find", "[]"], 2, "bad_usage"),
        (["ask", "hello", "--token", "wrong"], 3, "not_signed_in"),
        (["ask", "hello", "--token", "schlüssel"], 3, "not_signed_in"),
        (["ask", "hello", "--as", "king"], 2, "bad_usage"),
        (["doctor", "--token", "wrong"], 3, "not_signed_in"),
    ],
)
async def test_a_failure_is_one_document_too(homesteward, service, words, code, error):
    ended = await homesteward(*words, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (code, error)
    assert set(ended.json["error"]) == {"code", "message", "retry", "next"}
    assert ended.json["error"]["message"]
    assert ended.json["error"]["next"]


async def test_a_person_is_told_what_is_wrong_and_what_to_do_on_stderr(homesteward, service):
    ended = await homesteward("plans", "show", "plan_none")
    assert (ended.code, ended.out) == (1, "")
    assert "plan_none" in ended.err
    assert "List the plans" in ended.err


async def test_a_person_reads_what_was_seen_and_how_to_decide(homesteward, service):
    acted = await homesteward("ask", "turn on the kitchen light")
    assert "light.kitchen: on (seen)" in acted.out
    asked = await homesteward("ask", "unlock the front door")
    plan = (await homesteward("plans", "list", "--state", "waiting", "--json")).json[0]["id"]
    assert f"plans approve {plan}" in asked.out
    assert plan in (await homesteward("plans", "list")).out
