"""Short answers: only a plain yes is a yes, and one option has to be meant."""

from itertools import combinations

import pytest

from homesteward.language import (
    Option,
    asks_what_is_scheduled,
    cancelled,
    is_no,
    is_undo,
    is_yes,
    narrowed,
    pick,
    picks_all,
)
from homesteward.language.dialogue import only_corrects
from homesteward.language.tables import table

LAMPS = (
    Option("light.a", "Reading lamp (Bedroom)"),
    Option("light.b", "Reading lamp (Study)"),
    Option("light.c", "Floor lamp"),
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("yes", "en"),
        ("Yes, please.", "en"),
        ("do it!", "en"),
        ("Ja, bitte", "de"),
        ("mach das", "de"),
        ("Oui, s'il te plaît", "fr"),
        ("Ja, graag!", "nl"),
        ("Да, пожалуйста", "ru"),
        ("Sí", "es"),
        ("si", "es"),
        ("Sì, grazie", "it"),
        ("Tak, proszę", "pl"),
    ],
)
def test_a_plain_yes_is_a_yes(text, language):
    assert is_yes(text, language)
    assert not is_no(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("no", "en"),
        ("Don't!", "en"),
        ("never mind", "en"),
        ("nein", "de"),
        ("doch nicht", "de"),
        ("non merci", "fr"),
        ("laat maar", "nl"),
        ("не надо", "ru"),
        ("mejor no", "es"),
        ("lascia stare", "it"),
        ("nie, dziękuję", "pl"),
        ("nie dziekuje", "pl"),
    ],
)
def test_a_plain_no_is_a_no(text, language):
    assert is_no(text, language)
    assert not is_yes(text, language)


@pytest.mark.parametrize(
    "text", ["", "ok?", "👍", "yes?", "yes but only the blinds", "hm", "maybe", "yesterday", "thanks", "cool"]
)
def test_anything_else_is_neither(text):
    assert not is_yes(text, "en")
    assert not is_no(text, "en")


@pytest.mark.parametrize(
    ("text", "language", "place"),
    [
        ("the first one", "en", 0),
        ("the second", "en", 1),
        ("2", "en", 1),
        ("number three", "en", 2),
        ("the last one", "en", 2),
        ("the one in the bedroom", "en", 0),
        ("study", "en", 1),
        ("Reading lamp (Study)", "en", 1),
        ("the floor lamp", "en", 2),
        ("die zweite", "de", 1),
        ("die im Study", "de", 1),
        ("la première", "fr", 0),
        ("celle de Study", "fr", 1),
        ("de tweede", "nl", 1),
        ("вторую", "ru", 1),
        ("la ultima", "es", 2),
        ("la seconda", "it", 1),
        ("trzecia", "pl", 2),
        ("ta w Study", "pl", 1),
        ("reading lamp", "en", None),
        ("the fourth", "en", None),
        ("the kitchen one", "en", None),
        ("", "en", None),
    ],
)
def test_an_answer_picks_the_only_option_it_fits(text, language, place):
    assert pick(LAMPS, text, language) == place


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Undo that.", "en"),
        ("Could you undo that, please?", "en"),
        ("please put it back the way it was", "en"),
        ("Mach das bitte wieder rückgängig!", "de"),
        ("mach das rueckgaengig", "de"),
        ("Kannst du das rückgängig machen?", "de"),
        ("Remets comme avant, s'il te plaît", "fr"),
        ("Deshazlo, por favor", "es"),
        ("rimetti tutto come prima", "it"),
        ("Maak dat ongedaan alsjeblieft", "nl"),
        ("Cofnij to, proszę", "pl"),
        ("Верни всё как было", "ru"),
    ],
)
def test_what_was_done_last_can_be_asked_back(text, language):
    assert is_undo(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("don't undo that", "en"),
        ("undo that tomorrow", "en"),
        ("why did you undo that?", "en"),
        ("put the lamp back on", "en"),
        ("mach das nicht rückgängig", "de"),
        ("annule", "fr"),
        ("cancel", "en"),
    ],
)
def test_anything_more_or_less_is_not_that(text, language):
    assert not is_undo(text, language)


TWO = LAMPS[:2]
BOTH = [
    ("both", "en"),
    ("both of them, please", "en"),
    ("the two", "en"),
    ("beide", "de"),
    ("die beiden", "de"),
    ("alle beide bitte", "de"),
    ("les deux", "fr"),
    ("tous les deux", "fr"),
    ("los dos", "es"),
    ("las dos", "es"),
    ("ambas", "es"),
    ("tutti e due", "it"),
    ("le due", "it"),
    ("entrambe", "it"),
    ("de twee", "nl"),
    ("allebei", "nl"),
    ("alle twee", "nl"),
    ("obie", "pl"),
    ("wszystkie dwie", "pl"),
    ("обе", "ru"),
    ("все две", "ru"),
]


