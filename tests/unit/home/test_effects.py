"""What a service does to a state, and how a state shows that it did."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homes import COLOURFUL, DIMMABLE, small_home
from homesteward.core import FrozenClock
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall
from homesteward.home.effects import RULES, Effect, effect_of, observed_of, trustworthy
from homesteward.home.inventory import Thing
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
LATER = NOW + timedelta(seconds=1)


def effect(service: str, thing: Thing, **data: JsonValue) -> tuple[Effect, State]:
    """Return the effect of the service on the thing, and the thing's state before."""
    home = SimulatedHome.build([thing], clock=FrozenClock(NOW))
    domain, _, name = service.partition(".")
    call = ResolvedCall(domain, name, (thing.entity_id,), data)
    return effect_of(call, thing.entity_id, home), home.states[thing.entity_id]


def seen(state: State, value: str, **attributes: JsonValue) -> State:
    return replace(state, state=value, attributes={**state.attributes, **attributes}, last_updated=LATER)


LAMP = Thing("light.a", attributes=DIMMABLE)
COLOUR = Thing("light.a", attributes=COLOURFUL)
BLIND = Thing("cover.a")
LOCK = Thing("lock.a")

DONE: list[tuple[str, Thing, dict[str, JsonValue], str, str, dict[str, JsonValue]]] = [
    ("light.turn_on", LAMP, {}, "on", "on", {}),
    ("light.turn_on", LAMP, {"brightness_pct": 40}, "brightness 40%", "on", {"brightness": 103}),
    ("light.turn_on", Thing("light.a", state="on", attributes=DIMMABLE), {"brightness_pct": 0}, "off", "off", {}),
    ("light.turn_on", COLOUR, {"color_name": "red"}, "red", "on", {"hs_color": [358, 99]}),
    ("light.turn_on", COLOUR, {"color_temp_kelvin": 3000}, "3000 K", "on", {"color_temp_kelvin": 3003}),
    ("homeassistant.turn_on", LAMP, {}, "on", "on", {}),
    ("switch.turn_off", Thing("switch.a", state="on"), {}, "off", "off", {}),
    (
        "fan.set_percentage",
        Thing("fan.a", attributes={"percentage_step": 33.33}),
        {"percentage": 50},
        "speed 50%",
        "on",
        {"percentage": 66},
    ),
    ("cover.open_cover", BLIND, {}, "open", "open", {"current_position": 99}),
    ("cover.close_cover", Thing("cover.a", state="open"), {}, "closed", "closed", {"current_position": 0}),
    ("cover.set_cover_position", BLIND, {"position": 30}, "position 30", "open", {"current_position": 31}),
    ("cover.set_cover_position", Thing("cover.a", state="open"), {"position": 0}, "closed", "closed", {}),
    ("cover.stop_cover", Thing("cover.a", state="opening"), {}, "stopped", "open", {}),
    ("valve.open_valve", Thing("valve.a"), {}, "open", "open", {}),
    ("lock.lock", Thing("lock.a", state="unlocked"), {}, "locked", "locked", {}),
    ("lock.unlock", LOCK, {}, "unlocked", "unlocked", {}),
    ("lock.open", LOCK, {}, "open", "unlocked", {}),
    (
        "climate.set_temperature",
        Thing("climate.a"),
        {"temperature": 21},
        "temperature 21",
        "heat",
        {"temperature": 21.0},
    ),
    (
        "climate.set_temperature",
        Thing("climate.a"),
        {"target_temp_low": 18, "target_temp_high": 24},
        "from 18, to 24",
        "heat_cool",
        {"target_temp_low": 18, "target_temp_high": 24},
    ),
    ("climate.set_hvac_mode", Thing("climate.a"), {"hvac_mode": "off"}, "off", "off", {}),
    ("climate.turn_on", Thing("climate.a", state="off"), {}, "on", "heat", {}),
    ("humidifier.set_humidity", Thing("humidifier.a"), {"humidity": 45}, "humidity 45", "on", {"humidity": 45}),
    ("media_player.media_play", Thing("media_player.a"), {}, "playing", "playing", {}),
    (
        "media_player.volume_set",
        Thing("media_player.a"),
        {"volume_level": 0.5},
        "volume 50%",
        "idle",
        {"volume_level": 0.5},
    ),
    ("media_player.volume_up", Thing("media_player.a"), {}, "louder", "idle", {"volume_level": 0.35}),
    ("media_player.turn_off", Thing("media_player.a"), {}, "off", "standby", {}),
    ("media_player.media_next_track", Thing("media_player.a"), {}, "another track", "playing", {"media_title": "Next"}),
    ("vacuum.start", Thing("vacuum.a"), {}, "cleaning", "cleaning", {}),
    ("vacuum.return_to_base", Thing("vacuum.a", state="cleaning"), {}, "returning or docked", "returning", {}),
    ("lawn_mower.dock", Thing("lawn_mower.a", state="mowing"), {}, "returning or docked", "docked", {}),
    ("alarm_control_panel.alarm_arm_away", Thing("alarm_control_panel.a"), {}, "armed away", "armed_away", {}),
    ("scene.turn_on", Thing("scene.a"), {}, "activated", "2026-11-30T12:00:01+00:00", {}),
    ("script.turn_on", Thing("script.a"), {}, "started", "off", {"last_triggered": "2026-11-30T12:00:01+00:00"}),
    ("automation.turn_off", Thing("automation.a"), {}, "off", "off", {}),
    ("number.set_value", Thing("number.a", state="1"), {"value": 7}, "7", "7.0", {}),
    ("input_number.increment", Thing("input_number.a", state="5.0", attributes={"step": 0.5}), {}, "5.5", "5.5", {}),
    ("select.select_option", Thing("select.a", state="x"), {"option": "y"}, "y", "y", {}),
    (
        "input_select.select_next",
        Thing("input_select.a", state="x", attributes={"options": ["x", "y"]}),
        {},
        "y",
        "y",
        {},
    ),
    ("input_text.set_value", Thing("input_text.a"), {"value": "12"}, "12", "12", {}),
    ("input_datetime.set_datetime", Thing("input_datetime.a"), {"time": "07:30:00"}, "07:30:00", "07:30:00", {}),
    (
        "water_heater.turn_on",
        Thing("water_heater.a", state="off", attributes={"operation_list": ["off", "eco"]}),
        {},
        "on",
        "eco",
        {},
    ),
    (
        "water_heater.set_away_mode",
        Thing("water_heater.a", state="eco"),
        {"away_mode": True},
        "away mode on",
        "eco",
        {"away_mode": "on"},
    ),
    ("timer.start", Thing("timer.a", state="idle"), {}, "active", "active", {}),
]


