"""Values that a home file names by their place in Home Assistant's code, such as `cover.CoverEntityFeature.OPEN`."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

_PATH = re.compile(r"([a-z_]+\.[A-Z]\w*)\.([A-Z][A-Z0-9_]*)")


def value_of(written: object) -> Any:  # noqa: ANN401 - whatever an attribute may hold
    """Return what `written` stands for: members of enumerations as their value, everything else as it is.

    Raises KeyError, with the path, for a feature that Home Assistant does not have.
    """
    if isinstance(written, list):
        return [value_of(part) for part in written]
    match = _PATH.fullmatch(written) if isinstance(written, str) else None
    if match is None:
        return written
    enumeration, member = match.groups()
    if enumeration in _tables()["flags"] or enumeration.endswith("EntityFeature"):
        return _flag(enumeration, member)
    return _tables()["words"].get(enumeration, {}).get(member, member.lower())


def features_of(written: object) -> int:
    """Return feature bits, given as a number, a path, or a list of either; raise KeyError for what is neither."""
    parts = written if isinstance(written, list) else [written]
    bits = 0
    for part in parts:
        value = value_of(part)
        if not isinstance(value, int):
            raise KeyError(str(part))
        bits |= value
    return bits


def _flag(enumeration: str, member: str) -> int:
    known = _tables()["flags"].get(enumeration, {})
    if member not in known:
        raise KeyError(f"{enumeration}.{member}")
    return int(known[member])


@cache
def _tables() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    tables: Mapping[str, Mapping[str, Mapping[str, Any]]] = yaml.safe_load(
        files("homesteward.trial").joinpath("features.yaml").read_text(encoding="utf-8")
    )
    return tables
