"""Numbers that nobody means: whichever field they stand in, they are refused as a call, and nothing that reads them breaks."""

import math
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homes import COLOURFUL
from homesteward.actions.resolve import resolve
from homesteward.core import HomestewardError
from homesteward.core.json import JsonObject, JsonValue, canonical, countable
from homesteward.home.calls import Call, InvalidCallError, ResolvedCall, Target, parse_call
from homesteward.home.catalogue import standard_services
from homesteward.home.effects import RULES, effect_of
from homesteward.home.effects.inverse import WAYS, way_back
from homesteward.home.effects.material import MATERIAL, NEEDED, differing, told_apart
from homesteward.home.inventory import Thing
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Policy, Preset, decide
from judging import NOON, OWNER, ruled

HUGE = 10**400
RULED = """
rules:
- {name: bright, when: {data: {brightness_pct: {above: 80}}}, then: confirm}
- {name: dark, when: {data: {brightness: 0}}, then: confirm}
- {name: warm, when: {data: {color_temp: {above: 300}}}, then: confirm}
- {name: cold, when: {data: {kelvin: {above: 5000}}}, then: confirm}
- {name: loud, when: {data: {volume_level: {above: 0.5}}}, then: confirm}
- {name: open, when: {data: {position: 100}}, then: confirm}
- {name: fast, when: {data: {percentage: [50, 100]}}, then: confirm}
- {name: value, when: {data: {value: {below: 3}}}, then: confirm}
- {name: hot, when: {data: {temperature: {above: 25}}}, then: approve}
limits:
- {name: limited, brightness: {max: 90}, volume: {max: 40}, position: {max: 90}, speed: {max: 90}, humidity: {max: 70}, value: {max: 9}}
- {name: warmth, temperature: {min: 6, max: 30, step: 3}}
"""
numbers = st.one_of(
    st.sampled_from([HUGE, -HUGE, 2**64, -(2**63) - 1, 2**63, 0, -1, 1, 255, 10**300]),
    st.integers(),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([5e-324, 1e-300, 0.3, 1e308, -1e308]),
)
odd = st.one_of(
    numbers,
    st.booleans(),
    numbers.map(str),
    st.sampled_from(
        [
            "9" * 400,
            "-" + "9" * 400,
            "1e999",
            "nan",
            "-inf",
            "infinity",
            "٣",
            "1_0",
            "0x10",
            "1e308 %",
            "9" * 320 + " °F",
        ]
    ),
    st.text("0123456789.,eE+-%", max_size=12),
)
values = st.one_of(odd, st.lists(odd, max_size=5), st.dictionaries(st.sampled_from(["h", "m"]), odd, max_size=2))
POLICIES = (ruled(RULED), ruled(RULED, unit="°F"), Policy(Preset.FAMILY))
FIELDS = sorted(
    {name for service in standard_services().values() for name in service.fields}
    | {
        "kelvin",
        "color_temp",
        "rgb_color",
        "rgbw_color",
        "hs_color",
        "white",
        "transition",
        "percentage_step",
        "state",
        "cycle",
    }
)
OWN_FIELDS = {service.id: sorted(service.fields) for service in standard_services().values()}
LIGHT_FIELDS = [
    "kelvin",
    "color_temp",
    "brightness",
    "rgbw_color",
    "rgbww_color",
    "hs_color",
    "rgb_color",
    "white",
    "transition",
]
SERVICES = sorted({*OWN_FIELDS, *RULES})
JUDGED = sorted({*RULES, "scene.apply", "scene.turn_on", "group.set"})  # those that are worked out beforehand
DOMAINS = sorted({service.partition(".")[0] for service in SERVICES} | {*WAYS, *MATERIAL})
ATTRIBUTES = sorted({name for bands in MATERIAL.values() for name in bands} | NEEDED | {"min_temp", "max_temp"})


def fields_of(service: str) -> list[str]:
    """Return the fields that the service has, and those that it is often given."""
    more = LIGHT_FIELDS if service.startswith("light.turn") else []
    return [*OWN_FIELDS.get(service, ()), *more] or FIELDS


