"""Only plain, harmless automations have run in a past, and they ran as Home Assistant runs them."""

import random
from datetime import UTC, datetime

import pytest

from homesteward.demo.inventory import inventory
from homesteward.demo.past.book import Book
from homesteward.demo.past.chores import run_automations
from homesteward.demo.past.hands import Hands
from homesteward.demo.past.place import HOME
from homesteward.demo.past.rooms import House, Thing
from homesteward.demo.past.scripted import automations, scripts, seconds, slug

DAY = datetime(2026, 11, 2, tzinfo=UTC).date()
MOTION, LAMP = "binary_sensor.hallway_motion", "light.hall_light"


def house_with(*names: str) -> House:
    own = [Thing(f"automation.{slug(name)}", name, None, name, state="on", own=True) for name in names]
    return House.of(inventory()).joined_by(own)


def automation(*actions: object, **more: object) -> dict[str, object]:
    trigger = {"trigger": "state", "entity_id": MOTION, "from": "off", "to": "on"}
    return {"id": "lamp", "alias": "Lamp", "triggers": [trigger], "actions": list(actions), **more}


def on(entity_id: str = LAMP) -> dict[str, object]:
    return {"action": "light.turn_on", "target": {"entity_id": entity_id}}


OFF = {"action": "light.turn_off", "target": {"entity_id": LAMP}}
WAIT = {"wait_for_trigger": [{"trigger": "state", "entity_id": MOTION, "to": "off"}]}


def run(document: dict[str, object], *moves: tuple[float, str]) -> Book:
    """Return the book after an automation saw the hall's motion sensor take on states."""
    house = house_with("Lamp")
    book = Book(house, random.Random(1))
    hands = Hands(book, random.Random(2), {})
    at = HOME.at(DAY, 20)
    book.change(at - 60, MOTION, "off")
    for after, state in moves:
        book.change(at + after, MOTION, state, cause=book.cause(at + after))
    run_automations(book, hands, HOME, [DAY], list(automations(house, [document])), random.Random(3))
    return book


def lamp(book: Book) -> list[tuple[int, str]]:
    at = HOME.at(DAY, 20)
    return [(round(entry.at - at), entry.state) for entry in book.entries() if entry.entity_id == LAMP]


@pytest.mark.parametrize(
    "action",
    [
        {"action": "lock.unlock", "target": {"entity_id": "lock.front_door"}},
        {"action": "cover.open_cover", "target": {"entity_id": "cover.garage_door"}},
        {"action": "script.turn_on", "target": {"entity_id": "script.good_night"}},
        {"action": "light.turn_on", "target": {"entity_id": "light.gone"}},
        {"action": "light.turn_on", "target": {"entity_id": "{{ lamp }}"}},
        {"choose": []},
    ],
)
def test_what_reaches_a_door_a_script_or_nothing_known_has_not_run(action):
    assert list(automations(house_with("Lamp"), [automation(action)])) == []


def test_an_automation_that_the_house_does_not_have_has_not_run():
    assert list(automations(house_with(), [automation(on())])) == []


def test_a_lamp_waits_for_stillness_and_goes_out_in_the_same_context():
    book = run(automation(on(), WAIT, {"delay": "00:02:00"}, OFF, mode="restart"), (0, "on"), (40, "off"))

    assert lamp(book) == [(0, "on"), (160, "off")]
    causes = {entry.cause for entry in book.entries() if entry.entity_id == LAMP}
    assert len(causes) == 1
    assert causes.pop().parent is not None


def test_a_restarted_run_leaves_the_first_unfinished():
    moves = ((0, "on"), (40, "off"), (90, "on"), (130, "off"))
    book = run(automation(on(), WAIT, {"delay": 120}, OFF, mode="restart"), *moves)

    assert lamp(book) == [(0, "on"), (90, "on"), (250, "off")]


def test_a_lamp_that_is_only_ever_turned_on_is_turned_off_at_the_wall():
    book = run(automation(on()), (0, "on"), (40, "off"))

    (_, _), (later, state) = lamp(book)
    assert state == "off"
    assert later > 200
    assert book.entries()[-1].cause.parent is None


def test_a_condition_that_does_not_hold_keeps_it_from_running():
    held = [{"condition": "state", "entity_id": "light.kitchen_ceiling_light", "state": "on"}]
    dark = [{"condition": "sun", "after": "sunset"}]

    assert lamp(run(automation(on(), conditions=held), (0, "on"))) == []
    assert lamp(run(automation(on(), conditions=dark), (0, "on")))[0] == (0, "on")


def test_a_script_that_is_not_plain_cannot_be_run_by_a_person_of_the_past():
    house = House.of(inventory())
    documents = {"good_night": {"sequence": [on()]}, "bedtime": {"sequence": [{"if": "{{ true }}", "then": []}]}}

    assert list(scripts(house, documents)) == ["script.good_night"]


@pytest.mark.parametrize(
    ("value", "wanted"), [("00:02:00", 120), ("-00:30:00", -1800), (90, 90), ({"minutes": 2}, 120), (None, 0)]
)
def test_durations_are_read_in_all_their_forms(value, wanted):
    assert seconds(value) == wanted
