"""The exit code of everything that can come of a command: nothing is left to chance."""

import pytest
import typer

from homesteward.actions.plan import PlanState
from homesteward.cli.client import part
from homesteward.cli.exits import ERRORS, OUTCOMES, PLANS, Exit, answer_exit, error_exit, plan_exit, tool_exit
from homesteward.cli.main import _numbers
from homesteward.core import HomestewardError
from homesteward.steward import Outcome


def test_every_outcome_has_its_exit_code():
    assert set(OUTCOMES) == {outcome.value for outcome in Outcome}


def test_every_state_of_a_plan_has_its_exit_code():
    assert set(PLANS) == {state.value for state in PlanState}


@pytest.mark.parametrize(
    ("outcome", "code"),
    [("answered", 0), ("acted", 0), ("simulated", 0), ("failed", 1), ("refused", 3), ("confirm", 4), ("waiting", 4)],
)
def test_an_outcome_ends_as_the_contract_says(outcome, code):
    assert answer_exit({"outcome": outcome, "error": None}) == code


def test_an_answer_that_failed_for_want_of_a_connection_says_so():
    assert answer_exit({"outcome": "failed", "error": {"code": "not_connected"}}) is Exit.NOT_CONNECTED
    assert answer_exit({"outcome": "failed", "error": {"code": "not_allowed"}}) is Exit.FAILED


def test_only_what_was_done_or_simulated_exits_zero():
    assert {state for state in PLANS if plan_exit({"state": state}) is Exit.DONE} == {"completed", "simulated"}


def test_a_plan_that_was_not_seen_through_has_failed():
    assert {state for state in PLANS if plan_exit({"state": state}) is Exit.FAILED} == {
        "partial", "failed", "interrupted", "expired",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("code", "exits"),
    [
        ("not_connected", 5), ("auth_failed", 5), ("connection_lost", 5), ("ha_timeout", 5), ("needs_admin", 5),
        ("data_folder_locked", 5), ("service_silent", 5), ("not_signed_in", 3), ("not_allowed", 3), ("cannot_raise_role", 3),
        ("refused", 3), ("bad_usage", 2), ("bad_settings", 2), ("invalid_request", 2), ("invalid_call", 2),
        ("unknown_plan", 1), ("already_decided", 1), ("plan_expired", 1), ("port_taken", 1), ("internal", 1), ("", 1),
    ],
)  # fmt: skip
def test_an_error_ends_with_its_code(code, exits):
    assert error_exit(code) == exits


def test_no_error_counts_as_done_or_as_waiting():
    assert not {Exit.DONE, Exit.WAITING} & set(ERRORS.values())


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"plans": [{"state": "completed"}, {"state": "waiting"}]}, Exit.WAITING),
        ({"plans": [{"state": "completed"}]}, Exit.DONE),
        ({"entities": []}, Exit.DONE),
        ([1], Exit.DONE),
        (None, Exit.DONE),
    ],
)
def test_a_tool_whose_plan_waits_says_so(data, code):
    assert tool_exit({"ok": True, "data": data}) is code


@pytest.mark.parametrize("steps", [",", "1,,2", "1,", " ", "one"])
def test_step_numbers_with_a_gap_are_bad_usage(steps):
    with pytest.raises(typer.BadParameter):
        _numbers(steps)


def test_an_empty_id_is_bad_usage_and_asks_for_no_other_page():
    with pytest.raises(HomestewardError) as told:
        part(" ")
    assert error_exit(told.value.code) is Exit.USAGE
