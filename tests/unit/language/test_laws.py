"""Laws: whatever is understood, a word that forbids it holds it back, and nothing is reached that was not shared."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import yaml
from hassil.numbers import get_rbnf_engine
from hypothesis import given
from hypothesis import strategies as st

from homesteward.language import Acts
from spoken_cases import eval_cases, now

HERE = Path(__file__).parent
FORBIDDING = yaml.load((HERE / "forbidding.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
CASES = eval_cases()
COMMANDS = {
    language: [
        case["utterance"]
        for case in CASES
        if case["language"] == language and case["category"] == "act" and not case["utterance"].endswith("?")
    ]
    for language in FORBIDDING
}
START = datetime(2026, 11, 30, 12, tzinfo=UTC)  # as the fixtures have it
TARGETS = ["kitchen light", "hall light", "coffee maker", "bedroom blinds", "living room thermostat", "bedroom fan"]


@pytest.fixture(scope="module")
def read_demo(demo_house, speaking_to):
    return speaking_to(demo_house)


@pytest.mark.parametrize(
    ("text", "language"), [(text, language) for language, texts in COMMANDS.items() for text in texts]
)
def test_the_commands_of_these_laws_do_act(read_demo, text, language):
    assert isinstance(read_demo(text, language), Acts)


@st.composite
def forbidden(draw: st.DrawFn) -> tuple[str, str]:
    """Draw a command of any language with something before, after or within it that forbids acting now."""
    language = draw(st.sampled_from(sorted(COMMANDS)))
    command, words = draw(st.sampled_from(COMMANDS[language])), FORBIDDING[language]
    place = draw(st.sampled_from(["before", "after", "within"]))
    word = draw(st.sampled_from(words[place]))
    if place == "before":
        return f"{word} {command}", language
    if place == "after":
        return f"{command} {word}", language
    spoken = command.split()
    spoken.insert(draw(st.integers(1, len(spoken) - 1)), word)
    return " ".join(spoken), language


@given(forbidden())
def test_a_word_that_forbids_it_holds_back_every_command(read_demo, sentence):
    text, language = sentence
    assert not now(read_demo(text, language)), text


@pytest.mark.parametrize(
    ("language", "place", "word"),
    [
        (language, place, word)
        for language, places in FORBIDDING.items()
        for place, words in places.items()
        for word in words
    ],
)
def test_each_of_these_words_forbids(read_demo, language, place, word):
    """Every word once, so that none depends on what Hypothesis draws."""
    for command in COMMANDS[language][:4]:
        first, rest = command.split(" ", maxsplit=1)
        text = {"before": f"{word} {command}", "after": f"{command} {word}", "within": f"{first} {word} {rest}"}[place]
        assert not now(read_demo(text, language)), text


# A request, how many minutes later, and at what hour; the numbers are said in words and in digits.
TIMES = {
    "en": ("turn on hall light", "in {} minutes", "at {}"),
    "de": ("schalte Hall light ein", "in {} Minuten", "um {}"),
    "fr": ("allume Hall light", "dans {} minutes", "à {} heures"),
    "nl": ("zet Hall light aan", "over {} minuten", "om {} uur"),
    "ru": ("включи Hall light", "через {} минут", "в {}"),
    "es": ("enciende Hall light", "en {} minutos", "a las {}"),
    "it": ("accendi Hall light", "tra {} minuti", "alle {}"),
    "pl": ("włącz Hall light", "za {} minut", "o {}"),
}
ORDINAL_HOURS = {"pl"}  # where an hour is no plain number


@pytest.mark.parametrize("language", TIMES)
def test_every_hour_and_every_number_of_minutes_is_a_later_time(read_demo, language):
    command, minutes, hour = TIMES[language]
    engine = get_rbnf_engine(language)
    for number in range(2, 60):
        word = engine.format_number(number).text
        said = [minutes.format(word), minutes.format(number)]
        if number < 24:
            said += [hour.format(number)] if language in ORDINAL_HOURS else [hour.format(word), hour.format(number)]
        for when in said:
            reading = read_demo(f"{command} {when}", language)
            assert isinstance(reading, Acts), when
            assert reading.at, when
            assert reading.until is None, when
            if "{}" in minutes and when in said[:2]:
                assert reading.at == START + timedelta(minutes=number), when


@given(st.text(max_size=60), st.sampled_from([*COMMANDS, "ja", "xx"]))
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
def test_an_unknown_word_in_the_target_never_acts(read_demo, text, word):
    for name in TARGETS:
        if name in text:
            assert not isinstance(read_demo(text.replace(name, f"{word} {name}")), Acts)