def calls(services: list[str]) -> st.SearchStrategy[tuple[str, dict[str, JsonValue]]]:
    """Give a service and data of its own fields, as often as not beside others."""
    return st.sampled_from(services).flatmap(
        lambda service: st.tuples(
            st.just(service),
            st.one_of(
                st.dictionaries(st.sampled_from(fields_of(service)), values, min_size=1, max_size=3),
                st.dictionaries(st.sampled_from(FIELDS), values, max_size=3),
            ),
        )
    )


attributes = st.dictionaries(st.sampled_from(ATTRIBUTES), values, max_size=4)


def house(domain: str, attributes: JsonObject, state: str | None) -> SimulatedHome:
    """A home of one thing, with these attributes beside its own."""
    own = COLOURFUL if domain == "light" else {}
    return SimulatedHome.build([Thing(f"{domain}.a", state=state, attributes={**own, **attributes})])


@cache
def plain_house() -> SimulatedHome:
    """One thing of every domain."""
    return SimulatedHome.build(
        Thing(f"{domain}.a", attributes=COLOURFUL if domain == "light" else {}) for domain in DOMAINS
    )


@settings(max_examples=4 * settings().max_examples)
@given(calls(SERVICES))
def test_no_number_in_any_field_makes_anything_but_an_answer(asked: tuple[str, dict[str, JsonValue]]):
    service, given_data = asked
    domain, name = service.split(".")
    home = plain_house()
    target = Target((f"{domain}.a",)) if service in home.services and home.services[service].target else Target()
    try:
        resolved = resolve(home, Call(domain, name, target, given_data))
    except HomestewardError:
        return
    canonical(dict(resolved.data))
    assert countable(resolved.data), "what goes on is what Home Assistant can be sent"


@settings(max_examples=4 * settings().max_examples)
@given(calls(JUDGED), attributes, st.one_of(st.none(), odd.map(str)))
def test_what_judges_and_what_foresees_takes_every_number(
    asked: tuple[str, dict[str, JsonValue]], shown: dict[str, JsonValue], state: str | None
):
    """A body's call and an owner's test are judged as they stand, unchecked."""
    service, given_data = asked
    domain, name = service.split(".")
    home = house(domain, shown, state)
    entity_id = f"{domain}.a"
    call = ResolvedCall(domain, name, (entity_id,), given_data)
    effect = effect_of(call, entity_id, home)
    now = home.states.get(entity_id)
    if now is not None:
        effect.holds(now)
        after = effect.apply(now, NOON.now)
        told_apart(now, after, differing(now, after))
        way_back(now, after)
        way_back(after, now)
    for policy in POLICIES:
        assert decide(call, OWNER, home, policy, NOON).reason


@given(st.sampled_from(sorted(WAYS)), attributes, attributes, odd.map(str), odd.map(str))
def test_the_way_back_takes_every_number(
    domain: str, before: dict[str, JsonValue], now: dict[str, JsonValue], one: str, other: str
):
    was, shows = State(f"{domain}.a", one, before), State(f"{domain}.a", other, now)
    way_back(was, shows)
    told_apart(was, shows, differing(was, shows))


@pytest.mark.parametrize(
    "number", [pytest.param(10**5000, id="longer than text"), math.nan, math.inf, -math.inf, 2**64]
)
@pytest.mark.parametrize("wrap", [lambda n: n, lambda n: [n], lambda n: {"deep": [{"down": n}]}, lambda n: {n: 1}])
def test_a_number_that_json_cannot_carry_is_refused_before_anything_is_looked_up(number, wrap):
    with pytest.raises(InvalidCallError):
        parse_call({"service": "light.turn_on", "entity_id": "light.a", "data": {"brightness": wrap(number)}})
    with pytest.raises(InvalidCallError):
        resolve(plain_house(), Call("light", "turn_on", Target(("light.a",)), {"brightness": wrap(number)}))


def test_data_that_holds_itself_is_refused():
    inside: dict[str, object] = {}
    inside["again"] = inside
    with pytest.raises(InvalidCallError):
        parse_call({"service": "script.a", "data": inside})
