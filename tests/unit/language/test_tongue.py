"""Which language a sentence is in: never left for another without reason."""

import pytest

from homesteward.language.tongue import tongue_of
from spoken_cases import eval_cases

SAID = [(case["utterance"], case["language"]) for case in eval_cases() if "utterance" in case]


@pytest.mark.parametrize(("text", "language"), SAID)
def test_no_sentence_is_taken_from_its_own_language(text, language):
    assert tongue_of(text, language) == language


@pytest.mark.parametrize("usual", ["de", "en", "pl"])
def test_most_sentences_of_another_language_are_known_for_it(demo_house, speaking_to, usual):
    others = [(text, language) for text, language in SAID if language != usual]
    known = sum(tongue_of(text, usual) == language for text, language in others)
    assert known / len(others) > 0.55


@pytest.mark.parametrize("text", ["Licht", "ok", "", "Hall light", "?!", "12"])
def test_a_word_or_a_name_is_no_reason(text):
    assert tongue_of(text, "fr") == "fr"


def test_a_language_that_is_none_of_ours_is_kept():
    assert tongue_of("turn on the kitchen light", "sv") == "sv"
