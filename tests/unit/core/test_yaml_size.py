"""YAML is measured as it is once its aliases are written out, before anything is built of it."""

import pytest
import yaml

from homesteward.core.yaml_size import TooMuchYamlError, require_bounded

ROWS = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 11))]
BOMB = "\n".join(ROWS)


@pytest.mark.parametrize(
    "text",
    [
        BOMB,
        "\n".join(ROWS[:8]),
        "[" * 30_000,
        "a: &a [*a]",
        "a: &a " + "x" * 10_000 + "\nb: [" + "*a, " * 90 + "]",
        "a: &a {k: v}\n" + "".join(f"b{n}: {{<<: *a}}\n" for n in range(200)),
        "a: 1" + ":1" * 20_000,
        "- x\n" * 21_000,
    ],
)
def test_what_comes_to_more_than_any_such_text_is_refused_before_it_is_built(text):
    with pytest.raises((TooMuchYamlError, yaml.YAMLError)):
        require_bounded(text, 64 * 1024)


def test_a_few_aliases_are_taken():
    require_bounded("a: &a {x: [1, 2]}\nb: *a\nc: [*a, *a]\n", 64 * 1024)


def test_a_long_text_is_no_long_number():
    require_bounded("a: '" + "1" * 500 + "'\nb: " + "word " * 500, 64 * 1024)
