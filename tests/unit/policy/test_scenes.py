"""Scenes get round no limit: each member is measured by what stands there for it, and a stored scene hides what it sets."""

import pytest

from homesteward.home.bodies import scene_body
from homesteward.home.calls import BodyStep, Call, ResolvedCall
from homesteward.home.inventory import Thing
from homesteward.home.model import State
from homesteward.home.simulation import SimulatedHome
from homesteward.policy import Action, Preset, decide
from judging import NOON, OWNER, ruled

CLIMATE = {"temperature": 20, "hvac_modes": ["heat"]}
THINGS = (
    Thing("climate.a", state="heat", attributes=CLIMATE),
    Thing("light.a", state="on", attributes={"supported_color_modes": ["brightness"], "brightness": 20}),
    Thing("media_player.a", state="playing", attributes={"volume_level": 0.1}),
    Thing("cover.a", state="closed", device_class="blind", attributes={"current_position": 0}),
    Thing("fan.a", state="on", attributes={"percentage": 33}),
    Thing("humidifier.a", state="on", attributes={"humidity": 50}),
    Thing("input_number.a", state="5"),
    Thing("select.a", state="low", attributes={"options": ["low", "high"]}),
)
MEASURED = [
    ("temperature: {max: 22}", "climate.a", {"state": "heat", "temperature": 21}, {"state": "heat", "temperature": 25}),
    ("temperature: {max: 22}", "climate.a", {"state": "off"}, {"state": "heat", "temperature": "{{ 25 }}"}),
    ("temperature: {max: 22}", "climate.a", {"target_temp_high": 22}, {"target_temp_high": 25}),
    ("temperature: {step: 3}", "climate.a", {"temperature": 22}, {"temperature": 24}),
    ("brightness: {max: 50}", "light.a", {"state": "on", "brightness": 100}, {"state": "on", "brightness": 200}),
    ("brightness: {max: 50}", "light.a", "on", {"state": "on", "brightness": "{{ 3 }}"}),
    ("brightness: {max: 50}", "light.a", {"state": "off"}, {"state": "on", "white": 255}),
    ("volume: {max: 40}", "media_player.a", {"volume_level": 0.4}, {"volume_level": 0.5}),
    ("position: {max: 50}", "cover.a", {"current_position": 40}, {"current_position": 60}),
    ("position: {max: 50}", "cover.a", "closed", "open"),
    ("position: {max: 50}", "cover.a", {"position": 40}, {"state": "open", "position": 60}),
    ("speed: {max: 50}", "fan.a", {"state": "on", "percentage": 50}, {"state": "on", "percentage": 66}),
    ("speed: {max: 50}", "fan.a", False, True),
    ("humidity: {max: 60}", "humidifier.a", {"state": "on", "humidity": 60}, {"state": "on", "humidity": 70}),
    ("value: {max: 5}", "input_number.a", "5", "9"),
    ("value: {max: 5}", "input_number.a", {"state": 5}, {"state": "{{ 4 }}"}),
    ("options: [low]", "select.a", "low", "high"),
    ("options: [low]", "select.a", {"state": "low"}, {"option": "high"}),
]


def home(*more: Thing) -> SimulatedHome:
    return SimulatedHome.build([*THINGS, *more])


def decided(policy, service, house=None, entity_ids=(), **data):
    domain, name = service.split(".")
    return decide(ResolvedCall(domain, name, entity_ids, data), OWNER, house or home(), policy, NOON)


@pytest.mark.parametrize("service", ["scene.apply", "scene.create"])
@pytest.mark.parametrize(("limit", "entity_id", "within", "beyond"), MEASURED)
def test_each_member_of_a_written_scene_is_measured(service, limit, entity_id, within, beyond):
    policy = ruled(f"limits: [{{name: mine, {limit}}}]", Preset.OPEN)
    named = {"scene_id": "x"} if service == "scene.create" else {"transition": 3}
    assert decided(policy, service, entities={entity_id: within}, **named).rule != "limit mine"
    for name in (entity_id, entity_id.upper()):
        found = decided(policy, service, entities={"light.a": "off", name: beyond}, **named)
        assert (found.action, found.rule) == (Action.DENY, "limit mine")


