"""Who may do what with whose plans, and that less authority never means more."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.actions import Mode, Needs, Plan, PlanState, Step
from homesteward.actions.modes import under_mode
from homesteward.actions.proposal import Request, judged
from homesteward.actions.reach import require_reach, resolve_for
from homesteward.actions.rights import (
    Deed,
    deeds_open,
    may,
    require_approver,
    require_confirmer,
    require_rejecter,
    visible,
    visible_run,
    within_reach,
)
from homesteward.core import HomestewardError
from homesteward.home.calls import Call, ResolvedCall, Target
from homesteward.people import Caller, Channel, Proof, ProofKind, Reach, Role, Scope
from homesteward.policy import Action, Decision, Impact, Level, Policy, Preset
from judging import NOON, ruled

pytestmark = pytest.mark.above_store

HOME = small_home()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KITCHEN, UPPER = Reach(frozenset({"kitchen"})), Reach(frozenset({"kitchen", "bedroom", "study"}))
EVERYTHING = frozenset(Scope)

CALLS = [
    Call("light", "turn_on", Target(entity_id=("light.kitchen",))),
    Call("light", "turn_on", Target(area_id=("kitchen",))),
    Call("light", "turn_on", Target(entity_id=("light.upstairs", "light.hall"))),
    Call("homeassistant", "turn_on", Target(entity_id=("group.going_out",))),
    Call("lock", "unlock", Target(entity_id=("lock.back_door",))),
    Call("homeassistant", "turn_off", Target(entity_id=("light.hall",))),
    Call("script", "turn_on", Target(entity_id=("script.let_in",))),
    Call("scene", "turn_on", Target(entity_id=("scene.arrival",))),
    Call("cover", "open_cover", Target(floor_id=("upper",))),
    Call("shell_command", "backup"),
    Call("notify", "phone", data={"message": "hello"}),
]


@st.composite
def callers(draw):
    """Somebody, by name, with whatever role, scopes and reach."""
    token_id = draw(st.sampled_from(["", "t1", "t2"]))
    return Caller(
        draw(st.sampled_from([Role.OWNER, Role.MEMBER, Role.GUEST])),
        Channel.API,
        "Ann",
        person_id=draw(st.sampled_from(["ann", "ben"])),
        token_id=token_id,
        scopes=draw(st.frozensets(st.sampled_from(list(Scope)))) if token_id else None,
        reach=draw(st.sampled_from([None, UPPER, KITCHEN])),
        proof=draw(st.sampled_from([None, Proof(ProofKind.PIN, "plan_1", NOW + timedelta(minutes=1))])),
    )


NARROWER_REACH = {None: [None, UPPER, KITCHEN], UPPER: [UPPER, KITCHEN], KITCHEN: [KITCHEN]}


@st.composite
def lowered(draw):
    """Somebody, and the same one with less."""
    wide = draw(callers())
    roles = list(Role)[list(Role).index(wide.role) : 3]
    scopes = draw(st.frozensets(st.sampled_from(sorted(wide.scopes)))) if wide.scopes else wide.scopes
    return wide, replace(
        wide,
        role=draw(st.sampled_from(roles)),
        scopes=scopes,
        reach=draw(st.sampled_from(NARROWER_REACH[wide.reach])),
        proof=draw(st.sampled_from([wide.proof, None])),
    )


@st.composite
def plans(draw):
    """A plan of somebody's, about something, in some state."""
    entities = draw(st.lists(st.sampled_from(["light.kitchen", "light.upstairs", "lock.back_door", "lock.front_door"])))
    decision = Decision(
        Action.APPROVE,
        "a rule",
        "a reason",
        Impact(Level.SENSITIVE, "a lock"),
        *draw(st.tuples(st.booleans(), st.booleans())),
    )
    step = Step(1, ResolvedCall("lock", "unlock", tuple(entities)), decision)
    state = draw(st.sampled_from([PlanState.WAITING, PlanState.COMPLETED, PlanState.REJECTED]))
    needs = draw(st.sampled_from(list(Needs))) if state is PlanState.WAITING else None
    decided = draw(st.sampled_from(["", "ann"]))
    return Plan("plan_1", "home", state, draw(callers()), "", NOW, NOW, "", (step,), needs, decided_person_id=decided)


def passes(check, *arguments):
    try:
        check(*arguments)
    except HomestewardError:
        return False
    return True