@pytest.mark.parametrize(("service", "thing", "data", "expected", "state", "attributes"), DONE)
def test_the_state_after_shows_that_it_was_done(
    service: str, thing: Thing, data: dict[str, JsonValue], expected: str, state: str, attributes: dict[str, JsonValue]
):
    what, before = effect(service, thing, **data)
    assert what.expected == expected
    assert not what.holds(before)
    assert what.holds(seen(before, state, **attributes))


@pytest.mark.parametrize(("service", "thing", "data"), [row[:3] for row in DONE])
def test_a_simulated_thing_that_obeys_holds(service: str, thing: Thing, data: dict[str, JsonValue]):
    what, before = effect(service, thing, **data)
    assert what.holds(what.apply(before, LATER))


@pytest.mark.parametrize(
    ("service", "thing", "meanwhile"),
    [
        ("cover.open_cover", BLIND, "opening"),
        ("lock.lock", Thing("lock.a", state="unlocked"), "locking"),
        ("alarm_control_panel.alarm_arm_home", Thing("alarm_control_panel.a"), "arming"),
        ("light.turn_on", LAMP, "unavailable"),
        ("media_player.media_play", Thing("media_player.a"), "buffering"),
    ],
)
def test_being_on_the_way_is_not_being_there(service: str, thing: Thing, meanwhile: str):
    what, before = effect(service, thing)
    assert not what.holds(seen(before, meanwhile))
    assert not what.contradicted(seen(before, meanwhile))


