"""What is handed on of everything that was sent, and what the audit keeps of every plan, in the transaction that moves it."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import insert, select

from homesteward.actions import Mode, PlanState, Ties
from homesteward.core import HomestewardError
from homesteward.core.redaction import Redactor
from homesteward.home.calls import Call, Target
from homesteward.home.errors import NotConnectedError
from homesteward.home.faults import LoseAnswer, Refuse
from homesteward.people import Caller, Channel, Proof, ProofKind, Role
from homesteward.store.audit import Audit
from homesteward.store.renewal import open_keys
from homesteward.store.tables import meta
from judging import ruled

ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.API, "Ben", person_id="ben", token_id="t1")
LIGHT = Call("light", "turn_on", Target(entity_id=("light.kitchen",)), {"brightness_pct": 40})
UNLOCK = Call("lock", "unlock", Target(entity_id=("lock.front_door",)), {"code": "4711"})
JAMS = Call("lock", "unlock", Target(entity_id=("lock.back_door",)))

LOCKS = ruled("rules: [{name: locks, when: {domain: lock}, then: confirm, pin: true}]")


@pytest.fixture
def acts():
    return []


@pytest.fixture
async def audit(database, home, clock, tmp_path):
    keys = await open_keys(database, tmp_path, "")
    return Audit(database, home.home_id, keys, clock, redactor=Redactor(), anchor=tmp_path / "anchor")


@pytest.fixture
async def gate(make_gate, acts, audit):
    return await make_gate(ties=Ties(record=acts.append, witness=audit.witness))


async def entries(audit, plan):
    return [(entry.kind, entry.actor, entry.data) for entry in reversed(await audit.entries(subject=plan.id))]


async def kinds(audit, plan):
    return [kind for kind, _, _ in await entries(audit, plan)]


async def test_a_step_that_was_sent_is_handed_on_with_who_why_and_what_was_seen(gate, acts, clock):
    (plan,) = await gate.submit([LIGHT], BEN, request="make some light", run_id="run_1")

    (act,) = acts
    assert (act.person, act.role, act.channel, act.request) == ("Ben", "member", "api", "make some light")
    assert (act.plan_id, act.step, act.run_id, act.rule) == (plan.id, 1, "run_1", "preset family: routine")
    assert (act.domain, act.service, act.entity_ids, dict(act.data)) == (
        "light",
        "turn_on",
        ("light.kitchen",),
        {"brightness_pct": 40},
    )
    assert (act.outcome, act.context_id) == ("done", plan.steps[0].context_id)
    assert act.at <= act.ended


async def test_the_code_of_a_lock_is_in_no_act_and_no_entry(gate, acts, audit):
    (plan,) = await gate.submit([UNLOCK], ANN, request="")
    await gate.approve(plan.id, ANN)
    assert acts[0].outcome == "done"
    assert "4711" not in str(acts) + str(await audit.entries())


async def test_what_failed_after_it_was_sent_is_handed_on(gate, acts):
    (plan,) = await gate.submit([JAMS], ANN, request="")
    await gate.approve(plan.id, ANN)
    assert [act.outcome for act in acts] == ["failed"]


@pytest.mark.parametrize(
    ("fault", "outcome"), [(LoseAnswer(obeys=False), "uncertain"), (Refuse(), "failed")], ids=["no answer", "refused"]
)
async def test_what_was_sent_is_handed_on_whatever_the_home_said(gate, home, acts, fault, outcome):
    home.faults["light.kitchen"] = fault
    await gate.submit([LIGHT], ANN, request="")
    assert [(act.outcome, act.context_id) for act in acts] == [(outcome, None)]


class CutOff:
    """A line to the home that is cut just before the call."""

    async def call(self, _call):
        raise NotConnectedError


async def test_what_never_left_is_not_handed_on(make_gate, acts):
    gate = await make_gate(dispatcher=CutOff(), ties=Ties(record=acts.append))
    (plan,) = await gate.submit([LIGHT], ANN, request="")
    assert (plan.state, acts) == (PlanState.FAILED, [])


async def test_what_was_not_sent_is_not_handed_on(gate, acts, make_gate):
    await gate.submit([LIGHT], ANN, request="")
    acts.clear()
    await gate.submit([LIGHT], ANN, request="")  # so already
    await gate.submit([LIGHT], replace(ANN, role=Role.GUEST), request="")  # waits
    await (await make_gate(dry_run=True, ties=Ties(record=acts.append))).submit([LIGHT], ANN, request="")
    assert acts == []


async def test_a_chronicle_that_fails_changes_nothing_about_what_was_done(make_gate, home, caplog):
    def fail(_act):
        raise RuntimeError("full")

    gate = await make_gate(ties=Ties(record=fail))
    (plan,) = await gate.submit([LIGHT], ANN, request="")
    assert (plan.state, len(home.calls)) == (PlanState.COMPLETED, 1)
    assert "not handed to the chronicle" in caplog.text


async def test_the_audit_tells_a_plan_from_its_proposal_to_its_end(gate, audit):
    (plan,) = await gate.submit([UNLOCK], BEN, request="let me in", run_id="run_1")
    await gate.approve(plan.id, ANN)

    told = await entries(audit, plan)
    assert [(kind, actor) for kind, actor, _ in told] == [
        ("plan.proposed", "token:t1"),
        ("plan.decided", "policy"),
        ("plan.approved", "person:ann"),
        ("step.sent", "system"),
        ("step.ended", "system"),
        ("plan.ended", "system"),
    ]
    proposed, decided, approved, sent, seen, ended = (data for _, _, data in told)
    assert (proposed["by"]["person_id"], proposed["request"], proposed["run_id"]) == ("ben", "let me in", "run_1")
    assert proposed["steps"][0]["call"]["entity_id"] == ["lock.front_door"]
    assert (decided["state"], decided["rule"], decided["needs"]) == ("waiting", "preset family: sensitive", "approve")
    assert (approved["by"]["person"], approved["hash"], approved["steps"]) == ("Ann", plan.hash, [1])
    assert (sent["n"], sent["context_id"]) == (1, seen["context_id"])
    assert seen["evidence"][0]["status"] == "verified"
    assert ended["state"] == "completed"
    assert (await audit.verify()).ok


async def test_a_refusal_a_rejection_and_an_expiry_are_told(gate, audit, clock):
    (refused,) = await gate.submit([Call("shell_command", "backup")], ANN, request="")
    (rejected,) = await gate.submit([UNLOCK], ANN, request="")
    await gate.reject(rejected.id, ANN)
    (expired,) = await gate.submit([UNLOCK], ANN, request="")
    clock.advance(timedelta(days=2))
    await gate.plans()

    assert (await entries(audit, refused))[1][2]["state"] == "rejected"
    assert await kinds(audit, rejected) == ["plan.proposed", "plan.decided", "plan.rejected"]
    assert await kinds(audit, expired) == ["plan.proposed", "plan.decided", "plan.expired"]


async def test_every_step_is_told_once_also_those_that_were_left_out(gate, audit):
    (plan,) = await gate.submit([JAMS, UNLOCK], ANN, request="")
    await gate.approve(plan.id, ANN)
    ended = [data for kind, _, data in await entries(audit, plan) if kind == "step.ended"]
    assert [(data["n"], data["state"]) for data in ended] == [(1, "failed"), (2, "skipped")]

    (part,) = await gate.submit([JAMS, replace(UNLOCK, data={})], ANN, request="")
    await gate.approve(part.id, ANN, steps=[2])
    ended = [data for kind, _, data in await entries(audit, part) if kind == "step.ended"]
    assert [(data["n"], data["note"]) for data in ended] == [(1, "not approved"), (2, "")]


async def test_a_proof_that_was_used_is_named_by_its_kind(make_gate, audit, clock):
    gate = await make_gate(mode=Mode.AUTO, policy=lambda: LOCKS, ties=Ties(has_pin, witness=audit.witness))
    (plan,) = await gate.submit([UNLOCK], ANN, request="")
    proof = Proof(ProofKind.PIN, plan.id, clock.now() + timedelta(minutes=5))
    await gate.confirm(plan.id, replace(ANN, proof=proof))
    approved = next(data for kind, _, data in await entries(audit, plan) if kind == "plan.approved")
    assert approved["proof"] == "pin"


async def has_pin(_person_id):
    return True


async def test_a_plan_moves_only_together_with_its_entry(make_gate, home, database):
    def fail(_connection, kind, *_rest):
        if kind == "plan.approved":
            raise ValueError("the audit cannot be written")

    gate = await make_gate(ties=Ties(witness=fail))
    (plan,) = await gate.submit([UNLOCK], ANN, request="")
    with pytest.raises(ValueError, match="audit"):
        await gate.approve(plan.id, ANN)
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_an_entry_lies_in_the_same_transaction_as_the_move(make_gate, database, home):
    def keep(connection, kind, _actor, subject, _data):
        connection.execute(insert(meta), {"home_id": home.home_id, "key": f"{subject}:{kind}", "value": 1})

    gate = await make_gate(ties=Ties(witness=keep))
    with pytest.raises(HomestewardError):
        await gate.submit([LIGHT, Call("light", "turn_on", Target(entity_id=("light.nowhere",)))], ANN, request="")
    assert await database.read(lambda connection: connection.execute(select(meta)).all()) == []
