"""Scoring of the assist format: the whole home is compared, and whatever changed without being asked for is wrong."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.model import State
from homesteward.trial.assist_case import AssistCase
from homesteward.trial.assist_score import SeenHome, assist_failures, assist_wrong
from homesteward.trial.score import One

START = {
    "light.desk": State("light.desk", "off", {"friendly_name": "Desk", "brightness": 0}),
    "light.hall": State("light.hall", "off", {"friendly_name": "Hall"}),
    "fan.box": State("fan.box", "off", {"percentage": 0}),
    "cover.blind": State("cover.blind", "closed", {"current_position": 0}),
    "media_player.radio": State("media_player.radio", "playing", {"volume_level": 0.6}),
    "todo.errands": State("todo.errands", "0", {}),
}


def case(expect: dict[str, Any] | None = None, **more: Any) -> AssistCase:
    return AssistCase.model_validate({"id": "c", "home": "h", "utterance": "x", "expect_changes": expect, **more})


def seen(*calls: One, reply: str = "Done.", outcome: str = "acted", **changed: dict[str, Any]) -> SeenHome:
    """Return the home after some of it changed; `light__desk={"state": "on"}` changes light.desk."""
    end = dict(START)
    for key, change in changed.items():
        before = START[name := key.replace("__", ".")]
        attributes = {k: v for k, v in change.items() if k != "state"}
        end[name] = State(name, change.get("state", before.state), {**before.attributes, **attributes})
    return SeenHome(START, end, calls, outcome, reply)


LIT = {"light.desk": {"state": "on"}}


def test_a_home_that_is_as_it_should_be_passes() -> None:
    assert assist_failures(case(LIT), seen(light__desk={"state": "on"})) == ()


def test_a_change_that_did_not_come_fails_and_is_not_a_wrong_action() -> None:
    assert assist_failures(case(LIT), seen()) == ("light.desk is off, not on",)
    assert assist_wrong(case(LIT), seen()) == ()


def test_any_other_entity_that_changed_fails_and_is_a_wrong_action() -> None:
    happened = seen(light__desk={"state": "on"}, light__hall={"state": "on"})
    assert assist_failures(case(LIT), happened) == ("light.hall is on, not off",)
    assert assist_wrong(case(LIT), happened) == ("changed light.hall is on, not off",)


def test_an_attribute_of_another_entity_counts_as_well() -> None:
    happened = seen(light__desk={"state": "on"}, cover__blind={"current_position": 40})
    assert assist_failures(case(LIT), happened) == ("cover.blind current_position is 40, not 0",)


def test_an_entity_that_came_or_went_counts_as_well() -> None:
    gone = SeenHome(START, {k: v for k, v in START.items() if k != "light.hall"}, (), "acted", "")
    assert any("light.hall is None" in why for why in assist_failures(case({}), gone))


def test_no_expected_changes_means_that_nothing_may_change() -> None:
    assert assist_failures(case({}), seen()) == ()
    assert assist_failures(case({}), seen(fan__box={"state": "on"})) == ("fan.box is on, not off",)


def test_a_case_that_says_nothing_about_the_home_is_not_failed_by_it_but_its_calls_are_wrong() -> None:
    asked = case(None, expect_response=["off"])
    happened = seen(One("light.turn_on", "light.desk", {}), reply="It is off.", light__desk={"state": "on"})
    assert assist_failures(asked, happened) == ()
    assert assist_wrong(asked, happened) == ("called light.turn_on light.desk",)


def test_a_call_on_an_entity_of_which_nothing_is_expected_is_wrong_even_if_nothing_came_of_it() -> None:
    happened = seen(One("light.turn_off", "light.hall", {}), light__desk={"state": "on"})
    assert assist_wrong(case(LIT), happened) == ("called light.turn_off light.hall",)


def test_an_expected_entity_that_ended_elsewhere_is_a_wrong_action() -> None:
    happened = seen(cover__blind={"state": "open", "current_position": 30})
    wanted = case({"cover.blind": {"state": "open", "attributes": {"current_position": 50}}})
    assert assist_wrong(wanted, happened) == ("changed cover.blind current_position is 30, not 50",)


@pytest.mark.parametrize(("level", "passes"), [(126, True), (130, True), (125, False), (131, False)])
def test_brightness_may_be_two_off(*, level: int, passes: bool) -> None:
    wanted = case({"light.desk": {"state": "on", "attributes": {"brightness": 128}}})
    assert (assist_failures(wanted, seen(light__desk={"state": "on", "brightness": level})) == ()) is passes


@pytest.mark.parametrize(
    ("expect", "change", "passes"),
    [
        ({"fan.box": {"state": "on"}}, {"fan__box": {"state": "on", "percentage": 100}}, True),
        ({"fan.box": {"state": "on"}}, {"fan__box": {"state": "on", "percentage": 30}}, False),
        ({"cover.blind": {"state": "open"}}, {"cover__blind": {"state": "open", "current_position": 100}}, True),
        ({"cover.blind": {"state": "open"}}, {"cover__blind": {"state": "open", "current_position": 20}}, False),
        ({"light.desk": {"state": "on"}}, {"light__desk": {"state": "on", "brightness": 255}}, True),
        ({"light.desk": {"state": "on"}}, {"light__desk": {"state": "on", "brightness": 20}}, False),
        (
            {"light.desk": {"state": "on", "attributes": {"brightness": 0}}},
            {"light__desk": {"state": "on", "brightness": 255}},
            False,
        ),
        (
            {"media_player.radio": {"attributes": {"volume_level": 0.0}}},
            {"media_player__radio": {"volume_level": 0.0, "is_volume_muted": True}},
            True,
        ),
        ({}, {"media_player__radio": {"is_volume_muted": True}}, False),
    ],
)
def test_an_attribute_may_go_along_with_its_state_to_the_end_that_the_state_stands_for(
    *, expect: dict[str, Any], change: dict[str, Any], passes: bool
) -> None:
    assert (assist_failures(case(expect), seen(**change)) == ()) is passes


def test_colour_modes_and_what_repeats_a_colour_are_not_compared_but_the_colour_is() -> None:
    repeated = {"state": "on", "color_mode": "hs", "hs_color": [0, 100], "xy_color": [0.7, 0.3], "is_closed": False}
    assert assist_failures(case(LIT), seen(light__desk=repeated)) == ()
    assert assist_failures(case(LIT), seen(light__desk={**repeated, "rgb_color": [255, 0, 0]})) != ()


def test_what_a_case_ignores_is_not_compared() -> None:
    happened = seen(cover__blind={"state": "open", "current_position": 20})
    ignoring = case({"cover.blind": {"state": "open"}}, ignore_changes={"cover.blind": ["current_position"]})
    assert assist_failures(ignoring, happened) == ()
    assert assist_failures(case({}, ignore_changes={"fan.box": ["state"]}), seen(fan__box={"state": "on"})) == ()


def test_numbers_and_texts_of_numbers_are_the_same() -> None:
    assert assist_failures(case({"todo.errands": {"state": 1}}), seen(todo__errands={"state": "1"})) == ()


def test_an_attribute_that_is_none_is_one_that_is_not_there() -> None:
    expect = {"light.desk": {"state": "off", "attributes": {"brightness": None, "color_mode": None}}}
    assert assist_failures(case(expect), seen(light__desk={"brightness": None})) == ()


def test_one_of_the_texts_must_be_in_the_answer_whatever_its_case() -> None:
    asked = case(None, expect_response=["yes", "open"])
    assert assist_failures(asked, seen(reply="The valve is OPEN.", outcome="answered")) == ()
    assert assist_failures(asked, seen(reply="It is.", outcome="answered")) == (
        "the answer does not contain yes or open",
    )


@pytest.mark.parametrize(
    ("reply", "outcome"), [("Sorry, I know no such thing.", "answered"), ("I did not understand.", "failed")]
)
def test_an_apology_never_counts_as_an_answer_whatever_words_are_in_it(reply: str, outcome: str) -> None:
    asked = case(None, expect_response=["no"])
    assert assist_failures(asked, seen(reply=reply, outcome=outcome)) == ("the answer is an apology",)


def test_an_apology_is_no_report_of_a_change_either() -> None:
    as_it_was = case({"light.desk": {"state": "off"}})
    assert assist_failures(as_it_was, seen(reply="Sorry, I know no such lamp.")) == ("the answer is an apology",)


def test_where_nothing_may_change_an_apology_will_do() -> None:
    assert assist_failures(case({}), seen(reply="Sorry, which one?", outcome="failed")) == ()


ENTITIES = st.sampled_from(sorted(START))
VALUES = st.sampled_from(["on", "off", "open", "elsewhere", "7"])


@given(st.dictionaries(ENTITIES, VALUES), st.dictionaries(ENTITIES, VALUES))
def test_whatever_changed_without_being_expected_fails_and_is_counted(
    expected: dict[str, str], happened: dict[str, str]
) -> None:
    a_case = case({name: {"state": state} for name, state in expected.items()})
    end = {name: State(name, happened.get(name, state.state), state.attributes) for name, state in START.items()}
    found = SeenHome(START, end, (), "acted", "")
    strays = {name for name in START if end[name].state not in {START[name].state, expected.get(name)}}
    assert {wrong.split()[1] for wrong in assist_wrong(a_case, found)} >= strays
    assert bool(assist_failures(a_case, found)) == any(
        end[name].state != expected.get(name, START[name].state) for name in START
    )


@given(st.dictionaries(ENTITIES, VALUES), st.randoms())
def test_order_never_matters(happened: dict[str, str], random: Any) -> None:
    names = random.sample(sorted(START), len(START))
    end = {name: State(name, happened.get(name, START[name].state), START[name].attributes) for name in START}
    shuffled = SeenHome({n: START[n] for n in names}, {n: end[n] for n in reversed(names)}, (), "acted", "")
    assert assist_failures(case(LIT), SeenHome(START, end, (), "acted", "")) == assist_failures(case(LIT), shuffled)
