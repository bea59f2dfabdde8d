"""All but some: what is left out is not reached, also not through a group."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts


@pytest.fixture
def read(speaking_to):
    things = [
        Thing("light.kitchen", "Kitchen light", "kitchen"),
        Thing("light.sink", "Sink light", "kitchen", exposed=False),
        Thing("light.hall", "Hall light", "hall"),
        Thing("light.study", "Study light", "study"),
        Thing("light.all", "Everything", members=("light.kitchen", "light.sink", "light.hall")),
    ]
    areas = [Area("kitchen", "Kitchen"), Area("hall", "Hall"), Area("study", "Study")]
    return speaking_to(SimulatedHome.build(things, areas=areas))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn off all the lights except the kitchen"),
        ("en", "turn off all lights except the kitchen light"),
        ("en", "switch off all the lights but not the kitchen lights"),
        ("en", "turn off the lights everywhere apart from in the kitchen"),
        ("de", "schalte alle Lichter außer Kitchen light aus"),
        ("de", "schalte alle Lichter aus außer Kitchen light"),
        ("de", "alle Lichter aus, außer Kitchen light"),
        ("nl", "doe alle lampen uit behalve Kitchen light"),
        ("nl", "alle lampen uit behalve Kitchen light"),
        ("fr", "éteins toutes les lumières sauf la cuisine"),
        ("es", "apaga todas las luces excepto la cocina"),
        ("it", "spegni tutte le luci tranne la cucina"),
        ("pl", "wyłącz wszystkie światła oprócz kuchni"),
        ("ru", "выключи весь свет кроме кухни"),
    ],
)
def test_what_is_left_out_is_not_reached(read, calls, language, text):
    assert calls(read(text, language)) == [("light.turn_off", ["light.hall", "light.study"], {})]


def test_more_than_one_thing_may_be_left_out(read, calls):
    found = calls(read("turn off all the lights except the kitchen and the hall light"))
    assert found == [("light.turn_off", ["light.study"], {})]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "schalte alle Lichter aus außer wenn es dunkel ist"),
        ("de", "schalte nicht alle Lichter aus außer Kitchen light"),
        ("de", "alle Lichter aus außer der Sauna"),
        ("nl", "doe niet alle lampen uit behalve Kitchen light"),
        ("nl", "alle lampen uit behalve de sauna"),
    ],
)
def test_an_exception_at_the_end_gets_around_no_guard(read, language, text):
    assert not isinstance(read(text, language), Acts)


@pytest.mark.parametrize(
    "text",
    [
        "turn off all the lights except the sauna",
        "turn off all the lights except tomorrow",
        "turn off the study light except the hall",
        "turn off all the lights except the kitchen at seven",
        "don't turn off all the lights except the kitchen",
    ],
)
def test_a_side_that_means_nothing_has_nothing_done(read, text):
    reading = read(text)
    assert not isinstance(reading, Acts) or reading.at is not None
