"""Alarms, water heaters and humidifiers, in eight languages."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, pick

ALARM = "alarm_control_panel.house_alarm"
ALARMS = [
    ("en", "arm the house alarm for away", "arm_away"),
    ("en", "arm the alarm at home", "arm_home"),
    ("en", "set the alarm to night mode", "arm_night"),
    ("en", "disarm the house alarm", "disarm"),
    ("en", "turn off the alarm", "disarm"),
    ("de", "schalte die Alarmanlage auf abwesend", "arm_away"),
    ("de", "schalte die Alarmanlage für die Nacht scharf", "arm_night"),
    ("de", "schalte die Alarmanlage unscharf", "disarm"),
    ("de", "Alarmanlage ausschalten", "disarm"),
    ("nl", "schakel het alarm op afwezig in", "arm_away"),
    ("nl", "schakel het alarm uit", "disarm"),
    ("fr", "active l'alarme en mode absence", "arm_away"),
    ("fr", "désarme l'alarme", "disarm"),
    ("es", "activa la alarma en modo noche", "arm_night"),
    ("es", "desactiva la alarma", "disarm"),
    ("it", "inserisci l'allarme in modalità notte", "arm_night"),
    ("it", "disinserisci l'allarme", "disarm"),
    ("pl", "uzbrój alarm w trybie nocnym", "arm_night"),
    ("pl", "rozbrój alarm", "disarm"),
    ("ru", "поставь сигнализацию на охрану в режиме отсутствия", "arm_away"),
    ("ru", "сними сигнализацию с охраны", "disarm"),
]
ARMED_SOMEHOW = [
    ("en", "arm the house alarm"),
    ("en", "turn on the alarm"),
    ("de", "schalte die Alarmanlage scharf"),
    ("nl", "schakel het alarm in"),
    ("fr", "arme l'alarme"),
    ("es", "arma la alarma"),
    ("it", "inserisci l'allarme"),
    ("pl", "uzbrój alarm"),
    ("ru", "поставь сигнализацию на охрану"),
]
WATER = [
    ("en", "set the boiler to 60 degrees"),
    ("en", "set the hot water to 60 degrees"),
    ("en", "set the boiler to 140 fahrenheit"),
    ("de", "stelle den Boiler auf 60 Grad"),
    ("nl", "zet de boiler op 60 graden"),
    ("fr", "mets le chauffe-eau à 60 degrés"),
    ("es", "pon el calentador de agua a 60 grados"),
    ("it", "imposta lo scaldabagno a 60 gradi"),
    ("pl", "ustaw bojler na 60 stopni"),
    ("ru", "установи бойлер на 60 градусов"),
]
AIR = [
    ("en", "set the dehumidifier to 55%"),
    ("en", "set the humidity of the dehumidifier to 55 percent"),
    ("de", "stelle den Luftentfeuchter auf 55 Prozent"),
    ("nl", "zet de luchtontvochtiger op 55%"),
    ("fr", "règle le déshumidificateur à 55 %"),
    ("es", "pon el deshumidificador al 55%"),
    ("it", "imposta il deumidificatore al 55%"),
    ("pl", "ustaw osuszacz na 55%"),
    ("ru", "установи осушитель на 55%"),
]
WARMER = [
    ("en", "increase the temperature by 2 degrees"),
    ("de", "erhöhe die Temperatur um 2 Grad"),
    ("nl", "verhoog de temperatuur met 2 graden"),
    ("fr", "augmente la température de 2 degrés"),
    ("es", "sube la temperatura 2 grados"),
    ("it", "alza la temperatura di 2 gradi"),
    ("pl", "zwiększ temperaturę o 2 stopnie"),
    ("ru", "повысь температуру на 2 градуса"),
]


@pytest.mark.parametrize(("language", "text", "act"), ALARMS)
def test_an_alarm_is_armed_and_disarmed(demo_house, speaking_to, calls, language, text, act):
    assert calls(speaking_to(demo_house)(text, language)) == [(f"alarm_control_panel.alarm_{act}", [ALARM], {})]


@pytest.mark.parametrize(("language", "text"), ARMED_SOMEHOW)
def test_an_alarm_that_can_be_armed_in_several_ways_is_asked_about(demo_house, speaking_to, language, text):
    reading = speaking_to(demo_house)(text, language)
    assert isinstance(reading, Asks), reading
    assert [call.service for call in reading.calls] == ["alarm_arm_away", "alarm_arm_home", "alarm_arm_night"]


def test_the_way_to_arm_is_picked_by_its_words(demo_house, speaking_to):
    reading = speaking_to(demo_house)("arm the house alarm")
    assert isinstance(reading, Asks)
    assert [pick(reading.options, text, "en") for text in ("away", "home", "the night", "2")] == [0, 1, 2, 1]


def test_an_alarm_with_one_way_to_be_armed_is_armed_so(speaking_to, calls):
    home = SimulatedHome.build([Thing("alarm_control_panel.a", "Alarm", attributes={"supported_features": 2})])
    read = speaking_to(home)
    assert calls(read("arm the alarm")) == [("alarm_control_panel.alarm_arm_away", ["alarm_control_panel.a"], {})]
    assert not isinstance(read("arm the alarm for the night"), Acts)


@pytest.mark.parametrize(
    "text", ["don't arm the alarm", "arm the alarm tonight", "disarm the alarm if it rings", "is the alarm armed?"]
)
def test_a_guard_holds_for_alarms_too(demo_house, speaking_to, text):
    assert not isinstance(speaking_to(demo_house)(text), Acts)


def test_a_light_that_is_turned_on_is_no_alarm_that_is_missing(demo_house, speaking_to):
    assert "alarm" not in speaking_to(demo_house)("turn on the disco ball").text


@pytest.mark.parametrize(("language", "text"), WATER)
def test_a_water_heater_takes_a_temperature(demo_house, speaking_to, calls, language, text):
    reading = speaking_to(demo_house)(text, language)
    assert calls(reading) == [("water_heater.set_temperature", ["water_heater.boiler"], {"temperature": 60})]


@pytest.mark.parametrize(("language", "text"), AIR)
def test_a_humidifier_takes_a_humidity(demo_house, speaking_to, calls, language, text):
    reading = speaking_to(demo_house)(text, language)
    assert calls(reading) == [("humidifier.set_humidity", ["humidifier.utility_dehumidifier"], {"humidity": 55})]


@pytest.mark.parametrize(("language", "text"), WARMER)
def test_a_temperature_without_a_place_is_that_of_the_room_or_asked_about(
    demo_house, speaking_to, calls, language, text
):
    read = speaking_to(demo_house)
    assert isinstance(read(text, language), Asks)
    assert calls(read(text, language, area_id="living_room")) == [
        ("climate.set_temperature", ["climate.living_room"], {"temperature": 22})
    ]
