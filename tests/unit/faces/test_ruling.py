"""The rules over the API: read as sentences, changed by an owner with a fresh proof, tried out, and held against the past."""

from datetime import timedelta

import pytest

from homesteward.chronicle.record import Call, Context, StateChange
from homesteward.home.calls import Call as Asked
from homesteward.home.calls import Target
from homesteward.people import Role, Scope
from judging import OWNER

DARK = "version: 1\npreset: cautious\nrules:\n- name: Dark\n  when: {domain: light}\n  then: deny\n"
BROKEN = "version: 1\nrules:\n- name: Dark\n  then: perhaps\n"
LAMP = {"service": "light.turn_on", "target": {"entity_id": "light.kitchen"}}


@pytest.fixture
async def owner(household):
    """The service's own token: an owner at this machine."""
    async with household.client(household.service()) as client:
        yield client


async def test_what_holds_is_told_in_sentences_and_in_order(owner):
    assert (await owner.put("/api/v1/policy", json={"rules": DARK})).json()["n"] == 1
    told = (await owner.get("/api/v1/policy", params={"language": "en"})).json()
    assert told["rules"] == [
        {"name": "Dark", "enabled": True, "says": "If it is of the domain light: it is refused."},
    ]
    assert (told["preset"], told["preset_from"], told["text"]) == ("cautious", "rules", DARK)
    assert next(limit["name"] for limit in told["limits"] if limit["standard"]) == "room temperature"


async def test_a_rule_file_is_changed_with_a_fresh_proof_alone(household):
    somebody = await household.token(Scope.ADMIN, role=Role.OWNER)
    async with household.client(somebody) as client:
        refused = await client.put("/api/v1/policy", json={"rules": DARK})
    assert (refused.status_code, refused.json()["code"]) == (403, "proof_needed")


async def test_an_owner_who_has_just_signed_in_changes_the_rules_and_is_their_author(household):
    somebody = await household.person(Role.OWNER)
    async with household.client(somebody) as client:
        assert (await client.put("/api/v1/policy", json={"rules": DARK})).status_code == 200
        assert (await client.get("/api/v1/policy/versions")).json()[0]["author"] == "Owner"


async def test_a_mistake_is_told_with_its_line_and_changes_nothing(owner):
    answer = await owner.put("/api/v1/policy", json={"rules": BROKEN})
    assert (answer.status_code, answer.json()["code"], "line 4" in answer.json()["message"]) == (
        400,
        "bad_policy",
        True,
    )
    assert (await owner.get("/api/v1/policy/versions")).json() == []


async def test_a_version_is_read_and_put_back(owner):
    for text in (DARK, "version: 1\n"):
        await owner.put("/api/v1/policy", json={"rules": text})
    assert (await owner.get("/api/v1/policy/versions/1")).json()["text"] == DARK
    assert (await owner.post("/api/v1/policy/restore", json={"n": 1})).json()["n"] == 3
    assert (await owner.get("/api/v1/policy")).json()["text"] == DARK
    assert (await owner.get("/api/v1/policy/versions/9")).status_code == 404


async def test_held_rules_are_told_by_status_doctor_and_the_rules_themselves(owner, household):
    file = household.house.rules.file
    file.write_text(BROKEN)
    status = (await owner.get("/api/v1/status")).json()["rules"]
    assert "line 4" in status["held"]
    checks = {check["check"]: check for check in (await owner.get("/api/v1/doctor")).json()}
    assert (checks["rules"]["status"], "line 4" in checks["rules"]["message"]) == ("fail", True)
    told = (await owner.get("/api/v1/policy")).json()
    assert (told["rules"], "waits for an owner" in told["otherwise"]) == ([], True)

    file.write_text(DARK)
    checks = {check["check"]: check for check in (await owner.get("/api/v1/doctor")).json()}
    assert checks["rules"]["message"] == "rules: 1, limits: 0; preset cautious, by the rule file"
    assert "preset cautious" in checks["settings"]["message"]
    assert (await owner.get("/api/v1/status")).json()["preset"] == "cautious"


