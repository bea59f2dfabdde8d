"""A time that no clock shows is no other time, two moments are not one, and lengths are added up."""

import pytest

from homesteward.language import Acts, Declines

IMPOSSIBLE = ["at 19:99", "at 7:75", "at 13 pm", "at 13:00 pm", "at 0 am", "at 00:30 am", "at 25:00", "at 75 past 7"]


@pytest.mark.parametrize("time", IMPOSSIBLE)
def test_a_time_that_no_clock_shows_is_declined(read, time):
    reading = read(f"turn on the hall light {time}")
    assert isinstance(reading, Declines)
    assert reading.code == "later"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "schalte Hall light um 19:99 an"),
        ("fr", "allume Hall light à 19:99"),
        ("nl", "doe Hall light aan om 19:99"),
        ("es", "enciende Hall light a las 19:99"),
        ("it", "accendi Hall light alle 19:99"),
        ("pl", "włącz Hall light o 19:99"),
        ("ru", "включи Hall light в 19:99"),
    ],
)
def test_in_no_language_are_there_ninety_nine_minutes(read, language, text):
    assert not isinstance(read(text, language), Acts)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the hall light in two and a half hours"),
        ("en", "turn on the hall light in 2 and a half hours"),
        ("en", "turn on the hall light in 2 hours and 30 minutes"),
        ("de", "schalte Hall light in zweieinhalb Stunden an"),
        ("de", "schalte Hall light in 2 Stunden und 30 Minuten an"),
        ("fr", "allume Hall light dans deux heures et demie"),
        ("fr", "allume Hall light dans 2 heures et 30 minutes"),
        ("nl", "doe Hall light over twee en een half uur aan"),
        ("nl", "doe Hall light over 2 uur en 30 minuten aan"),
        ("es", "enciende Hall light en dos horas y media"),
        ("es", "enciende Hall light en 2 horas y 30 minutos"),
        ("it", "accendi Hall light tra due ore e mezza"),
        ("it", "accendi Hall light tra 2 ore e 30 minuti"),
        ("pl", "włącz Hall light za dwie i pół godziny"),
        ("pl", "włącz Hall light za 2 godziny i 30 minut"),
        ("ru", "включи Hall light через два с половиной часа"),
        ("ru", "включи Hall light через 2 часа и 30 минут"),
    ],
)
def test_lengths_and_halves_are_added_up(read, calls, language, text):
    reading = read(text, language)
    assert calls(reading) == [("light.turn_on", ["light.hall"], {})]
    assert f"{reading.at:%H:%M}" == "14:30"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "turn on the hall light now and the kitchen light in ten minutes"),
        ("en", "turn on the hall light now and turn off the kitchen light in ten minutes"),
        ("de", "schalte Hall light jetzt und Kitchen light in zehn Minuten an"),
        ("fr", "allume Hall light maintenant et Kitchen light dans dix minutes"),
        ("nl", "doe Hall light nu en Kitchen light over tien minuten aan"),
        ("es", "enciende Hall light ahora y Kitchen light en diez minutos"),
        ("it", "accendi Hall light adesso e Kitchen light tra dieci minuti"),
        ("pl", "włącz Hall light teraz i Kitchen light za dziesięć minut"),
        ("ru", "включи Hall light сейчас и Kitchen light через десять минут"),
    ],
)
def test_now_and_another_moment_are_two_and_neither_is_taken_for_both(read, language, text):
    assert not isinstance(read(text, language), Acts)


def test_now_and_how_long_is_one_moment(read):
    reading = read("turn on the hall light now for ten minutes")
    assert isinstance(reading, Acts)
    assert reading.at is None
    assert reading.until is not None
