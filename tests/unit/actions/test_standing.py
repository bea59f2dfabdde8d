"""A yes is a yes in the house as it is now: what was decided since, and what a script does now, is looked at again."""

from dataclasses import replace
from datetime import timedelta

import pytest

from homesteward.actions import Mode, Plan
from homesteward.actions.plan import plan_json
from homesteward.actions.reached import MOST_ENDS, reached_by
from homesteward.core import HomestewardError
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.people import Caller, Channel, Reach, Role
from homesteward.people.caller import Proof, ProofKind
from homesteward.policy import Policy, Preset
from judging import ruled

pytestmark = pytest.mark.above_store

OWNER = Caller(Role.OWNER, Channel.CLI, "ann")
MEMBER = Caller(Role.MEMBER, Channel.API, "ben")
GUEST = Caller(Role.GUEST, Channel.API, "gus")


def call(service: str, *entity_ids: str, **data: object) -> Call:
    domain, name = service.split(".")
    return Call(domain, name, Target(entity_id=entity_ids), data)


LOCK, UNLOCK = call("lock.lock", "lock.front_door"), call("lock.unlock", "lock.front_door")
LIGHT, WELCOME = call("light.turn_on", "light.kitchen"), call("script.turn_on", "script.welcome")
DENIED = ruled("rules:\n- {name: Nobody at the door, when: {domain: lock}, then: deny}\n")
OWNERS = ruled("rules:\n- {name: Owners only, when: {domain: lock}, then: approve, by: owner}\n")
PINNED = ruled("rules:\n- {name: With a PIN, when: {domain: lock}, then: approve, pin: true}\n")
LIMITED = ruled("limits:\n- {name: No flapping, when: {domain: lock}, every: 1 per hour, then: deny}\n")
QUIET = ruled("rules:\n- {name: Quiet hours, when: {domain: lock, time: '22:00-06:00'}, then: deny}\n")
HELD = Policy(held="line 3 of the rules cannot be read")


class House:
    """A gate, and what it judges by at the moment."""

    def __init__(self):
        self.policy = Policy()


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
async def gate(make_gate, house):
    return await make_gate(policy=lambda: house.policy)


async def waiting(gate, *calls: Call, caller: Caller = MEMBER) -> Plan:
    (plan,) = await gate.submit(calls, caller, request="as asked")
    assert plan.state == "waiting"
    return plan


async def refusal(work) -> HomestewardError:
    with pytest.raises(HomestewardError) as refused:
        await work
    return refused.value


@pytest.mark.parametrize(
    ("policy", "by", "said"),
    [
        (DENIED, OWNER, "Nobody at the door"),
        (Policy(Preset.READ_ONLY), OWNER, "read_only"),
        (OWNERS, MEMBER, "Owners only"),
        (HELD, MEMBER, "unreadable policy"),
    ],
    ids=["a deny rule", "read only", "an owner's yes", "held"],
)
async def test_what_was_decided_since_a_plan_waits_counts_when_it_is_approved(gate, home, house, policy, by, said):
    plan = await waiting(gate, LOCK, caller=MEMBER)
    house.policy = policy
    error = await refusal(gate.approve(plan.id, by))

    assert (error.code, said in error.message) == ("plan_changed", True)
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_a_pin_asked_for_since_is_not_there_until_it_is_proved(gate, home, house, clock):
    plan = await waiting(gate, LOCK)
    house.policy = PINNED
    assert (await refusal(gate.approve(plan.id, OWNER))).code == "plan_changed"
    proof = Proof(ProofKind.PIN, plan.id, clock.now() + timedelta(minutes=5))
    assert (await gate.approve(plan.id, replace(OWNER, proof=proof))).state == "completed"


async def test_an_owners_yes_is_enough_for_what_takes_an_owner_by_now(gate, house):
    plan = await waiting(gate, LOCK)
    house.policy = OWNERS
    assert (await gate.approve(plan.id, OWNER)).state == "completed"


async def test_what_became_milder_is_no_reason_to_ask_again(gate, house):
    plan = await waiting(gate, UNLOCK)
    house.policy = ruled("rules:\n- {name: Free, when: {domain: lock}, then: allow}\n")
    assert (await gate.approve(plan.id, MEMBER)).state == "completed"


async def test_planned_before_quiet_hours_it_is_not_approved_in_them(gate, home, house, clock):
    house.policy = QUIET
    plan = await waiting(gate, LOCK)
    clock.advance(timedelta(hours=11))
    assert "Quiet hours" in (await refusal(gate.approve(plan.id, OWNER))).message
    assert home.calls == []


