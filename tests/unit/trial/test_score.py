"""Scoring of cases: every assertion can hold and fail, per entity, and a wrong call is always counted."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.home.calls import ResolvedCall
from homesteward.trial.case import Case
from homesteward.trial.score import Seen, failures, singles, wrong_calls


def case(**expect: Any) -> Case:
    return Case.model_validate({"id": "c", "utterance": "x", "expect": expect})


def seen(*calls: ResolvedCall, **more: Any) -> Seen:
    told = {"proposed": (), "states": {}, "outcome": "acted", "reply": "", "decisions": (), **more}
    return Seen(calls=calls, **told)


def on(*entity_ids: str, **data: Any) -> ResolvedCall:
    return ResolvedCall("light", "turn_on", entity_ids, data)


def expected(*entity_ids: str, **data: Any) -> dict[str, Any]:
    return {"domain": "light", "service": "turn_on", "entity_id": list(entity_ids), "data": data}


def test_what_is_not_given_is_not_looked_at() -> None:
    assert failures(case(), seen(on("light.a"), outcome="failed", reply="sorry")) == ()


def test_one_call_on_two_entities_is_the_same_as_a_call_on_each() -> None:
    assert failures(case(calls=[expected("light.b", "light.a")]), seen(on("light.a"), on("light.b"))) == ()


def test_a_missing_call_and_one_too_many_are_both_named() -> None:
    assert failures(case(calls=[expected("light.a")]), seen(on("light.b"))) == (
        "call missing: light.turn_on light.a",
        "call too many: light.turn_on light.b",
    )


def test_the_same_call_twice_is_one_too_many() -> None:
    assert failures(case(calls=[expected("light.a")]), seen(on("light.a"), on("light.a"))) == (
        "call too many: light.turn_on light.a",
    )


def test_no_calls_expected_means_that_none_may_be_made() -> None:
    assert failures(case(calls=[]), seen(on("light.a"))) == ("call too many: light.turn_on light.a",)
    assert failures(case(calls=[]), seen()) == ()


def test_proposals_are_compared_like_calls() -> None:
    assert failures(case(proposed=[expected("light.a")]), seen(proposed=(on("light.a"),))) == ()
    assert failures(case(proposed=[]), seen(proposed=(on("light.a"),))) == ("proposal too many: light.turn_on light.a",)


def test_a_state_afterwards_is_compared() -> None:
    assert failures(case(state={"light.a": "on"}), seen(states={"light.a": "on"})) == ()
    assert failures(case(state={"light.a": "on"}), seen(states={"light.a": "off"})) == ("light.a is off, not on",)
    assert failures(case(state={"light.a": "on"}), seen()) == ("light.a is None, not on",)


def test_an_outcome_is_compared_with_one_or_several() -> None:
    assert failures(case(outcome="acted"), seen()) == ()
    assert failures(case(outcome_in=["waiting", "acted"]), seen()) == ()
    assert failures(case(outcome_in=["waiting", "refused"]), seen()) == ("outcome acted, not waiting or refused",)


def test_a_decision_must_be_that_of_every_step() -> None:
    assert failures(case(decision="allow"), seen(decisions=("allow", "allow"))) == ()
    assert failures(case(decision="allow"), seen(decisions=("allow", "approve"))) != ()
    assert failures(case(decision="allow"), seen()) == ("decision none, not allow",)


def test_every_text_must_be_in_the_answer_and_one_of_a_nested_list() -> None:
    wanted = case(answer_contains=["KITCHEN", ["on", "lit"]])
    assert failures(wanted, seen(reply="The kitchen light is lit.")) == ()
    assert failures(wanted, seen(reply="The light is lit.")) == ("the answer does not contain KITCHEN",)
    assert failures(wanted, seen(reply="Kitchen: off")) == ("the answer does not contain on or lit",)


def test_an_apology_is_no_answer() -> None:
    assert failures(case(answer_contains=["kitchen"]), seen(reply="Sorry, there is no kitchen.")) == (
        "the answer is an apology",
    )


def test_what_the_answer_must_not_contain_is_compared_too() -> None:
    assert failures(case(answer_excludes=["done"]), seen(reply="All DONE.")) == ("the answer contains done",)


@pytest.mark.parametrize(
    ("wanted", "sent", "same"),
    [
        ({"brightness_pct": 50}, {"brightness_pct": 51}, True),
        ({"brightness_pct": 50}, {"brightness": 128}, True),
        ({"brightness_pct": 50}, {"brightness_pct": 52}, False),
        ({"percentage": 33}, {"percentage": 33.3}, True),
        ({"volume_level": 0.5}, {"volume_level": 0.505}, True),
        ({"volume_level": 0.5}, {"volume_level": 0.55}, False),
        ({"temperature": 21}, {"temperature": 21.5}, False),
        ({"color_name": "red"}, {"rgb_color": [255, 0, 0]}, True),
        ({"color_name": "red"}, {"hs_color": [0, 100]}, True),
        ({"color_name": "red"}, {"color_name": "blue"}, False),
        ({"hvac_mode": "heat"}, {"hvac_mode": "cool"}, False),
        ({}, {"brightness_pct": 50}, False),
    ],
)
def test_data_is_compared_as_what_it_asks_for(*, wanted: dict[str, Any], sent: dict[str, Any], same: bool) -> None:
    assert (failures(case(calls=[expected("light.a", **wanted)]), seen(on("light.a", **sent))) == ()) is same


NAMES = st.sampled_from(["light.a", "light.b", "light.c"])
CALLS = st.builds(
    lambda names, level: on(*names, **({} if level is None else {"brightness_pct": level})),
    st.lists(NAMES, min_size=1, max_size=3, unique=True),
    st.sampled_from([None, 10, 50, 90]),
)


@given(st.lists(CALLS, max_size=5), st.lists(CALLS, max_size=5), st.randoms())
def test_order_never_matters(wanted: list[ResolvedCall], sent: list[ResolvedCall], random: Any) -> None:
    def scored(expect: list[ResolvedCall], happened: list[ResolvedCall]) -> tuple[set[str], list[str]]:
        a_case = case(calls=[expected(*call.entity_ids, **call.data) for call in expect])
        happening = seen(*happened)
        return set(failures(a_case, happening)), sorted(wrong_calls(a_case, happening))

    other_wanted, other_sent = random.sample(wanted, len(wanted)), random.sample(sent, len(sent))
    assert scored(wanted, sent) == scored(other_wanted, other_sent)


@given(st.lists(CALLS, max_size=4), st.lists(CALLS, max_size=4))
def test_a_call_on_an_entity_that_is_not_expected_is_always_wrong(
    wanted: list[ResolvedCall], sent: list[ResolvedCall]
) -> None:
    stray = ResolvedCall("lock", "unlock", ("lock.gate",))
    a_case = case(calls=[expected(*call.entity_ids, **call.data) for call in wanted])
    happening = seen(*sent, stray)
    assert "lock.unlock lock.gate" in wrong_calls(a_case, happening)
    assert "call too many: lock.unlock lock.gate" in failures(a_case, happening)


@given(st.lists(CALLS, max_size=4), st.lists(CALLS, max_size=4))
def test_a_case_passes_its_calls_only_if_nothing_was_wrong(
    wanted: list[ResolvedCall], sent: list[ResolvedCall]
) -> None:
    a_case = case(calls=[expected(*call.entity_ids, **call.data) for call in wanted])
    happening = seen(*sent)
    wrong = wrong_calls(a_case, happening)
    assert bool(wrong) == any(found.startswith("call too many") for found in failures(a_case, happening))
    assert len(singles(sent)) - len(singles(wanted)) <= len(wrong)


def test_without_expected_calls_none_is_declared_wrong() -> None:
    assert wrong_calls(case(outcome="acted"), seen(on("light.a"))) == ()
