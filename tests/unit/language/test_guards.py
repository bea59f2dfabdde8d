"""Sentences that must not act, whatever else they say."""

import re
from pathlib import Path

import pytest
import yaml

import homesteward.language
from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Declines, is_question
from homesteward.language.spelling import loose

DATA = Path(homesteward.language.__file__).parent / "data"

ENGLISH = [
    ("don't open the garage door", "negation"),
    ("don\u2019t open the garage", "negation"),
    ("dont open the garage", "negation"),
    ("do not open the garage", "negation"),
    ("please do not open the garage", "negation"),
    ("never open the garage", "negation"),
    ("you must not unlock the front door", "negation"),
    ("leave the kitchen light on", "negation"),
    ("make sure the garage stays shut", "negation"),
    ("no lights on in the kitchen", "negation"),
    ("stop opening the garage", "negation"),
    ("if it rains close the windows", "condition"),
    ("close the garage if it rains", "condition"),
    ("when it rains, close the garage", "condition"),
    ("when I come home open the garage", "condition"),
    ("unless it rains, open the garage", "condition"),
    ("open the garage as soon as I arrive", "condition"),
    ("should it rain, close the garage", "condition"),
    ("close the garage in case it rains", "condition"),
    ("open the garage tomorrow", "later"),
    ("turn on the kitchen light tonight", "later"),
    ("turn on the kitchen light every morning", "later"),
    ("turn on the kitchen light at sunset", "later"),
    ("on monday open the garage", "later"),
    ("open the garage later", "later"),
    ("turn on the kitchen light after dinner", "later"),
    ("I will open the garage myself", "statement"),
    ("I'll open the garage", "statement"),
    ("I opened the garage door", "statement"),
    ("I have opened the garage", "statement"),
    ("we turned off the kitchen light", "statement"),
    ("someone opened the garage", "statement"),
    ("he unlocked the front door", "statement"),
    ("remind me to close the garage", "reminder"),
    ("tell my son to close the garage", "reminder"),
    ("my wife said to open the garage", "reminder"),
]
GERMAN = [
    ("öffne das Garagentor nicht", "negation"),
    ("Bitte nicht das Garagentor öffnen", "negation"),
    ("mach auf keinen Fall das Garagentor auf", "negation"),
    ("niemals das Garagentor öffnen", "negation"),
    ("schalte kein Licht an", "negation"),
    ("lass das Licht an", "negation"),
    ("wenn es regnet, schließe das Garagentor", "condition"),
    ("falls es regnet schließ die Fenster", "condition"),
    ("schließe das Garagentor sobald ich weg bin", "condition"),
    ("sollte es regnen, schließe das Garagentor", "condition"),
    ("öffne das Garagentor morgen", "later"),
    ("morgen früh das Licht anschalten", "later"),
    ("mach heute Abend Kitchen light an", "later"),
    ("mach Kitchen light später an", "later"),
    ("schalte Kitchen light jeden Abend an", "later"),
    ("schalte Kitchen light am Montag an", "later"),
    ("ich öffne das Garagentor selbst", "statement"),
    ("ich habe das Garagentor geöffnet", "statement"),
    ("jemand hat das Garagentor geöffnet", "statement"),
    ("wir machen das Licht aus", "statement"),
    ("erinnere mich das Garagentor zu schließen", "reminder"),
    ("sag meinem Sohn er soll das Garagentor schließen", "reminder"),
]
QUESTIONS = [
    ("is the garage open", "en"),
    ("which garage door is open", "en"),
    ("why won't the garage open", "en"),
    ("did you close the garage?", "en"),
    ("was the garage open", "en"),
    ("when was the garage opened", "en"),
    ("how do I open the garage", "en"),
    ("should I open the garage?", "en"),
    ("open the garage?", "en"),
    ("so open the garage?", "en"),
    ("well, open the garage?", "en"),
    ("has anyone opened the garage", "en"),
    ("ist das Garagentor offen", "de"),
    ("warum geht das Garagentor nicht auf", "de"),
    ("hast du das Garagentor geschlossen?", "de"),
    ("soll ich das Garagentor öffnen?", "de"),
    ("wann wurde das Garagentor geöffnet", "de"),
    ("welche Lichter sind an", "de"),
]