@given(lowered(), plans())
def test_whoever_has_less_authority_can_do_no_more_with_any_plan(both, plan):
    wide, narrow = both
    for deed in Deed:
        assert may(deed, plan, wide) or not may(deed, plan, narrow)
    assert visible(plan, wide, HOME) or not visible(plan, narrow, HOME)
    assert visible_run(plan.caller, wide) or not visible_run(plan.caller, narrow)
    for require in (require_approver, require_confirmer):
        assert passes(require, plan, wide, HOME, NOW) or not passes(require, plan, narrow, HOME, NOW)
    assert passes(require_rejecter, plan, wide, HOME) or not passes(require_rejecter, plan, narrow, HOME)


@given(callers(), plans())
def test_what_is_offered_of_a_plan_is_what_would_be_let_pass_once_a_pin_is_given(somebody, plan):
    by = replace(somebody, proof=Proof(ProofKind.PIN, plan.id, NOW + timedelta(minutes=1)))
    if not within_reach(plan, by, HOME):
        return
    offered, waits = deeds_open(plan, by), plan.state is PlanState.WAITING
    approves, confirms = (passes(require, plan, by, HOME, NOW) for require in (require_approver, require_confirmer))
    assert (Deed.APPROVE in offered) == (waits and plan.needs is Needs.APPROVE and approves)
    assert (Deed.CONFIRM in offered) == (waits and plan.needs is not Needs.APPROVE and confirms)
    assert (Deed.REJECT in offered) == (waits and passes(require_rejecter, plan, by, HOME))
    assert Deed.RESUME not in offered


def outcome(call, caller, policy):
    """Return, for each entity that is reached, how strict the verdict is; nothing where the call is answered with an error."""
    try:
        resolved = resolve_for(HOME, caller, call)
        require_reach(HOME, caller, resolved)
    except HomestewardError:
        return None
    request = Request(caller, "", "", Mode.AUTO, False, NOW, policy, NOON, has_pin=True)
    return {
        entity_id: decision.strictness
        for part, decision in judged(resolved, request, HOME)
        for entity_id in part.entity_ids or (None,)
    }


@given(
    lowered(),
    st.sampled_from(CALLS),
    st.sampled_from(list(Preset)),
    st.sampled_from(
        [
            "",
            "rules: [{name: a, when: {domain: lock}, then: approve, pin: true}]",
            "rules: [{name: a, then: approve, pin: true}]",
        ]
    ),
)
def test_whoever_has_less_authority_gets_nothing_done_more_easily(both, call, preset, rules):
    policy = ruled(rules, preset)
    wide, narrow = (outcome(call, caller, policy) for caller in both)
    if narrow is None:
        return
    assert wide is not None
    for entity_id, strictness in narrow.items():
        assert strictness[0] >= wide.get(entity_id, strictness)[0]


@given(st.sampled_from(list(Mode)), st.sampled_from(CALLS[:9]), st.booleans())
def test_a_mode_never_makes_a_decision_milder(mode, call, by_owner):
    before = Decision(Action.CONFIRM, "", "", Impact(Level.SENSITIVE, ""), by_owner, pin=True)
    after = under_mode(mode, before)
    assert after.action.strictness >= before.action.strictness
    assert after.action is Action.DENY or (after.by_owner, after.pin) == (by_owner, True)


ANN = Caller(Role.OWNER, Channel.PAGE, "Ann", person_id="ann")
BEN = Caller(Role.MEMBER, Channel.PAGE, "Ben", person_id="ben")
CAM = Caller(Role.MEMBER, Channel.PAGE, "Cam", person_id="cam")
GUS = Caller(Role.GUEST, Channel.PAGE, "Gus", person_id="gus")
LIGHT, UNLOCK, HALL = (
    CALLS[0],
    Call("lock", "unlock", Target(entity_id=("lock.front_door",))),
    Call("light", "turn_on", Target(entity_id=("light.hall",))),
)


def token(*scopes, of=BEN, reach=None, token_id="t1"):
    return replace(of, token_id=token_id, scopes=frozenset(scopes), reach=reach)


async def listed(gate, by):
    return {plan.request for plan in await gate.plans(by=by)}


async def test_an_owner_sees_all_a_member_what_is_theirs_to_decide_and_a_guest_their_own(make_gate):
    gate = await make_gate(policy=lambda: Policy(Preset.FAMILY))
    await gate.submit([UNLOCK], ANN, request="Ann's lock")
    await gate.submit([LIGHT], ANN, request="Ann's light")
    await gate.submit([HALL], BEN, request="Ben's light")
    await gate.submit([HALL], GUS, request="Gus's light")

    assert await listed(gate, ANN) == {"Ann's lock", "Ann's light", "Ben's light", "Gus's light"}
    assert await listed(gate, BEN) == {"Ann's lock", "Ben's light"}
    assert await listed(gate, GUS) == {"Gus's light"}


