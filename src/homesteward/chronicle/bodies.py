"""Attribute sets and service data as the text that is stored: one form for equal ones, and no longer than a bound."""

from homesteward.core import json
from homesteward.core.json import JsonObject

MAX_BODY = 8192  # bytes of one set
MAX_VALUE = 512  # bytes of one value in a set that is longer than that
SHOWN = 200  # characters left of a value that was cut
CUT = "homesteward_cut"
"""The key that says, in a set that was too long, how many bytes it had and which of its values were cut or left out."""


def body_of(value: JsonObject) -> str:
    """Return the set as JSON with its keys sorted. One that is too long keeps its short values and says what was cut."""
    body = json.canonical(dict(value))
    return (body if len(body) <= MAX_BODY else _cut(value, len(body))).decode()


def _cut(value: JsonObject, size: int) -> bytes:
    kept: dict[str, object] = {}
    cut: list[str] = []
    room = MAX_BODY - MAX_VALUE  # what is left is for the mark
    for key, one in value.items():
        text = json.canonical(one)
        if len(text) > MAX_VALUE:
            cut.append(key[:SHOWN])
            one = f"{text[:SHOWN].decode(errors='ignore')}…"  # noqa: PLW2901 - the same value, shorter
            text = json.canonical(one)
        room -= len(text) + len(key.encode()) + 4
        if room < 0:
            cut.append("…")
            break
        kept[key] = one
    return json.canonical({**kept, CUT: {"bytes": size, "keys": _listed(cut)}})


def _listed(keys: list[str]) -> list[str]:
    """Return the first keys, as many as a mark has room for."""
    listed: list[str] = []
    room = MAX_VALUE // 2
    for key in keys:
        room -= len(key.encode()) + 3
        if room < 0:
            return [*listed, "…"]
        listed.append(key)
    return listed
