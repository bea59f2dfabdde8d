"""The way back from a change: what a simulated home does with the calls is what was there before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.calls import ResolvedCall
from homesteward.home.effects.inverse import WAYS, way_back
from homesteward.home.effects.one_way import ONE_WAY
from homesteward.home.inventory import Thing
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome

DIM = {
    "supported_color_modes": ["color_temp", "hs"],
    "color_mode": "color_temp",
    "brightness": 90,
    "color_temp_kelvin": 2700,
}
THINGS = (
    Thing("light.a", state="on", attributes=DIM),
    Thing("light.off"),
    Thing("switch.a", state="on"),
    Thing("cover.blind", state="open", attributes={"current_position": 40, "supported_features": 15}),
    Thing("lock.a", state="unlocked"),
    Thing("climate.a", state="heat", attributes={"temperature": 19.5, "hvac_modes": ["off", "heat"]}),
    Thing("fan.a", state="on", attributes={"percentage": 33}),
    Thing(
        "media_player.a",
        state="playing",
        attributes={"volume_level": 0.3, "source": "Radio", "source_list": ["Radio", "TV"]},
    ),
    Thing("input_number.a", state="3", attributes={"min": 0, "max": 10, "step": 1}),
    Thing("input_select.a", state="one", attributes={"options": ["one", "two"]}),
    Thing("valve.a", state="open"),
    Thing("humidifier.a", state="on", attributes={"humidity": 45}),
)
CHANGES = (
    ("light.turn_off", "light.a", {}),
    ("light.turn_on", "light.a", {"brightness_pct": 100}),
    ("light.turn_on", "light.a", {"hs_color": [10, 90]}),
    ("light.turn_on", "light.off", {}),
    ("switch.turn_off", "switch.a", {}),
    ("cover.close_cover", "cover.blind", {}),
    ("cover.set_cover_position", "cover.blind", {"position": 80}),
    ("lock.lock", "lock.a", {}),
    ("climate.set_temperature", "climate.a", {"temperature": 23}),
    ("climate.set_hvac_mode", "climate.a", {"hvac_mode": "off"}),
    ("fan.set_percentage", "fan.a", {"percentage": 100}),
    ("fan.turn_off", "fan.a", {}),
    ("media_player.volume_set", "media_player.a", {"volume_level": 0.8}),
    ("media_player.select_source", "media_player.a", {"source": "TV"}),
    ("media_player.media_pause", "media_player.a", {}),
    ("input_number.set_value", "input_number.a", {"value": 7}),
    ("input_select.select_option", "input_select.a", {"option": "two"}),
    ("valve.close_valve", "valve.a", {}),
    ("humidifier.set_humidity", "humidifier.a", {"humidity": 60}),
)
EXACT = (
    "brightness", "color_temp_kelvin", "current_position", "temperature", "percentage", "volume_level", "source", "humidity",
)  # fmt: skip


def matters(state: State) -> tuple[object, ...]:
    return (
        float(state.state) if state.domain == "input_number" else state.state,
        *(state.attributes.get(name) for name in EXACT),
    )


async def do(home: SimulatedHome, service: str, entity_id: str, data: dict[str, object]) -> None:
    domain, name = service.split(".")
    await home.call(ResolvedCall(domain, name, (entity_id,), data))


@given(st.lists(st.sampled_from(CHANGES), min_size=1, max_size=4))
async def test_the_way_back_leads_to_what_was_before(changes):
    home = SimulatedHome.build(THINGS)
    before = dict(home.states)
    for change in changes:
        await do(home, *change)
    for entity_id in {entity_id for _, entity_id, _ in changes}:
        back = way_back(before[entity_id], home.states[entity_id])
        assert back.cannot == ()
        for call in back.calls:
            await home.call(call)
        assert matters(home.states[entity_id]) == matters(before[entity_id])
        assert way_back(before[entity_id], home.states[entity_id]).calls == ()


@pytest.mark.parametrize(
    ("before", "now", "why"),
    [
        (State("lock.a", "jammed"), State("lock.a", "locked"), "jammed"),
        (State("button.bell", "2026-01-01"), State("button.bell", "2026-01-02"), "pressed"),
        (State("light.a", "unavailable"), State("light.a", "on"), "not known"),
        (State("light.a", "on"), State("light.a", "unavailable"), "cannot be reached"),
        (State("light.a", "on"), None, "cannot be reached"),
        (
            State("cover.a", "open", {"current_position": 40, "supported_features": 3}),
            State("cover.a", "closed", {"current_position": 0}),
            "40 %",
        ),
        (State("strange.a", "x"), State("strange.a", "y"), "no call"),
    ],
)
def test_what_cannot_be_brought_back_is_said(before, now, why):
    back = way_back(before, now)
    assert why in " ".join(back.cannot)


def test_a_thermostat_goes_back_to_two_temperatures_and_their_mode_in_one_call():
    """Which temperatures are taken hangs on the mode: asked for one after the other, the second would be refused."""
    before = State("climate.a", "heat_cool", {"target_temp_low": 19, "target_temp_high": 25, "temperature": None})
    back = way_back(before, State("climate.a", "heat", {"temperature": 23}))

    assert [(call.id, call.data) for call in back.calls] == [
        ("climate.set_temperature", {"target_temp_low": 19, "target_temp_high": 25, "hvac_mode": "heat_cool"})
    ]


def test_a_domain_has_a_way_back_or_says_why_not():
    assert not WAYS.keys() & ONE_WAY.keys()