async def test_explain_tells_the_way_from_the_call_to_what_decided(owner):
    call = {"service": "script.turn_on", "target": {"entity_id": "script.let_in"}}
    (decision,) = (await owner.post("/api/v1/policy/explain", json={"call": call})).json()
    assert (decision["action"], decision["path"]) == ("approve", ["script.turn_on", "script.let_in", "lock.front_door"])


async def test_explain_tells_what_was_put_right(owner):
    call = LAMP | {"data": {"brightness": "40%"}}
    (decision,) = (await owner.post("/api/v1/policy/explain", json={"call": call})).json()
    assert decision["healed"] == ["brightness 40% is 40 %"]


async def test_tests_are_judged_by_the_rules_that_are_sent_else_by_those_that_hold(owner):
    tests = f"home: {{light.kitchen: {{}}}}\ncases: [{{name: dark, call: {LAMP}, expect: deny}}]"
    by_those_that_hold = (await owner.post("/api/v1/policy/test", json={"tests": tests})).json()
    assert [(each["passed"], each["action"]) for each in by_those_that_hold] == [(False, "allow")]
    by_these = (await owner.post("/api/v1/policy/test", json={"tests": tests, "rules": DARK})).json()
    assert [(each["passed"], each["rule"]) for each in by_these] == [(True, "rule Dark")]


async def test_rules_are_held_against_what_was_done_here_and_called_by_others(owner, household):
    house, now = household.house, household.house.clock.now()
    lamp = Asked("light", "turn_on", Target(entity_id=("light.kitchen",)))
    await house.gate.submit([lamp], OWNER, request="light please")
    lock = Call(now - timedelta(minutes=2), "lock", "unlock", {}, ("lock.front_door",), Context("01" + "A" * 24))
    house.memory.chronicle._parts.writer.put(lock)
    await house.memory.chronicle.flush()

    found = (await owner.post("/api/v1/policy/simulate", json={"since": "1h", "rules": DARK})).json()
    assert found["now"] == {
        "ours": {"allow": 0, "confirm": 0, "approve": 0, "deny": 1},
        "others": {"allow": 0, "confirm": 0, "approve": 1, "deny": 0},
    }
    assert (found["then"]["allow"], found["changed"], found["unused"]) == (1, 1, [])
    ours = next(call for call in found["calls"] if call["by"] == "homesteward")
    assert (ours["then"]["action"], ours["now"]["rule"], ours["became"]) == ("allow", "rule Dark", "done")
    assert (await owner.get("/api/v1/policy")).json()["rules"] == []  # and nothing else became of them

    live = (await owner.get("/api/v1/policy/simulate", params={"since": "1h"})).json()
    assert (live["now"]["ours"]["allow"], live["changed"]) == (1, 0)


@pytest.mark.parametrize("most", [20_000, 1])
async def test_conditions_look_at_the_house_of_then_as_the_chronicle_remembers_it(owner, household, monkeypatch, most):
    monkeypatch.setattr("homesteward.actions.timeline.MOST", most)
    monkeypatch.setattr("homesteward.actions.timeline.PAGE", 1)
    now, put = household.house.clock.now(), household.house.memory.chronicle._parts.writer.put
    for minutes, old, new in ((50, None, "locked"), (40, "locked", "unlocked"), (20, "unlocked", "locked")):
        put(StateChange(now - timedelta(minutes=minutes), "lock.front_door", old, new))
    for minutes in (45, 30, 10):
        put(Call(now - timedelta(minutes=minutes), "light", "turn_on", {}, ("light.kitchen",), Context(f"c{minutes}")))
    await household.house.memory.chronicle.flush()

    rules = "version: 1\nrules: [{name: Open, when: {state: {lock.front_door: unlocked}}, then: deny}]"
    found = (await owner.post("/api/v1/policy/simulate", json={"since": "1h", "rules": rules})).json()
    assert (found["judged"], [call["at"] for call in found["calls"]]) == (
        3,
        [(now - timedelta(minutes=30)).isoformat()],
    )


@pytest.mark.parametrize("since", ["", "soon", "99999x"])
async def test_a_time_that_is_none_is_refused(owner, since):
    assert (await owner.get("/api/v1/policy/simulate", params={"since": since})).status_code == 400
