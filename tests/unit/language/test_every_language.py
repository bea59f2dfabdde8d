"""Every language of Home Assistant's grammar is tried with sentences of that grammar itself: read without an error, done, and no question acts."""

import os
from itertools import islice

import pytest
from hassil.intents import TextSlotList
from hassil.sample import sample_sentence
from home_assistant_intents import get_languages

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts
from homesteward.language.grammar import grammar, recognise
from homesteward.language.guards import guard_words
from homesteward.language.tidy import tidy

SOAKING = bool(os.environ.get("HOMESTEWARD_SOAK"))
EACH, MOST = (3, 150) if SOAKING else (2, 16)  # sentences of one template, and of one intent
MARKS = ("?", "\uff1f", "\u061f")
NAMES = {
    "name": TextSlotList.from_tuples([("Kitchen light", "light.kitchen", {"domain": "light"})], name="name"),
    "area": TextSlotList.from_tuples([("Kitchen", "kitchen")], name="area"),
    "floor": TextSlotList.from_tuples([("Ground floor", "ground")], name="floor"),
}


@pytest.fixture(scope="module")
def flat() -> SimulatedHome:
    return SimulatedHome.build([Thing("light.kitchen", "Kitchen light", "kitchen")], areas=[Area("kitchen", "Kitchen")])


def sentences(language: str, intent: str) -> list[str]:
    """Return sentences of the grammar of a language that are about a light, its name and its room."""
    known = grammar(language)
    if intent not in known.intents:
        return []
    lists = {**known.slot_lists, **NAMES}
    blocks = [block for block in known.intents[intent].data if _about_lights(block)]
    found = (
        text
        for block in blocks
        for sentence in block.sentences
        for text in islice(
            sample_sentence(
                sentence,
                lists,
                {**known.expansion_rules, **(block.expansion_rules or {})},
                language=language,
                expand_ranges=False,
                skip_optionals=True,
            ),
            EACH,
        )
        if "{" not in text
    )
    return list(islice(found, MOST))


def _about_lights(block) -> bool:
    """Return whether the sentences of the block may be about a light: its slots and what it requires both allow one."""
    wanted = (block.requires_context or {}).get("domain", "light")
    return all("light" in part for part in ((block.slots or {}).get("domain", "light"), wanted))


@pytest.mark.parametrize("language", get_languages())
def test_sentences_of_the_grammar_are_read_and_some_are_done(flat, speaking_to, language):
    read = speaking_to(flat)
    done = {call.id for text in sentences(language, "HassTurnOn") for call in _calls(read(text, language))}
    assert done == {"light.turn_on"}
    undone = {call.id for text in sentences(language, "HassTurnOff") for call in _calls(read(text, language))}
    assert undone <= {"light.turn_off"}


@pytest.mark.parametrize("language", get_languages())
def test_no_sentence_acts_as_a_question(flat, speaking_to, language):
    read = speaking_to(flat)
    asked = [f"{text}{mark}" for text in sentences(language, "HassTurnOn")[:40] for mark in MARKS]
    acting = [text for text in asked if _calls(read(text, language)) and not _polite(text, language)]
    assert acting == []


@pytest.mark.parametrize("language", get_languages())
def test_no_question_of_the_grammar_acts(flat, speaking_to, language):
    read, mark = speaking_to(flat), "?" if guard_words(language) else ""  # "all lights on" is a request in English
    asked = [f"{text}{mark}" for text in sentences(language, "HassGetState") if _is_question(text, language)]
    assert [text for text in asked if _calls(read(text, language))] == []


def _is_question(text, language):
    """Return whether the grammar also reads as a question what it made as one: not all that it makes it reads so."""
    return any(found.intent.name == "HassGetState" for found in recognise(text, language, dict(NAMES)))


def _calls(reading):
    return reading.calls if isinstance(reading, Acts) else ()


def _polite(text, language):
    """Return whether the sentence asks politely, in a language of which the polite words are known."""
    words = guard_words(language)
    return bool(words and words.polite.search(tidy(text)))
