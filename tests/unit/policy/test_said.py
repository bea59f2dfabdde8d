"""A rule about what a call says holds however the call writes it; what cannot be known goes against whoever asks."""

import pytest

from homesteward.home.calls import BodyStep, Call, ResolvedCall, Target
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, Preset, decide
from judging import NOON, OWNER, ruled

DIM = {"supported_color_modes": ["color_temp"]}
HOME = SimulatedHome.build(
    [
        Thing("light.a", state="on", attributes=DIM | {"brightness": 100}),
        Thing("light.dark", state="unavailable", attributes=DIM),
        Thing("media_player.a", state="playing", attributes={"volume_level": 0.5}),
        Thing("media_player.b", state="playing", attributes={"volume_level": None}),
        Thing("cover.a", state="closed", device_class="blind", attributes={"current_position": 0}),
        Thing("fan.a", state="on", attributes={"percentage": 66, "percentage_step": 33}),
        Thing("input_number.a", state="5", attributes={"min": 0, "max": 10, "step": 1}),
        Thing("select.a", state="low", attributes={"options": ["low", "high"]}),
        Thing("scene.stored", body=(BodyStep(None, "sets it", member="light.a"),)),
        Thing(
            "script.template",
            body=(
                BodyStep(
                    Call("light", "turn_on", Target(entity_id=("light.a",)), {"brightness_pct": "{{ level }}"}), "dim"
                ),
            ),
        ),
    ]
)
BRIGHT = "brightness_pct: {above: 50}"
WAYS = [
    (BRIGHT, "light.turn_on", "light.a", {"brightness_pct": 51}, {"brightness_pct": 50}),
    (BRIGHT, "light.turn_on", "light.a", {"brightness": 255}, {"brightness": 128}),
    (BRIGHT, "light.turn_on", "light.a", {"brightness_step_pct": 30}, {"brightness_step_pct": 5}),
    (BRIGHT, "light.turn_on", "light.a", {"brightness_step": 60}, {"brightness_step": 20}),
    (BRIGHT, "light.turn_on", "light.a", {"white": 200}, {"white": 100}),
    (BRIGHT, "light.turn_on", "light.a", {"white": True}, {}),
    (BRIGHT, "light.turn_on", "light.a", {"profile": "energize"}, {}),
    (BRIGHT, "light.turn_on", "light.a", {"brightness_pct": "{{ 90 }}"}, {}),
    (BRIGHT, "light.turn_on", "light.dark", {"brightness_step": 1}, {"brightness_pct": 10}),
    (BRIGHT, "homeassistant.turn_on", "light.a", {"brightness": 255}, {"brightness": 100}),
    (BRIGHT, "scene.turn_on", "scene.stored", {"transition": 1}, None),
    (BRIGHT, "script.turn_on", "script.template", {}, None),
    ("brightness: {above: 127}", "light.turn_on", "light.a", {"brightness_pct": 80}, {"brightness_pct": 40}),
    ("kelvin: {above: 4000}", "light.turn_on", "light.a", {"color_temp_kelvin": 6000}, {"color_temp": 370}),
    ("color_temp: {below: 250}", "light.turn_on", "light.a", {"kelvin": 6000}, {"kelvin": 2700}),
    ("effect: rainbow", "light.turn_on", "light.a", {"effect": "{{ x }}"}, {"effect": "none"}),
    ("volume_level: {above: 0.55}", "media_player.volume_up", "media_player.a", {}, None),
    ("volume_level: {above: 0.55}", "media_player.volume_up", "media_player.b", {}, None),
    ("volume_level: {below: 0.45}", "media_player.volume_down", "media_player.a", {}, None),
    ("position: {above: 50}", "cover.open_cover", "cover.a", {}, None),
    ("position: {above: 50}", "cover.toggle", "cover.a", {}, None),
    ("percentage: {above: 80}", "fan.increase_speed", "fan.a", {}, None),
    ("value: {above: 5}", "input_number.increment", "input_number.a", {}, None),
    ("option: high", "select.select_next", "select.a", {"cycle": True}, None),
    ("option: high", "select.select_last", "select.a", {}, None),
]


def action(then, data, service, entity_id, said):
    domain, name = service.split(".")
    policy = ruled(f"rules: [{{name: mine, when: {{data: {{{data}}}}}, then: {then}}}]", Preset.OPEN)
    found = decide(ResolvedCall(domain, name, (entity_id,), said), OWNER, HOME, policy, NOON)
    return found.action if found.rule == "rule mine" else None


@pytest.mark.parametrize(("data", "service", "entity_id", "fits", "fits_not"), WAYS)
def test_a_rule_about_the_data_holds_in_every_way_of_writing_it(data, service, entity_id, fits, fits_not):
    assert action("deny", data, service, entity_id, fits) is Action.DENY
    if fits_not is not None:
        assert action("deny", data, service, entity_id, fits_not) is None


@pytest.mark.parametrize(
    ("entity_id", "said", "allowed"),
    [
        ("light.a", {"brightness_pct": 40}, True),
        ("light.a", {"brightness": 100}, True),
        ("light.a", {"brightness_step": 1}, True),
        ("light.a", {"brightness_pct": "{{ 40 }}"}, False),
        ("light.dark", {"brightness_step": 1}, False),
        ("light.a", {"profile": "relax"}, False),
        ("light.a", {"brightness_pct": 40, "white": 255}, False),
        ("light.a", {}, False),
    ],
)
def test_what_is_allowed_must_be_known_and_hold_in_all_that_is_said(entity_id, said, allowed):
    found = action("allow", "brightness_pct: {below: 50}", "light.turn_on", entity_id, said)
    assert (found is Action.ALLOW) is allowed


def test_doubt_within_a_negation_goes_against_whoever_asks_as_well():
    def by(then, said):
        text = f"rules: [{{name: mine, when: {{not: {{data: {{brightness_pct: {{below: 50}}}}}}}}, then: {then}}}]"
        call = ResolvedCall("light", "turn_on", ("light.a",), said)
        return decide(call, OWNER, HOME, ruled(text, Preset.OPEN), NOON).rule == "rule mine"

    template = {"brightness_pct": "{{ 40 }}"}
    assert (by("deny", template), by("allow", template)) == (True, False)
    assert (by("deny", {"brightness_pct": 40}), by("deny", {"brightness_pct": 60})) == (False, True)


def test_a_number_larger_than_any_is_no_number():
    assert action("deny", "humidity: {above: 5}", "light.turn_on", "light.a", {"humidity": 10**400}) is None
