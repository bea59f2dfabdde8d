"""Entries for lists: dictated words are kept as they were said, and nothing in them is part of the sentence."""

import pytest

from homesteward.home.inventory import Thing
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines


@pytest.fixture
def read(speaking_to):
    return speaking_to(
        SimulatedHome.build(
            [Thing("todo.shopping", "Shopping"), Thing("todo.chores", "Chores"), Thing("light.hall", "Hall")]
        )
    )


@pytest.mark.parametrize(
    ("language", "text", "item"),
    [
        ("en", "add Oat Milk to the shopping list", "Oat Milk"),
        ("en", "put milk and eggs on my shopping list", "milk and eggs"),
        ("en", "could you add walk to the market to the chores list", "walk to the market"),
        ("en", "add call Mum tomorrow at five to the chores list", "call Mum tomorrow at five"),
        ("en", "add don't forget the cake to the shopping list", "don't forget the cake"),
        ("de", "setze Butter auf die Shopping Liste", "Butter"),
        ("fr", "ajoute du beurre à la liste Shopping", "du beurre"),
        ("nl", "zet boter op de shopping lijst", "boter"),
        ("es", "añade mantequilla a la lista shopping", "mantequilla"),
        ("it", "aggiungi burro alla lista shopping", "burro"),
        ("pl", "dodaj masło do listy shopping", "masło"),
        ("ru", "добавь масло в список Shopping", "масло"),
    ],
)
def test_an_entry_is_added_as_it_was_said(read, calls, language, text, item):
    [(service, _, data)] = calls(read(text, language))
    assert (service, data) == ("todo.add_item", {"item": item})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("don't add milk to the shopping list", "negation"),
        ("add milk to the shopping list if we are out of it", "condition"),
        ("remind me to add milk to the shopping list", "reminder"),
    ],
)
def test_words_around_the_entry_still_forbid_it(read, text, code):
    reading = read(text)
    assert isinstance(reading, Declines)
    assert reading.code == code


def test_two_entries_are_two(read, calls):
    found = calls(read("add milk to the shopping list and add dishes to the chores list"))
    assert [(ids, data["item"]) for _, ids, data in found] == [
        (["todo.shopping"], "milk"),
        (["todo.chores"], "dishes"),
    ]


def test_an_entry_that_holds_another_is_not_guessed_at(read):
    assert not isinstance(read("add milk to the shopping list and dishes to the chores list"), Acts)


def test_which_list_is_asked(read):
    reading = read("add milk to the list")
    assert isinstance(reading, Asks)
    assert [call.data["item"] for call in reading.calls] == ["milk", "milk"]


def test_a_list_that_is_not_there_gets_nothing(read):
    assert not isinstance(read("add milk to the hall"), Acts)
