"""What the fuzzer found, each of its kind as small as it gets."""

import pytest

from homes import DIMMABLE
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Declines


def lights(*things: Thing) -> SimulatedHome:
    return SimulatedHome.build(things, areas=["Cellar", "Kitchen", "Keller", "Küche"])


@pytest.mark.parametrize(
    ("language", "name", "text"),
    [
        ("en", "Cellar", "turn off the lights in the cellar"),
        ("en", "Cellar", "please turn off the lamp in the cellar"),
        ("de", "Keller", "schalte die Lichter im Keller aus"),
    ],
)
def test_the_lights_in_a_room_are_not_a_light_elsewhere_that_is_called_like_the_room(
    speaking_to, calls, language, name, text
):
    read = speaking_to(lights(Thing("light.a", name, "kitchen", attributes=DIMMABLE)))
    assert calls(read(text, language)) == []


def test_a_thing_is_still_found_by_its_name_and_the_room_it_is_in(speaking_to, calls):
    read = speaking_to(lights(Thing("light.a", "Big Copper Lamp", "cellar"), Thing("light.b", "Spot", "cellar")))
    assert calls(read("turn on the copper lamp in the cellar")) == [("light.turn_on", ["light.a"], {})]


def test_a_second_request_is_not_another_thing_of_the_first_ones_verb(speaking_to, calls):
    read = speaking_to(lights(Thing("lock.shed", "Shed lock", "cellar"), Thing("lock.hatch", "Old hatch", "kitchen")))
    assert calls(read("unlock the shed lock and lock the old hatch")) == [
        ("lock.unlock", ["lock.shed"], {}),
        ("lock.lock", ["lock.hatch"], {}),
    ]


def test_things_after_one_verb_are_still_all_meant(speaking_to, calls):
    read = speaking_to(lights(Thing("lock.shed", "Shed lock", "cellar"), Thing("lock.gate", "Lock two", "kitchen")))
    assert calls(read("unlock the shed lock and lock two")) == [("lock.unlock", ["lock.shed", "lock.gate"], {})]


def test_a_word_that_only_fills_is_no_part_of_a_name(speaking_to):
    read = speaking_to(lights(Thing("light.a", "Not now", "kitchen"), Thing("light.b", "Spot", "cellar")))
    reading = read("switch on all the lights now")
    assert isinstance(reading, Acts)
    assert {name for call in reading.calls for name in call.target.entity_id} == {"light.a", "light.b"}


def test_a_hidden_light_stays_the_one_that_is_meant_where_another_kind_of_thing_is_called_so(speaking_to):
    """Nothing similar moves instead, even where the name is also that of something else that is there."""
    read = speaking_to(
        lights(
            Thing("light.hidden", "Velvet lamp", "kitchen", exposed=False),
            Thing("vacuum.other", "Velvet lamp", "kitchen"),
            Thing("light.near", "Velvet chandelier", "cellar"),
        )
    )
    reading = read("turn off the velvet lamp")
    assert isinstance(reading, Declines)
    assert reading.code == "not_exposed"


def test_a_name_that_is_shared_and_hidden_elsewhere_is_still_a_name(speaking_to, calls):
    read = speaking_to(
        lights(
            Thing("light.hidden", "Velvet lamp", "kitchen", exposed=False),
            Thing("vacuum.other", "Velvet lamp", "kitchen"),
        )
    )
    assert calls(read("start the velvet lamp")) == [("vacuum.start", ["vacuum.other"], {})]


@pytest.mark.parametrize("text", ["den Sauger nach Hause schicken", "kannst du den Sauger nach Hause schicken?"])
def test_a_vacuum_is_sent_home_with_the_verb_at_the_end(speaking_to, calls, text):
    read = speaking_to(lights(Thing("vacuum.robot", "Sauger", "kitchen", "cleaning")))
    assert calls(read(text, "de")) == [("vacuum.return_to_base", ["vacuum.robot"], {})]


def test_a_hidden_thing_is_not_one_whose_name_is_the_same_in_another_case(speaking_to):
    read = speaking_to(
        lights(
            Thing("fan.hidden", "Wentylator Bruno", "kitchen", exposed=False),
            Thing("fan.near", "Wentylator Bruna", "cellar"),
        )
    )
    reading = read("włącz wentylator Bruno", "pl")
    assert isinstance(reading, Declines)
    assert reading.code == "not_exposed"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("es", "me gusta encender la luz"),
        ("es", "iba a encender la luz"),
        ("pl", "lubię włączyć światło"),
        ("pl", "muszę jeszcze włączyć światło"),
        ("pl", "zapomniałem włączyć światło"),
    ],
)
def test_what_somebody_likes_forgot_or_has_to_do_is_a_statement(read, language, text):
    reading = read(text, language)
    assert isinstance(reading, Declines)
    assert reading.code == "statement"


def test_what_somebody_would_like_is_still_asked_for(speaking_to, calls):
    read = speaking_to(lights(Thing("light.a", "Luz", "kitchen")))
    assert calls(read("me gustaría encender la luz", "es")) == [("light.turn_on", ["light.a"], {})]