@pytest.mark.parametrize(("limit", "entity_id"), sorted({(limit, entity_id) for limit, entity_id, *_ in MEASURED}))
def test_what_a_stored_scene_sets_cannot_be_told(limit, entity_id):
    house = home(Thing("scene.stored", body=(BodyStep(None, "sets it", member=entity_id),)))
    policy = ruled(f"limits: [{{name: mine, {limit}}}]", Preset.OPEN)
    found = decided(policy, "scene.turn_on", house, ("scene.stored",), transition=2)
    assert (found.action, found.rule) == (Action.DENY, "limit mine")
    assert "cannot be told" in found.reason
    other = home(Thing("scene.stored", body=(BodyStep(None, "sets it", member="lock.none"),)), Thing("lock.none"))
    assert decided(policy, "scene.turn_on", other, ("scene.stored",)).rule != "limit mine"


def test_the_limits_of_every_home_refuse_a_written_scene_and_ask_about_a_stored_one():
    house = home(Thing("scene.stored", body=(BodyStep(None, "sets it", member="climate.a"),)))
    hot = decided(ruled("", Preset.OPEN), "scene.apply", house, entities={"climate.a": {"temperature": 35}})
    assert (hot.action, hot.rule) == (Action.DENY, "limit room temperature")
    assert decided(ruled("", Preset.OPEN), "scene.turn_on", house, ("scene.stored",)).action is Action.APPROVE


def test_a_written_scene_is_measured_in_the_homes_own_degrees():
    house = SimulatedHome.build([Thing("climate.a", state="heat", attributes={"temperature": 68})])
    policy = ruled("limits: [{name: mine, temperature: {max: 22}}]", Preset.OPEN, unit="°F")
    assert decided(policy, "scene.apply", house, entities={"climate.a": {"temperature": 70}}).action is Action.ALLOW
    assert decided(policy, "scene.apply", house, entities={"climate.a": {"temperature": 77}}).rule == "limit mine"


def test_a_scene_written_in_a_script_is_measured_as_well():
    step = BodyStep(Call("scene", "apply", data={"entities": {"climate.a": {"temperature": 35}}}), "heat")
    found = decided(
        ruled("", Preset.OPEN), "script.turn_on", home(Thing("script.heat", body=(step,))), ("script.heat",)
    )
    assert (found.action, found.rule) == (Action.DENY, "limit room temperature")


def test_members_that_cannot_be_seen_one_by_one_are_not_told():
    found = decided(ruled("", Preset.OPEN), "scene.apply", entities=["climate.a"])
    assert found.action is not Action.ALLOW


def test_a_member_is_judged_once_by_each_of_its_words():
    policy = ruled("rules: [{name: loud, when: {data: {volume_level: {above: 0.5}}}, then: deny}]", Preset.OPEN)
    assert decided(policy, "scene.apply", entities={"media_player.a": {"volume_level": 0.8}}).action is Action.DENY
    assert decided(policy, "scene.apply", entities={"media_player.a": {"volume_level": 0.4}}).action is Action.ALLOW


def stored(entity_id, value):
    """A scene whose configuration is known."""
    config = {"entities": {entity_id: value}}
    return home(Thing("scene.stored", body=scene_body(State("scene.stored", "unknown"), config)))


@pytest.mark.parametrize(("limit", "entity_id", "within", "beyond"), MEASURED)
def test_a_stored_scene_whose_configuration_is_known_is_measured_like_a_written_one(limit, entity_id, within, beyond):
    policy = ruled(f"limits: [{{name: mine, {limit}}}]", Preset.OPEN)
    for value, denied in ((within, False), (beyond, True)):
        for service, ids in (("scene.turn_on", ("scene.stored",)), ("homeassistant.turn_on", ("scene.stored",))):
            found = decided(policy, service, stored(entity_id, value), ids)
            assert (found.rule == "limit mine") is denied
            assert (found.action is Action.DENY) is denied


def test_what_a_stored_scene_sets_is_what_a_rule_is_asked_about():
    policy = ruled("rules: [{name: loud, when: {data: {volume_level: {above: 0.5}}}, then: deny}]", Preset.OPEN)
    for level, action in ((0.8, Action.DENY), (0.4, Action.ALLOW)):
        found = decided(policy, "scene.turn_on", stored("media_player.a", {"volume_level": level}), ("scene.stored",))
        assert found.action is action


def test_a_member_that_the_home_does_not_know_is_not_passed_over():
    house = stored("lock.gone", "unlocked")
    assert decided(ruled("", Preset.FAMILY), "scene.turn_on", house, ("scene.stored",)).action is Action.DENY
