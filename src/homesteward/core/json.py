"""JSON in one dialect: what goes out, what comes in, and the canonical form that hashes are made of."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, cast

import orjson

type JsonValue = str | int | float | bool | Mapping[str, JsonValue] | Sequence[JsonValue] | None
type JsonObject = Mapping[str, JsonValue]

LARGEST = 2**53 - 1  # up to here a whole number is the same in every reader of JSON
MAX_DEPTH = 100  # lists and objects within each other


def dumps(value: object) -> str:
    """Return `value` as compact JSON; dataclasses, datetimes and enums included."""
    return orjson.dumps(value, _as_plain).decode()


def canonical(value: object) -> bytes:
    """Return the one byte form of `value`: keys sorted, no spaces. Equal values give equal bytes."""
    return orjson.dumps(value, _as_plain, orjson.OPT_SORT_KEYS)


def loads(text: str | bytes) -> JsonValue:
    """Parse JSON; raise `ValueError` if it is not."""
    return cast("JsonValue", orjson.loads(text))


def plain(value: object) -> Any:  # noqa: ANN401 - the JSON types have no narrower common name in typeshed
    """Return `value` made of dict, list, str, numbers and None only, as JSON would hold it."""
    return orjson.loads(orjson.dumps(value, _as_plain, orjson.OPT_NON_STR_KEYS))


def countable(value: object, depth: int = MAX_DEPTH) -> bool:
    """Return whether every number in `value` is one that JSON can carry (finite, and within 64 bits), and it is not nested without end."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, int):
        return -(2**63) <= value < 2**64
    if isinstance(value, Mapping):
        return depth > 0 and all(countable(each, depth - 1) for each in (*value, *value.values()))
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return depth > 0 and all(countable(each, depth - 1) for each in value)
    return True


def _as_plain(value: object) -> object:
    """Return a mapping that is no dict, such as one that cannot be changed, as a dict."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(value)