async def test_a_limit_reached_since_holds_at_the_approval(gate, home, house):
    house.policy = LIMITED
    home.set_state("lock.front_door", "unlocked")
    first, second = await waiting(gate, LOCK), await waiting(gate, LOCK)
    await gate.approve(first.id, OWNER)
    home.set_state("lock.front_door", "unlocked")
    home.calls.clear()
    assert (await refusal(gate.approve(second.id, OWNER))).code == "plan_changed"
    assert home.calls == []


async def test_what_the_same_request_asks_for_before_counts_against_a_limit(gate, home, house):
    house.policy = ruled("limits:\n- {name: Once, when: {domain: light}, every: 1 per hour, then: approve}\n")
    again = call("light.turn_on", "light.kitchen", brightness=9)
    done, waiting = await gate.submit([LIGHT, again], OWNER, request="")
    assert ([step.state for step in done.steps], waiting.needs, len(home.calls)) == (["done"], "approve", 1)
    assert waiting.decision.rule == "limit Once"


async def test_a_yes_in_the_conversation_is_judged_again_too(gate, home, house):
    plan = await waiting(gate, LIGHT, caller=GUEST)
    house.policy = ruled("rules:\n- {name: Dark, when: {domain: light}, then: approve}\n")
    assert "Dark" in (await refusal(gate.confirm(plan.id, GUEST))).message
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


def grouped(home, group: str, *members: str):
    """Let the group have these members."""
    state = home.states[group]
    home.states[group] = replace(state, attributes={**state.attributes, "entity_id": list(members)})


def edited(home, body):
    """Let the script do something else, which the view only sees when it looks again."""

    async def freshen(entity_ids):
        home.bodies.update(dict.fromkeys(entity_ids, body))

    home.freshen = freshen


def locks(service: str, name: str):
    return (BodyStep(Call("lock", service, Target(entity_id=(name,))), "the door"),)


@pytest.mark.parametrize("body", [locks("unlock", "lock.front_door"), locks("lock", "lock.other")])
async def test_a_script_that_does_something_else_by_now_is_not_what_was_approved(gate, home, body):
    home.bodies["script.welcome"] = locks("lock", "lock.front_door")
    plan = await waiting(gate, WELCOME)
    edited(home, body)
    assert (await refusal(gate.approve(plan.id, OWNER))).code == "plan_changed"
    assert ((await gate.plan(plan.id)).state, home.calls) == ("waiting", [])


async def test_a_group_with_another_member_by_now_is_not_what_was_approved(make_gate, home):
    gate = await make_gate(mode=Mode.PLAN)
    grouped(home, "light.upstairs", "light.study")
    plan = await waiting(gate, call("light.turn_on", "light.upstairs"))
    grouped(home, "light.upstairs", "light.study", "light.hall")
    assert (await refusal(gate.approve(plan.id, OWNER))).code == "plan_changed"


async def test_a_script_edited_after_the_yes_does_not_run(gate, home):
    home.bodies["script.welcome"] = locks("lock", "lock.front_door")
    sent = home.call

    async def editing(each):
        edited(home, locks("unlock", "lock.front_door"))
        return await sent(each)

    home.call = editing
    home.set_state("lock.front_door", "unlocked")
    plan = await waiting(gate, LOCK, WELCOME)
    done = await gate.approve(plan.id, OWNER)
    assert [step.state for step in done.steps] == ["done", "failed"]
    assert [each.id for each in home.calls] == ["lock.lock"]


async def test_what_a_script_reaches_is_named_with_the_plan_to_whoever_reaches_it(gate, home):
    home.bodies["script.welcome"] = locks("lock", "lock.front_door")
    plan = await waiting(gate, WELCOME)
    assert plan_json(await gate.plan(plan.id))["steps"][0]["reached"] == ["lock.front_door"]
    bound = replace(OWNER, reach=Reach.of(entities=["script.welcome"]))
    step = plan_json(await gate.plan(plan.id, bound))["steps"][0]
    assert (step["reached"], step["reached_more"]) == ([], 1)


async def test_of_very_many_ends_some_are_named_and_the_rest_counted(home):
    grouped(home, "light.upstairs", *(f"light.n{n}" for n in range(MOST_ENDS + 3)))
    found = reached_by(ResolvedCall("homeassistant", "turn_on", ("light.upstairs",)), home)
    assert (len(found.ends), found.more) == (MOST_ENDS, 3)
