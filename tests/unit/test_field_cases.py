"""Every field case that this version answers has its test, which names it; the rest are known by id."""

import re
from pathlib import Path

import yaml

TESTS = Path(__file__).parent.parent
CASES = TESTS.parent / "evals" / "field-cases.yaml"
ANSWERED = {
    "E04",
    "E06",
    "E08",
    "E10",
    "E12",
    "E14",
    "E16",
    "E19",
    "E21",
    "E23",
    "E25",
    "E32",
    "E34",
    "E37",
    "E38",
    "E41",
    "E42",
    "E48",
    "E49",
    "E53",
    "E56",
    "E60",
}


def _named_in_tests() -> set[str]:
    return {
        case for file in TESTS.rglob("test_*.py") for case in re.findall(r'"""(?:[^"]*\b)?(E\d\d)\b', file.read_text())
    }


def test_every_answered_case_is_named_by_a_test():
    assert not ANSWERED - _named_in_tests()


def test_no_test_names_a_case_that_does_not_exist():
    known = {case["id"] for case in yaml.safe_load(CASES.read_text())["cases"]}
    assert not _named_in_tests() - known