def test_a_jammed_lock_contradicts_but_not_if_it_was_jammed_before():
    what, before = effect("lock.lock", Thing("lock.a", state="jammed"))
    assert not what.contradicted(before)
    assert what.contradicted(seen(before, "jammed"))


def test_a_cover_that_opened_halfway_is_not_open():
    what, before = effect("cover.open_cover", BLIND)
    assert not what.holds(seen(before, "open", current_position=50))


def test_a_thermostat_that_clamped_is_not_where_it_should_be():
    what, before = effect("climate.set_temperature", Thing("climate.a"), temperature=28)
    assert not what.holds(seen(before, "heat", temperature=25))


@pytest.mark.parametrize(
    ("service", "thing", "data"),
    [
        ("light.turn_on", Thing("light.a", state="on", attributes=DIMMABLE), {}),
        (
            "light.turn_on",
            Thing("light.a", state="on", attributes={**DIMMABLE, "brightness": 128}),
            {"brightness_pct": 50},
        ),
        ("light.turn_off", LAMP, {}),
        ("cover.close_cover", BLIND, {}),
        (
            "cover.set_cover_position",
            Thing("cover.a", state="open", attributes={"current_position": 30}),
            {"position": 30},
        ),
        ("lock.lock", LOCK, {}),
        ("climate.set_temperature", Thing("climate.a"), {"temperature": 20}),
        ("media_player.volume_set", Thing("media_player.a"), {"volume_level": 0.3}),
        ("fan.turn_off", Thing("fan.a"), {}),
    ],
)
def test_what_is_so_is_already_so(service: str, thing: Thing, data: dict[str, JsonValue]):
    what, before = effect(service, thing, **data)
    assert what.already(before)


@pytest.mark.parametrize(
    ("service", "thing", "data"),
    [
        (
            "light.turn_on",
            Thing("light.a", state="on", attributes={**DIMMABLE, "brightness": 20}),
            {"brightness_pct": 50},
        ),
        (
            "light.turn_on",
            Thing("light.a", state="on", attributes={**DIMMABLE, "brightness": 255}),
            {"brightness_step_pct": 10},
        ),
        ("light.toggle", LAMP, {}),
        ("cover.open_cover", Thing("cover.a", state="open", attributes={"current_position": 20}), {}),
        ("cover.stop_cover", BLIND, {}),
        ("lock.open", Thing("lock.a", state="unlocked"), {}),
        ("scene.turn_on", Thing("scene.a", state="2026-11-30T11:00:00+00:00"), {}),
        ("script.turn_on", Thing("script.a"), {}),
        ("button.press", Thing("button.a"), {}),
        ("switch.turn_on", Thing("switch.a", state="on", attributes={"assumed_state": True}), {}),
        ("notify.send_message", Thing("notify.a"), {"message": "x"}),
    ],
)
def test_what_has_to_be_sent_is_never_already_so(service: str, thing: Thing, data: dict[str, JsonValue]):
    what, before = effect(service, thing, **data)
    assert not what.already(before)


@pytest.mark.parametrize(
    ("data", "level"),
    [({"brightness_step_pct": 10}, 116), ({"brightness_step": -100}, 0), ({"brightness_step_pct": 90}, 255)],
)
def test_a_relative_brightness_starts_from_the_state_before(data: dict[str, JsonValue], level: int):
    what, before = effect(
        "light.turn_on", Thing("light.a", state="on", attributes={**DIMMABLE, "brightness": 90}), **data
    )
    after = what.apply(before, LATER)
    assert (after.attributes["brightness"] or 0, after.state) == (level, "on" if level else "off")


