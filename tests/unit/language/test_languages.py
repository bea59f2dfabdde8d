"""Eight languages: what acts, what must not, and what is answered, on the demo home and on homes named in the language itself."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from homes import COLOURFUL, DIMMABLE
from homesteward.home.inventory import Thing
from homesteward.home.model import Area
from homesteward.home.simulation import SimulatedHome
from homesteward.language import Acts, Declines, Says, is_question
from homesteward.language.guards import ORDER
from spoken_cases import eval_cases, now

HERE = Path(__file__).parent
CASES = eval_cases()
INVENTORIES = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in sorted((HERE / "inventories").glob("*.yaml"))
}
SPOKEN = ["de", "en", "es", "fr", "it", "nl", "pl", "ru"]


def said(key: str) -> list[Any]:
    return [pytest.param(language, *row, id=row[0]) for language, home in INVENTORIES.items() for row in home[key]]


def of_category(*categories: str) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in CASES if case["category"] in categories]


@pytest.fixture(scope="module")
def native() -> dict[str, SimulatedHome]:
    """A home for each language, named in it."""
    return {language: furnished(written) for language, written in INVENTORIES.items()}


def furnished(written: dict[str, Any]) -> SimulatedHome:
    things = [
        Thing(
            thing["id"],
            thing["name"],
            thing["area"],
            thing.get("state", ""),
            {
                **((COLOURFUL if thing.get("colour") else DIMMABLE) if thing["id"].startswith("light.") else {}),
                **({"unit_of_measurement": thing["unit"]} if "unit" in thing else {}),
            },
            device_class=thing.get("class"),
        )
        for thing in written["things"]
    ]
    return SimulatedHome.build(things, areas=[Area(name, title) for name, title in written["areas"].items()])


@pytest.mark.parametrize("language", SPOKEN)
def test_the_cases_hold_ten_that_act_and_ten_that_must_not(language):
    kinds = [case["category"] for case in CASES if case["language"] == language]
    assert kinds.count("act") >= 10
    assert sum(kind in {*ORDER, "timed", "question"} for kind in kinds) >= 10
    assert {*ORDER, "except", "question"} - {"exception"} <= set(kinds)


@pytest.mark.parametrize("case", of_category("act"))
def test_a_request_becomes_its_calls_on_the_demo_home(demo_house, speaking_to, calls, case):
    wanted = [
        (
            f"{call['domain']}.{call['service']}",
            call["entity_id"],
            {key: str(value) for key, value in call.get("data", {}).items()},
        )
        for call in [*case["expect"]["calls"], *case["expect"].get("proposed", [])]
    ]
    asked = calls(speaking_to(demo_house)(case["utterance"], case["language"]))
    assert [(service, ids, {key: str(value) for key, value in data.items()}) for service, ids, data in asked] == wanted


@pytest.mark.parametrize("case", of_category(*ORDER))
def test_a_guard_holds_on_the_demo_home_and_is_named(demo_house, speaking_to, case):
    reading = speaking_to(demo_house)(case["utterance"], case["language"])
    assert isinstance(reading, Declines), reading
    assert reading.code == case["category"]


@pytest.mark.parametrize("case", of_category("except"))
def test_what_is_left_out_of_a_request_is_not_reached(demo_house, speaking_to, calls, case):
    asked = calls(speaking_to(demo_house)(case["utterance"], case["language"]))
    assert not any("light.kitchen_ceiling_light" in entities for _, entities, _ in asked)


@pytest.mark.parametrize("case", of_category("timed"))
def test_a_request_for_a_moment_is_read_with_it(demo_house, speaking_to, case):
    reading = speaking_to(demo_house)(case["utterance"], case["language"])
    assert isinstance(reading, Acts), reading
    assert reading.at


@pytest.mark.parametrize("case", of_category("question"))
def test_a_question_never_acts_with_or_without_its_mark(demo_house, speaking_to, case):
    assert is_question(case["utterance"], case["language"])
    assert not isinstance(speaking_to(demo_house)(case["utterance"], case["language"]), Acts)


@pytest.mark.parametrize("case", of_category("range"))
def test_a_value_below_the_range_is_refused_or_keeps_its_sign_for_the_gate(demo_house, speaking_to, calls, case):
    asked = calls(speaking_to(demo_house)(case["utterance"], case["language"]))
    assert all(value < 0 for _, _, data in asked for value in data.values())


@pytest.mark.parametrize("case", of_category("answer"))
def test_a_question_is_answered_in_its_language(demo_house, speaking_to, case):
    reading = speaking_to(demo_house)(case["utterance"], case["language"])
    assert isinstance(reading, Says), reading
    assert all(word in reading.text.casefold() for word in case["expect"]["answer_contains"])


@pytest.mark.parametrize(
    ("language", "text", "call"),
    [
        pytest.param(language, row[0], row[1:], id=row[0])
        for language, home in INVENTORIES.items()
        for row in home["acts"]
    ],
)
def test_a_request_becomes_its_call_in_a_home_named_in_the_language(native, speaking_to, calls, language, text, call):
    service, entities, *data = call
    assert calls(speaking_to(native[language])(text, language)) == [(service, entities, data[0] if data else {})]


@pytest.mark.parametrize(("language", "text", "code"), said("holds"))
def test_a_guard_holds_in_a_home_named_in_the_language(native, speaking_to, language, text, code):
    reading = speaking_to(native[language])(text, language)
    assert not now(reading)
    assert isinstance(reading, Acts) if code == "timed" else getattr(reading, "code", None) == code, reading


@pytest.mark.parametrize(("language", "text", "answer"), said("answers"))
def test_a_question_is_answered_in_a_home_named_in_the_language(native, speaking_to, language, text, answer):
    reading = speaking_to(native[language])(text, language)
    assert isinstance(reading, Says), reading
    assert reading.text == answer
