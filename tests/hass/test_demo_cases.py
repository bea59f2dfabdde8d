"""Field cases of units, set-points and spellings, on the demo home."""

import unicodedata

import pytest

from homesteward.actions.plan import Status
from homesteward.models.scripted import ScriptedModel
from homesteward.people import Caller, Channel, Role
from homesteward.steward import Outcome, Request, Route

pytestmark = pytest.mark.hass

OWNER = Caller(Role.OWNER, Channel.CLI, "Robin")
LAMP, HALL, LOFT = "light.living_room_floor_lamp", "climate.hallway", "climate.loft_air_conditioner"


async def ask(house, text):
    return await house.steward.ask(Request(text, OWNER))


async def ask_model(house, service, entity_id, **data):
    call = {"service": service, "target": {"entity_id": entity_id}, "data": data}
    model = ScriptedModel([{"tool_call": {"arguments": call}}, {"text": "Done."}])
    return await house.with_model(lambda: model).ask(Request("do it", OWNER, route=Route.KERNEL))


def evidence(answer):
    (seen,) = answer.plan.steps[0].evidence
    return seen.status, seen.observed


async def test_a_brightness_beyond_a_hundred_per_cent_is_refused_with_the_range(house, recorder):
    """E12."""
    answer = await ask_model(house, "light.turn_on", LAMP, brightness_pct=229)
    assert (recorder.calls, answer.error.code) == ([], "invalid_data")
    assert "0 to 100 %" in answer.error.next


async def test_ten_per_cent_brighter_is_seen_to_be_ten_per_cent_brighter(house, socket):
    """E12, variant: 90 of 255 is 35 %."""
    await socket.watch()
    await socket.call("light", "turn_on", LAMP, brightness=90)
    await socket.until(LAMP, lambda state: state["attributes"]["brightness"] == 90)
    answer = await ask_model(house, "light.turn_on", LAMP, brightness_step_pct=10)
    assert evidence(answer) == (Status.VERIFIED, "on, brightness 45%")


async def test_one_temperature_for_a_thermostat_with_two_is_refused_saying_what_it_needs(house, recorder):
    """E14: by a model, and by a sentence."""
    wanted = "Hall thermostat needs target_temp_low and target_temp_high in heat_cool."
    modelled = await ask_model(house, "climate.set_temperature", HALL, temperature=22)
    said = await ask(house, "set the hall thermostat to 22 degrees")
    assert recorder.calls == []
    assert modelled.error.message == wanted
    assert said.outcome is Outcome.FAILED
    assert said.reply == f"{wanted} Each from 7 to 30 °C; now target_temp_low 19, target_temp_high 25."


async def test_both_temperatures_are_set_and_seen(house):
    """E14."""
    answer = await ask_model(house, "climate.set_temperature", HALL, target_temp_low=20, target_temp_high=24)
    assert evidence(answer) == (Status.VERIFIED, "heat_cool, target_temp_low 20, target_temp_high 24")


async def test_a_mode_and_a_temperature_are_checked_against_that_mode(house):
    """E14, variant 2: one temperature is right in cool."""
    answer = await ask_model(house, "climate.set_temperature", HALL, hvac_mode="cool", temperature=22)
    assert evidence(answer) == (Status.VERIFIED, "cool, temperature 22")


async def test_a_temperature_in_the_wrong_unit_is_out_of_range(house, recorder):
    """E14, variant 1, the other way round: 68 was meant in Fahrenheit, and the home counts in Celsius."""
    answer = await ask_model(house, "climate.set_temperature", LOFT, temperature=68)
    assert recorder.calls == []
    assert "°C" in answer.error.next
    assert "68" in answer.error.message


@pytest.mark.parametrize("form", ["NFC", "NFD"])
@pytest.mark.parametrize(
    ("text", "entity_id"),
    [
        ("turn on Büro Decke", "light.buro_decke"),
        ("turn on BÜRO DECKE", "light.buro_decke"),
        ("turn on buero decke", "light.buro_decke"),
        ("turn on the straßenlaterne", "light.strassenlaterne"),
        ("turn on the STRASSENLATERNE", "light.strassenlaterne"),
        ("turn on the éclairage façade", "light.eclairage_facade"),
        ("turn on eclairage facade", "light.eclairage_facade"),
        ("turn on КУХНЯ", "light.veranda_kukhnya"),
        ("turn on кухня", "light.veranda_kukhnya"),
        ("turn on światło w łazience", "light.lazienka_swiatlo"),
        ("turn on swiatlo w lazience", "light.lazienka_swiatlo"),
    ],
)
async def test_a_name_is_understood_however_its_letters_are_written(house, recorder, text, entity_id, form):
    """E56: ids are the registry's."""
    answer = await ask(house, unicodedata.normalize(form, text))
    assert answer.outcome is Outcome.ACTED
    assert [call.entity_ids for call in recorder.calls] == [(entity_id,)]


async def test_two_of_one_name_in_one_area_are_told_apart_by_their_ids(house, recorder):
    answer = await ask(house, "turn on the mirror light")
    assert recorder.calls == []
    assert [option.label for option in answer.question.options] == [
        "Mirror light (light.bathroom_mirror_left)",
        "Mirror light (light.bathroom_mirror_right)",
    ]
