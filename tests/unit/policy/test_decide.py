import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Action, Policy, Preset, decide, verdicts
from judging import NOON

OWNER, GUEST = Caller(Role.OWNER, Channel.CLI), Caller(Role.GUEST, Channel.CLI)
HOME = small_home()
TARGETS = sorted(HOME.states)


def call(service: str, *entity_ids: str, **data: object) -> ResolvedCall:
    domain, name = service.split(".")
    return ResolvedCall(domain, name, entity_ids, data)


def split(asked: ResolvedCall, caller: Caller = OWNER, home=HOME, preset: Preset = Preset.FAMILY):
    return [
        (part.entity_ids, decision.action) for part, decision in verdicts(asked, caller, home, Policy(preset), NOON)
    ]


def test_blinds_move_and_the_garage_waits():
    """E19."""
    asked = call("cover.open_cover", "cover.bedroom_blinds", "cover.garage_door", "cover.study_blinds")
    assert split(asked) == [
        (("cover.bedroom_blinds", "cover.study_blinds"), Action.ALLOW),
        (("cover.garage_door",), Action.APPROVE),
    ]


def test_a_group_of_one_verdict_stays_as_it_was_named():
    assert split(call("light.turn_on", "light.upstairs")) == [(("light.upstairs",), Action.ALLOW)]


def test_a_group_of_two_verdicts_is_split_into_its_members():
    assert split(call("homeassistant.turn_on", "group.going_out")) == [
        (("light.hall",), Action.ALLOW),
        (("lock.front_door",), Action.APPROVE),
    ]


def test_a_lock_made_of_switches_is_never_split_into_them():
    home = SimulatedHome.build([Thing("lock.gate", members=("switch.relay",)), Thing("switch.relay")])
    assert split(call("lock.unlock", "lock.gate"), home=home) == [(("lock.gate",), Action.APPROVE)]


def test_a_call_as_a_whole_gets_its_strictest_verdict():
    decision = decide(
        call("cover.open_cover", "cover.bedroom_blinds", "cover.garage_door"), OWNER, HOME, Policy(Preset.FAMILY), NOON
    )
    assert (decision.action, decision.rule) == (Action.APPROVE, "preset family: sensitive")


def test_a_decision_says_why_in_plain_words():
    decision = decide(call("lock.unlock", "lock.front_door"), OWNER, HOME, Policy(Preset.CAUTIOUS), NOON)
    assert decision.reason == "lock.front_door is a lock; for the role owner that means an approval first by an owner"


def test_a_denied_service_names_the_deny_list():
    decision = decide(call("shell_command.backup"), OWNER, HOME, Policy(Preset.OPEN), NOON)
    assert (decision.action, decision.rule) == (Action.DENY, "deny list")


@pytest.fixture
def guest_home():
    room = Area("guest_room", "Guest room", labels=frozenset({"guests"}))
    lamp = BodyStep(Call("light", "turn_on", Target(entity_id=("light.hall",))), "turn on the hall light")
    return SimulatedHome.build(
        [
            Thing("light.guest", area="guest_room"),
            Thing("light.hall", area="hall"),
            Thing("light.both", area="guest_room", members=("light.guest", "light.hall")),
            Thing("script.hall", area="guest_room", body=(lamp,)),
            Thing("lock.guest", area="guest_room"),
        ],
        areas=[room, "Hall"],
    )


@pytest.mark.parametrize(
    ("service", "entity_id", "expected"),
    [
        ("light.turn_on", "light.guest", [(("light.guest",), Action.ALLOW)]),
        ("light.turn_on", "light.hall", [(("light.hall",), Action.CONFIRM)]),
        ("light.turn_on", "light.both", [(("light.guest",), Action.ALLOW), (("light.hall",), Action.CONFIRM)]),
        ("script.turn_on", "script.hall", [(("script.hall",), Action.CONFIRM)]),
        ("lock.unlock", "lock.guest", [(("lock.guest",), Action.APPROVE)]),
    ],
)
def test_a_guest_is_free_only_with_what_ends_in_a_guest_area(guest_home, service, entity_id, expected):
    assert split(call(service, entity_id), GUEST, guest_home, Preset.GUEST_WEEKEND) == expected


