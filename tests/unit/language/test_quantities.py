"""Numbers with their sign and their unit: never acted on without either."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Declines
from homesteward.language.tidy import tidy
from homesteward.language.units import degrees, difference

THERMOSTAT = "Living room thermostat"
BELOW_ZERO = [
    ("en", f"set the {THERMOSTAT} to {{}} degrees", ["minus 15", "negative 15", "minus fifteen"]),
    ("de", f"stelle {THERMOSTAT} auf {{}} Grad", ["minus 15", "minus fünfzehn"]),
    ("nl", f"zet {THERMOSTAT} op {{}} graden", ["min 15", "minus 15", "min vijftien"]),
    ("fr", f"règle {THERMOSTAT} à {{}} degrés", ["moins 15", "moins quinze"]),
    ("es", f"pon {THERMOSTAT} a {{}} grados", ["menos 15", "menos quince"]),
    ("it", f"imposta {THERMOSTAT} a {{}} gradi", ["meno 15", "meno quindici"]),
    ("pl", f"ustaw {THERMOSTAT} na {{}} stopni", ["minus 15", "minus piętnaście"]),
    ("ru", f"установи {THERMOSTAT} на {{}} градусов", ["минус 15", "минус пятнадцать"]),
]
SIGNS = ["-15", "- 15", "\u221215", "\u201315", "\u201415", "\u201015", "\ufe6315", "\uff0d15"]
FAHRENHEIT = [
    ("en", f"set the {THERMOSTAT} to 70 fahrenheit"),
    ("en", f"set the {THERMOSTAT} to 70 degrees fahrenheit"),
    ("en", f"set the {THERMOSTAT} to 70°F"),
    ("en", f"set the {THERMOSTAT} to 70 f"),
    ("en", f"{THERMOSTAT} to 70 degrees fahrenheit"),
    ("de", f"stelle {THERMOSTAT} auf 70 Grad Fahrenheit"),
    ("de", f"{THERMOSTAT} auf 70 °F stellen"),
    ("nl", f"zet {THERMOSTAT} op 70 graden fahrenheit"),
    ("fr", f"règle {THERMOSTAT} à 70 degrés Fahrenheit"),
    ("es", f"pon {THERMOSTAT} a 70 grados Fahrenheit"),
    ("it", f"imposta {THERMOSTAT} a 70 gradi Fahrenheit"),
    ("pl", f"ustaw {THERMOSTAT} na 70 stopni Fahrenheita"),
    ("ru", f"установи {THERMOSTAT} на 70 градусов по Фаренгейту"),
]
NOT_BELOW_NOTHING = [
    ("en", "set the hall light to {}"),
    ("de", "stelle Hall light auf {}"),
    ("nl", "zet Hall light op {}"),
    ("fr", "règle Hall light à {}"),
    ("es", "pon Hall light al {}"),
    ("it", "imposta Hall light al {}"),
    ("pl", "ustaw Hall light na {}"),
    ("ru", "установи Hall light на {}"),
]


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text.format(spelling)) for language, text, words in BELOW_ZERO for spelling in [*words, *SIGNS]],
)
def test_a_temperature_below_zero_keeps_its_sign(demo_house, speaking_to, calls, language, text):
    [(service, entities, data)] = calls(speaking_to(demo_house)(text, language))
    assert (service, entities, data) == ("climate.set_temperature", ["climate.living_room"], {"temperature": -15})


@pytest.mark.parametrize(
    ("language", "text"),
    [(language, text.format(f"{sign}%")) for language, text in NOT_BELOW_NOTHING for sign in SIGNS],
)
def test_a_percentage_below_zero_is_out_of_range(demo_house, speaking_to, language, text):
    assert isinstance(speaking_to(demo_house)(text, language), Declines)


@pytest.mark.parametrize(
    "text",
    [
        "dim the hall light by -20%",
        "raise the living room thermostat by -2 degrees",
        "set the volume of the living room speaker to -20%",
        "set the living room blinds to -30%",
        "set the living room thermostat to 20-25 degrees",
        "set the living room thermostat to 15 below zero",
        "set the living room thermostat to 300 kelvin",
        "set the hall light to 2700 fahrenheit",
        "set the living room thermostat to 21\u00bd degrees",
        "set the living room thermostat to 21 and a half degrees",
    ],
)
def test_a_quantity_that_is_not_understood_whole_does_nothing(demo_house, speaking_to, text):
    assert not isinstance(speaking_to(demo_house)(text), Acts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", f"set the {THERMOSTAT} to 21.5 degrees"),
        ("en", f"please set the {THERMOSTAT} to 21,5 degrees right now"),
        ("de", f"stelle bitte {THERMOSTAT} auf 21,5 Grad"),
        ("nl", f"zet {THERMOSTAT} graag op 21,5 graden"),
        ("fr", f"règle {THERMOSTAT} à 21,5 °C s'il te plaît"),
        ("es", f"pon {THERMOSTAT} a 21,5 grados por favor"),
        ("it", f"imposta {THERMOSTAT} a 21,5 gradi per favore"),
        ("pl", f"ustaw proszę {THERMOSTAT} na 21,5 stopni"),
        ("ru", f"установи {THERMOSTAT} на 21,5 градусов пожалуйста"),
    ],
)
def test_a_decimal_is_one_number_with_a_point_or_a_comma(demo_house, speaking_to, calls, language, text):
    [(_, _, data)] = calls(speaking_to(demo_house)(text, language))
    assert data == {"temperature": 21.5}


BY_SO_MUCH = [
    ("en", "increase the brightness of the hall light by 20%", {"brightness_step_pct": 20}),
    ("de", "erhöhe die Helligkeit von Hall light um 20%", {"brightness_step_pct": 20}),
    ("nl", "verhoog de helderheid van Hall light met 20%", {"brightness_step_pct": 20}),
    ("fr", "baisse la luminosité de Hall light de 20%", {"brightness_step_pct": -20}),
    ("es", "sube el brillo de Hall light en 20%", {"brightness_step_pct": 20}),
    ("es", "baja Hall light en un 20%", {"brightness_step_pct": -20}),
    ("it", "abbassa la luminosità di Hall light del 20%", {"brightness_step_pct": -20}),
    ("pl", "zwiększ jasność Hall light o 20%", {"brightness_step_pct": 20}),
    ("ru", "увеличь яркость Hall light на 20%", {"brightness_step_pct": 20}),
    ("ru", "уменьши Hall light на 20%", {"brightness_step_pct": -20}),
    ("ru", "приглуши Hall light на 20%", {"brightness_step_pct": -20}),
    ("ru", f"повысь температуру {THERMOSTAT} на 2 градуса", {"temperature": 22}),
    ("es", f"sube la temperatura de {THERMOSTAT} en 2 grados", {"temperature": 22}),
]


@pytest.mark.parametrize(("language", "text", "data"), BY_SO_MUCH)
def test_more_by_so_much_is_not_set_to_so_much(demo_house, speaking_to, calls, language, text, data):
    assert [given for _, _, given in calls(speaking_to(demo_house)(text, language))] == [data]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("ru", "увеличь громкость Kitchen speaker на 20%"),
        ("es", "sube el volumen de Kitchen speaker en 20%"),
        ("en", "increase the volume of the kitchen speaker by 20%"),
    ],
)
def test_louder_by_so_much_is_not_set_to_so_much(demo_house, speaking_to, language, text):
    assert not isinstance(speaking_to(demo_house)(text, language), Acts)


@pytest.mark.parametrize(("language", "text"), FAHRENHEIT)
def test_another_unit_is_converted_to_the_homes(demo_house, speaking_to, calls, language, text):
    read = speaking_to(demo_house)
    assert [data for _, _, data in calls(read(text, language))] == [{"temperature": 21.1}]
    assert [data for _, _, data in calls(read(text, language, temperature_unit="°F"))] == [{"temperature": 70}]


def test_celsius_is_converted_in_a_home_of_fahrenheit(demo_house, speaking_to, calls):
    read = speaking_to(demo_house)
    for text in ("set the living room thermostat to 20 celsius", "set the living room thermostat to 20°C"):
        assert [data for _, _, data in calls(read(text, temperature_unit="°F"))] == [{"temperature": 68}]


def test_a_unit_in_a_language_of_home_assistants_grammar_alone_is_not_read_over(demo_house, speaking_to, calls):
    reading = speaking_to(demo_house)("aseta olohuoneen Living room thermostat 20 celsius", "fi", temperature_unit="°F")
    assert calls(reading) in ([], [("climate.set_temperature", ["climate.living_room"], {"temperature": 68})])


def test_a_converted_temperature_is_one_that_the_device_has(speaking_to, calls):
    attributes = {"temperature": 20, "target_temp_step": 0.5}
    read = speaking_to(SimulatedHome.build([Thing("climate.a", "Thermostat", attributes=attributes)]))
    assert [data for _, _, data in calls(read("set the thermostat to 72 fahrenheit"))] == [{"temperature": 22}]
    assert [data for _, _, data in calls(read("raise the thermostat by 4 degrees fahrenheit"))] == [{"temperature": 22}]


def test_a_name_with_a_dash_before_its_number_is_found_however_it_is_written(speaking_to, calls):
    read = speaking_to(SimulatedHome.build([Thing("light.a", "Lamp-2"), Thing("light.b", "Zone - 3")]))
    for text in ("turn on lamp-2", "turn on lamp 2", "turn on lamp -2"):
        assert calls(read(text)) == [("light.turn_on", ["light.a"], {})]
    for text in ("turn on zone - 3", "turn on zone 3", "turn on zone-3"):
        assert calls(read(text)) == [("light.turn_on", ["light.b"], {})]


@given(st.integers(0, 999), st.sampled_from(SIGNS), st.text(alphabet=" \t", max_size=3))
def test_no_sign_before_a_number_is_ever_lost(number, sign, gap):
    assert tidy(f"to{gap} {sign[:-2]}{number}").endswith(f"\u2212{number}")


@given(st.floats(-100, 200), st.floats(-100, 200))
def test_there_and_back_is_the_same_temperature(first, second):
    there = degrees(first, "°C", "°F")
    assert degrees(there, "°F", "°C") == pytest.approx(first, abs=1e-6)
    assert difference(second - first, "°C", "°F") == pytest.approx(degrees(second, "°C", "°F") - there, abs=1e-6)
