"""Sentences of no shape: done where nothing else can be meant, offered where it is likely, else left; never taken for something else."""

import os
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, NotUnderstood, Stage, pick
from homesteward.language.lexicon import lexicon
from homesteward.language.ranking import Features, Verdict, margin, offered, score, verdict
from homesteward.language.tables import languages
from homesteward.language.verbs import VALUE_OF, verbs, wanted
from scrambled import scrambled
from strangers import StrangeHome

HOMES, EACH = (400, 50) if os.environ.get("HOMESTEWARD_SOAK") else (30, 25)
SHARE = st.floats(0, 1)


@pytest.fixture(scope="module")
def snug():
    """Return a snug room with a lamp, a fan, a blind, a lock and a speaker, and a study with a lamp."""
    return SimulatedHome.build(
        [
            Thing("light.snug", "Snug Lamp", "snug", attributes={"supported_color_modes": ["brightness"]}),
            Thing("light.corner", "Corner Lamp", "study"),
            Thing("fan.snug", "Snug Fan", "snug"),
            Thing("cover.snug", "Snug Blind", "snug", device_class="blind"),
            Thing("lock.gate", "Back Gate", "snug"),
            Thing("media_player.snug", "Snug Speaker", "snug", device_class="speaker"),
        ],
        areas=[Area("snug", "Snug"), Area("study", "Study")],
    )


@pytest.fixture(scope="module")
def said(snug, speaking_to):
    return speaking_to(snug)


@pytest.mark.parametrize(
    ("text", "language", "done"),
    [
        ("snug lamp turn off", "en", ("light.turn_off", "light.snug")),
        ("snug fan switch on", "en", ("fan.turn_on", "fan.snug")),
        ("snug lamp encender", "es", ("light.turn_on", "light.snug")),
        ("snug lamp éteindre", "fr", ("light.turn_off", "light.snug")),
    ],
)
def test_what_accounts_for_every_word_is_done_whatever_its_order(said, calls, text, language, done):
    reading = said(text, language)
    assert [(name, ids[0]) for name, ids, _ in calls(reading)] == [done]
    assert reading.how.stage is Stage.RETRIEVAL


@pytest.mark.parametrize(
    ("text", "language", "offer"),
    [
        ("turn the blessed snug lamp off", "en", "turn off Snug Lamp"),
        ("back gate unlock", "en", "unlock Back Gate"),
        ("snug blind would you open", "en", "open Snug Blind"),
        ("enciende la dichosa snug lamp", "es", "enciende Snug Lamp"),
        ("mach die verflixte snug lamp aus", "de", "schalte Snug Lamp aus"),
        ("выключи противный snug lamp", "ru", "выключи Snug Lamp"),
    ],
)
def test_what_is_likely_is_offered_in_words_and_a_yes_is_the_answer(said, text, language, offer):
    reading = said(text, language)
    assert isinstance(reading, Asks)
    assert reading.how.stage is Stage.RETRIEVAL
    assert [option.label for option in reading.options] == [offer]
    assert offer in reading.text
    assert pick(reading.options, {"en": "yes", "es": "sí", "de": "ja", "ru": "да"}[language], language) == 0


@pytest.mark.parametrize(
    "text",
    [
        "dno't turn the snug lamp on",  # nearly a word that forbids
        "forgott to turn the snug lamp on",  # a word before the verb
        "snug lamp on off",  # verbs at odds
        "turn the snug lamp and the corner thing off",  # several things
        "snug lamp turn off in the",  # broken off
        "the snug lamp turned off",  # told, not asked
        "turn on the flux capacitor",
        "turn on the sauna lamp",
        "the snug lamp",  # no verb
        "go on about the snug lamp",
        "lock the snug lamp",
    ],
)
def test_nothing_is_done_or_offered_where_a_word_may_mean_something_else(said, text):
    assert isinstance(said(text), Declines | NotUnderstood)


def test_a_verb_that_is_also_a_name_here_is_asked_about(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "Snug Lamp", "snug"), Thing("light.b", "Off Lamp", "snug")], areas=[Area("snug", "Snug")]
    )
    assert not isinstance(speaking_to(home)("snug lamp turn off"), Acts)


