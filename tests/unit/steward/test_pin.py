"""Taking a PIN out of a sentence: every way of saying it, in every language, and nothing else with it."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.language.spoken import spoken
from homesteward.language.tables import languages, table
from homesteward.steward.pin import Pin, take_out


def taken(text, language="en", *, expected=False):
    rest, pin = take_out(text, language, expected=expected)
    return rest, pin and pin.reveal()


@pytest.mark.parametrize(
    ("text", "language", "rest", "pin"),
    [
        ("unlock the door, pin 4711", "en", "unlock the door", "4711"),
        ("Unlock the door with my PIN: 4 7 1 1.", "en", "Unlock the door.", "4711"),
        ("unlock the door, the pin is four seven one one", "en", "unlock the door", "4711"),
        ("my pin is four seven double one, unlock the door", "en", "unlock the door", "4711"),
        ("4711 is my pin", "en", "", "4711"),
        ("unlock the door with pin 4711?", "en", "unlock the door?", "4711"),
        ("unlock the door, pin 4711 please", "en", "unlock the door please", "4711"),
        ("pin4711", "en", "", "4711"),
        ("unlock the door, 4711", "en", "unlock the door", "4711"),
        ("4711: unlock the door", "en", "unlock the door", "4711"),
        ("unlock the door. 4, 7, 1, 1", "en", "unlock the door.", "4711"),
        ("unlock the door, it's 4711", "en", "unlock the door", "4711"),
        ("my pin is sesame", "en", "", "sesame"),
        ("unlock the door, pin ab12cd", "en", "unlock the door", "ab12cd"),
        ("disarm the alarm with code 1234", "en", "disarm the alarm", "1234"),
        ("öffne die Haustür mit der PIN 4711", "de", "öffne die Haustür", "4711"),
        ("öffne die Haustür, meine PIN lautet siebenundvierzig elf", "de", "öffne die Haustür", "4711"),
        ("Die PIN ist vier-sieben-eins-eins.", "de", "", "4711"),
        ("ouvre la porte avec le code quarante-sept onze", "fr", "ouvre la porte", "4711"),
        ("abre la puerta con el código cuatro siete uno uno", "es", "abre la puerta", "4711"),
        ("apri la porta con il codice quarantasette undici", "it", "apri la porta", "4711"),
        ("open de deur met pincode zevenenveertig elf", "nl", "open de deur", "4711"),
        ("otwórz drzwi, kod czterdzieści siedem jedenaście", "pl", "otwórz drzwi", "4711"),
        ("открой дверь, пин сорок семь одиннадцать", "ru", "открой дверь", "4711"),
    ],
)
def test_a_pin_beside_the_word_for_it_is_taken_out_though_nobody_asked(text, language, rest, pin):
    assert taken(text, language) == (rest, pin)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("4711", "en"),
        ("4 7 1 1", "en"),
        ("4-7-1-1", "en"),
        ("47 11.", "en"),
        ("４７１１", "en"),
        ("it's 4711", "en"),
        ("four seven one one", "en"),
        ("Four, seven, double one", "en"),
        ("forty-seven eleven", "en"),
        ("four thousand seven hundred and eleven", "en"),
        ("vier sieben eins eins", "de"),
        ("vier sieben zweimal die eins", "de"),
        ("siebenundvierzig elf", "de"),
        ("viertausendsiebenhundertelf", "de"),
        ("quatre sept un un", "fr"),
        ("quatre mille sept cent onze", "fr"),
        ("cuarenta y siete once", "es"),
        ("cuatro mil setecientos once", "es"),
        ("quattromilasettecentoundici", "it"),
        ("vierduizendzevenhonderdelf", "nl"),
        ("cztery tysiące siedemset jedenaście", "pl"),
        ("четыре тысячи семьсот одиннадцать", "ru"),
        ("vier sieben eins eins", "en"),  # a guest speaks their own language
    ],
)
@pytest.mark.parametrize("expected", [True, False])
def test_a_pin_that_is_all_that_was_said_is_taken_out_whether_asked_for_or_not(text, language, expected):
    assert taken(text, language, expected=expected) == ("", "4711")


@pytest.mark.parametrize("text", ["sesame", "ab12cd", "abcd1234", "12ab34", "a b 1 2 c", "471"])
def test_where_a_pin_is_asked_for_one_of_letters_or_with_a_digit_missing_is_it(text):
    assert taken(text, expected=True) == ("", text.replace(" ", ""))


@pytest.mark.parametrize(
    "text",
    [
        "set the heating to 21",
        "set the heating to 21.5 degrees",
        "turn on the light at 18:30",
        "turn on lamps 12, 13 and 14",
        "set it to 255, 128, 30",
        "dim the light to fifty percent",
        "the one in the study",
        "which lights are on?",
        "turn on the pin light",
        "yes",
        "no, cancel",
        "21",
    ],
)
@pytest.mark.parametrize("expected", [True, False])
def test_a_number_that_belongs_to_a_request_stays(text, expected):
    if text == "21" and expected:
        assert taken(text, expected=True) == ("", "21")  # a slip, where a PIN was asked for
    else:
        assert taken(text, expected=expected) == (text, None)


def test_what_is_no_pin_where_none_was_asked_for_stays():
    for time in ("17:30", "turn on the light, at 17:30", "at 6:05"):
        assert taken(time) == (time, None)
    assert taken("17:30", expected=True) == ("", "1730")
    kelvin = "set the study light to 20 percent, 4000 kelvin"
    assert taken(kelvin) == (kelvin, None)
    assert taken("set the counter to 4711") == ("set the counter to 4711", None)
    assert taken("turn on the code 4 lamp") == ("turn on the code 4 lamp", None)


def test_a_pin_that_is_said_twice_is_gone_twice():
    rest, pin = taken("pin 4711, I mean four seven one one, unlock the door")
    assert (rest, pin) == ("I mean unlock the door", "4711")


def _digit_words(language):
    return [group[0] for group in table("pins", language)["digits"]]


@given(
    st.sampled_from(languages("pins")),
    st.text("0123456789", min_size=4, max_size=12),
    st.sampled_from([" ", "-", ", "]),
)
def test_however_a_pin_is_spelled_out_nothing_of_it_is_left(language, digits, gap):
    words = _digit_words(language)
    for said in (digits, gap.join(digits), gap.join(words[int(digit)] for digit in digits)):
        assert taken(said, language, expected=True) == ("", digits)


def _in_words(language, number):
    return next(" ".join(phrase) for phrase, (_, value) in spoken(language).phrases.items() if value == number)


@given(st.sampled_from(languages("pins")), st.integers(10, 99), st.integers(10, 99))
def test_of_a_pin_said_in_pairs_nothing_is_left(language, first, second):
    said = f"{_in_words(language, first)} {_in_words(language, second)}"
    assert taken(said, language, expected=True)[0] == ""


@given(st.text(max_size=200))
def test_any_text_whatever_can_be_looked_through(text):
    for expected in (True, False):
        rest, _ = take_out(text, "en", expected=expected)
        assert len(rest) <= len(text)


def test_a_pin_shows_itself_to_nobody():
    pin = Pin("4711")
    assert "4711" not in f"{pin} {pin!r} {[pin]}"
    for keeping in (copy.copy, copy.deepcopy, pickle.dumps, hash):
        with pytest.raises(TypeError):
            keeping(pin)
