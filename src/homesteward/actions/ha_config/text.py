"""Configuration as text: YAML read with bounds and the line of a mistake, written in one form, and compared line by line."""

from difflib import unified_diff
from hashlib import sha256
from typing import Any

import yaml

from homesteward.actions.ha_config.errors import BadConfigError
from homesteward.core.json import JsonObject, JsonValue, canonical, countable, plain
from homesteward.core.yaml_size import LOADER, TooMuchYamlError, require_bounded

MAX_TEXT = 64 * 1024  # bytes; what a call may carry
MAX_DIFF = 20_000  # characters that are shown of a difference
UNBUILDABLE = (ValueError, TypeError, ArithmeticError, LookupError, AttributeError, RecursionError)


def parsed(text: str) -> dict[str, Any]:
    """Return the mapping that is written in YAML (or JSON, which is YAML too); raise BadConfigError with the line of the mistake."""
    if len(text.encode(errors="replace")) > MAX_TEXT:
        raise BadConfigError(f"It is longer than {MAX_TEXT // 1024} KiB.", next="Send less.")
    try:
        require_bounded(text, MAX_TEXT)
        found = yaml.load(text, _Loader)  # noqa: S506 - a safe loader, with Home Assistant's tags as texts
        return _object_in(found)
    except TooMuchYamlError as error:
        raise BadConfigError(f"It cannot be taken: {error}.", next="Write it out.") from None
    except yaml.YAMLError as error:
        raise _unreadable(error, text.count("\n") + 1) from None
    except UNBUILDABLE as error:
        raise BadConfigError(f"It is no YAML: {type(error).__name__}.", next="Mend it; nothing was changed.") from None


def _object_in(found: object) -> dict[str, Any]:
    if isinstance(found, list) and len(found) == 1:
        found = found[0]  # as it stands in automations.yaml, with a dash before it
    if not isinstance(found, dict):
        raise BadConfigError("It holds no object.", next="Write one, such as 'alias: ...'.")
    return require_small(found)


def require_small(config: JsonObject) -> dict[str, Any]:
    """Return the configuration; raise BadConfigError where it is longer than a call may carry, or holds what JSON does not."""
    if not countable(config):
        raise BadConfigError("It holds a number that JSON does not, or is nested without end.", next="Write another.")
    made: dict[str, Any] = plain(config)
    if len(canonical(made)) > MAX_TEXT:
        raise BadConfigError(f"It is longer than {MAX_TEXT // 1024} KiB.", next="Send less.")
    return made


def written(config: JsonObject | None) -> str:
    """Return the configuration as YAML, keys as they stand; empty for none."""
    if config is None:
        return ""
    return yaml.dump(plain(config), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def diff_of(old: JsonObject | None, new: JsonObject | None) -> str:
    """Return what differs, line by line, cut where it is longer than anybody reads."""
    lines = unified_diff(written(old).splitlines(), written(new).splitlines(), "before", "after", lineterm="")
    text = "\n".join(lines)
    return text if len(text) <= MAX_DIFF else f"{text[:MAX_DIFF]}\n... ({len(text)} characters)"


def fingerprint(config: JsonObject | None) -> str:
    """Return what tells this content from any other; empty for none."""
    return "" if config is None else sha256(canonical(plain(config))).hexdigest()


def same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether both are the same content."""
    return canonical(plain(one)) == canonical(plain(other))


class _Loader(LOADER):  # type: ignore[misc] # it is chosen as this runs
    """Home Assistant's tags are kept as the texts they are: nothing is included, and no secret is looked up."""


class _Dumper(yaml.SafeDumper):
    """Every list below its key is set in, and nothing is written as an alias."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - PyYAML's own
        """Set lists in."""
        super().increase_indent(flow, False)

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's own
        """Write everything out."""
        return True


def _tagged(loader: Any, suffix: str, node: yaml.Node) -> str:  # noqa: ANN401 - PyYAML's own loader
    if suffix != "input":
        mark = node.start_mark
        raise yaml.constructor.ConstructorError(None, None, f"'!{suffix}' is not taken here", mark)
    return f"!input {loader.construct_scalar(node)}"


_Loader.add_multi_constructor("!", _tagged)


def _unreadable(error: yaml.YAMLError, lines: int) -> BadConfigError:
    mark = getattr(error, "problem_mark", None)
    # the end of the text is told as the line after it
    where = f"line {min(mark.line + 1, lines)}, column {mark.column + 1}: " if mark else ""
    said = getattr(error, "problem", None) or "it is no YAML"
    return BadConfigError(f"The YAML cannot be read: {where}{said}.", next="Mend it; nothing was changed.")
