"""What was said is done, or nothing: no verb is taken for a thing, no share for its opposite, and no door or device for another."""

import pytest

from homes import DIMMABLE
from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines

MOVES = {"supported_features": 15}
UNLOCKED, LOCKED = ("lock.unlock", ["lock.front"], {}), ("lock.lock", ["lock.back"], {})
LANGUAGES_DOOR = [
    ("en", "open the door", "close the door"),
    ("de", "öffne die Tür", "schließ die Tür"),
    ("fr", "ouvre la porte", "ferme la porte"),
    ("nl", "open de deur", "sluit de deur"),
    ("es", "abre la puerta", "cierra la puerta"),
    ("it", "apri la porta", "chiudi la porta"),
    ("pl", "otwórz drzwi", "zamknij drzwi"),
    ("ru", "открой дверь", "закрой дверь"),
]


@pytest.fixture(scope="module")
def house() -> list[Thing]:
    """A house with two locked doors, a garage, a television and a thermostat that only heats."""
    return [
        Thing("lock.front", "Front door", "hall", "locked"),
        Thing("lock.back", "Back door", "kitchen", "locked"),
        Thing("cover.garage", "Garage door", "garage", "closed", MOVES, device_class="garage"),
        Thing("cover.blind", "Bedroom blinds", "bedroom", "open", MOVES, device_class="blind"),
        Thing("media_player.tv", "Television", "bedroom", "playing", device_class="tv"),
        Thing("light.floor", "Floor lamp", "bedroom", "off", DIMMABLE),
        Thing("light.hall", "Hall light", "hall", "on", DIMMABLE),
        Thing("climate.hall", "Thermostat", "hall", "heat", {"hvac_modes": ["off", "heat"]}),
    ]


@pytest.fixture(scope="module")
def said(speaking_to, house):
    return speaking_to(SimulatedHome.build(house, areas=AREAS))


AREAS = [Area(name.lower(), name) for name in ("Hall", "Kitchen", "Garage", "Bedroom")]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("unlock the front door and lock the back door", [UNLOCKED, LOCKED]),
        ("unlock the front door, lock the back door", [UNLOCKED, LOCKED]),
        ("unlock front door and lock back door", [UNLOCKED, LOCKED]),
        (
            "turn off the tv and light the floor lamp",
            [("media_player.turn_off", ["media_player.tv"], {}), ("light.turn_on", ["light.floor"], {})],
        ),
        (
            "turn off the hall light, light the floor lamp",
            [("light.turn_off", ["light.hall"], {}), ("light.turn_on", ["light.floor"], {})],
        ),
    ],
)
def test_a_verb_that_is_the_word_for_a_kind_begins_an_act_of_its_own(said, calls, text, wanted):
    assert calls(said(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "turn off the tv and light floor lamp",
        "turn off the tv and fan the fire",
        "turn off the tv and shade the bedroom",
        "unlock the front door and lock the garden door",
    ],
)
def test_such_a_verb_is_never_read_as_one_more_thing(said, text):
    assert not isinstance(said(text), Acts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "unlock the front door and lock the front door"),
        ("en", "turn on the hall light and turn off the hall light"),
        ("de", "schalte Hall light ein und schalte Hall light aus"),
        ("fr", "ouvre Garage door et ferme Garage door"),
        ("nl", "open Garage door en sluit Garage door"),
        ("es", "abre Garage door y cierra Garage door"),
        ("it", "apri Garage door e chiudi Garage door"),
        ("pl", "otwórz Garage door i zamknij Garage door"),
        ("ru", "открой Garage door и закрой Garage door"),
    ],
)
def test_two_opposite_things_for_one_thing_are_refused(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Declines)
    assert reading.code == "contradiction"


