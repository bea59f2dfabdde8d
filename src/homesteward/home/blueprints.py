"""A blueprint as it is written down: its actions, with a template in the place of every input that somebody fills in later."""

from typing import Any

import yaml

from homesteward.core.json import JsonValue
from homesteward.core.yaml_size import LOADER, require_bounded

MAX_YAML = 64 * 1024  # characters, also once its aliases are written out; none longer is written

# What YAML's own types raise for a text that is none of theirs.
UNBUILDABLE = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError)


def parsed_blueprint(text: str) -> JsonValue:
    """Return a blueprint written in YAML as data, each of its inputs as a template that nobody can resolve; None where it is none."""
    if len(text) > MAX_YAML:
        return None
    try:
        require_bounded(text, MAX_YAML)
        return yaml.load(text, Loader=_Loader)  # type: ignore[no-any-return]  # noqa: S506 - a safe loader with one tag more
    except (yaml.YAMLError, *UNBUILDABLE):
        return None


class _Loader(LOADER):  # type: ignore[misc] # it is chosen as this runs
    """Reads `!input name` as a template; any other tag is refused."""


def _input(_loader: Any, node: yaml.Node) -> str:  # noqa: ANN401 - PyYAML's own loader
    return f"{{{{ input {node.value} }}}}"


_Loader.add_constructor("!input", _input)