def test_a_plain_lamp_is_only_asked_to_be_on():
    what, _ = effect("light.turn_on", Thing("light.a"), brightness_pct=40, color_name="red")
    assert what.expected == "on"


def test_a_press_of_a_button_cannot_be_seen():
    what, before = effect("button.press", Thing("button.a"))
    assert not what.observable
    assert not what.holds(seen(before, "2026-11-30T12:00:00+00:00"))


def test_an_unknown_service_cannot_be_seen():
    what, _ = effect("house.dance", Thing("light.a"))
    assert not what.observable


def test_a_lock_is_never_done_by_a_service_of_another_domain():
    what, _ = effect("light.turn_on", LOCK)
    assert not what.observable


def test_a_transition_lengthens_the_window():
    quick, _ = effect("light.turn_on", LAMP)
    slow, _ = effect("light.turn_on", LAMP, transition=10)
    assert slow.window_s == quick.window_s + 10


def test_an_assumed_state_is_not_to_be_trusted():
    assert not trustworthy(State("switch.a", "on", {"assumed_state": True}))
    assert trustworthy(State("switch.a", "on"))


def test_what_a_group_does_is_seen_on_its_members():
    home = small_home()
    assert observed_of(ResolvedCall("homeassistant", "turn_on", ("group.going_out",)), home) == (
        "light.hall",
        "lock.front_door",
    )


def test_what_a_script_does_is_seen_on_the_script():
    home = small_home()
    call = ResolvedCall("script", "welcome")
    assert observed_of(call, home) == ("script.welcome",)
    assert effect_of(call, "script.welcome", home).expected == "started"


STATES = st.sampled_from(
    ["on", "off", "open", "closed", "opening", "locked", "jammed", "idle", "playing", "unknown", "unavailable", "5", ""]
)
ATTRIBUTES = st.dictionaries(
    st.sampled_from(
        ["brightness", "current_position", "hs_color", "percentage", "options", "supported_color_modes", "temperature"]
    ),
    st.one_of(
        st.none(), st.integers(-5, 300), st.text(max_size=3), st.lists(st.sampled_from(["hs", "x", 3]), max_size=3)
    ),
)
DATA = st.dictionaries(
    st.sampled_from(
        ["brightness_pct", "position", "rgb_color", "hs_color", "temperature", "option", "value", "transition", "cycle"]
    ),
    st.one_of(
        st.none(), st.integers(-5, 300), st.text(max_size=3), st.booleans(), st.lists(st.integers(0, 255), max_size=4)
    ),
)


@given(st.sampled_from(sorted(RULES)), STATES, ATTRIBUTES, DATA)
def test_no_rule_fails_on_any_state_or_data(service: str, state: str, attributes: JsonObject, data: JsonObject):
    domain, _, name = service.partition(".")
    thing = Thing(f"{domain}.a", state=state, attributes=attributes)
    home = SimulatedHome.build([thing], clock=FrozenClock(NOW))
    what = effect_of(ResolvedCall(domain, name, (f"{domain}.a",), data), f"{domain}.a", home)
    before = home.states[f"{domain}.a"]
    after = what.apply(before, LATER)
    assert not (what.holds(after) and what.contradicted(after))
    assert what.already(before) <= what.holds(before)


def test_a_colour_takes_the_place_of_what_the_light_told_of_its_colour_before():
    white = Thing("light.a", attributes={**COLOURFUL, "color_temp_kelvin": 4000, "rgb_color": [255, 206, 166]})
    expected, before = effect("light.turn_on", white, color_name="red")
    after = expected.apply(before, LATER)
    assert after.attributes["hs_color"] == [0, 100]
    assert (after.attributes["color_temp_kelvin"], after.attributes["rgb_color"]) == (None, None)
