"""Laws: whatever is understood, a word that forbids it holds it back, and nothing is reached that was not shared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.language import Acts

COMMANDS = {
    "en": [
        "turn on the kitchen light",
        "kitchen light off",
        "open the garage door",
        "unlock the front door",
        "dim the study light to 40%",
        "make the study light blue",
        "set the thermostat to 21 degrees",
        "run the ceiling fan flat out",
        "pause the speaker",
        "start the robot",
        "activate cosy",
        "run let in",
        "turn off all lights",
        "close the bedroom blinds and turn on the ceiling fan",
    ],
    "de": [
        "schalte Kitchen light ein",
        "öffne das Garagentor",
        "schließe Front door auf",
        "dimme Study light auf 40 Prozent",
        "mach Study light blau",
        "stelle die Heizung auf 21 Grad",
        "pausiere Speaker",
        "starte Robot",
        "aktiviere die Szene Cosy",
        "mach alle Lichter aus",
        "schließe Bedroom blinds und schalte Ceiling fan ein",
    ],
}
BEFORE = {
    "en": [
        "don't",
        "do not",
        "never",
        "if it rains",
        "when I come home",
        "unless I am away",
        "at five",
        "tomorrow",
        "in ten minutes",
        "I will",
        "remind me to",
        "you should never",
        "did you",
        "why did you",
        "in case it rains,",
        "at 17:30",
    ],
    "de": [
        "nicht",
        "niemals",
        "wenn es regnet",
        "falls ich weg bin,",
        "um fünf",
        "morgen",
        "in zehn Minuten",
        "ich habe",
        "erinnere mich",
        "hast du",
        "warum",
        "sobald es dunkel ist",
        "heute Abend",
        "um 17:30",
    ],
}
AFTER = {
    "en": [
        "if it rains",
        "unless I am home",
        "when the sun sets",
        "at five",
        "at 6pm",
        "at 17:30",
        "in ten minutes",
        "in half an hour",
        "tomorrow",
        "tonight",
        "later",
        "every day",
        "on monday",
        "after dinner",
        "not",
        "until midnight",
        "?",
    ],
    "de": [
        "wenn es regnet",
        "falls jemand da ist",
        "sobald es dunkel ist",
        "um fünf",
        "um 18 Uhr",
        "in zehn Minuten",
        "in einer Stunde",
        "morgen",
        "heute Abend",
        "später",
        "jeden Tag",
        "am Montag",
        "nicht",
        "bis Mitternacht",
        "?",
    ],
}
WITHIN = {
    "en": ["not", "never", "don't", "tomorrow", "later", "if", "unless", "when", "tonight"],
    "de": ["nicht", "nie", "morgen", "später", "wenn", "falls", "kein", "niemals"],
}


@pytest.mark.parametrize(
    ("text", "language"), [(text, language) for language, texts in COMMANDS.items() for text in texts]
)
def test_the_commands_of_these_laws_do_act(read, text, language):
    assert isinstance(read(text, language), Acts)


@st.composite
def forbidden(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a command of either language with something before, after or within it that forbids acting now."""
    language = draw(st.sampled_from(sorted(COMMANDS)))
    command = draw(st.sampled_from(COMMANDS[language]))
    place = draw(st.sampled_from(["before", "after", "within"]))
    if place == "before":
        return f"{draw(st.sampled_from(BEFORE[language]))} {command}", language
    if place == "after":
        return f"{command} {draw(st.sampled_from(AFTER[language]))}", language
    words = command.split()
    words.insert(draw(st.integers(1, len(words) - 1)), draw(st.sampled_from(WITHIN[language])))
    return " ".join(words), language


@given(forbidden())
def test_a_word_that_forbids_it_holds_back_every_command(read, sentence):
    text, language = sentence
    assert not isinstance(read(text, language), Acts), text


@given(st.text(max_size=60), st.sampled_from(["en", "de", "fr", "ja", "xx"]))
def test_any_text_is_read_without_an_error(read, text, language):
    read(text, language)


@given(
    st.lists(
        st.sampled_from(
            [
                "turn",
                "on",
                "off",
                "the",
                "open",
                "close",
                "all",
                "lights",
                "garage",
                "cellar",
                "light",
                "kitchen",
                "and",
                "study",
                "don't",
                "50",
                "%",
                "to",
                "set",
            ]
        ),
        max_size=9,
    )
)
def test_no_mixture_of_words_reaches_what_is_not_exposed(read, furnished, calls, words):
    reached = {entity for _, entities, _ in calls(read(" ".join(words))) for entity in entities}
    assert reached <= furnished.exposed


@given(st.sampled_from(COMMANDS["en"]), st.sampled_from(["greenhouse", "attic", "pool", "nursery"]))
def test_an_unknown_word_in_the_target_never_acts(read, text, word):
    for name in ("kitchen light", "garage door", "front door", "study light", "thermostat", "ceiling fan", "robot"):
        if name in text:
            assert not isinstance(read(text.replace(name, f"{word} {name}")), Acts)
