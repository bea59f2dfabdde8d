"""Hard limits: whatever a rule allows, no call goes beyond them, in whichever unit or words it is made."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, Preset, decide
from judging import NOON, OWNER, at, ruled

COOL = {"temperature": 20, "hvac_modes": ["heat"], "min_temp": 7, "max_temp": 35}


def home(*things: Thing) -> SimulatedHome:
    return SimulatedHome.build([Thing("climate.hall", state="heat", attributes=COOL), *things])


def decided(policy, service, entity_id, house=None, moment=NOON, **data):
    domain, name = service.split(".")
    return decide(ResolvedCall(domain, name, (entity_id,), data), OWNER, house or home(), policy, moment)


def test_no_rule_reaches_beyond_the_temperatures_that_hold_everywhere():
    """Acceptance 12: 50 °C, or a jump over the largest step."""
    policy = ruled("rules: [{name: all, then: allow}]", Preset.OPEN)
    assert decided(policy, "climate.set_temperature", "climate.hall", temperature=21).action is Action.ALLOW
    hot = decided(policy, "climate.set_temperature", "climate.hall", temperature=50)
    assert (hot.action, hot.rule) == (Action.DENY, "limit room temperature")
    assert "50 °C is above 32 °C" in hot.reason
    jump = decided(policy, "climate.set_temperature", "climate.hall", temperature=31)
    assert (jump.action, jump.rule) == (Action.APPROVE, "limit room temperature step")
    assert "more than 10 K from 20 °C" in jump.reason


def test_the_same_limits_hold_in_a_home_that_counts_in_fahrenheit():
    """Acceptance 12."""
    house = SimulatedHome.build([Thing("climate.hall", state="heat", attributes=COOL | {"temperature": 68})])
    policy = ruled("", Preset.OPEN, unit="°F")
    assert decided(policy, "climate.set_temperature", "climate.hall", house, temperature=70).action is Action.ALLOW
    assert decided(policy, "climate.set_temperature", "climate.hall", house, temperature=95).action is Action.DENY


def test_both_set_points_are_looked_at():
    attributes = {"target_temp_low": 19, "target_temp_high": 24, "supported_features": 2}
    house = SimulatedHome.build([Thing("climate.hall", state="heat_cool", attributes=attributes)])
    found = decided(
        ruled("", Preset.OPEN),
        "climate.set_temperature",
        "climate.hall",
        house,
        target_temp_low=19,
        target_temp_high=40,
    )
    assert found.action is Action.DENY


def test_a_step_into_another_mode_is_measured_from_the_nearest_set_point_there_is():
    attributes = {"temperature": 20, "hvac_modes": ["heat", "heat_cool"], "supported_features": 2}
    house = SimulatedHome.build([Thing("climate.hall", state="heat", attributes=attributes)])
    data = {"hvac_mode": "heat_cool", "target_temp_low": 19}
    near = decided(
        ruled("", Preset.OPEN), "climate.set_temperature", "climate.hall", house, target_temp_high=25, **data
    )
    far = decided(ruled("", Preset.OPEN), "climate.set_temperature", "climate.hall", house, target_temp_high=31, **data)
    assert (near.action, far.action) == (Action.ALLOW, Action.APPROVE)


def test_a_step_from_a_set_point_that_is_not_known_is_none():
    house = SimulatedHome.build(
        [Thing("climate.hall", state="off", attributes={"hvac_modes": ["heat"], "temperature": None})]
    )
    found = decided(ruled("", Preset.OPEN), "climate.set_temperature", "climate.hall", house, temperature=21)
    assert found.action is Action.APPROVE
    assert "not known" in found.reason


def test_an_owner_sets_other_bounds_under_the_same_name():
    policy = ruled(
        "limits: [{name: room temperature, when: {domain: climate}, temperature: {max: 75 °F}}]", Preset.OPEN
    )
    assert decided(policy, "climate.set_temperature", "climate.hall", temperature=23.8).action is Action.ALLOW
    assert decided(policy, "climate.set_temperature", "climate.hall", temperature=24).action is Action.DENY


@pytest.mark.parametrize(
    ("limit", "service", "entity_id", "data", "action"),
    [
        ("brightness: {max: 60}", "light.turn_on", "light.a", {"brightness_pct": 60}, Action.ALLOW),
        ("brightness: {max: 60}", "light.turn_on", "light.a", {"brightness": 200}, Action.DENY),
        ("brightness: {max: 60}", "light.turn_on", "light.a", {"brightness_step_pct": 40}, Action.DENY),
        ("volume: {max: 40}", "media_player.volume_set", "media_player.a", {"volume_level": 0.4}, Action.ALLOW),
        ("volume: {max: 40}", "media_player.volume_set", "media_player.a", {"volume_level": 0.5}, Action.DENY),
        ("volume: {max: 40}", "media_player.volume_up", "media_player.a", {}, Action.DENY),
        ("position: {max: 50}", "cover.set_cover_position", "cover.a", {"position": 50}, Action.ALLOW),
        ("position: {max: 50}", "cover.open_cover", "cover.a", {}, Action.DENY),
        ("position: {max: 50}", "cover.toggle", "cover.a", {}, Action.DENY),
        ("speed: {max: 50}", "fan.set_percentage", "fan.a", {"percentage": 66}, Action.DENY),
        ("speed: {max: 50}", "fan.turn_off", "fan.a", {}, Action.ALLOW),
        ("humidity: {min: 30, max: 60}", "humidifier.set_humidity", "humidifier.a", {"humidity": 70}, Action.DENY),
        ("value: {min: 1, max: 5}", "input_number.set_value", "input_number.a", {"value": 9}, Action.DENY),
        ("value: {min: 1, max: 5}", "input_number.increment", "input_number.a", {}, Action.DENY),
        ("options: [low, high]", "select.select_option", "select.a", {"option": "low"}, Action.ALLOW),
        ("options: [low, high]", "select.select_next", "select.a", {}, Action.DENY),
    ],
)
def test_what_would_be_set_is_measured_however_it_is_asked_for(limit, service, entity_id, data, action):
    house = home(
        Thing("light.a", state="on", attributes={"supported_color_modes": ["brightness"], "brightness": 128}),
        Thing("media_player.a", state="playing", attributes={"volume_level": 0.4}),
        Thing("cover.a", state="closed", device_class="blind", attributes={"current_position": 0}),
        Thing("fan.a", state="on", attributes={"percentage": 33, "percentage_step": 33}),
        Thing("humidifier.a", state="on", attributes={"humidity": 50}),
        Thing("input_number.a", state="5", attributes={"min": 0, "max": 10, "step": 1}),
        Thing("select.a", state="low", attributes={"options": ["low", "turbo", "high"]}),
    )
    policy = ruled(f"limits: [{{name: mine, {limit}}}]", Preset.OPEN)
    assert decided(policy, service, entity_id, house, **data).action is action


def test_a_limit_holds_by_the_hour():
    policy = ruled("limits: [{name: quiet, when: {time: '22:00-07:00'}, volume: {max: 20}}]", Preset.OPEN)
    house = home(Thing("media_player.a", state="playing", attributes={"volume_level": 0.1}))
    loud = {"volume_level": 0.5}
    assert (
        decided(policy, "media_player.volume_set", "media_player.a", house, at("2026-11-30 23:00"), **loud).action
        is Action.DENY
    )
    assert decided(policy, "media_player.volume_set", "media_player.a", house, **loud).action is Action.ALLOW


def test_a_script_does_not_get_round_a_limit():
    step = BodyStep(
        Call("climate", "set_temperature", Target(entity_id=("climate.hall",)), {"temperature": 50}), "heat"
    )
    house = home(Thing("script.heat", body=(step,)))
    assert decided(ruled("", Preset.OPEN), "script.turn_on", "script.heat", house).action is Action.DENY


def test_what_flaps_is_stopped():
    moment = at(counts=lambda *_: 6)
    policy = ruled("limits: [{name: flapping, when: {domain: light}, every: 6 in 10 min}]", Preset.OPEN)
    house = home(Thing("light.a"))
    assert decided(policy, "light.turn_on", "light.a", house, moment).action is Action.DENY
    assert decided(policy, "light.turn_on", "light.a", house).action is Action.ALLOW


@given(st.one_of(st.floats(), st.text(max_size=12), st.none(), st.booleans(), st.lists(st.integers(), max_size=2)))
def test_no_way_of_writing_a_temperature_gets_round_the_limit(value):
    found = decided(ruled("", Preset.OPEN), "climate.set_temperature", "climate.hall", temperature=value)
    try:
        degrees = float(value) if not isinstance(value, bool) else float("nan")
    except TypeError, ValueError:
        degrees = float("nan")
    assert (found.action is Action.ALLOW) is (10 <= degrees <= 30)
