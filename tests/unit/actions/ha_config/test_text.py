"""YAML as text: read with bounds and the line of a mistake, and never more than what is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homesteward.actions.ha_config.errors import BadConfigError
from homesteward.actions.ha_config.text import diff_of, fingerprint, parsed, same, written

WORDS = st.text("abc 0:on{}'\"-#", max_size=8)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=12,
)
CONFIGS = st.dictionaries(st.sampled_from(["alias", "code", "pin", "actions", "data"]), VALUES, min_size=1, max_size=4)


@given(CONFIGS)
def test_what_is_written_reads_as_what_it_was(config):
    assert same(parsed(written(config)), config)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("alias: a\n  b: c\n", "line 2"),
        ("alias: 'open\n", "line"),
        ("alias: !secret name\n", "'!secret' is not taken"),
        ("alias: !include other.yaml\n", "'!include' is not taken"),
        ("alias: !!python/object/apply:os.system [ls]\n", "not"),
        ("just words\n", "holds no object"),
        ("", "holds no object"),
        ("a: &a [x]\n" + "".join(f"b{n}: *a\n" for n in range(200)), "repeats more"),
        ("[" * 100, "nested deeper"),
        (
            "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 11)),
            "repeats more",
        ),
        ("a: 99999999999999999999999\n", "number"),
        ("a: .inf\n", "number"),
        ("a: !!binary aGFsbG8=\n", "no YAML"),
        ("a: 2026-13-45\n", "no YAML"),
        ("a: " + "x" * 70_000, "longer than"),
    ],
)
def test_what_cannot_be_read_says_where_or_why(text, says):
    with pytest.raises(BadConfigError) as refused:
        parsed(text)
    assert says in refused.value.message


def test_one_item_as_it_stands_in_the_file_is_read_as_itself():
    assert parsed("- id: a\n  alias: A\n") == {"id": "a", "alias": "A"}


def test_an_input_of_a_blueprint_is_kept_as_what_it_is():
    assert parsed("entity_id: !input door\n") == {"entity_id": "!input door"}


def test_a_difference_is_cut_where_it_is_longer_than_anybody_reads():
    assert len(diff_of(None, {"a": "x " * 30_000})) < 21_000


def test_none_has_no_fingerprint_and_the_order_of_keys_has_no_say():
    assert fingerprint(None) == ""
    assert fingerprint({"a": 1, "b": 2}) == fingerprint({"b": 2, "a": 1}) != fingerprint({"a": 1, "b": 3})
