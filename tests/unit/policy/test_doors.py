"""Ways round a lock that were found open once: each is closed for its whole kind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import small_home
from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.people import Caller, Channel, Role
from homesteward.policy import Policy, Preset, bodies_reached, decide, verdicts
from judging import NOON

OWNER = Caller(Role.OWNER, Channel.CLI)
UNLOCK = BodyStep(Call("lock", "unlock", Target(entity_id=("lock.front",))), "unlock")


def home(*bodied):
    return SimulatedHome.build([Thing("lock.front", "Front"), *bodied])


def verdict(view, script="script.outer"):
    return decide(ResolvedCall("script", "turn_on", (script,)), OWNER, view, Policy(Preset.FAMILY), NOON).action


@pytest.mark.parametrize("name", ["apply", "turn_on_now", "toggle_all", "create", "reload_lights"])
def test_a_script_is_judged_by_its_body_whatever_it_is_called(name):
    inner = Thing(f"script.{name}", name, body=(UNLOCK,))
    outer = Thing("script.outer", "Outer", body=(BodyStep(Call("script", name), f"calls script.{name}"),))
    assert verdict(home(inner, outer)) in {"approve", "deny"}


@pytest.mark.parametrize("domain", ["shell_command", "rest_command", "python_script"])
def test_a_denied_service_in_a_body_is_denied_whatever_it_is_called(domain):
    outer = Thing("script.outer", "Outer", body=(BodyStep(Call(domain, "apply"), "calls it"),))
    assert verdict(home(outer)) in {"approve", "deny"}


def test_what_a_call_would_run_is_known_by_name_at_any_depth():
    inner = Thing("script.inner", "Inner", body=(UNLOCK,))
    outer = Thing("script.outer", "Outer", body=(BodyStep(Call("script", "inner"), "calls script.inner"),))
    call = ResolvedCall("homeassistant", "turn_on", ("script.outer",))
    assert bodies_reached(call, home(inner, outer)) == {"script.outer", "script.inner"}


def test_a_light_runs_nothing():
    assert bodies_reached(ResolvedCall("light", "turn_on", ("light.kitchen",)), small_home()) == frozenset()


@given(
    st.lists(st.sampled_from(sorted(small_home().states)), min_size=1, max_size=8, unique=True),
    st.sampled_from(["homeassistant.toggle", "light.turn_on", "scene.turn_on", "homeassistant.turn_off"]),
    st.sampled_from(list(Role)),
    st.sampled_from(list(Preset)),
    st.sampled_from([{}, {"note": "lock.front_door"}]),
)
def test_many_targets_get_the_verdicts_that_each_gets_alone(entity_ids, service, role, preset, data):
    """What is decided once for everyday things is what each of them would get by itself."""
    view, caller = small_home(), Caller(role, Channel.CLI)
    domain, _, name = service.partition(".")
    together = {
        entity_id: decision.verdict
        for part, decision in verdicts(
            ResolvedCall(domain, name, tuple(entity_ids), data), caller, view, Policy(preset), NOON
        )
        for entity_id in part.entity_ids
    }
    for entity_id in entity_ids:
        alone = verdicts(ResolvedCall(domain, name, (entity_id,), data), caller, view, Policy(preset), NOON)
        for part, decision in alone:
            assert {together[one] for one in part.entity_ids} == {decision.verdict}
            single = decide(ResolvedCall(domain, name, part.entity_ids, data), caller, view, Policy(preset), NOON)
            assert single.verdict == decision.verdict