@pytest.mark.parametrize(("text", "code"), ENGLISH)
def test_an_english_sentence_that_is_no_request_for_now_is_declined(read, text, code):
    reading = read(text)
    assert isinstance(reading, Declines), reading
    assert (reading.code, bool(reading.next)) == (code, True)


@pytest.mark.parametrize(("text", "code"), GERMAN)
def test_a_german_sentence_that_is_no_request_for_now_is_declined(read, text, code):
    reading = read(text, "de")
    assert isinstance(reading, Declines), reading
    assert (reading.code, bool(reading.next)) == (code, True)


@pytest.mark.parametrize(("text", "language"), QUESTIONS)
def test_a_question_never_acts(read, text, language):
    assert is_question(text, language)
    assert not isinstance(read(text, language), Acts)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("could you open the garage door please?", "en"),
        ("can you turn on the kitchen light?", "en"),
        ("Kannst du das Licht anmachen?", "de"),
    ],
)
def test_a_polite_request_is_no_question(text, language):
    assert not is_question(text, language)


@pytest.mark.parametrize(
    "text",
    [
        "lower the volume in the garage",
        "raise the temperature in the cellar",
        "raise the volume",
        "lower the temperature in the garage",
    ],
)
def test_another_thing_of_the_room_moves_no_door(read, calls, text):
    assert not any("cover" in service for service, _, _ in calls(read(text)))


def test_a_guard_in_one_clause_holds_every_clause(read):
    assert isinstance(read("turn on the kitchen light and don't open the garage"), Declines)
    assert isinstance(read("turn on the kitchen light, and open the garage at five"), Declines)


def test_a_guards_word_inside_a_name_is_part_of_the_name(speaking_to, calls):
    read = speaking_to(
        SimulatedHome.build(
            [Thing("switch.dnd", "Do not disturb"), Thing("scene.morning", "Guten Morgen"), Thing("light.a", "Lamp")]
        )
    )
    assert calls(read("turn on do not disturb")) == [("switch.turn_on", ["switch.dnd"], {})]
    assert calls(read("aktiviere Guten Morgen", "de")) == [("scene.turn_on", ["scene.morning"], {})]
    assert calls(read("do not turn on do not disturb")) == []


def test_a_language_without_guards_acts_on_whole_sentences_only(read, calls):
    assert calls(read("tänd Kitchen light", "sv")) == [("light.turn_on", ["light.kitchen"], {})]
    assert calls(read("tänd inte Kitchen light", "sv")) == []
    assert calls(read("tänd Kitchen light imorgon", "sv")) == []
    assert calls(read("om det regnar, tänd Kitchen light", "sv")) == []
    assert calls(read("tänd Kitchen light ?", "sv")) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("kitchen light", "en"),
        ("the kitchen light", "en"),
        ("das Kitchen light", "de"),
        ("Kitchen light", "fr"),
        ("la Kitchen light", "fr"),
        ("Kitchen light", "nl"),
        ("de Kitchen light", "nl"),
        ("Kitchen light", "ru"),
        ("Kitchen light", "es"),
        ("la Kitchen light", "it"),
        ("Kitchen light", "pl"),
        ("Kitchen light", "sv"),
        ("the let in", "en"),
    ],
)
def test_a_name_alone_is_no_request(read, text, language):
    assert not isinstance(read(text, language), Acts)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "it", "nl", "pl", "ru"])
def test_no_accented_letter_stands_in_a_character_class(language):
    """There it would stand for itself and for brackets, because it stands for the plain letter as well."""
    written = yaml.load((DATA / f"guards.{language}.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
    entries = [*written["parts"].values(), *(entry for key in written if key != "parts" for entry in written[key])]
    for entry in entries:
        assert all(loose(inside) == inside for inside in re.findall(r"\[([^\]]*)\]", entry)), entry