services = st.sampled_from(
    [
        "homeassistant.turn_on",
        "homeassistant.toggle",
        "light.turn_on",
        "lock.unlock",
        "cover.open_cover",
        "scene.turn_on",
    ]
)
targets = st.lists(st.sampled_from([*TARGETS, "light.gone"]), unique=True, max_size=6)
callers = st.builds(Caller, st.sampled_from(Role), st.sampled_from(Channel))


@given(services, targets, st.sampled_from([*TARGETS, "light.gone"]), callers, st.sampled_from(Preset))
def test_adding_a_target_never_loosens(service, named, more, caller, preset):
    if not named:
        return
    before = decide(call(service, *named), caller, HOME, Policy(preset), NOON)
    after = decide(call(service, *named, more), caller, HOME, Policy(preset), NOON)
    assert after.strictness >= before.strictness
    assert after.impact.level >= before.impact.level or after.strictness > before.strictness


@given(services, targets, st.sampled_from(Preset))
def test_lowering_the_role_never_loosens(service, named, preset):
    decisions = [
        decide(call(service, *named), Caller(role, Channel.API), HOME, Policy(preset), NOON).strictness
        for role in (Role.OWNER, Role.MEMBER, Role.GUEST)
    ]
    assert decisions == sorted(decisions)


@given(
    st.sampled_from(["shell_command.x", "hassio.y", "homeassistant.restart", "homeassistant.stop", "pyscript.reload"]),
    targets,
    callers,
    st.sampled_from(Preset),
)
def test_the_deny_list_wins_in_every_preset(service, named, caller, preset):
    assert decide(call(service, *named), caller, HOME, Policy(preset), NOON).action is Action.DENY


ROUTES = [
    call("homeassistant.turn_on", "group.going_out"),
    call("homeassistant.toggle", "lock.front_door"),
    call("lock.open", "lock.front_door"),
    call("scene.turn_on", "scene.arrival"),
    call("scene.apply", entities={"lock.front_door": "unlocked"}),
    call("scene.create", scene_id="x", snapshot_entities=["lock.front_door"]),
    call("script.let_in"),
    call("script.turn_on", "script.let_in"),
    call("automation.trigger", "automation.on_arrival"),
    call("automation.turn_on", "automation.on_arrival"),
]


@given(st.sampled_from(ROUTES), callers, st.sampled_from(Preset))
def test_every_way_round_to_a_lock_is_as_strict_as_the_lock(route, caller, preset):
    direct = decide(call("lock.unlock", "lock.front_door"), caller, HOME, Policy(preset), NOON)
    assert decide(route, caller, HOME, Policy(preset), NOON).strictness >= direct.strictness


@given(services, targets.filter(bool), callers, st.sampled_from(Preset))
def test_a_split_keeps_every_target_or_its_members_and_nothing_else(service, named, caller, preset):
    parts = verdicts(call(service, *named), caller, HOME, Policy(preset), NOON)
    kept = [entity_id for part, _ in parts for entity_id in part.entity_ids]
    members = {m for e in named for m in (HOME.states[e].attributes.get("entity_id", ()) if e in HOME.states else ())}
    assert len(kept) == len(set(kept))
    assert set(kept) <= {*named, *members}
    assert len({decision.verdict for _, decision in parts}) == len(parts)


@given(services, targets.filter(bool), callers, st.sampled_from(Preset))
def test_a_split_never_loosens_what_a_target_gets_alone(service, named, caller, preset):
    for part, decision in verdicts(call(service, *named), caller, HOME, Policy(preset), NOON):
        for entity_id in part.entity_ids:
            alone = decide(call(service, entity_id), caller, HOME, Policy(preset), NOON)
            assert decision.strictness >= alone.strictness