async def test_a_plan_that_is_none_of_ones_business_is_as_unknown_as_one_that_is_none(gate):
    (plan,) = await gate.submit([LIGHT], ANN, request="")
    errors = []
    for plan_id in (plan.id, "plan_none"):
        with pytest.raises(HomestewardError) as refused:
            await gate.plan(plan_id, BEN)
        errors.append(refused.value.info.message.replace(plan_id, ""))
    assert errors[0] == errors[1]
    assert (await gate.plan(plan.id, ANN)).id == plan.id


async def test_whoever_decided_about_a_plan_sees_what_became_of_it(gate):
    (plan,) = await gate.submit([UNLOCK], ANN, request="")
    await gate.approve(plan.id, BEN)

    assert (await gate.plan(plan.id, BEN)).decided_person_id == "ben"
    with pytest.raises(HomestewardError, match="There is no plan"):
        await gate.plan(plan.id, CAM)


async def test_a_yes_is_the_askers_alone_also_within_the_household(make_gate, home):
    gate = await make_gate(policy=lambda: Policy(Preset.CAUTIOUS))
    (plan,) = await gate.submit([LIGHT], BEN, request="")
    assert plan.needs is Needs.CONFIRM

    for other in (CAM, ANN, token(Scope.ADMIN)):
        with pytest.raises(HomestewardError, match="cannot confirm"):
            await gate.confirm(plan.id, other)
    assert home.calls == []
    assert (await gate.confirm(plan.id, BEN)).state is PlanState.COMPLETED


@pytest.mark.parametrize(
    ("scopes", "state"),
    [
        ({Scope.READ}, "rejected"),
        (set(), "rejected"),
        ({Scope.READ, Scope.CONFIGURE}, "rejected"),
        ({Scope.READ, Scope.PROPOSE}, "waiting"),
        ({Scope.ACT}, "completed"),
        ({Scope.ADMIN}, "completed"),
    ],
)
async def test_a_token_does_what_its_scopes_say(gate, home, scopes, state):
    (plan,) = await gate.submit([LIGHT], token(*scopes), request="")
    assert (plan.state, len(home.calls)) == (state, state == "completed")


async def test_what_a_token_proposed_its_own_person_may_approve_and_it_may_not(gate, home):
    (plan,) = await gate.submit([LIGHT], token(Scope.PROPOSE, Scope.READ), request="")
    for machine in (token(Scope.PROPOSE, Scope.ACT), token(Scope.ACT, token_id="t2"), token(Scope.CONFIGURE)):
        with pytest.raises(HomestewardError, match="cannot approve"):
            await gate.approve(plan.id, machine)
    assert home.calls == []
    assert (await gate.approve(plan.id, BEN)).state is PlanState.COMPLETED


async def test_a_token_sees_and_withdraws_its_own_plans_only(gate):
    mine, other = token(Scope.READ, Scope.PROPOSE), token(Scope.READ, Scope.PROPOSE, token_id="t2")
    (plan,) = await gate.submit([LIGHT], mine, request="mine")
    await gate.submit([LIGHT], other, request="other")
    await gate.submit([LIGHT], BEN, request="Ben's")

    assert await listed(gate, mine) == {"mine"}
    with pytest.raises(HomestewardError, match="cannot reject"):
        await gate.reject(plan.id, other)
    assert (await gate.reject(plan.id, mine)).state is PlanState.REJECTED


async def test_who_asked_is_kept_with_the_plan(gate):
    asker = replace(token(Scope.READ, Scope.ACT), device_id="kiosk")
    (plan,) = await gate.submit([LIGHT], asker, request="")
    kept = (await gate.plan(plan.id)).caller
    assert (kept.person_id, kept.token_id, kept.device_id) == ("ben", "t1", "kiosk")


async def test_two_kiosks_that_nobody_is_known_at_are_not_one(make_gate):
    gate = await make_gate(policy=lambda: Policy(Preset.CAUTIOUS))
    hall, attic = (Caller(Role.MEMBER, Channel.PAGE, device_id=name) for name in ("hall", "attic"))
    (plan,) = await gate.submit([LIGHT], hall, request="")
    with pytest.raises(HomestewardError, match="cannot confirm"):
        await gate.confirm(plan.id, attic)
    assert (await gate.confirm(plan.id, hall)).state is PlanState.COMPLETED
