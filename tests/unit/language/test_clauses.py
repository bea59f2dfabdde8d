"""Several requests in one breath: all of them, or none."""

import pytest

from homesteward.language import Acts, Declines


def test_two_requests_become_the_calls_of_both(read, calls):
    assert calls(read("kill the kitchen light and get the ceiling fan going")) == [
        ("light.turn_off", ["light.kitchen"], {}),
        ("fan.turn_on", ["fan.ceiling"], {}),
    ]


def test_one_verb_reaches_two_things(read, calls):
    assert calls(read("turn on the kitchen light and the hall light")) == [
        ("light.turn_on", ["light.kitchen", "light.hall"], {})
    ]


def test_three_requests_in_german(read, calls):
    reading = read("mach Kitchen light an, öffne Study blinds und schließe Front door ab", "de")
    assert [service for service, _, _ in calls(reading)] == ["light.turn_on", "cover.open_cover", "lock.lock"]


@pytest.mark.parametrize(
    "text",
    [
        "turn on the kitchen light and fly to the moon",
        "close the garage door and lock it",
        "turn on the kitchen light and start the dishwasher",
        "turn on the kitchen light and make the hall light red",
        "turn on the kitchen light and the porch light",
    ],
)
def test_one_clause_that_is_not_understood_holds_back_the_others(read, text):
    assert not isinstance(read(text), Acts)


def test_a_doubt_in_one_clause_is_told_and_nothing_is_done(read):
    reading = read("turn on the reading lamp and open the study blinds")
    assert isinstance(reading, Declines)
    assert (reading.code, "Bedroom" in reading.text) == ("ambiguous", True)
