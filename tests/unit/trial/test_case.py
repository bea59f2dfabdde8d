"""Case files: what is wrong is named, since a misspelled assertion would never fail."""

from collections.abc import Callable
from pathlib import Path

import pytest

from homesteward.trial import CaseError, load_assist_cases, load_cases

Write = Callable[[object], Path]
SAID = {"id": "one", "home": "flat.yaml", "utterance": "lights on"}


def test_a_case_says_one_sentence_or_several_turns(case_file: Write) -> None:
    cases = load_cases(case_file([{"id": "a", "utterance": "hello"}, {"id": "b", "turns": ["open it", "yes"]}]))
    assert [case.said for case in cases] == [("hello",), ("open it", "yes")]


def test_a_case_that_says_nothing_is_an_error(case_file: Write) -> None:
    with pytest.raises(CaseError, match="either an utterance or turns"):
        load_cases(case_file([{"id": "a"}]))


def test_a_misspelled_assertion_is_named(case_file: Write) -> None:
    with pytest.raises(CaseError, match=r"(?s)cases\.json.*expect\.cals"):
        load_cases(case_file([{"id": "a", "utterance": "hello", "expect": {"cals": []}}]))


def test_two_cases_with_one_id_are_an_error(case_file: Write) -> None:
    with pytest.raises(CaseError, match="more than one case named a"):
        load_cases(case_file([{"id": "a", "utterance": "x"}, {"id": "a", "utterance": "y"}]))


@pytest.mark.parametrize("load", [load_cases, load_assist_cases])
def test_a_case_file_that_is_not_there_says_so(load: Callable[[Path], object], tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="cannot be read") as failure:
        load(tmp_path / "nowhere")
    assert failure.value.code == "bad_case"


def test_a_misspelled_key_of_an_assist_case_is_named_with_its_case(case_file: Write) -> None:
    with pytest.raises(CaseError, match="case one: expect_change: Extra inputs"):
        load_assist_cases(case_file([{**SAID, "expect_change": {}}]))


def test_a_wrong_value_deep_in_an_assist_case_is_named(case_file: Write) -> None:
    with pytest.raises(CaseError, match=r"case one: setup\.light\.desk\.attributes"):
        load_assist_cases(case_file([{**SAID, "setup": {"light.desk": {"attributes": 3}}}]))


def test_an_assist_file_that_is_not_json_or_no_list_is_an_error(case_file: Write, tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("[")
    with pytest.raises(CaseError, match=r"broken\.json is not JSON"):
        load_assist_cases(tmp_path / "broken.json")
    with pytest.raises(CaseError, match=r"cases\.json: case: "):
        load_assist_cases(case_file({"id": "one"}))


def test_two_assist_cases_with_one_id_are_an_error(case_file: Write) -> None:
    with pytest.raises(CaseError, match="more than one case named one"):
        load_assist_cases(case_file([SAID, SAID]))


def test_what_is_ignored_may_be_written_in_either_form(case_file: Write) -> None:
    ignored = {"light.a": ["brightness"], "light.b": {"attributes": ["rgb_color"]}}
    (case,) = load_assist_cases(case_file([{**SAID, "ignore_changes": ignored}]))
    assert (case.ignores("light.a"), case.ignores("light.b"), case.ignores("light.c")) == (
        {"brightness"},
        {"rgb_color"},
        frozenset(),
    )
