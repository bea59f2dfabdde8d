"""Numbers as they are said: every language that Homesteward answers in has them, and all of them."""

import pytest

from homesteward.language.spoken import Part, all_spoken, spoken
from homesteward.language.tables import languages, table


def test_every_language_that_has_short_answers_has_the_words_of_a_pin():
    assert languages("pins") == languages("dialogue")


@pytest.mark.parametrize("language", languages("pins"))
def test_every_number_up_to_99_can_be_said(language):
    said = {value for part, value in spoken(language).phrases.values() if part is Part.SMALL}
    assert said == set(range(100))


@pytest.mark.parametrize("language", languages("pins"))
def test_a_language_has_every_list(language):
    raw = table("pins", language)
    assert [len(raw[key]) for key in ("digits", "teens", "tens")] == [10, 10, 8]
    assert set(raw["times"]) == {2, 3}
    assert all(raw[key] for key in ("pin", "before", "between", "around", "hundred", "thousand", "and"))
    assert len(raw.get("hundreds", [0] * 9)) == 9


def test_the_language_of_the_request_comes_first_and_an_unknown_one_is_read_as_english():
    assert all_spoken("de-AT")[0] is spoken("de")
    assert all_spoken("tlh")[0] is spoken("en")
    assert len(all_spoken("ru")) == len(languages("pins"))


@pytest.mark.parametrize(
    ("language", "said", "digits"),
    [
        ("en", "four seven one one", "4711"),
        ("en", "four thousand and seven", "4007"),
        ("en", "nineteen hundred eighty four", "1984"),
        ("en", "oh oh seven", "007"),
        ("en", "triple nine", "999"),
        ("de", "neunzehnhundertvierundachtzig", "1984"),
        ("de", "hundert", "100"),
        ("fr", "quatre vingt dix neuf", "99"),
        ("fr", "soixante et onze", "71"),
        ("es", "quinientos cinco", "505"),
        ("it", "ventuno ventotto", "2128"),
        ("nl", "tweeendertig", "32"),
        ("pl", "dwiescie trzy", "203"),
        ("ru", "тысяча девятьсот", "1900"),
    ],
)
def test_what_is_said_is_read_as_its_digits(language, said, digits):
    words = said.split()
    assert [(run.start, run.end, run.digits) for run in spoken(language).runs(words)] == [(0, len(words), digits)]


def test_half_a_number_in_a_word_is_none():
    assert list(spoken("de").runs(["siebenundvierzigste"])) == []
