"""Laws about detours: however deep a thing stands in whatever is run or written, it is found; and whatever is written is judged."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.bodies import body_of
from homesteward.home.calls import ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Kind
from homesteward.policy.impact import bodies_reached, judge, reached
from routes import GUARDS, LAMP

END = GUARDS[0]
HARMLESS = st.sampled_from(
    [{"delay": 1}, {"stop": "x"}, {"variables": {}}, {"wait_template": "{{ x }}"}, LAMP.action()]
)
WRAPS = (
    lambda inner, beside: {"choose": [{"conditions": [], "sequence": [*beside, inner]}]},
    lambda inner, beside: {"choose": [], "default": [inner, *beside]},
    lambda inner, beside: {"if": ["{{ false }}"], "then": beside, "else": [inner]},
    lambda inner, beside: {"if": [], "then": [inner], "else": beside},
    lambda inner, beside: {"repeat": {"count": 3, "sequence": [*beside, inner]}},
    lambda inner, _: {"repeat": {"while": "{{ x }}", "sequence": inner}},
    lambda inner, beside: {"parallel": [{"sequence": [inner]}, *beside]},
    lambda inner, beside: {"sequence": [*beside, inner], "enabled": "{{ x }}"},
)


def home(**scripts: Any) -> SimulatedHome:
    bodied = [Thing(f"script.{name}", body=body_of({"sequence": sequence})) for name, sequence in scripts.items()]
    return SimulatedHome.build([Thing(END.entity_id), Thing(LAMP.entity_id), *bodied])


@st.composite
def wrapped(draw: st.DrawFn, inner: dict[str, Any]) -> dict[str, Any]:
    """Draw an action that holds `inner` somewhere, and harmless things beside it."""
    action = inner
    for wrap in draw(st.lists(st.sampled_from(WRAPS), max_size=6)):
        action = wrap(action, draw(st.lists(HARMLESS, max_size=2)))
    return action


@given(wrapped(END.action()), st.integers(0, 4))
def test_what_stands_anywhere_in_a_script_that_runs_scripts_is_found(action, depth):
    scripts = {f"s{n}": [{"action": f"script.s{n + 1}"}] for n in range(depth)} | {f"s{depth}": [action]}
    found = judge(ResolvedCall("script", "s0"), None, home(**scripts))
    assert (found.kind, found.at) == (Kind.SENSITIVE, END.entity_id)
    assert found.trail == tuple(f"script.s{n}" for n in range(depth + 1))


@given(wrapped(LAMP.action()))
def test_what_is_harmless_stays_an_everyday_thing_however_it_is_wrapped(action):
    assert judge(ResolvedCall("script", "s"), None, home(s=[action])).kind is Kind.ROUTINE


@given(wrapped(END.action()), st.sampled_from(["automation", "script", "blueprint"]))
def test_what_stands_anywhere_in_what_is_written_is_found(action, kind):
    call = ResolvedCall("ha_config", "write", data={"kind": kind, "id": "x", "config": {"sequence": [action]}})
    assert END.entity_id in {each.at for each in reached(call, None, home())}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from([END.entity_id, "lock.unlock"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["config", "call", "kind", "service", "action", "entities", "entity_id", "target", "data", "sequence"])
        | st.text(max_size=3),
        inner,
        max_size=4,
    ),
    max_leaves=15,
)  # fmt: skip
KINDS = ["automation", "script", "scene", "dashboard", "blueprint", "registry", "exposure", "label", "area", "x"]


@given(
    st.sampled_from(["ha_config.write", "ha_config.delete", "homesteward.schedule", "homesteward.unschedule"]),
    st.dictionaries(st.sampled_from(["config", "call", "id", "body", "at"]), JSON, max_size=4),
    st.sampled_from(KINDS),
)
def test_whatever_stands_in_a_reserved_call_is_judged_and_never_as_less_than_it_is(service, data, kind):
    domain, name = service.split(".")
    call = ResolvedCall(domain, name, data={"kind": kind, **data})
    found = reached(call, None, home())
    assert found
    assert bodies_reached(call, home()) <= set(home().states)
    if domain == "ha_config":
        assert max(each.kind for each in found) >= Kind.CONFIGURATION