@pytest.mark.parametrize(("text", "language"), BOTH)
def test_both_is_all_of_two_and_never_the_second(text, language):
    assert pick(TWO, text, language) is None
    assert picks_all(TWO, text, language)
    assert not picks_all(LAMPS, text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("all", "en"),
        ("all three", "en"),
        ("all of them", "en"),
        ("alle", "de"),
        ("alle drei", "de"),
        ("toutes", "fr"),
        ("les trois", "fr"),
        ("todas", "es"),
        ("las tres", "es"),
        ("tutte", "it"),
        ("tutte e tre", "it"),
        ("allemaal", "nl"),
        ("alle drie", "nl"),
        ("wszystkie", "pl"),
        ("wszystkie trzy", "pl"),
        ("все", "ru"),
        ("все три", "ru"),
    ],
)
def test_all_is_every_option(text, language):
    assert picks_all(LAMPS, text, language)
    assert pick(LAMPS, text, language) is None


@pytest.mark.parametrize(
    ("text", "language", "place"),
    [
        ("two", "en", 1),
        ("number two", "en", 1),
        ("deux", "fr", 1),
        ("número dos", "es", 1),
        ("twee", "nl", 1),
        ("due", "it", 1),
    ],
)
def test_a_number_alone_is_still_the_one_with_that_number(text, language, place):
    assert pick(TWO, text, language) == place
    assert not picks_all(TWO, text, language)


BLINDS = (
    Option("cover.a", "Left blind", "Living room"),
    Option("cover.b", "Right blind", "Living room"),
    Option("cover.c", "Big blind", "Wohnzimmer"),
    Option("cover.d", "Small blind", "Office"),
)


@pytest.mark.parametrize(
    ("text", "language", "place"), [("the one in the office", "en", 3), ("im Wohnzimmer", "de", 2)]
)
def test_the_room_of_an_option_tells_it_from_the_others(text, language, place):
    assert pick(BLINDS, text, language) == place


def test_a_room_with_several_of_them_leaves_fewer_to_choose_from():
    assert narrowed(BLINDS, "in the living room", "en") == (0, 1)
    assert narrowed(BLINDS, "in the attic", "en") == ()
    assert narrowed(BLINDS, "blind", "en") == ()


def test_a_number_counts_among_those_that_were_read_out_and_a_name_among_all():
    many = tuple(Option(f"light.{n}", f"Lamp {'abcdefghij'[n]}") for n in range(10))
    assert pick(many, "the last", "en", 8) == 7
    assert pick(many, "lamp j", "en", 8) == 9


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("ok", "en"),
        ("ok, do it", "en"),
        ("go ahead", "en"),
        ("okay", "de"),
        ("Ok, mach das", "de"),
        ("d'accord", "fr"),
        ("vale", "es"),
        ("va bene", "it"),
        ("oké", "nl"),
        ("dobrze", "pl"),
        ("хорошо", "ru"),
    ],
)
def test_an_ok_is_a_yes(text, language):
    assert is_yes(text, language)


@pytest.mark.parametrize(
    ("text", "language", "what"),
    [
        ("cancel the sprinklers", "en", "the sprinklers"),
        ("Please call off the sprinklers.", "en", "the sprinklers"),
        ("call the sprinklers off", "en", "the sprinklers"),
        ("Sag die Bewässerung ab", "de", "die bewässerung"),
        ("storniere die Bewässerung", "de", "die bewässerung"),
        ("annule l'arrosage", "fr", "l'arrosage"),
        ("cancela el riego", "es", "el riego"),
        ("annulla l'irrigazione", "it", "l'irrigazione"),
        ("annuleer de sproeiers", "nl", "de sproeiers"),
        ("odwołaj zraszacze", "pl", "zraszacze"),
        ("отмени полив", "ru", "полив"),
        ("turn off the sprinklers", "en", ""),
    ],
)
def test_something_can_be_called_off_by_its_name(text, language, what):
    assert cancelled(text, language) == what


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("What is scheduled?", "en"),
        ("what do you have scheduled?", "en"),
        ("Was hast du geplant?", "de"),
        ("Qu'est-ce qui est programmé ?", "fr"),
        ("¿Qué hay programado?", "es"),
        ("Cosa c'è in programma?", "it"),
        ("Wat staat er gepland?", "nl"),
        ("Co jest zaplanowane?", "pl"),
        ("Что запланировано?", "ru"),
    ],
)
def test_what_is_to_come_can_be_asked_in_every_language(text, language):
    assert asks_what_is_scheduled(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [("no", "en"), ("no, make it", "en"), ("", "en"), ("nein, lieber", "de"), ("non, plutôt", "fr")],
)
def test_what_only_corrects_names_nothing(text, language):
    assert only_corrects(text, language)
    assert not only_corrects(f"{text} lamp", language)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "nl", "pl", "ru"])
def test_no_short_answer_means_two_things(language):
    raw = table("dialogue", language)
    words = {key: {word.casefold() for word in raw[key]} for key in ("yes", "no", "all", "both")}
    for one, other in combinations(words, 2):
        assert not words[one] & words[other]