def test_all_of_a_kind_in_a_room_and_the_one_that_is_called_so_are_told_apart(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "Loft Lights", "loft"), Thing("light.b", "Beam", "loft")], areas=[Area("loft", "Loft")]
    )
    reading = speaking_to(home)("lights switch off loft")
    assert isinstance(reading, Asks)
    assert {call.target.entity_id for call in reading.calls} == {("light.a", "light.b"), ("light.a",)}


def test_two_that_fit_alike_are_both_offered(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "Tall Zumo Lamp", "snug"), Thing("light.b", "Tall Brixa Lamp", "snug")],
        areas=[Area("snug", "Snug")],
    )
    reading = speaking_to(home)("tall lamp turn on")
    assert isinstance(reading, Asks)
    assert {option.entity_id for option in reading.options} == {"light.a", "light.b"}


def test_a_word_of_another_language_finds_the_name_it_stands_for(speaking_to):
    home = SimulatedHome.build([Thing("light.a", "Kitchen Zumo Lamp", "kitchen")], areas=[Area("kitchen", "Kitchen")])
    reading = speaking_to(home)("lampe zumo küche einschalten", "de")
    ids = reading.calls[0].target.entity_id
    assert ids == ("light.a",)


@pytest.mark.parametrize("language", languages("verbs"))
def test_every_offer_is_a_sentence_that_is_understood_as_what_it_offers(snug, speaking_to, language):
    from homesteward.language.acts import ACTS  # noqa: PLC0415

    read, known = speaking_to(snug), verbs(language)
    assert known is not None
    names = {"light": "Snug Lamp", "cover": "Snug Blind", "lock": "Back Gate", "media_player": "Snug Speaker"}
    for act, template in known.say.items():
        domain = next((domain for domain in names if domain in ACTS[act].services), None)
        if domain is None:
            continue
        reading = read(template.format(name=names[domain], value="40"), language)
        assert isinstance(reading, Acts), (act, reading)
        assert {call.service for call in reading.calls} == {ACTS[act].services[domain]}, act


@pytest.mark.parametrize("language", languages("verbs"))
def test_verbs_at_odds_ask_for_nothing(language):
    known, words = verbs(language), lexicon(language)
    assert known is not None
    assert words is not None
    first = {
        act: word
        for word, acts in known.acts.items()
        for act in acts
        if len(acts) == 1 and word not in words.prepositions
    }
    assert wanted(f"{first['lock']} {first['unlock']} zumo", known, words) is None
    assert set(known.say) == {act for acts in known.acts.values() for act in acts} | set(VALUE_OF)


@given(SHARE, SHARE, st.integers(0, 5))
def test_a_word_more_that_is_not_accounted_for_never_makes_it_likelier(explained, covered, strange):
    assert score(Features(explained, covered, strange=strange + 1)) <= score(
        Features(explained, covered, strange=strange)
    )


@given(st.lists(SHARE, min_size=1, max_size=8), st.integers(1, 3))
def test_nothing_is_done_that_leaves_a_word_unexplained_or_has_another_beside_it(scores, strange):
    assert verdict(Features(1.0, 1.0, whole=True, strange=strange), scores) is not Verdict.ACT
    assert verdict(Features(1.0, 1.0), scores) is not Verdict.ACT
    if margin(scores) < 0.1:
        assert verdict(Features(1.0, 1.0, whole=True), scores) is not Verdict.ACT
    assert len(offered(scores)) <= 3


def test_nothing_wrong_comes_of_sentences_out_of_shape_in_homes_that_nobody_has_seen(speaking_to):
    wrong, done = [], 0
    for seed in range(HOMES):
        strange = StrangeHome(seed)
        read = speaking_to(strange.home)
        for spoken in islice(scrambled(strange, seed), EACH):
            reading = read(spoken.text)
            if reading.how.stage is not Stage.RETRIEVAL or not isinstance(reading, Acts):
                continue
            came_to = {(call.service, name) for call in reading.calls for name in call.target.entity_id}
            done += 1
            if came_to != {(spoken.service, name) for name in spoken.entity_ids}:
                wrong.append((seed, spoken.text, came_to))
    assert wrong == []
    assert done
