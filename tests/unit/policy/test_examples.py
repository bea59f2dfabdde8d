"""Tests of rules, and the page that explains rules: every example on it is loaded, and its tests judged."""

import re
from pathlib import Path

import pytest

from homesteward.policy import Policy, RuleBook, parse_rules
from homesteward.policy.examples import BadExamplesError, judge_examples, parse_examples

PAGE = (Path(__file__).parents[3] / "docs" / "policy.md").read_text()
RULES = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
TESTS = re.findall(r"```yaml test\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("text", RULES)
def test_every_rule_on_the_page_can_be_loaded(text):
    file = parse_rules(text)
    assert file.rules or file.limits


@pytest.mark.parametrize("text", TESTS)
def test_every_test_on_the_page_is_as_the_page_says(text):
    judged = judge_examples(parse_examples(text), Policy(book=RuleBook(parse_rules(RULES[0]))))
    assert [case.wrong for case in judged] == [""] * len(judged)


def test_what_is_not_as_expected_says_what_it_is():
    text = "home: {lock.a: {}}\ncases: [{name: a, call: {service: lock.unlock, target: {entity_id: lock.a}}, expect: allow}]"
    assert [case.wrong for case in judge_examples(parse_examples(text), Policy())] == [
        "action should be allow and is approve"
    ]


@pytest.mark.parametrize("text", ["", "cases: []", "cases: 3", "a: [", "cases: [{name: a, call: {}, expect: perhaps}]"])
def test_a_file_that_holds_no_tests_says_so(text):
    with pytest.raises(BadExamplesError):
        parse_examples(text)


@pytest.mark.parametrize(
    "text", ["!secret a", "a: 2026-13-45", "a: &a {<<: 5}", "[" * 5000, "\ud800", f"a: {'9' * 5000}"]
)
def test_tests_that_are_no_yaml_say_so_in_whatever_way_they_are_broken(text):
    with pytest.raises(BadExamplesError):
        parse_examples(text)
