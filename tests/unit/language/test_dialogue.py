"""Short answers: only a plain yes is a yes, and one option has to be meant."""

import pytest

from homesteward.language import Option, is_no, is_undo, is_yes, pick

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
    "text", ["", "ok", "👍", "yes?", "yes but only the blinds", "hm", "maybe", "yesterday", "thanks", "cool"]
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
