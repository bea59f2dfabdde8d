"""Whatever lies in a rule file, it is rules or a told mistake: nothing else comes out of reading it, and in no long time."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.policy import BadRuleFileError, parse_rules
from homesteward.policy.rule import Limit, Rule, RuleFile, When

PIECES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=8),
        st.dates(),
        st.sampled_from(
            ["!secret a", "!!int abc", "!!bool no way", '!!int ""', "!!binary a", "!!timestamp x", "*a", "&a b"]
        ),
        st.sampled_from(
            ["2026-13-45", "9" * 5000, "1" * 400, "99999999999d", "5 in 99999999999999 d", "0b", "0x", "."]
        ),
        st.sampled_from(["22:00-06:00", "5 per hour", "2h", "21 °C", "deny", '"\\ud800"', "<<", "version", "\ud800"]),
    ).map(str),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda each: f"[{', '.join(each)}]"),
        st.lists(
            st.tuples(st.one_of(st.sampled_from(["name", "when", "then", "rules", "<<", "not"]), inner), inner),
            max_size=3,
        ).map(lambda each: "{" + ", ".join(f"{key}: {value}" for key, value in each) + "}"),
    ),
    max_leaves=8,
)


@given(
    st.one_of(
        PIECES,
        st.tuples(st.sampled_from(["rules", "limits"]), PIECES).map(lambda each: f"version: 1\n{each[0]}: {each[1]}"),
        st.tuples(st.sampled_from([*When.model_fields, "not"]), PIECES).map(
            lambda each: f"version: 1\nrules: [{{name: a, then: confirm, when: {{{each[0]}: {each[1]}}}}}]"
        ),
        st.tuples(st.sampled_from([*Rule.model_fields]), PIECES).map(
            lambda each: f"version: 1\nrules: [{{name: a, then: confirm, {each[0]}: {each[1]}}}]"
        ),
        st.tuples(st.sampled_from([*Limit.model_fields]), st.sampled_from(["min", "max", "step"]), PIECES).map(
            lambda each: f"version: 1\nlimits: [{{name: a, {each[0]}: {{{each[1]}: {each[2]}}}}}]"
        ),
    )
)
def test_whatever_yaml_is_written_is_rules_or_told_mistakes(text):
    told = None
    try:
        assert isinstance(parse_rules(text), RuleFile)
    except BadRuleFileError as error:
        told = error
    assert told is None or (told.mistakes and len(told.message) < 2000)


@pytest.mark.parametrize(
    "text",
    [
        "rules: [{name: a, then: deny, when: {data: {}}}]",
        "rules: [{name: a, then: deny, when: {state: {}}}]",
        "rules: [{name: a, then: deny, when: {role: }}]",
        "rules: [{name: a, then: deny, when: {not: }}]",
        "rules: [{name: a, then: deny, when: {not: {role: }}}]",
        "rules: [{name: a, then: deny, expires: }]",
        "rules: [{name: a, then: deny, when: {more_than: 5 in 0 h}}]",
        "rules: [{name: a, then: deny, when: {more_than: 5 in 99999999999999 d}}]",
        "rules: [{name: a, then: confirm, expires: 367d}]",
        "limits: [{name: a, every: }]",
        "limits: [{name: a, brightness: {max: yes}}]",
        "limits: [{name: a, temperature: {min: 5, max: }}]",
        f"limits: [{{name: a, temperature: {{min: {'1' * 400}}}}}]",
        "preset:",
        "x: &a {b: 1}\ny: {<<: *a}",
    ],
)
def test_a_part_that_says_nothing_or_nothing_sensible_is_refused(text):
    with pytest.raises(BadRuleFileError):
        parse_rules("version: 1\n" + text)


@pytest.mark.parametrize("version", ["yes", "1.0", "'1'", "", "2"])
def test_the_version_is_the_number_one(version):
    with pytest.raises(BadRuleFileError):
        parse_rules(f"version: {version}")


def test_lists_within_lists_are_never_spelled_out():
    doubled = "".join(f"  a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40))
    text = f"version: 1\nx:\n  a0: &a0 [1, 1]\n{doubled}rules: [{{name: a, then: confirm, expires: *a39}}]"
    with pytest.raises(BadRuleFileError):
        parse_rules(text)


def test_the_longest_file_there_may_be_is_read_in_a_moment():
    row = "- {name: rule %d, when: {domain: [light, switch], area: Kitchen, data: {a: {above: 1}}}, then: deny}\n"
    text = "version: 1\nrules:\n" + "".join(row % n for n in range(3000))
    began = time.process_time()  # our own, whatever else the machine does
    with pytest.raises(BadRuleFileError):
        parse_rules(text[: 256 * 1024])
    assert time.process_time() - began < 10
