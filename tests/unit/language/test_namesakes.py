"""Names said in another language, or in another case, than they are written in; and what must not be taken for one."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines


@pytest.mark.parametrize(
    ("text", "language", "entity"),
    [
        ("enciende el ventilador de techo", "es", "fan.ceiling"),
        ("allume le ventilateur de plafond", "fr", "fan.ceiling"),
        ("zet de plafondventilator aan", "nl", "fan.ceiling"),
        ("schalte den Deckenventilator ein", "de", "fan.ceiling"),
        ("включи потолочный вентилятор", "ru", "fan.ceiling"),
        ("włącz wentylator sufitowy", "pl", "fan.ceiling"),
        ("accendi il ventilatore a soffitto", "it", "fan.ceiling"),
        ("apaga la cafetera", "es", "switch.coffee"),
        ("allume la lumière de la cuisine", "fr", "light.kitchen"),
    ],
)
def test_an_english_name_may_be_said_in_another_language(read, calls, text, language, entity):
    assert [ids for _, ids, _ in calls(read(text, language))] == [[entity]]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("enciende el ventilador de la mesa", "es"),
        ("enciende la lámpara de techo", "es"),
        ("allume le plafonnier du salon", "fr"),
        ("włącz zmywarkę", "pl"),
        ("включи ёлку", "ru"),
        ("accendi il bollitore", "it"),
        ("zet de kerstboom aan", "nl"),
    ],
)
def test_nothing_similar_is_taken_for_a_translated_name(read, text, language):
    assert not isinstance(read(text, language), Acts | Asks)


def test_a_translated_name_that_two_things_have_is_asked_about(read):
    reading = read("enciende la lámpara de lectura", "es")
    assert isinstance(reading, Asks)
    assert {option.entity_id for option in reading.options} == {
        "light.reading_lamp_bedroom",
        "light.reading_lamp_study",
    }


@pytest.mark.parametrize(
    ("text", "language"), [("enciende la luz del sótano", "es"), ("allume la lumière de la cave", "fr")]
)
def test_a_translated_name_of_a_thing_that_is_not_shared_neither_acts_nor_reaches_its_neighbour(read, text, language):
    reading = read(text, language)
    assert isinstance(reading, Declines)
    assert reading.code == "not_exposed"


@pytest.mark.parametrize(
    ("text", "language"), [("turn on the floor lamp", "en"), ("zet de vloerlamp aan", "nl"), ("включи торшер", "ru")]
)
def test_a_german_name_may_be_said_in_any_language(speaking_to, calls, text, language):
    home = SimulatedHome.build([Thing("light.steh", "Stehlampe"), Thing("light.decke", "Deckenlampe")])
    assert calls(speaking_to(home)(text, language)) == [("light.turn_on", ["light.steh"], {})]


@pytest.mark.parametrize(
    ("text", "language"), [("turn off the lights in the kitchen", "en"), ("apaga las luces de la cocina", "es")]
)
def test_a_room_may_be_said_in_any_language(speaking_to, calls, text, language):
    home = SimulatedHome.build(
        [Thing("light.a", "Spots", "kueche"), Thing("light.b", "Leiste", "kueche"), Thing("light.c", "Ampel", "flur")],
        areas=[Area("kueche", "Küche"), Area("flur", "Flur")],
    )
    assert calls(speaking_to(home)(text, language)) == [("light.turn_off", ["light.a", "light.b"], {})]


def test_a_word_that_may_be_two_rooms_means_none_of_them(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "One", "study"), Thing("light.b", "Two", "office")],
        areas=[Area("study", "Study"), Area("office", "Office")],
    )
    assert isinstance(speaking_to(home)("apaga las luces del despacho", "es"), Declines)


def test_a_room_is_never_a_thing_of_that_name_in_another_language(speaking_to):
    home = SimulatedHome.build(
        [Thing("light.a", "Кухня", "veranda"), Thing("light.b", "Strip", "kitchen")],
        areas=[Area("veranda", "Veranda"), Area("kitchen", "Kitchen")],
    )
    assert not isinstance(speaking_to(home)("turn on the kitchen"), Acts)


def test_a_word_for_a_room_is_not_exchanged_for_another_of_the_same_language(speaking_to):
    home = SimulatedHome.build([Thing("light.a", "Spots", "salon")], areas=[Area("salon", "Salon")])
    assert not isinstance(speaking_to(home)("éteins les lumières du séjour", "fr"), Acts)


@pytest.mark.parametrize("text", ["włącz Lampkę Kasi", "włącz lampkę kasi", "wlacz lampke kasi", "zgaś lampkę Kasi"])
def test_a_name_is_found_in_the_case_that_the_sentence_asks_for(speaking_to, calls, text):
    home = SimulatedHome.build([Thing("light.a", "Lampka Kasi"), Thing("light.b", "Lampka Kuby")])
    assert [ids for _, ids, _ in calls(speaking_to(home)(text, "pl"))] == [["light.a"]]


@pytest.mark.parametrize(
    ("name", "said", "language"),
    [
        ("Кабинет", "кабинете", "ru"),
        ("Спальня", "спальню", "ru"),
        ("Детская", "детской", "ru"),
        ("Łazienka", "łazience", "pl"),
        ("Ogród", "ogrodzie", "pl"),
        ("Biuro", "biurze", "pl"),
        ("Gabinet", "gabinecie", "pl"),
    ],
)
def test_a_room_is_found_in_the_case_that_the_sentence_asks_for(speaking_to, calls, name, said, language):
    home = SimulatedHome.build([Thing("light.a", "One", "room")], areas=[Area("room", name)])
    text = {"ru": f"включи свет в {said}", "pl": f"zapal światło w {said}"}[language]
    assert calls(speaking_to(home)(text, language)) == [("light.turn_on", ["light.a"], {})]
