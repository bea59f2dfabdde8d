"""Other words for the same thing: what hangs before a window, the front door, and what "stop" means to a machine on its way."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks

AREAS = [Area("den", "Den"), Area("loft", "Loft"), Area("entry", "Entry"), Area("garage", "Garage")]
CURTAIN = Thing("cover.den", "Den curtain", "den", device_class="curtain")


@pytest.fixture
def read_of(speaking_to):
    return lambda *things: speaking_to(SimulatedHome.build(things, areas=AREAS))


@pytest.mark.parametrize("text", ["close the blinds in the den", "close den blinds", "close the den shutters"])
def test_the_only_covering_of_a_room_goes_by_any_of_its_names(read_of, calls, text):
    assert calls(read_of(CURTAIN)(text)) == [("cover.close_cover", ["cover.den"], {})]


def test_of_two_coverings_it_is_asked_which(read_of):
    reading = read_of(CURTAIN, Thing("cover.shade", "Sun screen", "den", device_class="shade"))("close the den blinds")
    assert isinstance(reading, Asks)


def test_what_is_called_so_comes_before_what_may_be_called_so(read_of, calls):
    read = read_of(CURTAIN, Thing("cover.slats", "Slats", "den", device_class="blind"))
    assert calls(read("close the den blinds")) == [("cover.close_cover", ["cover.slats"], {})]


@pytest.mark.parametrize("text", ["close the garage door", "close the loft blinds", "close the den gate"])
def test_a_covering_is_no_door_and_is_in_no_other_room(read_of, text):
    assert not isinstance(read_of(CURTAIN)(text), Acts)


SMART, BACK = Thing("lock.smart", "Smart lock", "entry"), Thing("lock.back", "Back door lock", "garage")


@pytest.mark.parametrize("text", ["lock the front door", "lock the front door lock", "unlock my front door"])
def test_the_front_door_is_the_one_of_the_entrance(read_of, text):
    reading = read_of(SMART, BACK)(text)
    assert isinstance(reading, Acts)
    assert reading.calls[0].target.entity_id == ("lock.smart",)


@pytest.mark.parametrize(
    "things",
    [
        (Thing("lock.a", "Mortice", "garage"), BACK),
        (Thing("lock.front", "Front door", "garage", exposed=False), SMART),
        (SMART, Thing("lock.other", "Other lock", "entry")),
    ],
    ids=["no entrance", "it is not shared", "two of them"],
)
def test_where_it_may_be_another_door_nothing_is_locked(read_of, things):
    assert not isinstance(read_of(*things)("lock the front door"), Acts)


@pytest.mark.parametrize(
    ("thing", "service"),
    [
        (Thing("vacuum.robot", "Robot", attributes={"supported_features": 8 | 16}), "vacuum.return_to_base"),
        (Thing("vacuum.robot", "Robot", attributes={"supported_features": 8}), "vacuum.stop"),
        (Thing("lawn_mower.robot", "Robot", attributes={"supported_features": 1 | 4}), "lawn_mower.dock"),
        (Thing("lawn_mower.robot", "Robot", attributes={"supported_features": 1 | 2}), "lawn_mower.pause"),
        (Thing("cover.robot", "Robot"), "cover.stop_cover"),
    ],
)
def test_what_is_stopped_goes_home_where_it_can(read_of, calls, thing, service):
    assert [service for service, _, _ in calls(read_of(thing)("stop the robot"))] == [service]


def test_what_can_neither_go_home_nor_stop_is_told(read_of):
    thing = Thing("vacuum.robot", "Robot", attributes={"supported_features": 4})
    assert not isinstance(read_of(thing)("stop the robot"), Acts)
