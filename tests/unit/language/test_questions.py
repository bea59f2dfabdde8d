"""Answers from the states of the home."""

import pytest

from homesteward.language import NotUnderstood, Says


@pytest.mark.parametrize(
    ("text", "language", "answer"),
    [
        ("is the gate open?", "en", "No, Gate is closed."),
        ("is the front door locked?", "en", "Yes, Front door is locked."),
        ("is the kitchen light on", "en", "No, Kitchen light is off."),
        ("how warm is it in the study?", "en", "Study temperature is at 21.5 °C."),
        ("what's the temperature in the office", "en", "Study temperature is at 21.5 °C."),
        ("how full is the battery of the front door?", "en", "Front door battery is at 80 %."),
        ("is the front door battery low?", "en", "No, Front door battery is 80 %."),
        ("which batteries are low?", "en", "None of them."),
        ("ist Front door battery schwach?", "de", "Nein, Front door battery ist 80 %."),
        ("how many of my locks are locked right now?", "en", "2: Back door and Front door."),
        ("how many covers are open?", "en", "None (0)."),
        ("are all the locks locked?", "en", "Yes, all of them are locked."),
        ("are any covers open?", "en", "No, none of them is open."),
        ("which locks are locked?", "en", "Back door and Front door."),
        ("what is the state of the robot", "en", "Robot is docked."),
        ("what time is it?", "en", "It is 12:00."),
        ("ist Gate offen?", "de", "Nein, Gate ist geschlossen."),
        ("ist Front door abgeschlossen?", "de", "Ja, Front door ist abgeschlossen."),
        ("wie warm ist es im Study?", "de", "Study temperature: 21.5 °C."),
        ("wie viele Schlösser sind abgeschlossen?", "de", "2: Back door und Front door."),
        ("läuft der Ceiling fan noch?", "de", "Nein, Ceiling fan ist aus."),
    ],
)
def test_a_question_is_answered_from_state(read, text, language, answer):
    reading = read(text, language)
    assert isinstance(reading, Says), reading
    assert reading.text == answer
    assert reading.sources or "time" in text


@pytest.mark.parametrize(("charge", "answer"), [("20", "Yes"), ("7.5", "Yes"), ("21", "No")])
def test_a_battery_is_low_at_a_fifth_of_its_charge(home, speaking_to, charge, answer):
    home.set_state("sensor.front_door_battery", charge)
    assert speaking_to(home)("is the front door battery low?").text.startswith(answer)


def test_what_cannot_be_reached_is_not_counted_but_named(read):
    reading = read("which lights are on?")
    assert isinstance(reading, Says)
    assert "Porch light" in reading.text


def test_the_place_may_follow_the_state(home, speaking_to):
    home.set_state("light.study", "on")
    home.set_state("light.kitchen", "on")
    reading = speaking_to(home)("which lights are on in the kitchen?")
    assert isinstance(reading, Says)
    assert reading.text == "Kitchen light."


def test_things_of_one_name_are_answered_with_their_rooms(read):
    reading = read("is the reading lamp on?")
    assert isinstance(reading, Says)
    assert "Reading lamp (Bedroom)" in reading.text
    assert "Reading lamp (Study)" in reading.text


def test_a_question_nobody_can_answer_offers_what_can_be_said(read):
    reading = read("why is the sky blue?")
    assert isinstance(reading, NotUnderstood)
    assert "Hall light" in reading.text


def test_a_locked_door_is_not_told_to_be_closed(read):
    """A lock does not know whether its door stands open."""
    reading = read("is the front door open?")
    assert isinstance(reading, Says)
    assert "locked" in reading.text
    assert "closed" not in reading.text
