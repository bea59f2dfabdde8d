"""Each sentence says which stage understood it; the same words again are not understood anew, and still look at the home."""

from dataclasses import replace

import pytest

from homesteward.language import Acts, Declines, Fit, Found, Says, Stage


@pytest.fixture
def read(home, speaking_to):
    return speaking_to(home)


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("turn on the kitchen light", Stage.SHAPE),
        ("turn on the kitchen light and then close the study blinds", Stage.CLAUSES),
        ("cosy", Stage.NAME),
        ("don't turn on the kitchen light", Stage.GUARD),
        ("is the kitchen light on?", Stage.QUESTION),
        ("turn on the kithcen light", Stage.SLIP),
        ("kitchen light switch off", Stage.RETRIEVAL),
        ("what a lovely day", Stage.NONE),
    ],
)
def test_a_reading_says_which_stage_it_comes_from(read, text, stage):
    assert read(text).how.stage is stage


def test_a_language_without_words_of_ours_is_understood_by_home_assistants_grammar(read):
    reading = read("Tænd Kitchen light", "da")
    assert isinstance(reading, Acts)
    assert reading.how.stage is Stage.GRAMMAR


def test_the_same_words_are_remembered_whatever_their_case_and_spaces(read):
    first, again = read("turn on the kitchen light"), read("Turn on  the KITCHEN light")
    assert again == first
    assert (first.how.stage, again.how.stage) == (Stage.SHAPE, Stage.REMEMBERED)


def test_what_is_remembered_looks_at_the_home_again(read, home):
    read("turn on the kitchen light")
    home.set_state("light.kitchen", "unavailable")
    reading = read("turn on the kitchen light")
    assert isinstance(reading, Declines)
    assert reading.code == "unavailable"


def test_a_step_is_counted_from_what_is_so_now(read, home):
    before = read("make the thermostat 2 degrees warmer")
    home.set_state("climate.thermostat", "heat", temperature=25)
    after = read("make the thermostat 2 degrees warmer")
    assert after.how.stage is Stage.REMEMBERED
    assert (before.calls[0].data["temperature"], after.calls[0].data["temperature"]) == (22, 27)


def test_nothing_is_remembered_over_a_new_name(read, home):
    read("turn on the kitchen light")
    state = home.states["light.kitchen"]
    home.states["light.kitchen"] = replace(state, attributes={**state.attributes, "friendly_name": "Beacon"})
    home.entities["light.kitchen"] = replace(home.entities["light.kitchen"], aliases=())
    home.revision += 1
    reading = read("turn on the beacon")
    assert reading.calls[0].target.entity_id == ("light.kitchen",)
    assert read("turn on the beacon").how.stage is Stage.REMEMBERED


def test_the_room_it_is_said_in_is_part_of_what_is_remembered(read):
    bedroom = read("turn on the reading lamp", area_id="bedroom")
    study = read("turn on the reading lamp", area_id="study")
    assert bedroom.calls[0].target.entity_id == ("light.reading_lamp_bedroom",)
    assert study.calls[0].target.entity_id == ("light.reading_lamp_study",)


def test_an_answer_is_never_remembered(read, home):
    before = read("is the kitchen light on?")
    home.set_state("light.kitchen", "on")
    after = read("is the kitchen light on?")
    assert isinstance(before, Says)
    assert isinstance(after, Says)
    assert before.text != after.text
    assert after.how.stage is Stage.QUESTION


def test_what_is_asked_back_or_held_back_is_not_remembered(read):
    for text in ("turn on the reading lamp", "don't turn on the kitchen light", "turn on the lamp in the sauna"):
        read(text)
        assert read(text).how.stage is not Stage.REMEMBERED


def test_what_may_mean_something_spoken_of_before_is_not_remembered(read):
    kitchen, study = Found(("light.kitchen",), Fit.EXACT), Found(("light.study",), Fit.EXACT)
    first, second = read("turn it on", subject=kitchen), read("turn it on", subject=study)
    assert first.calls[0].target.entity_id == ("light.kitchen",)
    assert second.calls[0].target.entity_id == ("light.study",)