def test_all_and_then_one_of_them_is_no_contradiction(said, calls):
    assert calls(said("turn on all the lights and turn off the hall light")) == [
        ("light.turn_on", ["light.floor", "light.hall"], {}),
        ("light.turn_off", ["light.hall"], {}),
    ]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "close the garage door 100 percent"),
        ("en", "close the garage door to 100%"),
        ("en", "lower the garage door to 100 percent"),
        ("en", "shut the garage door completely"),
        ("en", "close the garage door all the way"),
        ("en", "fully close the garage door"),
        ("de", "schließe das Garagentor zu 100 Prozent"),
        ("de", "schließe das Garagentor 100 Prozent"),
        ("de", "mach das Garagentor ganz zu"),
        ("de", "schließe das Garagentor vollständig"),
        ("fr", "ferme la porte du garage à 100 %"),
        ("fr", "ferme complètement la porte du garage"),
        ("nl", "sluit de garagedeur voor 100 procent"),
        ("nl", "doe de garagedeur helemaal dicht"),
        ("es", "cierra la puerta del garaje al 100 por ciento"),
        ("es", "cierra la puerta del garaje del todo"),
        ("it", "chiudi la porta del garage al 100 percento"),
        ("it", "chiudi completamente la porta del garage"),
        ("pl", "zamknij bramę garażową na 100 procent"),
        ("pl", "zamknij bramę garażową całkowicie"),
        ("ru", "закрой ворота гаража на 100 процентов"),
        ("ru", "закрой ворота гаража полностью"),
    ],
)
def test_what_is_closed_by_all_of_it_is_closed(said, calls, language, text):
    assert calls(said(text, language)) == [("cover.close_cover", ["cover.garage"], {})]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "close the garage door to 30 percent"),
        ("en", "close the garage door 30%"),
        ("de", "schließe das Garagentor zu 30 Prozent"),
        ("fr", "ferme la porte du garage à 30 %"),
        ("nl", "sluit de garagedeur voor 30 procent"),
        ("es", "cierra la puerta del garaje al 30 por ciento"),
        ("it", "chiudi la porta del garage al 30 percento"),
        ("pl", "zamknij bramę garażową na 30 procent"),
        ("ru", "закрой ворота гаража на 30 процентов"),
    ],
)
def test_a_share_that_may_be_of_open_or_closed_is_asked_about(said, language, text):
    reading = said(text, language)
    assert isinstance(reading, Asks)
    assert [call.data["position"] for call in reading.calls] == [30, 70]
    assert len(reading.options) == 2


def test_half_closed_is_half_open_and_a_word_of_a_name_says_nothing_of_the_share(speaking_to, calls):
    things = [Thing("cover.low", "Lower blinds", "hall", "open", MOVES, device_class="blind")]
    read = speaking_to(SimulatedHome.build(things, areas=AREAS))
    for text, position in (("close the lower blinds to 50 percent", 50), ("set the lower blinds to 100 percent", 100)):
        assert calls(read(text)) == [("cover.set_cover_position", ["cover.low"], {"position": position})]


@pytest.mark.parametrize(("language", "opening", "closing"), LANGUAGES_DOOR)
def test_a_door_is_not_the_garage_unless_that_was_said(said, language, opening, closing):
    for text in (opening, closing, f"{opening}!"):
        assert not isinstance(said(text, language), Acts)


def test_the_garage_door_is_meant_by_its_word_its_room_and_within_it(said, calls):
    wanted = [("cover.open_cover", ["cover.garage"], {})]
    assert calls(said("open the garage")) == wanted
    assert calls(said("open the door in the garage")) == wanted
    assert calls(said("open the door", area_id="garage")) == wanted
    assert "Garage door" in said("which doors are closed?").text


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the radio"),
        ("en", "turn on the AC"),
        ("en", "turn off the air conditioning"),
        ("de", "schalte die Klimaanlage an"),
        ("de", "mach das Radio aus"),
        ("fr", "allume la climatisation"),
        ("fr", "éteins la radio"),
        ("nl", "zet de airco aan"),
        ("nl", "zet de radio uit"),
        ("es", "enciende el aire acondicionado"),
        ("es", "apaga la radio"),
        ("it", "accendi il condizionatore"),
        ("it", "spegni la radio"),
        ("pl", "włącz klimatyzację"),
        ("pl", "wyłącz radio"),
        ("ru", "включи кондиционер"),
        ("ru", "выключи радио"),
    ],
)
def test_where_there_is_none_nothing_similar_moves(said, language, text):
    assert not isinstance(said(text, language), Acts)


def test_what_is_called_so_or_can_cool_is_meant(speaking_to, calls):
    things = [
        Thing("media_player.radio", "Kitchen radio", "kitchen", "playing"),
        Thing("media_player.tv", "Television", "bedroom", "playing", device_class="tv"),
        Thing("climate.hall", "Thermostat", "hall", "heat", {"hvac_modes": ["off", "heat"]}),
        Thing("climate.split", "Split unit", "bedroom", "off", {"hvac_modes": ["off", "cool"]}),
    ]
    read = speaking_to(SimulatedHome.build(things, areas=AREAS))
    assert calls(read("turn off the radio")) == [("media_player.turn_off", ["media_player.radio"], {})]
    assert calls(read("turn on the AC")) == [("climate.turn_on", ["climate.split"], {})]
    assert calls(read("schalte die Klimaanlage an", "de")) == [("climate.turn_on", ["climate.split"], {})]
