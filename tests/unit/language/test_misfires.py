"""What once opened a garage door somewhere and should not have, of its whole kind, in eight languages; and what opens it."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Asks, Declines, is_question
from spoken_cases import now

MISFIRES = yaml.load((Path(__file__).parent / "misfires.yaml").read_text(encoding="utf-8"), yaml.BaseLoader)
GUARDS = ("negation", "condition", "later", "reminder", "statement")
DOORS = {"cover.door", "cover.cellar_door"}


def said(*kinds: str) -> list[Any]:
    return [
        pytest.param(language, kind, text, id=f"{language}-{kind}-{text}")
        for language, rows in MISFIRES.items()
        for kind in kinds
        for text in rows.get(kind, ())
    ]


def housed(names: dict[str, str], door: str = "closed") -> SimulatedHome:
    return SimulatedHome.build(
        [
            Thing("cover.door", names["door"], "garage", door, device_class="garage"),
            Thing("cover.cellar_door", names["cellar_door"], "basement", "closed", device_class="door"),
            Thing(
                "climate.thermostat",
                names["thermostat"],
                "basement",
                "heat",
                {"temperature": 18, "current_temperature": 17, "supported_features": 1},
            ),
            Thing("media_player.speaker", names["speaker"], "basement", "playing"),
        ],
        areas=[Area("garage", names["garage"]), Area("basement", names["basement"])],
    )


@pytest.fixture(scope="module")
def houses() -> dict[str, SimulatedHome]:
    """A home for each language, named in it."""
    return {language: housed(rows["names"]) for language, rows in MISFIRES.items()}


def moved(calls: list[Any]) -> set[str]:
    return {entity for _, entities, _ in calls for entity in entities} & DOORS


@pytest.mark.parametrize(("language", "kind", "text"), said("moves"))
def test_a_request_opens_the_door_once(houses, speaking_to, calls, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert now(reading)
    assert calls(reading) == [("cover.open_cover", ["cover.door"], {})]


@pytest.mark.parametrize(("language", "kind", "text"), said(*GUARDS, "held"))
def test_no_sentence_of_this_kind_acts_and_its_kind_is_told(houses, speaking_to, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert isinstance(reading, Declines), reading
    assert reading.code == kind or (kind == "held" and reading.code in GUARDS)


@pytest.mark.parametrize(("language", "kind", "text"), said("timed"))
def test_a_request_for_a_moment_moves_nothing_now(houses, speaking_to, calls, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert isinstance(reading, Acts), reading
    assert reading.at
    assert len(moved(calls(reading))) == 1


@pytest.mark.parametrize(("language", "kind", "text"), said("question"))
def test_no_question_moves_anything(houses, speaking_to, language, kind, text):
    assert is_question(text, language)
    assert not isinstance(speaking_to(houses[language])(text, language), Acts)


@pytest.mark.parametrize(("language", "kind", "text"), said("other"))
def test_another_thing_of_the_room_moves_no_door(houses, speaking_to, calls, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert not moved(calls(reading))
    assert calls(reading), reading


@pytest.mark.parametrize(("language", "kind", "text"), said("absent"))
def test_nothing_similar_moves_in_place_of_what_is_not_there(houses, speaking_to, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert isinstance(reading, Declines), reading
    assert reading.code.startswith("unknown")


@pytest.mark.parametrize(("language", "kind", "text"), said("half"))
def test_nothing_is_done_by_half(houses, speaking_to, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert isinstance(reading, Declines), reading


@pytest.mark.parametrize(("language", "kind", "text"), said("which"))
def test_two_doors_that_fit_are_asked_about(houses, speaking_to, language, kind, text):
    reading = speaking_to(houses[language])(text, language)
    assert isinstance(reading, Asks), reading
    assert {option.entity_id for option in reading.options} == DOORS


@pytest.mark.parametrize("language", MISFIRES)
def test_a_door_that_cannot_be_reached_is_told_and_nothing_else_moves(speaking_to, language):
    rows = MISFIRES[language]
    reading = speaking_to(housed(rows["names"], "unavailable"))(rows["moves"][0], language)
    assert isinstance(reading, Declines), reading
    assert reading.code == "unavailable"
