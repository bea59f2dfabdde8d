"""Data that fits goes through, plain slips are put right, the rest is refused with what is allowed."""

import pytest
from jsonschema_rs import Draft202012Validator

from homes import COLOURFUL, DIMMABLE, small_home
from homesteward.core.json import JsonObject, JsonValue
from homesteward.home.calls import ResolvedCall, parse_call
from homesteward.home.catalogue import standard_services
from homesteward.home.errors import InvalidDataError, NotSupportedError, WrongServiceError
from homesteward.home.inventory import Thing
from homesteward.home.model import Service, ServiceField
from homesteward.home.services import check, schema_of
from homesteward.home.simulation import SimulatedHome
from homesteward.home.targets import expand

HOME = small_home()


def checked(service: str, entity_id: str, home: SimulatedHome = HOME, **data: JsonValue) -> JsonObject:
    call = parse_call({"service": service, "target": {"entity_id": entity_id}, "data": data})
    return check(home, expand(home, call)).data


@pytest.mark.parametrize("service", standard_services().values(), ids=lambda service: service.id)
def test_every_service_of_the_catalogue_has_a_schema(service: Service):
    Draft202012Validator(dict(schema_of(service)))


def test_a_schema_says_ranges_choices_and_what_is_required():
    schema = schema_of(HOME.services["cover.set_cover_position"])
    position = {"type": "number", "minimum": 0, "maximum": 100, "description": "In %."}
    assert schema["properties"] == {"position": position, "speed": {"type": ["string", "number", "boolean"]}}
    assert schema["required"] == ["position"]
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("service", "entity", "said", "meant"),
    [
        ("light.turn_on", "light.kitchen", {"brightness_pct": "40"}, {"brightness_pct": 40}),
        ("light.turn_on", "light.kitchen", {"brightness_pct": "40%"}, {"brightness_pct": 40}),
        ("light.turn_on", "light.study", {"color_name": "Light Blue"}, {"color_name": "lightblue"}),
        ("light.turn_on", "light.study", {"rgb_color": "[255, 0, 0]"}, {"rgb_color": [255, 0, 0]}),
        ("light.turn_on", "light.study", {"kelvin": 3000}, {"color_temp_kelvin": 3000}),
        ("media_player.volume_set", "media_player.speaker", {"volume_level": "30%"}, {"volume_level": 0.3}),
        ("media_player.volume_mute", "media_player.speaker", {"is_volume_muted": "true"}, {"is_volume_muted": True}),
        ("climate.set_hvac_mode", "climate.thermostat", {"hvac_mode": "Heat"}, {"hvac_mode": "heat"}),
        ("media_player.select_source", "media_player.speaker", {"source": "line in"}, {"source": "Line in"}),
        ("climate.set_temperature", "climate.thermostat", {"temperature": "21.5"}, {"temperature": 21.5}),
        ("homeassistant.turn_on", "light.kitchen", {"brightness_pct": "40%"}, {"brightness_pct": 40}),
    ],
)
def test_plain_slips_are_put_right(service: str, entity: str, said: dict[str, JsonValue], meant: dict[str, JsonValue]):
    assert checked(service, entity, **said) == meant


def test_flat_media_arguments_are_nested():
    home = SimulatedHome.build([Thing("media_player.tv", attributes={"supported_features": 512})])
    data = checked("media_player.play_media", "media_player.tv", home, media_content_id="x", media_content_type="music")
    assert data == {"media": {"media_content_id": "x", "media_content_type": "music"}}


def test_a_number_out_of_range_is_refused_with_range_and_unit():
    with pytest.raises(InvalidDataError, match="brightness_pct") as told:
        checked("light.turn_on", "light.kitchen", brightness_pct=229)
    assert told.value.next == "Allowed: 0 to 100 %."


def test_a_temperature_is_bounded_by_the_thermostat_itself():
    with pytest.raises(InvalidDataError, match="Thermostat") as told:
        checked("climate.set_temperature", "climate.thermostat", temperature=40)
    assert "7 to 35" in told.value.next


def test_a_misspelt_field_names_the_nearest():
    with pytest.raises(InvalidDataError, match="brightnes") as told:
        checked("light.turn_on", "light.kitchen", brightnes=10)
    assert "brightness" in told.value.next


def test_a_missing_field_is_named():
    with pytest.raises(InvalidDataError, match="position"):
        checked("cover.set_cover_position", "cover.study_blinds")


def test_a_choice_that_the_entity_does_not_offer_lists_those_it_does():
    with pytest.raises(InvalidDataError) as told:
        checked("climate.set_hvac_mode", "climate.thermostat", hvac_mode="boil")
    assert "off, heat, cool" in told.value.next


def test_a_colour_for_a_plain_lamp_is_not_supported():
    with pytest.raises(NotSupportedError, match="Kitchen light"):
        checked("light.turn_on", "light.kitchen", color_name="red")


def test_a_colour_for_a_room_goes_to_the_lamps_that_have_it():
    home = SimulatedHome.build(
        [Thing("light.a", attributes=COLOURFUL), Thing("light.b", attributes=DIMMABLE)],
    )
    call = ResolvedCall("light", "turn_on", ("light.a", "light.b"), {"color_name": "red"})
    assert check(home, call) == call


def test_a_range_for_a_thermostat_with_one_temperature_is_not_supported():
    with pytest.raises(NotSupportedError, match="Thermostat"):
        checked("climate.set_temperature", "climate.thermostat", target_temp_low=18, target_temp_high=24)


@pytest.mark.parametrize(
    ("entity", "real"),
    [
        ("lock.front_door", "lock.unlock"),
        ("cover.study_blinds", "cover.open_cover"),
        ("vacuum.robot", "vacuum.start"),
        ("sensor.study_temperature", "only be read"),
    ],
)
def test_a_generic_service_that_would_do_nothing_names_the_real_one(entity: str, real: str):
    with pytest.raises(WrongServiceError) as told:
        check(HOME, ResolvedCall("homeassistant", "turn_on", (entity,)))
    assert real in told.value.next


def test_a_generic_toggle_of_a_cover_is_a_real_one():
    call = ResolvedCall("homeassistant", "toggle", ("cover.garage_door",))
    assert check(HOME, call) == call


def test_a_script_takes_variables_of_any_name():
    script = Service("script", "bell", fields={"times": ServiceField("times")})
    home = SimulatedHome.build(services=[script])
    call = ResolvedCall("script", "bell", (), {"anything": 1})
    assert check(home, call) == call


def test_the_given_data_is_not_changed():
    said: dict[str, JsonValue] = {"brightness_pct": "40%"}
    checked("light.turn_on", "light.kitchen", **said)
    assert said == {"brightness_pct": "40%"}
