"""Keeping results small: whatever a tool finds, what comes back is valid JSON of a bounded size that says what was left out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from homesteward.core.json import JsonValue, dumps, plain
from homesteward.tools.tool import ToolResult

MAX_CHARS = 12_000
CUTS = ((20, 1200), (8, 400), (3, 100))  # items per list or object, characters per text: the first that fits is taken


def bounded(result: ToolResult, limit: int = MAX_CHARS) -> ToolResult:
    """Return `result` with its data cut until the whole is at most `limit` characters of JSON."""
    size = len(dumps(result.json))
    if size <= limit:
        return result
    for items, chars in CUTS:
        shorter = replace(result, data=_wrapped(_cut(plain(result.data), items, chars), size))
        if len(dumps(shorter.json)) <= limit:
            return shorter
    return replace(result, data=_wrapped(None, size))


def _wrapped(data: JsonValue, size: int) -> JsonValue:
    note = "Cut to fit. Ask for less: a narrower query, one area or one domain."
    return {"truncated": True, "original_chars": size, "note": note, "data": data}


def _cut(value: JsonValue, items: int, chars: int) -> JsonValue:
    if isinstance(value, str):
        return value if len(value) <= chars else f"{value[:chars]}... ({len(value)} characters)"
    if isinstance(value, Mapping):
        kept = {key: _cut(item, items, chars) for key, item in list(value.items())[:items]}
        return kept | ({"left_out": len(value) - items} if len(value) > items else {})
    if isinstance(value, Sequence):
        shown: list[JsonValue] = [_cut(item, items, chars) for item in value[:items]]
        return shown + ([{"left_out": len(value) - items}] if len(value) > items else [])
    return value
