"""A blueprint as it is written down: its actions, with a template in the place of every input that somebody fills in later."""

from typing import Any

import yaml

from homesteward.core.json import JsonValue

MAX_YAML = 256 * 1024  # characters


def parsed_blueprint(text: str) -> JsonValue:
    """Return a blueprint written in YAML as data, each of its inputs as a template that nobody can resolve; None where it is none."""
    if len(text) > MAX_YAML:
        return None
    try:
        return yaml.load(text, Loader=_Loader)  # type: ignore[no-any-return]  # noqa: S506 - a safe loader with one tag more
    except yaml.YAMLError, RecursionError, ValueError:
        return None


class _Loader(yaml.SafeLoader):
    """Reads `!input name` as a template; any other tag is refused."""


def _input(_loader: Any, node: yaml.Node) -> str:  # noqa: ANN401 - PyYAML's own loader
    return f"{{{{ input {node.value} }}}}"


_Loader.add_constructor("!input", _input)
