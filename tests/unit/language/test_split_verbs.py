"""A verb split around its target: what is said to be turned on is never turned off with what stands beside it."""

import pytest

from homesteward.language import Acts

LIGHT, CANDLES = "light.kitchen_ceiling_light", "light.dining_room_candles"
BLINDS, OTHER_BLINDS = "cover.kitchen_blinds", "cover.living_room_blinds"
ON, OFF = ("light.turn_on", [LIGHT], {}), ("light.turn_off", [CANDLES], {})
UP, DOWN = ("cover.open_cover", [BLINDS], {}), ("cover.close_cover", [OTHER_BLINDS], {})
LOCKED, UNLOCKED = ("lock.lock", ["lock.front_door"], {}), ("lock.unlock", ["lock.back_door"], {})

TWO_ACTS = [
    ("en", "turn the kitchen light on and the sideboard candles off", [ON, OFF]),
    ("en", "switch the kitchen light on, the sideboard candles off", [ON, OFF]),
    ("en", "kitchen light on, sideboard candles off", [ON, OFF]),
    ("en", "turn on the kitchen light and the sideboard candles off", [ON, OFF]),
    ("en", "turn on the kitchen light. Turn the sideboard candles off!", [ON, OFF]),
    ("de", "mach das Kitchen light an und die Sideboard candles aus", [ON, OFF]),
    ("de", "schalte Kitchen light ein und Sideboard candles aus", [ON, OFF]),
    ("de", "Kitchen light an, Sideboard candles aus", [ON, OFF]),
    ("de", "mach Kitchen blinds auf und Living room blinds zu", [UP, DOWN]),
    ("de", "fahr Kitchen blinds hoch und Living room blinds runter", [UP, DOWN]),
    ("de", "schließe Front door ab und Back door auf", [LOCKED, UNLOCKED]),
    ("nl", "doe Kitchen light aan en Sideboard candles uit", [ON, OFF]),
    ("nl", "schakel Kitchen light in en Sideboard candles uit", [ON, OFF]),
    ("nl", "doe Kitchen blinds open en Living room blinds dicht", [UP, DOWN]),
    ("nl", "doe Front door op slot en Back door van het slot", [LOCKED, UNLOCKED]),
    ("fr", "allume Kitchen light et éteins Sideboard candles", [ON, OFF]),
    ("es", "enciende Kitchen light y apaga Sideboard candles", [ON, OFF]),
    ("it", "accendi Kitchen light e spegni Sideboard candles", [ON, OFF]),
    ("pl", "włącz Kitchen light i wyłącz Sideboard candles", [ON, OFF]),
    ("ru", "Kitchen light включи и Sideboard candles выключи", [ON, OFF]),
]
NOTHING = [
    ("en", "turn off the kitchen light and on the hallway lights"),
    ("en", "turn off the lights in the kitchen and on the hallway"),
    ("en", "turn the hall light on or off"),
    ("en", "turn the hall light on and off"),
    ("en", "turn on and off the hall light"),
    ("en", "turn the lights in the kitchen off and on in the hallway"),
    ("de", "schalte Hall light an und aus"),
    ("de", "mach das Licht in der Küche an und im Flur aus"),
    ("nl", "doe Hall light aan en uit"),
]


@pytest.mark.parametrize(("language", "text", "wanted"), TWO_ACTS)
def test_two_things_with_two_verbs_are_two_acts(demo_house, speaking_to, calls, language, text, wanted):
    assert calls(speaking_to(demo_house)(text, language)) == wanted


def test_three_things_keep_each_its_own(demo_house, speaking_to, calls):
    reading = speaking_to(demo_house)("turn the kitchen light and the hall light on, the sideboard candles off")
    assert calls(reading) == [("light.turn_on", [LIGHT, "light.hall_light"], {}), OFF]


@pytest.mark.parametrize(("language", "text"), NOTHING)
def test_a_verb_that_cannot_be_told_apart_does_nothing(demo_house, speaking_to, language, text):
    assert not isinstance(speaking_to(demo_house)(text, language), Acts)


@pytest.mark.parametrize(
    "text",
    [
        "turn off the lights in the kitchen and the hallway",
        "turn off the kitchen and hallway lights",
        "turn off the lights in the kitchen and in the hallway",
    ],
)
def test_a_kind_said_once_holds_for_each_room(demo_house, speaking_to, calls, text):
    [(service, entities, _)] = calls(speaking_to(demo_house)(text))
    assert service == "light.turn_off"
    assert entities == [LIGHT, "light.kitchen_worktop_strip", "light.hall_light", "light.hallway_old_bulb"]


def test_a_name_beside_a_room_does_not_lend_its_kind(demo_house, speaking_to):
    reading = speaking_to(demo_house)("turn off the kitchen light and the hallway")
    assert "hallway" in reading.text
    assert "is a room" in reading.text
